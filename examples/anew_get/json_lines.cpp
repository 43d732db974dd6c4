// SPDX-License-Identifier: BSL-1.0
#include <ostream>

#include <nlohmann/json.hpp>

#include "json_lines.hpp"
#include "text.hpp"
#include "timeline.hpp"

namespace anew_get {

namespace {

using json = nlohmann::ordered_json;

void print(std::ostream& out, json const& object) {
  // What is not UTF-8 (in a URL, say) is replaced: each line is valid.
  out << object.dump(-1, ' ', false, json::error_handler_t::replace) << '\n' << std::flush;
}

json or_null(std::optional<anew::duration> d) { return d ? json(in_milliseconds(*d)) : json(nullptr); }
json status_or_null(int status) { return status == 0 ? json(nullptr) : json(status); }
json balance_of(quota_state const& quota) { return quota.capacity ? json(quota.balance) : json(nullptr); }
json capacity_of(quota_state const& quota) { return quota.capacity ? json(*quota.capacity) : json(nullptr); }

char const* verdict_of(anew::directive const& verdict) {
  return verdict.is_success() ? "success" : verdict.is_failure() ? "final" : "retry";
}

char const* safety_of(anew::retry_safety safety) {
  switch (safety) {
    case anew::retry_safety::no: return "no";
    case anew::retry_safety::maybe: return "maybe";
    case anew::retry_safety::yes: return "yes";
  }
  return "no";
}

}  // namespace

void json_lines::call_begins(call_begin const& call) {
  url_ = call.url;
  print(*out_, {{"event", "start"}, {"url", call.url}, {"method", call.method}});
}

void json_lines::attempt_ended(attempt_record const& attempt) {
  json object{{"event", "attempt"},
              {"url", url_},
              {"attempt", attempt.number},
              {"at_ms", in_milliseconds(attempt.began)},
              {"took_ms", in_milliseconds(attempt.ended - attempt.began)},
              {"status", status_or_null(attempt.status)},
              {"what", attempt.words},
              {"verdict", nullptr},
              {"kind", nullptr},
              {"safety", nullptr},
              {"hint_ms", nullptr},
              {"delay_ms", nullptr},
              {"origin", nullptr},
              {"quota", balance_of(attempt.quota)},
              {"quota_capacity", capacity_of(attempt.quota)}};
  if (attempt.verdict) {
    object["verdict"] = verdict_of(*attempt.verdict);
    if (attempt.verdict->is_retry()) {
      object["kind"] = to_string(attempt.verdict->what().kind);
      object["safety"] = safety_of(attempt.verdict->what().safety);
      object["hint_ms"] = or_null(attempt.verdict->what().hint);
    }
  }
  if (attempt.wait) {
    object["delay_ms"] = in_milliseconds(attempt.wait->delay);
    object["origin"] = to_string(attempt.wait->origin);
  }
  print(*out_, object);
}

void json_lines::call_ended(call_report const& report) {
  print(*out_, {{"event", "end"},
                {"url", report.url},
                {"reason", to_string(report.reason)},
                {"words", reason_in_words(report, settings_)},
                {"attempts", report.attempts.size()},
                {"elapsed_ms", in_milliseconds(report.elapsed)},
                {"last_hint_ms", or_null(report.last_hint)},
                {"status", status_or_null(report.last().status)},
                {"bytes", report.last().bytes},
                {"quota", balance_of(report.quota)}});
}

void json_lines::exit(std::ostream& out, int code) { print(out, {{"event", "exit"}, {"code", code}}); }

void json_lines::scene(std::ostream& out, unsigned number, std::string const& title) {
  print(out, {{"event", "scene"}, {"scene", number}, {"title", title}});
}

void json_lines::check(std::ostream& out, unsigned scene, std::string const& what, bool good) {
  print(out, {{"event", "check"}, {"scene", scene}, {"what", what}, {"good", good}});
}

}  // namespace anew_get
