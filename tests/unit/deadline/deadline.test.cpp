// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <limits>
#include <optional>
#include <type_traits>

#include <gtest/gtest.h>

#include "anew/deadline/deadline.hpp"

#include "rejection.hpp"

namespace deadline_deadline_test {
namespace {

using namespace std::chrono_literals;
using anew::at_deadline;
using anew::deadline;
using anew::duration;
using seconds_double = std::chrono::duration<double>;
constexpr std::optional<duration> give_up{};

TEST(Deadline, StopsWhenTheDelayWouldUseUpWhatRemains) {
  deadline<10s> const d;
  EXPECT_EQ(d.total(), 10s);
  EXPECT_EQ(d.fit(0ns, 1ns), 0ns);
  EXPECT_EQ(d.fit(4s, 5s), 4s);
  EXPECT_EQ(d.fit(5s - 1ns, 5s), 5s - 1ns);
  EXPECT_EQ(d.fit(5s, 5s), give_up);
  EXPECT_EQ(d.fit(6s, 5s), give_up);
}

TEST(Deadline, StopsWhenTheDelayWouldUseUpTheReserve) {
  deadline<10s, at_deadline::stop, 1s> const d;
  EXPECT_EQ(d.fit(4s - 1ns, 5s), 4s - 1ns);
  EXPECT_EQ(d.fit(4s, 5s), give_up);
  EXPECT_EQ(d.fit(0ns, 1s), give_up);
  EXPECT_EQ(d.fit(0ns, 1s + 1ns), 0ns);
}

TEST(Deadline, ClampsSoThatTheAttemptHasItsReserve) {
  deadline<10s, at_deadline::clamp, 1s> const d;
  EXPECT_EQ(d.fit(3s, 5s), 3s);
  EXPECT_EQ(d.fit(4s, 5s), 4s);
  EXPECT_EQ(d.fit(5s, 5s), 4s);
  EXPECT_EQ(d.fit(duration::max(), 5s), 4s);
  EXPECT_EQ(d.fit(5s, 1s + 1ns), 1ns);
  EXPECT_EQ(d.fit(5s, 1s), give_up);
  EXPECT_EQ(d.fit(0ns, 500ms), give_up);
}

TEST(Deadline, TriesOnceMoreAtTheDeadlineItself) {
  deadline<10s, at_deadline::last_try> const d;
  EXPECT_EQ(d.fit(4s, 5s), 4s);
  EXPECT_EQ(d.fit(5s, 5s), 5s);
  EXPECT_EQ(d.fit(6s, 5s), 5s);
  EXPECT_EQ(d.fit(6s, 1ns), 1ns);
}

TEST(Deadline, AfterItNothingBegins) {
  for (duration const remaining : {duration{0}, duration{-1}, duration::min()}) {
    for (duration const delay : {duration{0}, duration{1}, duration::max()}) {
      EXPECT_EQ((deadline<10s>{}.fit(delay, remaining)), give_up);
      EXPECT_EQ((deadline<10s, at_deadline::clamp, 1s>{}.fit(delay, remaining)), give_up);
      EXPECT_EQ((deadline<10s, at_deadline::last_try>{}.fit(delay, remaining)), give_up);
    }
  }
}

TEST(Deadline, NoDelayIsLongerThanWhatRemains) {
  for (duration const remaining : {duration{1}, duration{999ms}, duration{1s}, duration{5s}, duration::max()}) {
    for (duration const delay : {duration{0}, duration{1}, duration{1s}, duration{5s}, duration::max()}) {
      for (auto const then : {at_deadline::stop, at_deadline::clamp, at_deadline::last_try}) {
        auto const fitting = deadline{10s, then, 1s}.fit(delay, remaining);
        if (!fitting) continue;
        EXPECT_TRUE(*fitting >= 0ns && *fitting <= remaining && *fitting <= delay);
        if (then != at_deadline::last_try) {
          EXPECT_GE(remaining - *fitting, 1s);
        }
      }
    }
  }
}

TEST(Deadline, ValuesOfTheTypeAndOfTheObjectAgree) {
  for (duration const remaining : {duration{1}, duration{1s}, duration{1s + 1ns}, duration{5s}, duration{10s}}) {
    for (duration const delay : {duration{0}, duration{1}, duration{4s}, duration{5s}, duration{9s}}) {
      EXPECT_EQ((deadline<10s>{}.fit(delay, remaining)), deadline{10s}.fit(delay, remaining));
      EXPECT_EQ((deadline<10s, at_deadline::stop, 1s>{}.fit(delay, remaining)),
                (deadline{10s, at_deadline::stop, 1s}.fit(delay, remaining)));
      EXPECT_EQ((deadline<10s, at_deadline::clamp, 1s>{}.fit(delay, remaining)),
                (deadline{10s, at_deadline::clamp, 1s}.fit(delay, remaining)));
      EXPECT_EQ((deadline<10s, at_deadline::last_try>{}.fit(delay, remaining)),
                (deadline{10s, at_deadline::last_try}.fit(delay, remaining)));
    }
  }
}

TEST(Deadline, TakesAnyDuration) {
  EXPECT_EQ(deadline{seconds_double{0.5}}.total(), 500ms);
  EXPECT_EQ(deadline{std::chrono::hours::max()}.total(), duration::max());
}

TEST(Deadline, IsSoundUpToTheEdgeOfWhatItRequires) {
  using enum at_deadline;
  static_assert(deadline<1ns>::is_sound && !deadline<0ns>::is_sound && !deadline<-1ns>::is_sound);
  static_assert(deadline<1s, stop, 1s - 1ns>::is_sound && !deadline<1s, stop, 1s>::is_sound);
  static_assert(!deadline<1s, stop, -1ns>::is_sound && !deadline<1s, clamp, -1ns>::is_sound);
  static_assert(deadline<1s, clamp, 1ns>::is_sound && !deadline<1s, clamp, 0ns>::is_sound);
  static_assert(deadline<1s, last_try, 0ns>::is_sound && !deadline<1s, last_try, 2s>::is_sound);
  static_assert(decltype(deadline{1s})::is_sound);
  static_assert(!deadline<1s, stop, anew::run_time>::is_sound && !deadline<anew::run_time>::is_sound);
  static_assert(!std::is_default_constructible_v<deadline<1s, stop, anew::run_time>>);
  static_assert(!std::is_default_constructible_v<deadline<anew::run_time>>);
  static_assert(!std::is_constructible_v<deadline<anew::run_time>, anew::duration>);
  static_assert(!anew::detail::is_above_zero<0ns>);  // which mistake it is decides the message
  EXPECT_EQ((deadline{2ns, clamp, 1ns}.fit(5s, 3s)), 3s - 1ns);
  EXPECT_EQ(deadline{1ns}.total(), 1ns);
}

TEST(Deadline, DescribesItself) {
  EXPECT_EQ(deadline<10s>{}.describe(), "deadline(10s)");
  EXPECT_EQ((deadline<10s, at_deadline::stop, 1s>{}.describe()), "deadline(10s,1s)");
  EXPECT_EQ((deadline{2s, at_deadline::clamp, 100ms}.describe()), "deadline(2s,clamp,100ms)");
  EXPECT_EQ((deadline{2s, at_deadline::last_try}.describe()), "deadline(2s,last_try)");
}

TEST(Deadline, RefusesATotalOfNothing) {
  EXPECT_REJECTED(deadline{0s}, "anew::deadline: total must be above zero, but is 0s");
  EXPECT_REJECTED(deadline{-1ms}, "anew::deadline: total must be above zero, but is -1ms");
  EXPECT_REJECTED(deadline{seconds_double{std::numeric_limits<double>::quiet_NaN()}},
                  "anew::deadline: total must be above zero, but is -9223372036854775808ns");
}

TEST(Deadline, RefusesAReserveThatLeavesNoRoom) {
  EXPECT_REJECTED((deadline{1s, at_deadline::stop, -1ns}),
                  "anew::deadline: reserve must be at least zero and below total, but is -1ns");
  EXPECT_REJECTED((deadline{1s, at_deadline::stop, 1s}),
                  "anew::deadline: reserve must be at least zero and below total, but is 1s");
  EXPECT_REJECTED((deadline{1s, at_deadline::clamp}),
                  "anew::deadline: reserve must be above zero with at_deadline::clamp, but is 0s");
  EXPECT_EQ((deadline{1s, at_deadline::stop, 1s - 1ns}.total()), 1s);
}

}  // namespace
}  // namespace deadline_deadline_test
