// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <functional>
#include <string>
#include <vector>
#include <version>
#if defined(__cpp_lib_jthread)
#include <stop_token>
#endif

#include <gtest/gtest.h>

#include "anew/smithy_kotlin/time_source.hpp"
#include "anew/testing/advancing_sleeper.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/recording_sleeper.hpp"
#include "anew/testing/test_mode.hpp"

namespace smithy_kotlin_time_source_test {
namespace {

using namespace std::chrono_literals;
using namespace anew::smithy_kotlin;
using anew::stop_reason;
using anew::testing::advancing_sleeper;
using anew::testing::manual_clock;

struct flag {
  bool const* set;
  [[nodiscard]] bool stop_requested() const { return *set; }
  [[nodiscard]] static bool stop_possible() { return true; }
};

stop_reason why_ended(time_source const& time, anew::duration delay, wait_limit const& limit) {
  try {
    sleep_within(time, delay, limit);
  } catch (wait_ended const& ended) {
    EXPECT_NE(std::string{ended.what()}.find("anew::smithy_kotlin"), std::string::npos);
    return ended.reason();
  }
  return stop_reason::succeeded;
}

TEST(TimeSource, OfAClockAndASleeper) {
  manual_clock const clock;
  advancing_sleeper sleep{clock};
  auto const time = make_time_source(clock, std::ref(sleep));
  auto const before = time->now();
  time->sleep(3s, stop_flag{});
  EXPECT_EQ(time->now() - before, 3s);
  EXPECT_EQ(sleep.delays, (std::vector<anew::duration>{3s}));
}

TEST(TimeSource, TheSystemsIsOne) {
  EXPECT_EQ(system_time(), system_time());
  auto const before = system_time()->now();
  system_time()->sleep(0ns, stop_flag{});
  EXPECT_GE(system_time()->now(), before);
}

TEST(TimeSource, ASleeperThatKnowsStopTokensIsGivenOne) {
  struct listener {
    void operator()(anew::duration, stop_flag const& stop) const { heard->push_back(stop.stop_requested()); }
    std::vector<bool>* heard;
  };
  std::vector<bool> heard;
  bool stopped = false;
  flag const token{&stopped};
  auto const time = make_time_source(manual_clock{}, listener{&heard});
  time->sleep(1s, stop_flag{token});
  stopped = true;
  time->sleep(1s, stop_flag{token});
  time->sleep(1s, stop_flag{});
  EXPECT_EQ(heard, (std::vector<bool>{false, true, false}));
}

#if defined(__cpp_lib_jthread)
TEST(TimeSource, AStandardStopTokenReachesTheSleeper) {
  struct sleeper {
    void operator()(anew::duration) const { ++*without; }
    void operator()(anew::duration, std::stop_token const& token) const { *with += token.stop_requested() ? 100 : 1; }
    int* without;
    int* with;
  };
  int without = 0;
  int with = 0;
  std::stop_source source;
  auto const token = source.get_token();
  auto const time = make_time_source(manual_clock{}, sleeper{&without, &with});
  time->sleep(1s, stop_flag{token});
  EXPECT_EQ(with, 1);
  source.request_stop();
  time->sleep(1s, stop_flag{token});
  EXPECT_EQ(with, 101);
  time->sleep(1s, stop_flag{});
  EXPECT_EQ(without, 1);
}
#endif

TEST(StopFlag, IsAStopToken) {
  static_assert(anew::StopToken<stop_flag>);
  bool stopped = false;
  flag const token{&stopped};
  stop_flag const seen{token};
  EXPECT_TRUE(seen.stop_possible());
  EXPECT_FALSE(seen.stop_requested());
  stopped = true;
  EXPECT_TRUE(seen.stop_requested());
  EXPECT_FALSE(stop_flag{}.stop_possible());
  EXPECT_FALSE(stop_flag{}.stop_requested());
  EXPECT_FALSE(stop_flag{anew::never_stop{}}.stop_possible());
}

TEST(SleepWithin, NothingReachesTheLimit) {
  manual_clock const clock;
  advancing_sleeper sleep{clock};
  auto const time = make_time_source(clock, std::ref(sleep));
  EXPECT_EQ(why_ended(*time, 10s, {}), stop_reason::succeeded);
  EXPECT_EQ(why_ended(*time, 10s, {clock.peek() + 10s + 1ns, {}}), stop_reason::succeeded);
  EXPECT_EQ(sleep.delays.size(), 2U);
  EXPECT_EQ(why_ended(*time, 10s, {clock.peek() + 10s, {}}), stop_reason::deadline);
  EXPECT_EQ(why_ended(*time, 0s, {clock.peek(), {}}), stop_reason::deadline);
  EXPECT_EQ(sleep.delays.size(), 2U);  // the two were not slept
}

TEST(SleepWithin, ASleeperThatIsLateMissesTheLimit) {
  manual_clock const clock;
  advancing_sleeper sleep{clock, 1s};
  auto const time = make_time_source(clock, std::ref(sleep));
  EXPECT_EQ(why_ended(*time, 10s, {clock.peek() + 11s + 1ns, {}}), stop_reason::succeeded);
  EXPECT_EQ(why_ended(*time, 10s, {clock.peek() + 11s, {}}), stop_reason::deadline);
}

TEST(SleepWithin, AStopEndsItBeforeAndAfterTheSleep) {
  bool stopped = false;
  flag const token{&stopped};
  anew::testing::recording_sleeper sleep{[&] { stopped = true; }};
  auto const time = make_time_source(manual_clock{}, std::ref(sleep));
  wait_limit const limit{anew::time_point::max(), stop_flag{token}};
  EXPECT_EQ(why_ended(*time, 1s, limit), stop_reason::cancelled);
  EXPECT_EQ(sleep.delays.size(), 1U);
  EXPECT_EQ(why_ended(*time, 1s, limit), stop_reason::cancelled);
  EXPECT_EQ(sleep.delays.size(), 1U);
}

TEST(SleepWithin, WaitsForNothingInTestMode) {
  anew::testing::test_mode const fast{3};
  anew::testing::recording_sleeper sleep;
  auto const time = make_time_source(manual_clock{}, std::ref(sleep));
  EXPECT_EQ(why_ended(*time, 1h, {}), stop_reason::succeeded);
  EXPECT_EQ(sleep.delays, (std::vector<anew::duration>{0s}));
}

}  // namespace
}  // namespace smithy_kotlin_time_source_test
