// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <functional>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/testing/advancing_sleeper.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/recording_sleeper.hpp"

namespace testing_sleepers_test {
namespace {

using namespace std::chrono_literals;
using anew::duration;
using anew::testing::advancing_sleeper;
using anew::testing::manual_clock;
using anew::testing::recording_sleeper;
using delays = std::vector<duration>;

static_assert(anew::Sleeper<recording_sleeper> && anew::Sleeper<advancing_sleeper>);
static_assert(!std::is_copy_constructible_v<recording_sleeper> && !std::is_move_constructible_v<recording_sleeper>);
static_assert(!std::is_copy_constructible_v<advancing_sleeper> && !std::is_move_constructible_v<advancing_sleeper>);

constexpr auto three = [] {
  return anew::compose(anew::retry_all{}, anew::exponential_backoff{1s, 10s}, anew::no_jitter{},
                       anew::max_attempts<3>{});
};

TEST(RecordingSleeper, WritesDownTheDelays) {
  recording_sleeper sleep;
  EXPECT_FALSE(anew::retry(three(), [] { return false; }, sleep));
  EXPECT_EQ(sleep.delays, (delays{1s, 2s}));
  EXPECT_EQ(sleep.total(), 3s);
}

TEST(RecordingSleeper, DoesWhatItIsToldInTheSleep) {
  std::vector<std::size_t> heard;
  recording_sleeper* self = nullptr;
  recording_sleeper sleep{[&] { heard.push_back(self->delays.size()); }};
  self = &sleep;
  sleep(1s);
  sleep(2s);
  EXPECT_EQ(heard, (std::vector<std::size_t>{1, 2})) << "the delay is written down before";
}

TEST(RecordingSleeper, GoesByReferenceWhereASleeperIsTakenByValue) {
  recording_sleeper sleep;
  auto const by_value = [](auto sleeper) { return anew::retry(three(), [] { return false; }, sleeper); };
  EXPECT_FALSE(by_value(std::ref(sleep)));
  EXPECT_EQ(sleep.delays.size(), 2U);
}

TEST(AdvancingSleeper, PassesTheTime) {
  manual_clock const clock;
  auto const start = clock.peek();
  advancing_sleeper sleep{clock};
  sleep(1s);
  sleep(0s);
  sleep(5ms);
  EXPECT_EQ(clock.peek() - start, 1005ms);
  EXPECT_EQ(sleep.delays, (delays{1s, 0s, 5ms}));
  EXPECT_EQ(sleep.total(), 1005ms);
}

TEST(AdvancingSleeper, MayBeLate) {
  manual_clock const clock;
  auto const start = clock.peek();
  advancing_sleeper sleep{clock, 2ms};
  sleep(1s);
  sleep(1s);
  EXPECT_EQ(clock.peek() - start, 2004ms);
  EXPECT_EQ(sleep.total(), 2s);
}

TEST(AdvancingSleeper, SleepsForEverWithoutOverflow) {
  manual_clock const clock;
  advancing_sleeper sleep{clock, 1s};
  sleep(duration::max());
  sleep(duration::max());
  EXPECT_EQ(clock.peek(), anew::time_point::max());
  EXPECT_EQ(sleep.total(), duration::max());
}

TEST(AdvancingSleeper, TogetherWithADeadlineTakesTheTimeOfTheCall) {
  manual_clock const clock;
  advancing_sleeper sleep{clock};
  auto const strategy = anew::compose(anew::retry_all{}, anew::constant_backoff{3s}, anew::no_jitter{},
                                      anew::deadline{10s}, anew::unbounded{}, clock);
  auto const told = anew::retry_outcome(strategy, [] { return false; }, sleep);
  EXPECT_EQ(told.reason(), anew::stop_reason::deadline);
  EXPECT_EQ(told.elapsed(), 9s);
  EXPECT_EQ(sleep.delays, (delays{3s, 3s, 3s}));
}

}  // namespace
}  // namespace testing_sleepers_test
