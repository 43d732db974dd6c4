// SPDX-License-Identifier: BSL-1.0
// A server asks for a delay: what a whole call makes of it.
#include <chrono>
#include <optional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/testing/manual_clock.hpp"

#include "failed_answer.hpp"
#include "names.hpp"

namespace retry_hints_test {
namespace {

struct busy {
  std::optional<anew::duration> after;
  [[nodiscard]] static anew::retry_safety is_retry_safe() noexcept { return anew::retry_safety::yes; }
  [[nodiscard]] static bool is_throttle() noexcept { return true; }
  [[nodiscard]] std::optional<anew::duration> retry_after() const noexcept { return after; }
};
using answer = support::answer_of<busy>;

/// A call whose attempts fail with these hints, and then succeeds. The backoff says 1 s, 2 s, 4 s, ...
std::pair<std::optional<duration>, durations> run(std::vector<std::optional<duration>> const& hints) {
  anew::strategy<anew::exponential_backoff<1s, 5s>, anew::no_jitter, anew::max_attempts<10>> const strategy;
  recording_sleeper sleep;
  std::size_t calls = 0;
  auto const told = anew::retry_outcome(
      strategy, [&] { return calls < hints.size() ? answer{busy{hints[calls++]}} : answer{}; }, sleep);
  return {told.last_hint(), sleep.delays};
}

TEST(RetryHints, LastHintIsTheLastOneGiven) {
  EXPECT_EQ(run({3s, std::nullopt, std::nullopt}), (std::pair{std::optional<duration>{3s}, durations{3s, 2s, 4s}}));
  EXPECT_EQ(run({std::nullopt}).first, std::nullopt);
}

TEST(RetryHints, HintOfAFailureThatEndsTheCallIsTold) {
  auto const told = anew::retry_outcome(anew::strategy<anew::max_attempts<1>>{}, [] { return answer{busy{7s}}; });
  EXPECT_EQ(told.reason(), stop_reason::attempts);
  EXPECT_EQ(told.last_hint(), anew::duration{7s}) << "for whoever can wait";
}

}  // namespace
}  // namespace retry_hints_test
