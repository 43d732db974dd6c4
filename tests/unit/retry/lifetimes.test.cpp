// SPDX-License-Identifier: BSL-1.0
// What is alive while a call sleeps, and that nothing is after it.
#include <algorithm>
#include <memory>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/drivers/internal/result_slot.hpp"
#include "anew/testing/manual_clock.hpp"

#include "driver_support.hpp"
#include "names.hpp"

namespace retry_lifetimes_test {
namespace {

using support::flag_stop, support::tracked;

using eager = anew::strategy<anew::retry_all, anew::no_backoff, anew::max_attempts<3>>;

struct answer : tracked {
  using tracked::tracked;
  [[nodiscard]] bool has_value() const noexcept { return value > 0; }
  [[nodiscard]] int error() const noexcept { return value; }
};

/// Nothing is alive before and after.
struct RetryLifetimes : ::testing::Test {
  void SetUp() override { tracked::reset(); }
  void TearDown() override { EXPECT_EQ(tracked::alive, 0); }
};

TEST_F(RetryLifetimes, RejectedResultIsGoneBeforeTheSleep) {
  recording_sleeper sleep{[] { EXPECT_EQ(tracked::alive, 0); }};
  {
    auto const end = anew::retry(eager{}, [] { return answer{-1}; }, sleep);
    EXPECT_EQ(end.value, -1);
    EXPECT_EQ(tracked::alive, 1);
  }
  static_cast<void>(anew::retry_outcome(eager{}, [] { return answer{-1}; }, sleep));
  flag_stop::state impossible;
  impossible.possible = false;
  static_cast<void>(anew::retry(eager{}, [] { return answer{-1}; }, sleep, flag_stop{impossible}));
  EXPECT_EQ(sleep.delays.size(), 6U);
  EXPECT_EQ(tracked::copies, 0);
}

TEST_F(RetryLifetimes, RejectedResultIsKeptForAStop) {
  flag_stop::state state;
  int kept = 0;
  recording_sleeper sleep{[&] {
    EXPECT_EQ(tracked::alive, 1) << "and no moved-from one beside it";
    ++kept;
  }};
  {
    auto const end = anew::retry(eager{}, [] { return answer{-1}; }, sleep, flag_stop{state});
    EXPECT_EQ(end.value, -1);
  }
  EXPECT_EQ(kept, 2);
  EXPECT_EQ(tracked::copies, 0);
}

TEST_F(RetryLifetimes, KeptResultIsGoneBeforeTheNextAttempt) {
  flag_stop::state state;
  int calls = 0;
  int at_most = 0;
  auto const operation = [&] {
    at_most = std::max(at_most, tracked::alive);
    return answer{++calls < 3 ? -1 : 1};
  };
  EXPECT_EQ(anew::retry(eager{}, operation, no_sleep, flag_stop{state}).value, 1);
  EXPECT_EQ(at_most, 0);
}

TEST_F(RetryLifetimes, SuccessAtOnceIsAtMostOneMove) {
  EXPECT_EQ(anew::retry(eager{}, [] { return answer{1}; }).value, 1);
  EXPECT_LE(tracked::moves, 1);
  EXPECT_EQ(tracked::copies, 0);
}

#if ANEW_EXCEPTIONS
TEST_F(RetryLifetimes, RejectedExceptionIsGoneBeforeTheSleep) {
  flag_stop::state possible;
  flag_stop::state impossible;
  impossible.possible = false;
  int expected_alive = 0;
  recording_sleeper sleep{[&] { EXPECT_EQ(tracked::alive, expected_alive); }};
  auto const operation = []() -> unsigned { throw tracked{1}; };
  EXPECT_THROW((void)anew::retry(eager{}, operation, sleep), tracked);
  EXPECT_THROW((void)anew::retry(eager{}, operation, sleep, flag_stop{impossible}), tracked);
  static_cast<void>(anew::retry_outcome(eager{}, operation, sleep));
  expected_alive = 1;
  EXPECT_THROW((void)anew::retry(eager{}, operation, sleep, flag_stop{possible}), tracked);
  EXPECT_EQ(sleep.delays.size(), 8U);
}

TEST_F(RetryLifetimes, KeptExceptionIsGoneBeforeTheNextAttempt) {
  flag_stop::state state;
  int calls = 0;
  anew::retry(
      eager{},
      [&] {
        EXPECT_EQ(tracked::alive, 0);
        if (++calls < 3) throw tracked{1};
      },
      no_sleep, flag_stop{state});
}
#endif

TEST_F(RetryLifetimes, StrategySleeperAndStopMayBeTemporaries) {
  flag_stop::state state;
  int calls = 0;
  EXPECT_FALSE(anew::retry(
      anew::compose(anew::retry_all{}, anew::no_backoff{}), [&] { return ++calls, false; }, recording_sleeper{},
      flag_stop{state}));
  EXPECT_EQ(calls, 3);
}

// The slot by itself.

#if ANEW_EXCEPTIONS
TEST(ResultSlot, StaysEmptyWhenTheFunctionThrows) {
  tracked::reset();
  {
    anew::detail::result_slot<tracked> slot;
    slot.emplace_from([] { return tracked{1}; });
    EXPECT_THROW(slot.emplace_from([]() -> tracked { throw 1; }), int);
    EXPECT_FALSE(slot.has_value());
    EXPECT_EQ(tracked::alive, 0);
  }
}
#endif

struct overloaded {
  int value = 4;
  overloaded* operator&() { return nullptr; }              // NOLINT(*-overloaded-operator*)
  overloaded const* operator&() const { return nullptr; }  // NOLINT(*-overloaded-operator*)
};

TEST(ResultSlot, AddressOperatorOfTheResultIsNotUsed) {
  anew::detail::result_slot<overloaded> slot;
  slot.emplace_from([] { return overloaded{}; });
  EXPECT_EQ((*slot).value, 4);
  overloaded object;
  anew::detail::result_slot<overloaded&> reference;
  reference.emplace_from([&]() -> overloaded& { return object; });
  EXPECT_TRUE(reference.has_value());
  EXPECT_EQ(std::addressof(*reference), std::addressof(object));
}

}  // namespace
}  // namespace retry_lifetimes_test
