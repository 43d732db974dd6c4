// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/pacer/client_rate_limiter.hpp"
#include "anew/sharing/borrowed.hpp"
#include "anew/sharing/partitioned.hpp"
#include "anew/sharing/shared.hpp"

#include "manual_clock.hpp"
#include "rejection.hpp"

namespace {

using namespace std::chrono_literals;
using anew::client_rate_limiter;
using anew::duration;
using anew::error_kind;
using anew::failure;
using anew::rate_limiter_constants;
using anew::time_point;
using anew::when_limited;

using waits = client_rate_limiter<>;
using reserves = client_rate_limiter<when_limited::reserve>;
using fails_fast = client_rate_limiter<when_limited::fail_fast>;

constexpr failure throttled{.kind = error_kind::throttling};

constexpr time_point at(duration since_epoch) { return time_point{since_epoch}; }

/// Asks without holding on to anything.
template <class Limiter>
duration wait_of(Limiter const& limiter, time_point now) {
  typename Limiter::ticket_type ticket{};
  auto const answer = limiter.ask(ticket, now);
  limiter.release(ticket);
  return answer.wait;
}

/// One that lets through `rate` attempts a second and has nothing left: throttled once, after as many responses as that
/// takes, and asked for the one token that there is.
template <class Limiter>
Limiter limited_to(double rate) {
  Limiter limiter{time_point{}};
  auto const responses = static_cast<int>(std::lround(rate / 0.7 / 0.8 / 2 * 10));  // in five seconds, one sample
  for (int i = 1; i < responses; ++i) limiter.on_success(at(0s));
  limiter.on_failure(throttled, at(5s));
  typename Limiter::ticket_type ticket{};
  static_cast<void>(limiter.ask(ticket, at(5s)));
  return limiter;
}

static_assert(anew::Pacer<waits> && anew::Pacer<reserves> && anew::Pacer<fails_fast>);
static_assert(anew::Pacer<anew::shared<waits>> && anew::Pacer<anew::borrowed<reserves>> &&
              anew::Pacer<anew::leased<reserves>>);
static_assert(!std::is_copy_constructible_v<waits> && std::is_nothrow_move_constructible_v<waits>);
static_assert(std::is_empty_v<waits::ticket_type> && std::is_empty_v<fails_fast::ticket_type>);
[[maybe_unused]] constinit waits const made_before_main{};

TEST(ClientRateLimiter, LetsEverythingThroughUntilTheFirstThrottledResponse) {
  waits const limiter{time_point{}};
  waits::ticket_type ticket{};
  for (int i = 0; i < 10'000; ++i) {
    auto const now = at(i * 1us);
    auto const answer = limiter.ask(ticket, now);
    ASSERT_EQ(answer.wait, 0ns);
    ASSERT_FALSE(answer.refused);
    for (auto kind : {error_kind::transient, error_kind::timeout, error_kind::server, error_kind::client}) {
      limiter.on_failure(failure{.kind = kind}, now);
    }
    limiter.on_success(now);
  }
  EXPECT_FALSE(limiter.is_enabled());
  limiter.on_failure(throttled, at(1s));
  EXPECT_TRUE(limiter.is_enabled());
}

TEST(ClientRateLimiter, IsLimitedForGoodAfterIt) {
  waits const limiter{time_point{}};
  limiter.on_failure(throttled, at(0s));
  for (int i = 1; i < 1'000; ++i) limiter.on_success(at(i * 10ms));
  EXPECT_TRUE(limiter.is_enabled());
}

TEST(ClientRateLimiter, FailuresThatAreNotThrottledAreResponsesAsSuccessesAre) {
  waits const succeeds{time_point{}};
  waits const fails{time_point{}};
  for (int i = 1; i < 100; ++i) {
    auto const now = at(i * 70ms);
    if (i % 10 == 0) {
      succeeds.on_failure(throttled, now);
      fails.on_failure(throttled, now);
    } else {
      succeeds.on_success(now);
      fails.on_failure(failure{.kind = error_kind::server}, now);
    }
    ASSERT_EQ(succeeds.fill_rate(), fails.fill_rate());
    ASSERT_EQ(succeeds.capacity(), fails.capacity());
    ASSERT_EQ(succeeds.measured_rate(), fails.measured_rate());
  }
}

TEST(ClientRateLimiter, BeginsWithTheFirstQuestionWhereItIsGivenNoTime) {
  waits const limiter{};
  waits::ticket_type ticket{};
  EXPECT_EQ(limiter.ask(ticket, at(1'000s)).wait, 0ns);
  EXPECT_EQ(limiter.ask(ticket, at(1'400s)).wait, 0ns);  // not with the second
  limiter.on_success(at(1'001s));
  EXPECT_DOUBLE_EQ(limiter.measured_rate(), 0.8);

  waits const never_asked{};
  never_asked.on_success(at(1'000'600ms));
  EXPECT_DOUBLE_EQ(never_asked.measured_rate(), 1.6);  // the first half second is the whole second's
  waits const throttled_at_once{};
  throttled_at_once.on_failure(throttled, at(1'000s));
  EXPECT_TRUE(throttled_at_once.is_enabled());
  EXPECT_EQ(throttled_at_once.measured_rate(), 0);
}

TEST(ClientRateLimiter, ATimeBeforeTheEpochIsATimeAsAnyOther) {
  waits const limiter{at(-10'300ms)};  // in the second that begins at -11
  limiter.on_success(at(-10'200ms));
  EXPECT_DOUBLE_EQ(limiter.measured_rate(), 1.6);
  limiter.on_success(at(-10s));
  EXPECT_DOUBLE_EQ(limiter.measured_rate(), 0.8 * 2 + 0.2 * 1.6);
}

// The rate before the first throttled response grows from the start, not from the clock's epoch.
TEST(ClientRateLimiter, WhenItStartedIsAllThatCounts) {
  waits const early{at(0s)};
  waits const late{at(1'000s)};
  for (int i = 1; i < 40; ++i) {
    early.on_success(at(i * 200ms));
    late.on_success(at(1'000s + i * 200ms));
    ASSERT_DOUBLE_EQ(early.fill_rate(), late.fill_rate()) << i;
  }
}

TEST(ClientRateLimiter, WhoWaitsAsksAgainAndNobodyHoldsAnything) {
  waits const limiter{time_point{}};
  limiter.on_failure(throttled, at(0s));
  for (int i = 0; i < 10; ++i) EXPECT_EQ(wait_of(limiter, at(100ms)), 1'900ms) << i;
  EXPECT_DOUBLE_EQ(limiter.capacity(), 0.05);
  EXPECT_EQ(wait_of(limiter, at(2s)), 0ns);
  EXPECT_EQ(wait_of(limiter, at(2s)), 2s);  // the others compute anew
  EXPECT_EQ(wait_of(limiter, at(4s) - 1ns), 1ns);
  EXPECT_EQ(wait_of(limiter, at(4s)), 0ns);
}

// The wait of one token: at most 1/min_fill_rate. And asking after it is granted, whatever fractions there were.
TEST(ClientRateLimiter, NobodyWaitsLongerThanOneOverTheLeastRate) {
  anew::generator dice{1, 110};
  for (int round = 0; round < 200; ++round) {
    waits const limiter{time_point{}};
    auto now = at(duration{static_cast<std::int64_t>(dice() % 1'000'000'000'000'000'000)});
    limiter.on_failure(throttled, now);
    for (int i = 0; i < 50; ++i) {
      now += duration{static_cast<std::int64_t>(dice() % 400'000'000)};
      if (dice() % 4 == 0) {
        limiter.on_failure(throttled, now);
      } else {
        limiter.on_success(now);
      }
      auto const wait = wait_of(limiter, now);
      ASSERT_LE(wait, 2s);
      ASSERT_GE(wait, 0ns);
      ASSERT_GE(limiter.capacity(), 0);
      ASSERT_LE(limiter.capacity(), limiter.max_capacity());
      if (wait > 0ns) {
        ASSERT_EQ(wait_of(limiter, now + wait), 0ns) << round << " " << i;
        now += wait;
      }
    }
  }
}

TEST(ClientRateLimiter, TimeThatGoesBackwardsTakesNothingAway) {
  waits const limiter{time_point{}};
  limiter.on_failure(throttled, at(10s));
  EXPECT_EQ(wait_of(limiter, at(11s)), 1s);
  EXPECT_EQ(wait_of(limiter, at(5s)), 1s);
  limiter.on_success(at(9s));  // the response to an attempt that began earlier, read late
  EXPECT_DOUBLE_EQ(limiter.capacity(), 0.5);
  limiter.on_failure(throttled, at(8s));
  EXPECT_EQ(wait_of(limiter, at(11s)), 1s);
  EXPECT_EQ(wait_of(limiter, at(12s)), 0ns);
}

// A success that comes late counts as one at the throttled response, not as one before it.
TEST(ClientRateLimiter, AResponseFromBeforeTheThrottledOneDoesNotPushTheRateDown) {
  auto const limiter = limited_to<waits>(20);
  auto const other = limited_to<waits>(20);
  limiter.on_success(at(5s));
  other.on_success(at(1s));
  EXPECT_DOUBLE_EQ(limiter.fill_rate(), other.fill_rate());
}

TEST(ClientRateLimiter, AThrottledResponseThatIsReadLateDoesNotTurnTheTimeBack) {
  auto const limiter = limited_to<waits>(20);
  auto const other = limited_to<waits>(20);
  limiter.on_failure(throttled, at(5s));
  other.on_failure(throttled, at(1s));
  limiter.on_success(at(5'400ms));
  other.on_success(at(5'400ms));
  EXPECT_DOUBLE_EQ(limiter.fill_rate(), other.fill_rate());
}

TEST(ClientRateLimiter, FailsFast) {
  fails_fast const limiter{time_point{}};
  fails_fast::ticket_type ticket{};
  EXPECT_FALSE(limiter.ask(ticket, at(0s)).refused);
  limiter.on_failure(throttled, at(0s));
  auto const answer = limiter.ask(ticket, at(500ms));
  EXPECT_TRUE(answer.refused);
  EXPECT_EQ(answer.wait, 1'500ms);  // for who asks by himself
  EXPECT_DOUBLE_EQ(limiter.capacity(), 0.25);
  EXPECT_FALSE(limiter.ask(ticket, at(2s)).refused);
  EXPECT_TRUE(limiter.ask(ticket, at(2s)).refused);
}

TEST(ClientRateLimiter, DescribesItself) {
  EXPECT_EQ(waits{}.describe(), "client_rate_limiter");
  EXPECT_EQ(fails_fast{}.describe(), "client_rate_limiter(fail_fast)");
  EXPECT_EQ(reserves{}.describe(), "client_rate_limiter(reserve)");
  constexpr rate_limiter_constants own{
      .beta = 0.65, .scale = 1.5, .smooth = 1, .min_fill_rate = 0.125, .min_capacity = 20};
  EXPECT_EQ((client_rate_limiter<when_limited::reserve, own>{}.describe()),
            "client_rate_limiter(reserve,beta=0.65,scale=1.5,smooth=1,min_fill_rate=0.125,min_capacity=20)");
  EXPECT_EQ(client_rate_limiter{own}.describe(),
            "client_rate_limiter(beta=0.65,scale=1.5,smooth=1,min_fill_rate=0.125,min_capacity=20)");
  EXPECT_EQ(anew::detail::decimal(0.5), "0.5");
  EXPECT_EQ(anew::detail::decimal(0.000001), "0.000001");
  EXPECT_EQ(anew::detail::decimal(120), "120");
  EXPECT_EQ(anew::detail::decimal(1.0000004), "1");
}

TEST(ClientRateLimiter, NumbersOfTheTypeAndOfTheObjectAgree) {
  constexpr rate_limiter_constants own{.beta = 0.5, .scale = 2, .smooth = 0.5, .min_fill_rate = 3, .min_capacity = 7};
  client_rate_limiter<when_limited::wait, own> const of_type{time_point{}};
  client_rate_limiter const of_object{own, time_point{}};
  static_assert(std::is_same_v<decltype(client_rate_limiter{time_point{}}), waits>);
  for (int i = 1; i < 100; ++i) {
    auto const now = at(i * 30ms);
    if (i % 20 == 0) {
      of_type.on_failure(throttled, now);
      of_object.on_failure(throttled, now);
    } else {
      of_type.on_success(now);
      of_object.on_success(now);
    }
    ASSERT_EQ(of_type.fill_rate(), of_object.fill_rate());
    ASSERT_EQ(of_type.capacity(), of_object.capacity());
    ASSERT_GE(of_type.fill_rate(), 3);
    ASSERT_GE(of_type.max_capacity(), 7);
  }
  EXPECT_EQ(of_object.constants(), own);
}

// Each number where it acts, by hand: two responses a second, then one that is throttled.
TEST(ClientRateLimiter, EachNumberActs) {
  auto const after = [](rate_limiter_constants const& c) {
    client_rate_limiter limiter{c, time_point{}};
    for (int i = 1; i < 10; ++i) limiter.on_success(at(i * 100ms));
    limiter.on_failure(throttled, at(2s));
    return limiter;
  };
  // 5 responses until 0.5, 5 until 1, none of them a sample of its own; the tenth comes at 2.
  auto const measured = [](double smooth) {
    auto m = smooth * 5 / 0.5;
    return smooth * 5 / 1.5 + (1 - smooth) * m;
  };
  EXPECT_DOUBLE_EQ(after({}).measured_rate(), measured(0.8));
  EXPECT_DOUBLE_EQ(after({.smooth = 0.5}).measured_rate(), measured(0.5));
  EXPECT_DOUBLE_EQ(after({}).fill_rate(), measured(0.8) * 0.7);
  EXPECT_DOUBLE_EQ(after({.beta = 0.9}).fill_rate(), measured(0.8) * 0.9);
  EXPECT_DOUBLE_EQ(after({.min_fill_rate = 100}).fill_rate(), 100);
  EXPECT_DOUBLE_EQ(after({.min_capacity = 100}).max_capacity(), 100);
  EXPECT_DOUBLE_EQ(after({.min_capacity = 100}).fill_rate(), measured(0.8) * 0.7);
  auto const slow = after({.scale = 0.1});
  auto const fast = after({.scale = 0.8});
  slow.on_success(at(2'100ms));
  fast.on_success(at(2'100ms));
  EXPECT_LT(slow.fill_rate(), fast.fill_rate());
}

TEST(ClientRateLimiter, WrongNumbersAreRejected) {
  auto const make = [](rate_limiter_constants c) { client_rate_limiter{c}; };
  auto const nan = std::numeric_limits<double>::quiet_NaN();
  auto const infinity = std::numeric_limits<double>::infinity();
  EXPECT_REJECTED(make({.beta = 0}), "anew::client_rate_limiter: beta must be above 0 and below 1, but is 0.000000");
  EXPECT_REJECTED(make({.beta = 1}), "anew::client_rate_limiter: beta must be above 0 and below 1, but is 1.000000");
  EXPECT_REJECTED(make({.beta = nan}), "anew::client_rate_limiter: beta must be above 0 and below 1, but is nan");
  EXPECT_REJECTED(make({.scale = 0}),
                  "anew::client_rate_limiter: scale must be above 0 and at most 10^12, but is 0.000000");
  EXPECT_REJECTED(make({.scale = infinity}),
                  "anew::client_rate_limiter: scale must be above 0 and at most 10^12, but is inf");
  EXPECT_REJECTED(make({.smooth = 0}),
                  "anew::client_rate_limiter: smooth must be above 0 and at most 1, but is 0.000000");
  EXPECT_REJECTED(make({.smooth = 1.5}),
                  "anew::client_rate_limiter: smooth must be above 0 and at most 1, but is 1.500000");
  EXPECT_REJECTED(make({.min_fill_rate = 0}),
                  "anew::client_rate_limiter: min_fill_rate must be above 0 and at most 10^12, but is 0.000000");
  EXPECT_REJECTED(make({.min_fill_rate = infinity}),
                  "anew::client_rate_limiter: min_fill_rate must be above 0 and at most 10^12, but is inf");
  EXPECT_REJECTED(make({.min_capacity = 0.5}),
                  "anew::client_rate_limiter: min_capacity must be between 1 and 10^12, but is 0.500000");
  EXPECT_REJECTED(make({.min_capacity = nan}),
                  "anew::client_rate_limiter: min_capacity must be between 1 and 10^12, but is nan");
  make({.beta = 0.001, .scale = 0.001, .smooth = 1, .min_fill_rate = 0.001, .min_capacity = 1});
}

template <rate_limiter_constants C>
constexpr bool is_sound = client_rate_limiter<when_limited::wait, C>::is_sound;
static_assert(waits::is_sound && reserves::is_sound && fails_fast::is_sound && is_sound<anew::run_time_constants>);
static_assert(!is_sound<rate_limiter_constants{.beta = 0}> && !is_sound<rate_limiter_constants{.beta = 1}>);
static_assert(!is_sound<rate_limiter_constants{.scale = 0}> && !is_sound<rate_limiter_constants{.scale = 1e13}>);
static_assert(!is_sound<rate_limiter_constants{.smooth = 0}> && !is_sound<rate_limiter_constants{.smooth = 1.01}>);
static_assert(!is_sound<rate_limiter_constants{.min_fill_rate = 0}>);
static_assert(!is_sound<rate_limiter_constants{.min_capacity = 0.99}>);
static_assert(is_sound<rate_limiter_constants{0.01, 0.001, 1, 0.001, 1}>);

TEST(ClientRateLimiter, TakesItsStateWithItWhenItIsMoved) {
  auto limiter = limited_to<waits>(20);
  limiter.on_success(at(5'100ms));
  auto const fill = limiter.fill_rate();
  auto const measured = limiter.measured_rate();
  auto const capacity = limiter.capacity();
  auto const last = limiter.last_max_rate();
  waits const moved{std::move(limiter)};
  EXPECT_TRUE(moved.is_enabled());
  EXPECT_EQ(moved.fill_rate(), fill);
  EXPECT_EQ(moved.measured_rate(), measured);
  EXPECT_EQ(moved.capacity(), capacity);
  EXPECT_EQ(moved.last_max_rate(), last);
  auto const same = limited_to<waits>(20);
  same.on_success(at(5'100ms));
  same.on_success(at(6s));
  moved.on_success(at(6s));
  EXPECT_EQ(moved.fill_rate(), same.fill_rate());
  EXPECT_EQ(moved.capacity(), same.capacity());
}

// A queue of callers.

TEST(ReservingRateLimiter, CallersAreLetThroughInTheirOrder) {
  auto const limiter = limited_to<reserves>(10);
  ASSERT_NEAR(limiter.fill_rate(), 10, 0.1);
  auto const interval = 1 / limiter.fill_rate();
  std::vector<reserves::ticket_type> tickets(50);
  for (std::size_t i = 0; i < tickets.size(); ++i) {
    auto const wait = limiter.ask(tickets[i], at(5s)).wait;
    EXPECT_NEAR(static_cast<double>(wait.count()) / 1e9, static_cast<double>(i + 1) * interval, 1e-6);
  }
  EXPECT_NEAR(limiter.capacity(), -50, 1e-9);
  for (auto& ticket : tickets) {
    auto const due = ticket.due;
    EXPECT_EQ(limiter.ask(ticket, due - 1ns).wait, 1ns);
    EXPECT_EQ(limiter.ask(ticket, due).wait, 0ns);
    EXPECT_EQ(ticket, reserves::ticket_type{});
  }
  EXPECT_NEAR(limiter.capacity(), 0, 1e-6);
}

TEST(ReservingRateLimiter, APlaceThatIsGivenBackIsTheNextCallers) {
  auto const limiter = limited_to<reserves>(10);
  reserves::ticket_type first{};
  reserves::ticket_type second{};
  static_cast<void>(limiter.ask(first, at(5s)));
  auto const wait = limiter.ask(second, at(5s)).wait;
  limiter.release(second);
  limiter.release(reserves::ticket_type{});  // which holds nothing
  reserves::ticket_type third{};
  EXPECT_EQ(limiter.ask(third, at(5s)).wait, wait);
  limiter.release(third);
  limiter.release(first);
  EXPECT_NEAR(limiter.capacity(), 0, 1e-12);
}

TEST(ReservingRateLimiter, WhoAsksEarlyWaitsForTheRestOfHisTimeAndTakesNoSecondPlace) {
  auto const limiter = limited_to<reserves>(10);
  reserves::ticket_type ticket{};
  auto const wait = limiter.ask(ticket, at(5s)).wait;
  EXPECT_EQ(limiter.ask(ticket, at(5s) + wait / 2).wait, wait - wait / 2);
  EXPECT_EQ(limiter.ask(ticket, at(5s) + wait / 2).wait, wait - wait / 2);
  EXPECT_EQ(limiter.ask(ticket, at(5s) + wait).wait, 0ns);
  EXPECT_NEAR(limiter.capacity(), 0, 1e-7);
}

// 100 callers wait for five seconds at 20 a second. Then the service all but shuts down: who comes now would wait for
// 100 tokens at half a token a second. With what is owed scaled down he waits until they are through, and for his own.
TEST(ReservingRateLimiter, ACollapseStrandsNobody) {
  auto const limiter = limited_to<reserves>(20);
  std::vector<reserves::ticket_type> queue(100);
  duration last{};
  for (auto& ticket : queue) last = limiter.ask(ticket, at(5s)).wait;
  EXPECT_NEAR(static_cast<double>(last.count()) / 1e9, 5, 0.1);
  auto now = at(5s);
  while (limiter.fill_rate() > 0.5) limiter.on_failure(throttled, now += 1ms);
  reserves::ticket_type latecomer{};
  auto const wait = limiter.ask(latecomer, now).wait;
  EXPECT_GT(wait, last);
  EXPECT_LE(wait, last + 2s) << "without the scaling it would be " << (100 - limiter.capacity()) / limiter.fill_rate()
                             << " s";
  // The others keep their turn, and all of them give back no more than they took.
  EXPECT_EQ(limiter.ask(queue.back(), at(5s) + last).wait, 0ns);
}

TEST(ReservingRateLimiter, PlacesThatAreGivenBackAfterTheRateFellLeaveNoDebt) {
  auto const limiter = limited_to<reserves>(20);
  std::vector<reserves::ticket_type> queue(100);
  auto now = at(5s);
  for (std::size_t i = 0; i < queue.size(); ++i) {
    static_cast<void>(limiter.ask(queue[i], now));
    if (i % 8 == 7) limiter.on_failure(throttled, now);  // the rate falls again and again while they queue
  }
  ASSERT_EQ(limiter.fill_rate(), 0.5);
  ASSERT_LT(limiter.capacity(), -1);
  for (auto const& ticket : queue) limiter.release(ticket);
  EXPECT_NEAR(limiter.capacity(), 0, 1e-9);
}

// The rate is 0.5 and thirty wait for a minute; then it is 20 and more, and what they owe is paid in less than two
// seconds: who comes then does not wait for a minute, and those who ask again need not wait for their turn.
TEST(ReservingRateLimiter, ARateThatGrowsPaysFaster) {
  reserves const limiter{time_point{}};
  limiter.on_failure(throttled, at(0s));
  std::vector<reserves::ticket_type> queue(30);
  duration last{};
  for (auto& ticket : queue) last = limiter.ask(ticket, at(0s)).wait;
  EXPECT_EQ(last, 60s);
  for (int i = 0; i < 200; ++i) limiter.on_success(at(i * 30ms));
  ASSERT_GT(limiter.fill_rate(), 20);
  reserves::ticket_type latecomer{};
  EXPECT_LT(limiter.ask(latecomer, at(6s)).wait, 2s);
  limiter.release(latecomer);
  EXPECT_EQ(limiter.ask(queue.back(), at(10s)).wait, 0ns);
}

// Thousands of falls: what a token of debt is worth is a sum of logarithms, a product would be zero by then.
TEST(ReservingRateLimiter, TheWorthOfAPlaceDoesNotGetLostInTheLongRun) {
  reserves const limiter{time_point{}};
  auto now = at(0s);
  double lowest = 0;
  for (int i = 0; i < 5'000; ++i) {
    for (int k = 0; k < 20; ++k) limiter.on_success(now += 50ms);
    reserves::ticket_type tickets[40];
    for (auto& ticket : tickets) static_cast<void>(limiter.ask(ticket, now));
    limiter.on_failure(throttled, now);
    lowest = std::min(lowest, limiter.capacity());
    for (auto& ticket : tickets) limiter.release(ticket);
    ASSERT_GE(limiter.capacity(), -1e-6) << i;
    ASSERT_LE(limiter.capacity(), limiter.max_capacity()) << i;
  }
  EXPECT_LT(lowest, -1);
}

// Composed.

#if ANEW_EXCEPTIONS
using anew::stop_reason;

TEST(PacedCalls, AreNotPacedAtFirstAndThenWaitForTheirTokens) {
  support::manual_clock const clock{0s};
  auto const s =
      anew::compose(waits{time_point{}}, anew::no_backoff{}, anew::retry_all{}, anew::max_attempts<3>{}, clock);
  std::vector<duration> slept;
  auto const sleep = [&](duration d) {
    slept.push_back(d);
    clock.advance(d);
  };
  EXPECT_TRUE(anew::retry(s, [] { return true; }, sleep));
  s.pacer().on_failure(throttled, clock.peek());
  EXPECT_FALSE(anew::retry(s, [] { return false; }, sleep));
  // Three attempts, each after a token and a delay of the backoff, which is none. The responses make the rate grow.
  ASSERT_EQ(slept.size(), 5U);
  EXPECT_EQ(slept[0], 2s);
  EXPECT_EQ(slept[1], 0s);
  EXPECT_GT(slept[2], 0s);
  EXPECT_LT(slept[2], 2s);
  EXPECT_EQ(slept[3], 0s);
  EXPECT_GT(slept[4], 0s);
}

TEST(PacedCalls, EndAtOnceWhereThePacerFailsFast) {
  support::manual_clock const clock{0s};
  auto const s =
      anew::compose(fails_fast{time_point{}}, anew::no_backoff{}, anew::retry_all{}, anew::max_attempts<3>{}, clock);
  s.pacer().on_failure(throttled, clock.peek());
  clock.advance(2s);
  auto const outcome = anew::retry_outcome(s, [] { return false; }, [](duration) {});
  EXPECT_EQ(outcome.reason(), stop_reason::rate_limited);
  EXPECT_EQ(outcome.attempts(), 1U);
}

TEST(PacedCalls, ADeadlineEndsTheWait) {
  support::manual_clock const clock{0s};
  auto const s = anew::compose(reserves{time_point{}}, anew::no_backoff{}, anew::retry_all{}, anew::max_attempts<3>{},
                               anew::deadline<100ms>{}, clock);
  s.pacer().on_failure(throttled, clock.peek());
  clock.advance(2s);
  auto const outcome = anew::retry_outcome(s, [] { return false; }, [](duration) {});
  EXPECT_EQ(outcome.reason(), stop_reason::deadline);
  EXPECT_EQ(outcome.attempts(), 1U);
  EXPECT_NEAR(s.pacer().capacity(), 0, 1e-12);  // its place was given back
}

#endif

TEST(PacedCalls, ShareOneThroughAHandle) {
  anew::shared<waits> const pacer{};
  auto const one = anew::compose(pacer, anew::retry_all{});
  auto const two = anew::compose(pacer, anew::retry_all{}, anew::no_backoff{});
  one.pacer().on_failure(throttled, at(1s));
  EXPECT_TRUE(two.pacer().policy().is_enabled());
  EXPECT_EQ(pacer.describe(), "shared(client_rate_limiter)");

  anew::partitioned<int, reserves> hosts{2};
  auto const host = hosts.at(1);
  host.on_failure(throttled, at(1s));
  decltype(host)::ticket_type ticket{};
  EXPECT_GT(host.ask(ticket, at(1s)).wait, 0ns);
  host.release(ticket);
  EXPECT_FALSE(hosts.at(2).policy().is_enabled());
}

}  // namespace
