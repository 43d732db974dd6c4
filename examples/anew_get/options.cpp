// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <limits>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "anew/anew.hpp"
#include "anew/ports/aws/settings.hpp"
#include "anew/text/word.hpp"

#include "demo.hpp"
#include "fetch.hpp"
#include "made_strategy.hpp"
#include "named.hpp"
#include "option_table.hpp"
#include "option_values.hpp"
#include "options.hpp"
#include "sources.hpp"
#include "text.hpp"
#include "topics.hpp"

namespace anew_get {

namespace {

enum class backoff_choice { none, constant, exponential };

std::uint32_t attempts_of(std::string const& option, std::string const& text) {
  auto const read = read_number<std::uint32_t>(text);
  if (!read || *read == 0)
    refuse(option, text, "must be a whole number from 1 to 4294967295; the first attempt counts");
  return *read;
}

/// A number, nothing for a quota without a limit, or the text of a quota that processes share.
using quota_choice = std::variant<std::optional<std::uint32_t>, std::string>;

quota_choice quota_of(std::string const& option, std::string const& text) {
  if (text == "unlimited") return std::nullopt;
  if (is_shared_quota(text)) return text;
  auto const read = read_number<std::uint32_t>(text);
  if (!read) {
    refuse(option, text, "must be a whole number from 0 to 4294967295, 'unlimited', shm:NAME or redis://HOST");
  }
  return read;
}

std::uint64_t seed_of(std::string const& option, std::string const& text) {
  auto const read = read_number<std::uint64_t>(text);
  if (!read) refuse(option, text, "must be a whole number from 0 to 18446744073709551615");
  return *read;
}

/// "1.5" is 3/2.
anew::rational factor_of(std::string const& option, std::string const& text) {
  std::optional<anew::text_fault> fault;
  anew::word w;
  w.all = w.name = text;
  w.first_fault = &fault;
  auto const [num, den] = w.as_ratio();
  if (!fault && den <= num && den <= 1'000'000 && num / den <= 1'000'000) return {num, den};
  refuse(option, text, "must be a number from 1 to 1000000 with at most six decimals, such as 2 or 1.5");
}

template <class Value>
using names = std::vector<std::pair<std::string_view, Value>>;

template <class Value>
std::string one_of(names<Value> const& all) {
  std::string text;
  for (auto const& [name, value] : all) text.append(text.empty() ? "" : "|").append(name);
  return text;
}

template <class Value>
auto choice(names<Value> all) {
  return [all = std::move(all)](std::string const& option, std::string const& text) {
    for (auto const& [name, value] : all) {
      if (name == text) return value;
    }
    refuse(option, text, "must be one of " + one_of(all));
  };
}

std::uint32_t parallel_of(std::string const& option, std::string const& text) {
  constexpr std::uint32_t most = 100;
  auto const read = read_number<std::uint32_t>(text);
  if (!read || *read == 0 || *read > most) refuse(option, text, "must be a whole number from 1 to 100");
  return *read;
}

std::uint32_t speed_of(std::string const& option, std::string const& text) {
  auto const read = size_of(option, text);
  constexpr std::uint64_t most = std::numeric_limits<std::int32_t>::max();
  if (read > most) refuse(option, text, "must be at most 2GB");
  return static_cast<std::uint32_t>(read);
}

std::string output_of(std::string const& option, std::string const& text) {
  if (text.empty()) refuse(option, text, "must be a file, or - for standard output");
  return text;
}

unsigned scene_of(std::string const& option, std::string const& text) {
  auto const read = read_number<unsigned>(text);
  if (!read || *read == 0 || *read > number_of_scenes) {
    refuse(option, text, "must be a scene from 1 to " + std::to_string(number_of_scenes) + ", or nothing for all");
  }
  return *read;
}

class command_line {
 public:
  command_line()
      : table_{help(), "anew-get " ANEW_VERSION_STRING " (libcurl " +
                           std::string{curl_version_info(CURLVERSION_NOW)->version} + ")"} {
    names<backoff_choice> const backoffs{{"none", backoff_choice::none},
                                         {"constant", backoff_choice::constant},
                                         {"exponential", backoff_choice::exponential}};
    names<std::string> const jitters{{"none", "no_jitter"},
                                     {"full", "full_jitter"},
                                     {"equal", "equal_jitter"},
                                     {"decorrelated", "decorrelated_jitter"}};
    names<anew::long_hint> const hints{
        {"stop", anew::long_hint::stop}, {"clamp", anew::long_hint::clamp}, {"ignore", anew::long_hint::ignore}};
    names<anew::at_deadline> const endings{{"stop", anew::at_deadline::stop},
                                           {"clamp", anew::at_deadline::clamp},
                                           {"last-try", anew::at_deadline::last_try}};
    auto& s = settings_;
    table_.positional("URL", s.urls, "what to fetch, one after the other; the quota is shared");

    table_.group("Strategy");
    table_.value("--attempts", attempts_, attempts_of, "N", "attempts for each URL, the first included (3)");
    table_.flag("--unbounded", unbounded_, "any number of attempts; what --deadline alone means too");
    table_.value("--backoff", backoff_, choice(backoffs), one_of(backoffs), "how the wait grows (exponential)");
    table_.value("--base", base_, duration_of, "DUR", "the wait before the first retry, before jitter (50ms)");
    table_.value("--cap", cap_, duration_of, "DUR", "no wait is longer, unless the server asks for it (20s)");
    table_.value("--factor", growth_, factor_of, "F", "how much longer each wait is than the one before (2)");
    table_.value("--jitter", jitter_, choice(jitters), one_of(jitters), "where in that the wait is drawn (full)");
    table_.value("--quota", quota_, quota_of, "N|unlimited|WHERE",
                 "what all retries may spend: 14 each, 5 after 429 (500); WHERE: --help quota");
    table_.value("--hint", hint_, choice(hints), one_of(hints),
                 "when Retry-After asks for more than is permitted (stop)");
    table_.value("--longest-hint", longest_hint_, duration_of, "DUR", "how long a wait Retry-After may ask for (60s)");
    table_.value("--deadline", deadline_, above_zero, "DUR", "for each URL, attempts and waits together (none)");
    table_.value("--at-deadline", at_deadline_, choice(endings), one_of(endings), "when a wait would pass it (stop)");
    table_.value("--reserve", reserve_, duration_of, "DUR", "begin no attempt with less time than this (0s)");
    table_.value("--per-attempt,--attempt-timeout", s.per_attempt, above_zero, "DUR", "for each attempt (none)");
    table_.value("--seed", seed_, seed_of, "N", "the same jitter each time");
    table_.value("--strategy", s.strategy, strategy_text_of, "TEXT",
                 "all of this in one text, such as --describe prints, or a name; see below");
    table_.flag("--describe", s.describe, "print the composed strategy and exit");
    table_.flag("--explain", s.explain, "say in six lines what the strategy will do, and exit");

    table_.group("Request");
    table_.value("-X,--method", s.asked.method, method_of, "METHOD", "(GET; POST with --data)");
    table_.value("-d,--data", s.asked.data, data_of, "DATA", "the request's body; @FILE for what is in a file");
    table_.values("-H,--header", s.asked.headers, header_of, "LINE", "'Name: value'; may be given more than once");
    table_.flag("-L,--location", s.asked.follow_redirects, "follow redirections, at most ten");
    table_.flag("--idempotent", s.idempotent, "the request may run twice without harm, whatever its method");
    table_.value("-i,--input", listed_, listed_urls, "FILE",
                 "more URLs, one a line, with 'sha256=HEX' after it or not; - is stdin");
    table_.value("--parallel", s.parallel, parallel_of, "N", "URLs that are fetched at once (1)");

    table_.group("Connection");
    table_.value("--connect-timeout", s.asked.over.connect_timeout, above_zero, "DUR",
                 "for a connection, with TLS (1m)");
    table_.value("--stall", s.asked.over.stall_time, whole_seconds, "DUR",
                 "ends an attempt that is slower than --stall-speed for so long (5m)");
    table_.value("--stall-speed", s.asked.over.stall_speed, speed_of, "SIZE", "bytes a second (1B)");
    table_.value("--cacert", s.asked.over.ca_file, readable_file, "FILE", "authorities, in the place of the system's");
    table_.value("--cert", s.asked.over.certificate, readable_file, "FILE", "the client's certificate");
    table_.value("--key", s.asked.over.key, readable_file, "FILE", "and its private key");
    table_.value("-u,--user", s.asked.over.user, user_of, "USER", "asks for the password, or takes it from --netrc");
    table_.flag("--netrc", netrc_, "user and password from ~/.netrc");
    table_.value("--netrc-file", s.asked.over.netrc, readable_file, "FILE", "user and password from this file");
    table_.value("--proxy", s.asked.over.proxy, proxy_of, "URL", "in the place of the environment's");

    table_.group("Output");
    table_.value("-o,--output", s.output, output_of, "FILE", "for the bodies, in the place of standard output");
    table_.flag("-O,--remote-name", remote_names_, "a file for each URL, by the last part of its path");
    table_.flag("-c,--continue", s.continues, "goes on with FILE.part of an earlier run, and leaves one for the next");
    table_.value("--max-size", s.max_size, size_of, "SIZE", "of a body: 500B, 20kB, 64MiB, 2GB (any)");
    table_.values("--sha256", s.sha256, checksum_of, "HEX", "of the body; once for each URL");
    table_.value("--progress", s.progress_every, above_zero, "DUR",
                 "how often a line tells it, where there is no terminal (10s)");
    table_.flag("--json", s.json, "the timeline as JSON lines on standard output; bodies only with -o");
    table_.flag("-q,--quiet", s.quiet, "no timeline; one line for each URL that failed");

    table_.group("Load");
    table_.value("--for", s.load_for, above_zero, "DUR",
                 "fetch the URL again and again, for so long, and print a table");
    table_.value("--callers", s.callers, attempts_of, "N", "threads that do so at once; they share the strategy (1)");

    table_.value("--limited", s.limited, attempts_of, "N",
                 "in the place of a URL: a server inside, with 429 beyond N requests a second");

    table_.group("Demonstration");
    table_.maybe_values(
        "--demo",
        [&s](std::vector<std::string> const& which) {
          if (which.size() > 1) refuse("--demo", which[1], "takes one scene at most, and no URL");
          s.demo = which.empty() || which.front().empty() ? 0 : scene_of("--demo", which.front());
        },
        1000, "[SCENE]", "what can happen, shown against a server that misbehaves; or one scene of it");
  }

  settings parse(std::vector<std::string> const& arguments) {
    table_.parse(arguments);
    check();
    return settings_;
  }

  option_table& table() { return table_; }

 private:
  [[nodiscard]] bool given(std::string const& name) const { return table_.given(name); }

  /// The strategy is said by a name or a text, or option by option.
  void check_strategy() {
    auto& s = settings_;
    if (auto const* const shared = std::get_if<std::string>(&quota_)) {
      // Not before the whole command line is read: a bucket that is opened is made.
      try {
        s.quota = open_shared_quota(*shared);
        s.shared_quota_text = without_user(*shared);
      } catch (quota_error const& e) {
        refuse("--quota", *shared, e.what());
      }
    }
    s.by_single_options = !given("--strategy");
    if (s.by_single_options) {
      check_strategy_options();
      s.strategy = text_of_options();
    }
    for (auto const* const name : {"--attempts", "--unbounded", "--backoff", "--base", "--cap", "--factor", "--jitter",
                                   "--quota", "--hint", "--longest-hint", "--deadline", "--at-deadline", "--reserve"}) {
      bool const is_in_no_text = s.quota && name == std::string_view{"--quota"} && !is_strategy_name(s.strategy);
      if (given(name) && !s.by_single_options && !is_in_no_text) {
        throw usage_error{"--strategy and " + std::string{name} + " exclude each other: the " +
                          (is_strategy_name(s.strategy) ? "strategy of this name" : "text") + " says it all"};
      }
    }
    if (is_strategy_name(s.strategy) && seed_) {
      throw usage_error{"--strategy " + s.strategy + " and --seed exclude each other"};
    }
    made_strategy made;
    try {
      made = make_strategy(s.strategy, s.quota);
    } catch (anew::aws_settings::config_error const& e) {
      throw usage_error{"--strategy " + s.strategy + ": " + e.what()};
    }
    if (made.attempt_limit && s.per_attempt) {
      throw usage_error{"--per-attempt and the attempt timeout of --strategy exclude each other"};
    }
    if (made.makes_a_last_try && !s.per_attempt && !made.limits_last_try) {
      throw usage_error{std::string{s.by_single_options ? "--at-deadline last-try"
                                    : s.strategy.find("poll_deadline") != std::string::npos
                                        ? "poll_deadline in --strategy"
                                        : "last_try in --strategy"} +
                        " needs --per-attempt: how long the last attempt may take"};
    }
    s.deadline = made.deadline;
    s.longest_hint = made.longest_hint;
    if (!seed_) return;
    if (made.strategy->describe().find("seed(") != std::string::npos) {
      throw usage_error{"--seed and the seed of --strategy exclude each other"};
    }
    s.strategy.append(" seed(").append(std::to_string(*seed_)).append(")");
  }

  // Checks that concern several options.
  void check() {
    auto& s = settings_;
    if (netrc_ && !s.asked.over.netrc) s.asked.over.netrc.emplace();
    if (s.demo) {
      // As in `--demo --json 3`.
      if (*s.demo == 0 && s.urls.size() == 1) s.demo = scene_of("--demo", std::exchange(s.urls, {}).front());
      if (!s.urls.empty()) refuse("--demo", s.urls.front(), "takes one scene at most, and no URL");
      return;
    }
    check_strategy();
    if (s.limited && !s.load_for) throw usage_error{"--limited needs --for"};
    if (s.limited && !s.urls.empty()) refuse("--limited and URL", s.urls.front(), "exclude each other");
    if (s.load_for && s.urls.size() > 1) throw usage_error{"--for takes one URL"};
    if (!s.load_for && given("--callers")) throw usage_error{"--callers needs --for"};
    if (s.callers > 1000) refuse("--callers", std::to_string(s.callers), "must be a whole number from 1 to 1000");
    if (s.json && s.output == "-") throw usage_error{"--output '-': standard output is for --json"};
    if (s.asked.data && !given("--method")) s.asked.method = "POST";
    if (s.asked.data && s.asked.method == "HEAD") throw usage_error{"--data: HEAD has no body"};
    for (auto const idempotent : {"GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"}) {
      s.idempotent = s.idempotent || s.asked.method == idempotent;
    }
    if (s.describe && s.explain) throw usage_error{"--describe and --explain exclude each other"};
    if (s.describe || s.explain) return;
    add_listed();
    if (s.load_for) refuse_beside_load();
    if (s.urls.empty() && !s.limited) throw usage_error{"no URL to fetch; anew-get --help tells more"};
    for (auto const& url : s.urls) {
      if (auto const fault = fault_of_url(url)) refuse("bad URL", url, *fault);
    }
    check_files();
  }

  void add_listed() {
    auto& s = settings_;
    if (s.sha256.size() > s.urls.size()) {
      refuse("--sha256", s.sha256[s.urls.size()], "is one more than there are URLs on the command line");
    }
    bool const has_sums = !s.sha256.empty() || std::any_of(listed_.begin(), listed_.end(),
                                                           [](auto const& one) { return !one.sha256.empty(); });
    if (!s.sha256.empty() && s.sha256.size() < s.urls.size()) throw usage_error{"--sha256: one is needed for each URL"};
    if (has_sums) s.sha256.resize(s.urls.size());
    for (auto& one : listed_) {
      s.urls.push_back(std::move(one.url));
      if (has_sums) s.sha256.push_back(std::move(one.sha256));
    }
  }

  void refuse_beside_load() const {
    for (auto const* const name : {"--input", "--parallel", "--remote-name", "--continue", "--max-size", "--sha256"}) {
      if (given(name)) throw usage_error{"--for and " + std::string{name} + " exclude each other"};
    }
  }

  void check_files() {
    auto& s = settings_;
    if (!s.asked.over.key.empty() && s.asked.over.certificate.empty()) throw usage_error{"--key needs --cert"};
    if (!s.asked.over.user.empty() && s.load_for && !s.asked.over.netrc)
      throw usage_error{"--for with --user needs --netrc"};
    for (auto const& line : s.asked.headers) {
      auto name = line.substr(0, line.find(':'));
      std::transform(name.begin(), name.end(), name.begin(),
                     [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; });
      s.asks_for_parts = s.asks_for_parts || name == "range" || name.starts_with("if-");
    }
    if (remote_names_) {
      if (given("--output")) throw usage_error{"--output and --remote-name exclude each other"};
      for (auto const& url : s.urls) {
        auto const name = file_name_of(url);
        if (std::find(s.files.begin(), s.files.end(), name) != s.files.end()) {
          refuse("--remote-name: URL", url, "is a second one for the file '" + name + "'");
        }
        s.files.push_back(name);
      }
    }
    if (!s.continues) return;
    if (!remote_names_ && (s.output.empty() || s.output == "-" || s.urls.size() != 1)) {
      throw usage_error{"--continue needs a file for each URL: --remote-name, or --output with one URL"};
    }
    if (s.asked.method != "GET" || s.asked.data || s.asks_for_parts) throw usage_error{"--continue needs a plain GET"};
  }

  void check_strategy_options() {
    if (unbounded_ && given("--attempts")) throw usage_error{"--attempts and --unbounded exclude each other"};
    if (unbounded_ || (given("--deadline") && !given("--attempts"))) attempts_.reset();

    if (!given("--base")) base_ = std::min(base_, cap_);
    if (cap_ < base_) refuse("--cap", as_given(cap_), "must not be below --base " + as_given(base_));
    if (backoff_ == backoff_choice::exponential && base_ == anew::duration::zero()) {
      refuse("--base", "0s", "must be above zero; for no waits there is --backoff none");
    }
    if (!deadline_) {
      for (auto const* const name : {"--at-deadline", "--reserve"}) {
        if (given(name)) throw usage_error{std::string{name} + " needs --deadline"};
      }
      return;
    }
    if (reserve_ >= *deadline_) {
      refuse("--reserve", as_given(reserve_), "must be below --deadline " + as_given(*deadline_));
    }
    if (at_deadline_ == anew::at_deadline::clamp && reserve_ == anew::duration::zero()) {
      throw usage_error{"--at-deadline clamp needs --reserve: the time that the last attempt takes"};
    }
  }

  // [text]
  /// What the single options say, as a text. The policies' constructors throw std::invalid_argument.
  [[nodiscard]] std::string text_of_options() const {
    auto text = backoff_ == backoff_choice::none       ? anew::no_backoff{}.describe()
                : backoff_ == backoff_choice::constant ? anew::constant_backoff{base_}.describe()
                                                       : anew::exponential_backoff{base_, cap_, growth_}.describe();
    auto const add = [&text](std::string const& word) { text.append(" ").append(word); };
    add(jitter_);
    if (auto const* const own = std::get_if<std::optional<std::uint32_t>>(&quota_)) {
      add(*own ? anew::token_bucket{**own}.describe() : anew::unlimited_quota{}.describe());
    }
    add(attempts_ ? anew::max_attempts{*attempts_}.describe() : anew::unbounded{}.describe());
    add(anew::server_hint{hint_, longest_hint_}.describe());
    if (deadline_) add(anew::deadline{*deadline_, at_deadline_, reserve_}.describe());
    return text;
  }
  // [/text]

  option_table table_;
  settings settings_;
  std::vector<listed_url> listed_;
  bool remote_names_ = false;
  bool netrc_ = false;

  // The parts of the strategy where no --strategy is given.
  std::optional<std::uint32_t> attempts_ = 3;  // nothing: without a limit
  bool unbounded_ = false;
  backoff_choice backoff_ = backoff_choice::exponential;
  anew::duration base_ = std::chrono::milliseconds{50};
  anew::duration cap_ = std::chrono::seconds{20};
  anew::rational growth_{2};
  std::string jitter_ = "full_jitter";
  quota_choice quota_ = std::optional<std::uint32_t>{500};
  anew::long_hint hint_ = anew::long_hint::stop;
  anew::duration longest_hint_ = std::chrono::seconds{60};
  std::optional<anew::duration> deadline_;
  anew::at_deadline at_deadline_ = anew::at_deadline::stop;
  anew::duration reserve_{};
  std::optional<std::uint64_t> seed_;
};

}  // namespace

std::variant<settings, int> parse_options(std::vector<std::string> const& arguments, std::ostream& output,
                                          std::ostream& errors) {
  command_line line;
  try {
    auto read = line.parse(arguments);
    if (read.per_attempt && read.deadline && *read.per_attempt >= *read.deadline) {
      errors << "anew-get: warning: --per-attempt " << as_given(*read.per_attempt) << " is not below --deadline "
             << as_given(*read.deadline) << ": one slow attempt takes all the time\n";
    }
    return read;
  } catch (...) {
    return line.table().answer_instead(output, errors);
  }
}

}  // namespace anew_get
