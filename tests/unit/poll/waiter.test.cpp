// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/policies/limits/deadline.hpp"
#include "anew/poll.hpp"
#include "anew/presets/waiter.hpp"
#include "anew/strategy/adjusted.hpp"
#include "anew/strategy/describe.hpp"
#include "anew/testing/laws/limits.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/scripted_random.hpp"

#include "driver_support.hpp"
#include "names.hpp"

namespace poll_waiter_test {
namespace {

constexpr auto never = anew::success_when([](int) { return false; });
constexpr auto nothing_new = [] { return 0; };

TEST(SmithyWaiter, StaysWithinItsBoundsWhateverTheChance) {
  for (auto const word : {anew::testing::lowest_word, anew::testing::highest_word}) {
    manual_clock const clock;
    advancing_sleeper sleep{clock};
    auto const base = anew::smithy::waiter<3600s>{};
    auto const strategy = anew::adjusted(base, clock, scripted_random{word});
    auto const told = anew::poll(strategy, nothing_new, never, sleep);
    EXPECT_EQ(told.elapsed(), 3600s);
    for (std::size_t i = 0; i + 1 < sleep.delays.size(); ++i) {
      duration const ceiling = i < 6 ? duration{2s} * (1 << i) : duration{120s};
      EXPECT_EQ(sleep.delays[i], word == anew::testing::lowest_word ? duration{2s} : ceiling) << i;
    }
    EXPECT_LE(sleep.delays.back(), 122s);
  }
}

TEST(SmithyWaiter, WithValuesKnownAtRunTime) {
  manual_clock const clock;
  advancing_sleeper sleep{clock};
  auto const base = anew::smithy::make_waiter(10s, 1s, 2s);
  auto const strategy = anew::adjusted(base, clock, scripted_random{anew::testing::highest_word});
  (void)anew::poll(strategy, nothing_new, never, sleep);
  EXPECT_EQ(sleep.delays, (std::vector<duration>{1s, 2s, 2s, 2s, 3s}));
  EXPECT_EQ(anew::describe(anew::smithy::make_waiter(300s)), anew::describe<anew::smithy::waiter<300s>>());
  EXPECT_EQ(anew::describe<anew::smithy::waiter<300s>>(),
            "exponential(2s,120s) from_first_jitter unlimited_quota retry_all unbounded server_hint(stop,120s) "
            "poll_deadline(300s,2s)");
#if ANEW_EXCEPTIONS
  EXPECT_THROW((void)anew::smithy::make_waiter(10s, 3s, 2s), std::invalid_argument);
  EXPECT_THROW((void)anew::smithy::make_waiter(10s, 0s, 2s), std::invalid_argument);
  EXPECT_THROW((void)anew::smithy::make_waiter(1s, 2s, 3s), std::invalid_argument);
  EXPECT_THROW((void)anew::smithy::make_waiter(0s, 2s, 3s), std::invalid_argument);
#endif
}

// smithy-go (waiter/waiter.go, ComputeDelay) keeps minDelay for the last request: that is a deadline that clamps.
TEST(SmithyWaiter, KeepsTheMinimumForTheLastLookByAnotherDeadline) {
  manual_clock const clock;
  advancing_sleeper sleep{clock};
  using go = anew::with<anew::smithy::waiter<10s, 1s, 4s>, anew::deadline<10s, anew::at_deadline::clamp, 1s>>;
  auto const base = go{};
  auto const strategy = anew::adjusted(base, clock, scripted_random{anew::testing::highest_word});
  EXPECT_EQ(anew::poll(strategy, nothing_new, never, sleep).attempts(), 5U);
  EXPECT_EQ(sleep.delays, (std::vector<duration>{1s, 2s, 4s, 2s}));
}

TEST(KotlinWaiter, LooksTwentyTimes) {
  anew::testing::recording_sleeper sleep;
  auto const base = anew::smithy_kotlin::waiter<>{};
  auto const strategy = anew::adjusted(base, scripted_random{anew::testing::highest_word});
  auto const told = anew::poll(strategy, nothing_new, never, sleep);
  EXPECT_EQ(told.reason(), anew::stop_reason::attempts);
  EXPECT_EQ(told.attempts(), 20U);
  EXPECT_EQ(sleep.delays[0], 2s);
  EXPECT_EQ(sleep.delays[1], 3s);
  EXPECT_EQ(sleep.delays[2], 4500ms);
  EXPECT_EQ(sleep.delays.back(), 120s);
}

// The pseudo code of "Error retries and exponential backoff in AWS": wait 2^retries * 100 ms, then ask.
TEST(AwsStatusPolling, WaitsBeforeEachLook) {
  anew::testing::recording_sleeper sleep;
  auto const told = anew::poll(anew::aws::status_polling<10>{}, nothing_new, never, sleep);
  EXPECT_EQ(sleep.delays,
            (std::vector<duration>{100ms, 200ms, 400ms, 800ms, 1600ms, 3200ms, 6400ms, 12800ms, 20s, 20s}));
  EXPECT_EQ(told.attempts(), 10U);
  EXPECT_EQ(told.reason(), anew::stop_reason::attempts);
  anew::testing::recording_sleeper once;
  EXPECT_EQ(anew::poll(anew::aws::status_polling<1>{}, nothing_new, never, once).attempts(), 1U);
  EXPECT_EQ(once.delays, (std::vector<duration>{100ms}));
}

static_assert(sizeof(anew::smithy::waiter<300s>) == 1);
static_assert(sizeof(anew::aws::status_polling<5>) == 1);

// --- the policies ---

static_assert(anew::Jitter<anew::from_first_jitter>);
TEST(FromFirstJitter, ACeilingBelowTheFirstDelayIsTheDelay) {
  anew::from_first_jitter::state_type state;
  scripted_random const random{anew::testing::highest_word};
  EXPECT_EQ(anew::from_first_jitter::apply({2s, 1s, 120s}, state, random), 1s);
  EXPECT_EQ(anew::from_first_jitter::apply({2s, 0s, 120s}, state, random), 0s);
}

static_assert(anew::Deadline<anew::poll_deadline<300s, 2s>>);
static_assert(std::is_empty_v<anew::poll_deadline<300s, 2s>>);

TEST(MaxWait, StretchesTheLastWaitToTheEnd) {
  constexpr anew::poll_deadline<300s, 2s> wait;
  static_assert(wait.total() == 300s);
  static_assert(wait.fit(8s, 11s) == 8s);        // 3 s would remain
  static_assert(wait.fit(8s, 10s + 1ns) == 8s);  // just more than the margin
  static_assert(wait.fit(8s, 10s) == 10s);       // 2 s would remain
  static_assert(wait.fit(8s, 4s) == 4s);
  static_assert(wait.fit(8s, 1ns) == 1ns);
  static_assert(!wait.fit(8s, 0s));
  static_assert(!wait.fit(0s, -1s));
  static_assert(wait.fit(duration::max(), 5s) == 5s);
  static_assert(anew::poll_deadline<10s>{}.fit(10s, 10s) == 10s);
  static_assert(anew::poll_deadline<10s>{}.fit(9s, 10s) == 9s);
}

TEST(MaxWait, KeepsTheLawsOfADeadlineButForTheLastWait) {
  anew::poll_deadline<300s, 2s> const wait;
  EXPECT_TRUE(anew::testing::laws::the_total_is_above_zero(wait));
  EXPECT_TRUE(anew::testing::laws::no_sleep_passes_the_deadline(wait));
}

TEST(MaxWait, DescribesItself) {
  EXPECT_EQ((anew::poll_deadline<300s, 2s>{}.describe()), "poll_deadline(300s,2s)");
  EXPECT_EQ((anew::poll_deadline<300s>{}.describe()), "poll_deadline(300s)");
  EXPECT_EQ((anew::poll_deadline{5s, 100ms}.describe()), "poll_deadline(5s,100ms)");
}

#if ANEW_EXCEPTIONS
TEST(MaxWait, RefusesWhatMakesNoSense) {
  EXPECT_THROW(anew::poll_deadline{0s}, std::invalid_argument);
  EXPECT_THROW((anew::poll_deadline{-1s}), std::invalid_argument);
  EXPECT_THROW((anew::poll_deadline{5s, -1ns}), std::invalid_argument);
  EXPECT_THROW((anew::poll_deadline{5s, 6s}), std::invalid_argument);
  EXPECT_NO_THROW((anew::poll_deadline{5s, 5s}));
}
#endif

}  // namespace
}  // namespace poll_waiter_test
