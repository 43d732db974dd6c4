// SPDX-License-Identifier: BSL-1.0
// The sleepers by themselves, on the real clock: only lower bounds are asserted, which no load can break.
#include <signal.h>
#include <sys/time.h>
#include <time.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <type_traits>
#include <version>

#include <gtest/gtest.h>

#include "anew/sleeper.hpp"
#if defined(__cpp_lib_jthread)
#include <stop_token>
#endif

#include "driver_support.hpp"
#include "names.hpp"
#include "pinned.hpp"
#include "rejection.hpp"

namespace retry_sleepers_test {
namespace {

using namespace anew;
using support::flag_stop;

static_assert(Sleeper<blocking_sleeper> && Sleeper<spinning_sleeper> && Sleeper<hybrid_sleeper>);
static_assert(std::is_empty_v<blocking_sleeper> && std::is_empty_v<spinning_sleeper>);

duration monotonic() {
  ::timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::chrono::seconds{now.tv_sec} + duration{now.tv_nsec};
}

duration time_of(auto&& sleep) {
  auto const before = monotonic();
  sleep();
  return monotonic() - before;
}

/// A token that is asked a number of times before it says that a stop is requested. Nobody else need run.
class stop_after {
 public:
  explicit stop_after(int& questions) noexcept : questions_{&questions} {}
  [[nodiscard]] bool stop_requested() const noexcept { return --*questions_ < 0; }
  [[nodiscard]] static bool stop_possible() noexcept { return true; }

 private:
  int* questions_;
};
static_assert(StopToken<stop_after>);

/// Each at least as long as it is told, with a token too where it takes any; and with a clock that is read wrongly, a delay
/// of nothing would be forever.
TEST(Sleepers, LastAtLeastTheDelayAndNothingIsNoDelay) {
  auto const lasts = [](auto const& sleep) {
    for (duration delay : {duration{1ns}, duration{90us}, duration{2ms}}) {
      EXPECT_GE(time_of([&] { sleep(delay); }), delay);
      flag_stop::state never;
      if constexpr (requires { sleep(delay, flag_stop{never}); }) {
        EXPECT_GE(time_of([&] { sleep(delay, flag_stop{never}); }), delay);
      }
    }
    for (duration none : {duration{0ns}, duration{-1ns}, duration{-1h}, duration::min()}) sleep(none);
  };
  lasts(blocking_sleeper{});
  lasts(spinning_sleeper{});
  for (hybrid_sleeper const sleep : {hybrid_sleeper{}, hybrid_sleeper{0ns}, hybrid_sleeper{1h}}) lasts(sleep);
}

std::atomic<int> signals{0};

/// Signals that interrupt every system call, one each millisecond.
class interruptions : support::pinned {
 public:
  interruptions() {
    struct ::sigaction action{};
    action.sa_handler = [](int /*signal*/) { signals.fetch_add(1); };  // and no SA_RESTART
    ::sigaction(SIGALRM, &action, &before_);
    ::itimerval const every_millisecond{{0, 1000}, {0, 1000}};
    ::setitimer(ITIMER_REAL, &every_millisecond, nullptr);
  }
  ~interruptions() {
    ::itimerval const never{};
    ::setitimer(ITIMER_REAL, &never, nullptr);
    ::sigaction(SIGALRM, &before_, nullptr);
  }

 private:
  struct ::sigaction before_{};
};

TEST(BlockingSleeper, SignalsDoNotShortenIt) {
  int const before = signals;
  interruptions const every_millisecond;
  EXPECT_GE(time_of([] { blocking_sleeper{}(20ms); }), duration{20ms});
  EXPECT_GT(signals, before) << "nothing interrupted it, so this test says nothing";
}

TEST(SpinningSleeper, AnyStopTokenEndsIt) {
  int questions = 1000;
  spinning_sleeper{}(1h, stop_after{questions});
  EXPECT_EQ(questions, -1);
  questions = 0;
  spinning_sleeper{}(duration::max(), stop_after{questions});
}

TEST(HybridSleeper, AnyStopTokenEndsTheSpin) {
  int questions = 1000;
  hybrid_sleeper{2h}(1h, stop_after{questions});
  EXPECT_EQ(questions, -1);
}

#if defined(__cpp_lib_jthread)
static_assert(SleeperFor<blocking_sleeper, std::stop_token>);

TEST(BlockingSleeper, LastsAtLeastTheDelayWithAStopToken) {
  std::stop_source source;
  int const before = signals;
  interruptions const every_millisecond;
  EXPECT_GE(time_of([&] { blocking_sleeper{}(20ms, source.get_token()); }), duration{20ms});
  EXPECT_GT(signals, before);
  EXPECT_GE(time_of([&] { blocking_sleeper{}(2ms, std::stop_token{}); }), duration{2ms});
}

TEST(BlockingSleeper, ZeroAndNegativeDelaysReturnAtOnceWithAStopToken) {
  std::stop_source source;
  blocking_sleeper{}(0ns, source.get_token());
  blocking_sleeper{}(-1h, source.get_token());
  blocking_sleeper{}(duration::min(), source.get_token());
}

TEST(BlockingSleeper, StopThatWasRequestedBeforeEndsItAtOnce) {
  std::stop_source source;
  source.request_stop();
  blocking_sleeper{}(1h, source.get_token());
  blocking_sleeper{}(duration::max(), source.get_token());
  hybrid_sleeper{}(1h, source.get_token());
  spinning_sleeper{}(1h, source.get_token());
}

void is_woken(auto const& sleep, duration delay) {
  // Whether the request comes before the sleep, at its beginning, or in it, is left to the scheduler: each must end it.
  for (int i = 0; i != 20; ++i) {
    std::stop_source source;
    std::jthread const stopper{[&source, i] {
      for (int spin = 0; spin != i; ++spin) std::this_thread::yield();
      source.request_stop();
    }};
    sleep(delay, source.get_token());
    EXPECT_TRUE(source.stop_requested());
  }
}

TEST(BlockingSleeper, IsWokenFromAnHour) { is_woken(blocking_sleeper{}, 1h); }
TEST(BlockingSleeper, IsWokenFromTheLongestDelay) { is_woken(blocking_sleeper{}, duration::max()); }
TEST(SpinningSleeper, IsWokenFromAnHour) { is_woken(spinning_sleeper{}, 1h); }
TEST(HybridSleeper, IsWokenFromAnHour) { is_woken(hybrid_sleeper{}, 1h); }
TEST(HybridSleeper, IsWokenFromTheLongestDelay) { is_woken(hybrid_sleeper{}, duration::max()); }

TEST(BlockingSleeper, OneStopWakesManyThreads) {
  std::stop_source source;
  std::atomic<int> asleep{0};
  {
    std::jthread threads[4];
    for (auto& thread : threads) {
      thread = std::jthread{[&asleep, stop = source.get_token()] {
        asleep.fetch_add(1);
        blocking_sleeper{}(1h, stop);
      }};
    }
    while (asleep != 4) std::this_thread::yield();
    source.request_stop();
  }
  EXPECT_EQ(asleep, 4);
}
#endif

TEST(HybridSleeper, SleepsAllButTheLastMoment) {
  constexpr hybrid_sleeper sleep{100us};
  static_assert(sleep.slept_of(1ms) == 900us && sleep.slept_of(101us) == 1us);
  static_assert(sleep.slept_of(100us) == 0us && sleep.slept_of(99us) == 0us && sleep.slept_of(-1h) == 0us);
  EXPECT_EQ(hybrid_sleeper{}.slept_of(1ms), 900us);
  EXPECT_EQ(hybrid_sleeper{0ns}.slept_of(duration::max()), duration::max());
}

TEST(HybridSleeper, ANegativeSpinIsRefused) {
  EXPECT_REJECTED(hybrid_sleeper{-1s}, "anew::hybrid_sleeper: spin must not be negative, but is -1s");
}

}  // namespace
}  // namespace retry_sleepers_test
