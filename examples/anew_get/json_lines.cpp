// SPDX-License-Identifier: BSL-1.0
#include <ostream>

#include <nlohmann/json.hpp>

#include "anew/text/json/json_lines.hpp"

#include "exit_code.hpp"
#include "json_lines.hpp"
#include "text.hpp"
#include "timeline.hpp"

namespace anew_get {

namespace {

using json = nlohmann::ordered_json;

void print(std::ostream& out, json const& object) { out << anew::line_of(object) << '\n' << std::flush; }

json status_or_null(int status) { return status == 0 ? json(nullptr) : json(status); }
json balance_of(quota_state const& quota) { return quota.is_limited ? json(quota.balance) : json(nullptr); }
json trouble_of(quota_state const& quota) { return quota.trouble.empty() ? json(nullptr) : json(quota.trouble); }
json capacity_of(quota_state const& quota) { return quota.capacity ? json(*quota.capacity) : json(nullptr); }

}  // namespace

void json_lines::call_begins(call_begin const& call) {
  url_ = call.url;
  print(*out_, {{"event", "start"}, {"url", call.url}, {"method", call.method}});
}

void json_lines::attempt_ended(attempt_record const& attempt) {
  json object{{"event", "attempt"},
              {"url", url_},
              {"at_ms", in_milliseconds(attempt.began)},
              {"took_ms", in_milliseconds(attempt.ended - attempt.began)},
              {"status", status_or_null(attempt.status)},
              {"what", attempt.words},
              {"resumed_at", attempt.resumed_at},
              {"quota", balance_of(attempt.quota)},
              {"quota_capacity", capacity_of(attempt.quota)}};
  anew::attempt_event const unjudged{attempt.number, anew::directive::fail(), true};
  object.update(anew::json_of(attempt.judged.value_or(unjudged), attempt.wait));
  if (!attempt.judged) {
    object["verdict"] = nullptr;
    object["severity"] = to_string(anew::severity::info);
  }
  print(*out_, object);
  if (!*out_) unheard_.request_stop();
}

void json_lines::call_ended(call_report const& report) {
  json object{{"event", "end"},
              {"url", report.url},
              {"words", reason_in_words(report, settings_)},
              {"elapsed_ms", in_milliseconds(report.elapsed)},
              {"last_hint_ms", report.last_hint ? json(in_milliseconds(*report.last_hint)) : json(nullptr)},
              {"status", status_or_null(report.last().status)},
              {"bytes", report.last().bytes},
              {"code", exit_code_of(report)},
              {"quota", balance_of(report.quota)},
              {"quota_trouble", trouble_of(report.quota)}};
  object.update(anew::json_of(report.end));
  print(*out_, object);
}

void json_lines::exit(std::ostream& out, int code) { print(out, {{"event", "exit"}, {"code", code}}); }

void json_lines::scene(std::ostream& out, unsigned number, std::string const& title) {
  print(out, {{"event", "scene"}, {"scene", number}, {"title", title}});
}

void json_lines::process(std::ostream& out, std::string const& budget, unsigned number, std::size_t calls,
                         std::size_t retries, bool killed) {
  print(out, {{"event", "process"},
              {"budget", budget},
              {"process", number},
              {"calls", calls},
              {"retries", retries},
              {"killed", killed}});
}

void json_lines::check(std::ostream& out, unsigned scene, std::string const& what, bool good) {
  print(out, {{"event", "check"}, {"scene", scene}, {"what", what}, {"good", good}});
}

}  // namespace anew_get
