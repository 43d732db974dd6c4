// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <ostream>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "anew/anew.hpp"
#include "anew/base/platform/version.hpp"
#include "anew/ports/aws/settings.hpp"
#include "anew/text/word.hpp"

#include "hedged.hpp"
#include "made_strategy.hpp"
#include "named.hpp"
#include "option_table.hpp"
#include "option_values.hpp"
#include "options.hpp"
#include "support/explain_strategy.hpp"
#include "text.hpp"
#include "topics.hpp"

namespace anew_load {

namespace {

using anew_get::above_zero;
using anew_get::data_of;
using anew_get::duration_of;
using anew_get::header_of;
using anew_get::method_of;
using anew_get::read_number;
using anew_get::refuse;
using anew_get::strategy_text_of;
using anew_get::usage_error;

template <class Number>
auto whole(Number least, Number most) {
  return [=](std::string const& option, std::string const& text) {
    auto const read = read_number<Number>(text);
    if (!read || *read < least || *read > most) {
      refuse(option, text, "must be a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    }
    return *read;
  };
}

/// "0.75".
std::optional<double> read_decimal(std::string_view text) {
  std::optional<anew::text_fault> fault;
  anew::word w;
  w.all = w.name = text;
  w.first_fault = &fault;
  auto const read = w.as_number();
  return fault ? std::nullopt : std::optional{read};
}

/// "500", or "10..1000" for a rate that changes evenly. Its length is not said.
std::optional<rate_step> read_rate(std::string_view text) {
  auto const dots = text.find("..");
  auto const from = read_decimal(text.substr(0, dots)).value_or(0);
  auto const to = dots == std::string_view::npos ? from : read_decimal(text.substr(dots + 2)).value_or(0);
  auto const fits = [](double rate) { return rate >= 0.001 && rate <= 1e6; };
  if (!fits(from) || !fits(to)) return std::nullopt;
  return rate_step{from, to, {}};
}

std::vector<rate_step> rate_of(std::string const& option, std::string const& text) {
  auto const rate = read_rate(text);
  if (!rate) refuse(option, text, "must be a number from 0.001 to 1000000, such as 500, or two: 10..1000");
  return {*rate};
}

/// Calls `each` with the parts between commas.
template <class Each>
void split(std::string_view text, Each each) {
  for (std::size_t at = 0;;) {
    auto const comma = text.find(',', at);
    each(text.substr(at, comma - at));
    if (comma == std::string_view::npos) return;
    at = comma + 1;
  }
}

std::vector<rate_step> profile_of(std::string const& option, std::string const& text) {
  std::vector<rate_step> steps;
  anew::duration all{};
  split(text, [&](std::string_view part) {
    auto const colon = std::min(part.find(':'), part.size());
    auto step = read_rate(part.substr(0, colon));
    auto const length = colon == part.size() ? std::nullopt : anew::word::read_duration(part.substr(colon + 1));
    if (!step || !length || *length == anew::duration::zero()) {
      refuse(option, text, "must be rates and for how long, such as 100:10s,100..500:30s,500:10s");
    }
    step->length = *length;
    if (anew::duration::max() - all < *length) refuse(option, text, "is longer than any run");
    all += *length;
    steps.push_back(*step);
  });
  return steps;
}

std::vector<std::uint32_t> weights_of(std::string const& option, std::string const& text) {
  std::vector<std::uint32_t> weights;
  split(text, [&](std::string_view part) {
    auto const read = read_number<std::uint32_t>(part);
    if (!read || *read == 0 || *read > 1000) {
      refuse(option, text, "must be a whole number from 1 to 1000 for each URL, such as 3,1");
    }
    weights.push_back(*read);
  });
  return weights;
}

/// Two strategies, with a comma between them that is in no parentheses.
std::vector<std::string> compared_of(std::string const& option, std::string const& text) {
  static_cast<void>(strategy_text_of(option, text));
  std::vector<std::string> found(1);
  int depth = 0;
  for (char const c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth == 0) {
      found.emplace_back();
    } else if (c != ' ' || !found.back().empty()) {
      found.back() += c;
    }
  }
  bool const is_any_empty = std::any_of(found.begin(), found.end(), [](auto const& one) { return one.empty(); });
  if (found.size() != 2 || is_any_empty) {
    refuse(option, text, "must be two strategies, such as no-retry,aws-standard");
  }
  return found;
}

/// "1%": 0.01.
double share_of(std::string const& option, std::string const& all, std::string_view text) {
  auto const percent = text.ends_with('%') ? read_decimal(text.substr(0, text.size() - 1)).value_or(-1) : -1;
  if (percent < 0 || percent > 100) refuse(option, all, "must begin with a share of the requests, such as 1%");
  return percent / 100;
}

server_settings::slow slow_of(std::string const& option, std::string const& text) {
  auto const colon = text.find(':');
  if (colon == std::string::npos) refuse(option, text, "must be a share and a time, such as 1%:500ms");
  auto const by = anew::word::read_duration(text.substr(colon + 1));
  if (!by) refuse(option, text, "must end with a duration, such as 1%:500ms");
  return {share_of(option, text, std::string_view{text}.substr(0, colon)), *by};
}

server_settings::failing failing_of(std::string const& option, std::string const& text) {
  auto const colon = std::min(text.find(':'), text.size());
  server_settings::failing made{share_of(option, text, std::string_view{text}.substr(0, colon)), 503};
  if (colon == text.size()) return made;
  auto const status = read_number<int>(std::string_view{text}.substr(colon + 1));
  if (!status || *status < 400 || *status > 599) refuse(option, text, "must end with a status from 400 to 599");
  made.status = *status;
  return made;
}

std::pair<anew::duration, anew::duration> range_of(std::string const& option, std::string const& text) {
  auto const dots = text.find("..");
  if (dots == std::string::npos) {
    auto const one = duration_of(option, text);
    return {one, one};
  }
  auto const least = anew::word::read_duration(text.substr(0, dots));
  auto const most = anew::word::read_duration(text.substr(dots + 2));
  if (!least || !most || *most < *least) refuse(option, text, "must be a duration, or two: 2ms..8ms");
  return {*least, *most};
}

std::string file_of(std::string const& option, std::string const& text) {
  if (text.empty()) refuse(option, text, "must be the name of a file");
  return text;
}

hedge_choice hedge_of(std::string const& option, std::string const& text) {
  if (text == "off") return {};
  if (text.starts_with('p')) {
    auto const percent = read_number<unsigned>(std::string_view{text}.substr(1));
    if (percent && *percent >= 1 && *percent <= 99) return at_quantile{*percent};
  } else if (auto const delay = anew::word::read_duration(text)) {
    return after_delay{*delay};
  }
  refuse(option, text, "must be a duration such as 10ms, a quantile from p1 to p99, or off");
}

class command_line {
 public:
  command_line() : table_{help(), "anew-load " ANEW_VERSION_STRING} {
    auto& s = settings_;
    table_.positional("URL", s.urls, "what to call: http://... or https://...; several by turns");

    table_.group("Load");
    table_.value("--calls", s.calls, whole<std::uint32_t>(1, 100'000), "N", "calls at once (10)");
    table_.value("--threads", s.threads, whole<std::uint32_t>(1, 256), "N",
                 "event loops, among which they are dealt out (1)");
    table_.value("--for,--duration", s.load_for, above_zero, "DUR", "for so long (5s)");
    table_.value("--requests", s.requests, whole<std::uint64_t>(1, 1'000'000'000'000), "N",
                 "this many calls, then the end");
    table_.value("--rate", s.rate, rate_of, "N[..N]",
                 "calls that arrive in a second (as many as are answered); or a ramp");
    table_.value("--profile", profile_, profile_of, "RATE:DUR,...", "rates one after the other: 100:10s,100..500:30s");
    table_.value("--weights", s.weights, weights_of, "N,...", "how often each URL is called (all alike)");
    table_.value("--warm-up", s.warm_up, duration_of, "DUR", "first so long without measuring (0s)");

    table_.group("Strategy");
    table_.value("--strategy", s.strategy, strategy_text_of, "TEXT", "a text or a name; see below");
    table_.value("--compare", s.compared, compared_of, "TEXT",
                 "A,B: two strategies by turns, and how they differ; no-retry is one");
    table_.flag("--explain", explains_, "say in six lines what the strategy will do, and exit");
    table_.flag("--no-retry", s.no_retry, "the client alone: no part of anew in a call");
    table_.value("--hedge", s.hedge, hedge_of, "DUR|pN|off",
                 "send a second request after so long, or at that quantile (off)");
    table_.value("--attempt-timeout,--per-attempt", s.attempt_timeout, above_zero, "DUR", "for each attempt (none)");
    table_.value("--deadline", s.deadline, above_zero, "DUR", "for each call, attempts and waits together (none)");

    table_.group("Request");
    table_.value("-X,--method", s.request.method, method_of, "METHOD", "(GET; POST with --data)");
    table_.value("-d,--data", s.request.data, data_of, "DATA", "the request's body; @FILE for what is in a file");
    table_.values("-H,--header", s.request.headers, header_of, "LINE",
                  "'Name: value' replaces a line that is sent by itself; 'Name:' removes it");
    table_.flag("--idempotent", s.idempotent, "the request may run twice without harm, whatever its method");

    table_.group("Connection");
    table_.value("--cacert", s.cacert, file_of, "FILE", "trust the authorities in this file in PEM (the system's)");
    table_.flag("--insecure", s.insecure, "do not verify certificates");
    table_.value("--connect-timeout", s.silence.connect, above_zero, "DUR", "for a connection, with TLS (1m)");
    table_.value("--stall", s.silence.stall, above_zero, "DUR", "ends an attempt that gets no byte for so long (5m)");
    table_.value("--requests-per-connection", s.requests_per_connection, whole<std::uint64_t>(1, 1'000'000'000'000),
                 "N", "then the connection is closed (as many as the server permits)");

    table_.group("Server");
    table_.flag("--inside", s.inside, "in the place of a URL: a server inside this program");
    table_.value("--slow", s.server.slow_share, slow_of, "SHARE:DUR",
                 "that share of the answers comes later by that: 1%:500ms");
    table_.value("--failing", s.server.failing_share, failing_of, "SHARE[:STATUS]", "that share fails: 10%:503");
    table_.value("--answer-after", range_, range_of, "DUR[..DUR]", "an answer takes so long, drawn evenly (0s)");
    table_.value("--limited", s.server.limited, whole<std::uint32_t>(1, 1'000'000), "N",
                 "429 beyond N requests a second");
    table_.value("--seed", s.server.seed, whole<std::uint64_t>(0, 18'446'744'073'709'551'615U), "N", "which ones (1)");

    table_.group("Output");
    table_.flag("--json", s.json, "the table as one line of JSON");
    table_.value("--csv", s.csv, file_of, "FILE", "a row for each second: calls, attempts by their end, p50, p99, max");
    table_.value("--hdr", s.hdr, file_of, "FILE",
                 "the latencies for HdrHistogram's tools: FILE.hlog by seconds, else percentiles");
    table_.value("--observe", s.observe, file_of, "DIR",
                 "the usual strategy and a breaker, watched: a line a second; metrics to scrape, events, a trace");
    table_.flag("-q,--quiet", s.quiet, "no line of progress");
  }

  settings parse(std::vector<std::string> const& arguments) {
    table_.parse(arguments);
    std::tie(settings_.server.least, settings_.server.most) = range_;
    check();
    return settings_;
  }

  anew_get::option_table& table() { return table_; }

  /// Nothing, where a load is asked for.
  [[nodiscard]] std::optional<std::string> explanation() const {
    if (!explains_) return std::nullopt;
    std::string text;
    auto all = settings_.compared;
    if (all.empty()) all.push_back(settings_.no_retry ? no_retry_name : settings_.strategy.value_or("full_jitter"));
    for (auto const& one : all) {
      text.append(text.empty() ? "" : "\n");
      text.append(one == no_retry_name ? "strategy  no retry: each call makes one attempt\n"
                                       : anew_get::explain(one, {settings_.attempt_timeout, {}}));
    }
    return text;
  }

 private:
  [[nodiscard]] bool given(std::string const& name) const { return table_.given(name); }

  // Checks that concern several options.
  void check() {
    auto& s = settings_;
    check_observe();
    check_strategy();
    check_request();
    check_rate();
    if (given("--for") && s.requests) throw usage_error{"--for and --requests exclude each other"};
    if (s.requests && given("--warm-up")) throw usage_error{"--warm-up and --requests exclude each other"};
    if (s.threads > s.calls) {
      refuse("--threads", std::to_string(s.threads), "must not be above --calls " + std::to_string(s.calls));
    }
    check_target();
  }

  void check_observe() {
    if (!settings_.observe) return;
    for (auto const* const name : {"--strategy", "--compare", "--no-retry", "--deadline", "--warm-up", "--json"}) {
      if (given(name)) throw usage_error{"--observe and " + std::string{name} + " exclude each other"};
    }
  }

  void check_rate() {
    auto& s = settings_;
    if (!s.rate.empty()) {
      auto& only = s.rate.front();
      if (only.from != only.to && s.requests)
        throw usage_error{"--requests and a --rate that changes exclude each other"};
      only.length = s.load_for;
    }
    if (profile_.empty()) return;
    for (auto const* const name : {"--for", "--rate", "--requests"}) {
      if (given(name)) throw usage_error{"--profile and " + std::string{name} + " exclude each other"};
    }
    s.rate = profile_;
    s.load_for = arrivals{profile_}.length();
  }

  void check_target() {
    auto& s = settings_;
    if (s.inside && !s.urls.empty()) refuse("--inside and URL", s.urls.front(), "exclude each other");
    if (given("--weights") && s.weights.size() != s.urls.size()) {
      std::string text;
      for (auto const weight : s.weights) text.append(text.empty() ? "" : ",").append(std::to_string(weight));
      refuse(
          "--weights", text,
          "has " + anew_get::counted(s.weights.size(), "number") + " for " + anew_get::counted(s.urls.size(), "URL"));
    }
    if (s.insecure && s.cacert) throw usage_error{"--insecure and --cacert exclude each other"};
    for (auto const* const name : {"--slow", "--failing", "--answer-after", "--limited", "--seed"}) {
      if (given(name) && !s.inside) throw usage_error{std::string{name} + " needs --inside"};
    }
    auto const& slow = s.server.slow_share;
    auto const& failing = s.server.failing_share;
    if (slow && failing && slow->share + failing->share > 1) {
      throw usage_error{"--slow and --failing: the shares are more than 100% together"};
    }
    if (s.inside) return;
    if (explains_ && s.urls.empty()) return;
    if (s.urls.empty()) throw usage_error{"no URL to call, and no --inside; anew-load --help tells more"};
    if (s.urls.size() > 100) refuse("URL", s.urls[100], "there are more than 100 URLs");
    for (auto const& url : s.urls) {
      if (auto const fault = fault_of_url(url)) refuse("bad URL", url, *fault);
    }
  }

  void check_request() {
    auto& s = settings_;
    if (s.request.data && !given("--method")) s.request.method = "POST";
    if (s.request.data && s.request.method == "HEAD") throw usage_error{"--data: HEAD has no body"};
    for (auto const idempotent : {"GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"}) {
      s.idempotent = s.idempotent || s.request.method == idempotent;
    }
    if (s.hedge.index() != 0 && !s.idempotent) {
      throw usage_error{"--hedge sends a request twice: " + s.request.method + " needs --idempotent"};
    }
  }

  void check_strategy() {
    auto& s = settings_;
    if (s.no_retry) {
      if (!s.compared.empty()) throw usage_error{"--no-retry and --compare exclude each other"};
      if (s.strategy) throw usage_error{"--no-retry and --strategy exclude each other"};
      if (s.hedge.index() != 0) throw usage_error{"--no-retry and --hedge exclude each other"};
      return;
    }
    if (!s.compared.empty()) {
      if (s.strategy) throw usage_error{"--compare and --strategy exclude each other"};
      if (s.hedge.index() != 0) throw usage_error{"--compare and --hedge exclude each other"};
      if (s.hdr && !s.hdr->ends_with(".hlog")) refuse("--hdr", *s.hdr, "must end in .hlog with --compare");
      for (auto& one : s.compared) {
        if (one != no_retry_name) check_text("--compare", one);
      }
      return;
    }
    if (!s.strategy) {
      if (s.deadline) s.strategy = anew::unbounded{}.describe() + " " + anew::deadline{*s.deadline}.describe();
      return;
    }
    if (anew_get::is_strategy_name(*s.strategy) && s.hedge.index() != 0) {
      throw usage_error{"--strategy " + *s.strategy + " and --hedge exclude each other: it takes a strategy as text"};
    }
    check_text("--strategy", *s.strategy);
    if (s.hedge.index() != 0) expect_hedged(*s.strategy);
  }

  void check_text(std::string const& option, std::string& text) {
    auto const& deadline = settings_.deadline;
    if (anew_get::is_strategy_name(text) && deadline) {
      throw usage_error{option + " " + text + " and --deadline exclude each other"};
    }
    try {
      auto const made = anew_get::make_strategy(text);
      if (made.attempt_limit && settings_.attempt_timeout) {
        throw usage_error{"--attempt-timeout and the attempt timeout of " + option + " exclude each other"};
      }
      if (made.makes_a_last_try && !made.limits_last_try && !settings_.attempt_timeout) {
        throw usage_error{"the last try of " + option + " needs --attempt-timeout: how long the last attempt may take"};
      }
      if (made.deadline && deadline) {
        throw usage_error{"--deadline and the deadline of " + option + " exclude each other"};
      }
    } catch (anew_get::strategy_error& e) {
      e.option = option;
      throw;
    } catch (anew::aws_settings::config_error const& e) {
      throw usage_error{option + " " + text + ": " + e.what()};
    }
    if (deadline) add_deadline(text);
  }

  void add_deadline(std::string& text) {
    text.append(" ").append(anew::deadline{*settings_.deadline}.describe());
    try {
      static_cast<void>(anew_get::make_strategy(text));
    } catch (anew_get::strategy_error const&) {  // a deadline requires a limit of attempts, or none
      text.append(" ").append(anew::unbounded{}.describe());
    }
  }

  anew_get::option_table table_;
  settings settings_;
  std::pair<anew::duration, anew::duration> range_;
  std::vector<rate_step> profile_;
  bool explains_ = false;
};

}  // namespace

std::variant<settings, int> parse_options(std::vector<std::string> const& arguments, std::ostream& output,
                                          std::ostream& errors) {
  command_line line;
  try {
    auto read = line.parse(arguments);
    if (auto const text = line.explanation()) {
      output << *text;
      return exit_code::measured;
    }
    return read;
  } catch (...) {
    return line.table().answer_instead(output, errors);
  }
}

}  // namespace anew_load
