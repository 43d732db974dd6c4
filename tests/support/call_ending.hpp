// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_CALL_ENDING_HPP
#define ANEW_TESTS_SUPPORT_CALL_ENDING_HPP

#include <cstdint>
#include <functional>
#include <ostream>
#include <utility>

#include "anew/anew.hpp"
#include "anew/testing/manual_clock.hpp"

namespace support {

/// How a call ends whose every attempt does the same.
struct call_ending {
  std::uint32_t attempts;
  anew::stop_reason reason;
  friend bool operator==(call_ending const&, call_ending const&) = default;
  friend void PrintTo(call_ending const& e, std::ostream* to) { *to << e.attempts << ' ' << to_string(e.reason); }
};
constexpr call_ending retried{3, anew::stop_reason::attempts};
constexpr call_ending final{1, anew::stop_reason::not_retryable};
constexpr call_ending unread{1, anew::stop_reason::unclassified};
constexpr call_ending succeeded{1, anew::stop_reason::succeeded};
constexpr call_ending undeclared{1, anew::stop_reason::not_idempotent};

call_ending end_of(auto classifier, auto operation) {
  auto const strategy = anew::compose(std::move(classifier), anew::no_backoff{}, anew::max_attempts<3>{});
  anew::testing::recording_sleeper sleep;
  auto const outcome = anew::retry_outcome(strategy, operation, sleep);
  return {outcome.attempts(), outcome.reason()};
}

/// One type of operation for all exceptions, because each type is compiled with each classifier.
using thrower = std::function<void()>;
thrower throwing(auto error) {
  return [error] { throw error; };
}

}  // namespace support

#endif
