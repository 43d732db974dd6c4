// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <optional>
#include <thread>
#include <type_traits>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/sleeper/hybrid.hpp"
#include "anew/testing/audited_quota.hpp"
#include "anew/testing/recording_sleeper.hpp"
#include "anew/testing/test_mode.hpp"

#include "rejection.hpp"

namespace testing_test_mode_test {
namespace {

using namespace std::chrono_literals;
using anew::stop_reason;
using anew::testing::recording_sleeper;
using anew::testing::test_mode;

static_assert(!std::is_copy_constructible_v<test_mode> && !std::is_copy_assignable_v<test_mode>);
static_assert(!std::is_convertible_v<int, test_mode>);

using slow = anew::strategy<anew::retry_all, anew::constant_backoff<1h>, anew::no_jitter, anew::max_attempts<20>>;

struct told {
  std::uint32_t attempts;
  stop_reason reason;
  anew::duration slept;
  friend bool operator==(told const&, told const&) = default;
};
template <class Strategy>
told fail(Strategy const& strategy) {
  recording_sleeper sleep;
  auto const end = anew::retry_outcome(strategy, [] { return false; }, sleep);
  return {end.attempts(), end.reason(), sleep.total()};
}
constexpr told as_ever{20, stop_reason::attempts, 19h};

TEST(TestMode, LimitsTheAttemptsAndWaitsForNothing) {
  EXPECT_EQ(fail(slow{}), as_ever);
  {
    test_mode const mode{3};
    EXPECT_EQ(fail(slow{}), (told{3, stop_reason::attempts, 0s}));
  }
  EXPECT_EQ(fail(slow{}), as_ever);
}

TEST(TestMode, AStrategyThatPermitsFewerAttemptsKeepsItsLimit) {
  test_mode const mode{50};
  EXPECT_EQ(fail(slow{}), (told{20, stop_reason::attempts, 0s}));
  EXPECT_EQ(fail(anew::never{}), (told{1, stop_reason::attempts, 0s}));
}

TEST(TestMode, EndsWhatHasNoLimit) {
  test_mode const mode{7};
  EXPECT_EQ(fail(anew::with<slow, anew::unbounded>{}), (told{7, stop_reason::attempts, 0s}));
}

TEST(TestMode, NestedOnesRestoreTheOuterOne) {
  EXPECT_FALSE(test_mode::is_on());
  {
    test_mode const outer{2};
    {
      test_mode const inner{5};
      EXPECT_EQ(fail(slow{}).attempts, 5U);
    }
    EXPECT_EQ(fail(slow{}).attempts, 2U);
    EXPECT_TRUE(test_mode::is_on());
  }
  EXPECT_FALSE(test_mode::is_on());
  EXPECT_EQ(fail(slow{}), as_ever);
}

TEST(TestMode, HoldsOnEveryThread) {
  test_mode const mode{4};
  std::optional<told> on_another;
  std::thread{[&] { on_another = fail(slow{}); }}.join();
  EXPECT_EQ(on_another, (told{4, stop_reason::attempts, 0s}));
}

// An hour would pass here otherwise, so the sleepers that do wait are asked last.
TEST(TestMode, TheSleepersThatWaitDoNot) {
  test_mode const mode{3};
  if (fail(slow{}).slept != 0s) GTEST_FAIL() << "the mode does not work; this would take hours";
  EXPECT_FALSE(anew::retry(slow{}, [] { return false; }));
  EXPECT_FALSE(anew::retry(slow{}, [] { return false; }, anew::hybrid_sleeper{}));
}

TEST(TestMode, WantsAtLeastOneAttempt) {
  EXPECT_REJECTED(test_mode{0}, "anew::testing::test_mode: max_attempts must be between 1 and 4294967295, but is 0");
  EXPECT_REJECTED(test_mode{-1}, "anew::testing::test_mode: max_attempts must be between 1 and 4294967295, but is -1");
  EXPECT_REJECTED(test_mode{std::int64_t{1} << 32U},
                  "anew::testing::test_mode: max_attempts must be between 1 and 4294967295, but is 4294967296");
  EXPECT_FALSE(test_mode::is_on()) << "a mode that could not be made is not on";
}

}  // namespace
}  // namespace testing_test_mode_test
