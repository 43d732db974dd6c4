// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_SESSION_HPP
#define ANEW_GET_SESSION_HPP

#include <stop_token>
#include <string>
#include <utility>

#include "anew/anew.hpp"

#include "fetch.hpp"
#include "options.hpp"
#include "policies.hpp"
#include "record.hpp"

namespace anew_get {

/// The strategy that the options describe.
[[nodiscard]] inline auto compose_strategy(settings const& s, recorder& record) {
  auto const backoff = [&]() -> chosen_backoff::choice {
    if (s.backoff == backoff_choice::none) return anew::no_backoff{};
    if (s.backoff == backoff_choice::constant) return anew::constant_backoff{s.base};
    return anew::exponential_backoff{s.base, s.cap, s.growth};
  };
  auto const jitter = [&]() -> chosen_jitter::choice {
    switch (s.jitter) {
      case jitter_choice::none: return anew::no_jitter{};
      case jitter_choice::full: return anew::full_jitter{};
      case jitter_choice::equal: return anew::equal_jitter{};
      case jitter_choice::decorrelated: return anew::decorrelated_jitter{};
    }
    return anew::full_jitter{};
  };
  auto const quota = [&]() -> chosen_quota::choice {
    if (!s.quota) return anew::unlimited_quota{};
    return anew::token_bucket{*s.quota};
  };
  auto const limit = [&]() -> chosen_limit::choice {
    if (!s.attempts) return anew::unbounded{};
    return anew::max_attempts{*s.attempts};
  };
  std::optional<chosen_deadline::limit> deadline;
  if (s.deadline) deadline.emplace(*s.deadline, s.at_deadline, s.reserve);

  // [compose]
  return anew::compose(chosen_backoff{backoff()}, chosen_jitter{jitter()}, chosen_quota{quota()}, fetch_classifier{},
                       chosen_limit{limit()}, anew::server_hint{s.hint, s.cap}, chosen_deadline{deadline},
                       chosen_random{s.seed}, feed{record});
  // [/compose]
}

/// One run: a strategy, whose quota all of its calls share, and the connections.
class session {
 public:
  struct fetched {
    fetch_result result;
    call_report report;
  };

  session(settings const& s, listener& who, std::stop_token stop);

  /// One URL, as often as the strategy says.
  [[nodiscard]] fetched fetch(std::string const& url);

 private:
  [[nodiscard]] anew::duration limit_of(anew::attempt const& attempt) const;

  settings settings_;
  std::stop_token stop_;
  recorder record_;
  decltype(compose_strategy(std::declval<settings const&>(), std::declval<recorder&>())) strategy_;
  fetcher fetcher_;
};

/// What --describe prints.
[[nodiscard]] std::string describe(settings const& s);

}  // namespace anew_get

#endif
