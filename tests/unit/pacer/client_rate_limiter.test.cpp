// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <ostream>
#include <queue>
#include <random>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies/pacer/client_rate_limiter.hpp"
#include "anew/policies/pacer/striped_client_rate_limiter.hpp"
#include "anew/policies/sharing/borrowed.hpp"
#include "anew/policies/sharing/partitioned.hpp"
#include "anew/policies/sharing/shared.hpp"

#include "length.hpp"
#include "names.hpp"
#include "rejection.hpp"
#include "together.hpp"

namespace pacer_client_rate_limiter_test {
namespace {

using namespace anew;

using waits = client_rate_limiter<>;
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
  (void)limiter.ask(ticket, at(5s));
  return limiter;
}

/// What a limiter has measured and decided.
auto numbers_of(auto const& limiter) {
  return std::tuple{limiter.fill_rate(), limiter.measured_rate(), limiter.capacity(), limiter.last_max_rate()};
}

static_assert(Pacer<waits> && Pacer<fails_fast>);
static_assert(Pacer<shared<waits>> && Pacer<borrowed<waits>> && Pacer<leased<waits>>);
static_assert(!std::is_copy_constructible_v<waits> && std::is_nothrow_move_constructible_v<waits>);
static_assert(sizeof(waits::ticket_type) == 24 && std::is_empty_v<fails_fast::ticket_type>);
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
  for (int i = 1; i < 1'000; ++i) limiter.on_success(at(1s + i * 10ms));
  EXPECT_TRUE(limiter.is_enabled()) << "for good";
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
    ASSERT_EQ(numbers_of(succeeds), numbers_of(fails));
  }
}

TEST(ClientRateLimiter, BeginsWithTheFirstResponseWhereItIsGivenNoTime) {
  waits const limiter{};
  waits::ticket_type ticket{};
  EXPECT_EQ(limiter.ask(ticket, at(1'000s)).wait, 0ns);  // which needs no time
  limiter.on_success(at(1'001s));
  EXPECT_EQ(limiter.measured_rate(), 0);
  limiter.on_success(at(1'002s));
  EXPECT_DOUBLE_EQ(limiter.measured_rate(), 1.6);

  waits const late{};
  late.on_success(at(1'000'600ms));
  EXPECT_DOUBLE_EQ(late.measured_rate(), 1.6);  // the first half second is the whole second's
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

// A response that comes late counts as one at the throttled response, not as one before it; the time is not turned back.
TEST(ClientRateLimiter, AResponseThatIsReadLateCountsAsOneOfThen) {
  auto const limiter = limited_to<waits>(20);
  auto const other = limited_to<waits>(20);
  limiter.on_success(at(5s));
  other.on_success(at(1s));
  EXPECT_DOUBLE_EQ(limiter.fill_rate(), other.fill_rate());
  limiter.on_failure(throttled, at(5s));
  other.on_failure(throttled, at(1s));
  limiter.on_success(at(5'400ms));
  other.on_success(at(5'400ms));
  EXPECT_DOUBLE_EQ(limiter.fill_rate(), other.fill_rate());
}

TEST(ClientRateLimiter, NumbersOfTheTypeAndOfTheObjectAgree) {
  constexpr rate_limiter_constants own{.beta = 0.5, .scale = 2, .smooth = 0.5, .min_fill_rate = 3, .min_capacity = 7};
  client_rate_limiter<when_limited::wait, own> const of_type{time_point{}};
  client_rate_limiter const of_object{own, time_point{}};
  static_assert(std::is_same_v<decltype(client_rate_limiter{time_point{}}), waits>);
  for (int i = 1; i < 100; ++i) {
    auto const now = at(i * 30ms);
    auto const tell = [&](auto const& limiter) {
      i % 20 == 0 ? limiter.on_failure(throttled, now) : limiter.on_success(now);
      return numbers_of(limiter);
    };
    ASSERT_EQ(tell(of_type), tell(of_object));
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
  auto const nan = std::numeric_limits<double>::quiet_NaN();
  auto const infinity = std::numeric_limits<double>::infinity();
  using number = double rate_limiter_constants::*;
  auto const refuses = [](number which, char const* must, std::vector<double> const& values) {
    for (double const value : values) {
      rate_limiter_constants wrong{};
      wrong.*which = value;
      EXPECT_REJECTED(client_rate_limiter{wrong},
                      std::string{"anew::client_rate_limiter: "} + must + ", but is " + std::to_string(value));
    }
  };
  using of = rate_limiter_constants;
  refuses(&of::beta, "beta must be above 0 and below 1", {0, 1, nan});
  refuses(&of::scale, "scale must be above 0 and at most 10^12", {0, infinity});
  refuses(&of::smooth, "smooth must be above 0 and at most 1", {0, 1.5});
  refuses(&of::min_fill_rate, "min_fill_rate must be above 0 and at most 10^12", {0, infinity});
  refuses(&of::min_capacity, "min_capacity must be between 1 and 10^12", {0.5, nan});
  refuses(&of::longest_queue, "longest_queue must be at least 1", {0});
  refuses(&of::longest_wait, "longest_wait must be above 0", {nan});
  (void)client_rate_limiter{{.beta = 0.001, .scale = 0.001, .smooth = 1, .min_fill_rate = 0.001, .min_capacity = 1}};
}

template <rate_limiter_constants C>
constexpr bool is_sound = client_rate_limiter<when_limited::wait, C>::is_sound;
static_assert(waits::is_sound && fails_fast::is_sound && is_sound<at_run_time<rate_limiter_constants>>);
static_assert(!is_sound<rate_limiter_constants{.beta = 0}> && !is_sound<rate_limiter_constants{.beta = 1}>);
static_assert(!is_sound<rate_limiter_constants{.scale = 0}> && !is_sound<rate_limiter_constants{.scale = 1e13}>);
static_assert(!is_sound<rate_limiter_constants{.smooth = 0}> && !is_sound<rate_limiter_constants{.smooth = 1.01}>);
static_assert(!is_sound<rate_limiter_constants{.min_fill_rate = 0}>);
static_assert(!is_sound<rate_limiter_constants{.min_capacity = 0.99}>);
static_assert(!is_sound<rate_limiter_constants{.longest_queue = 0.5}>);
static_assert(!is_sound<rate_limiter_constants{.longest_wait = 0}>);
static_assert(is_sound<rate_limiter_constants{0.01, 0.001, 1, 0.001, 1}>);

TEST(ClientRateLimiter, TakesItsStateWithItWhenItIsMoved) {
  auto limiter = limited_to<waits>(20);
  limiter.on_success(at(5'100ms));
  waits const moved{std::move(limiter)};
  EXPECT_TRUE(moved.is_enabled());
  auto const same = limited_to<waits>(20);
  same.on_success(at(5'100ms));
  for (auto const now : {at(5'100ms), at(6s)}) {
    EXPECT_EQ(numbers_of(moved), numbers_of(same));
    same.on_success(now + 1s);
    moved.on_success(now + 1s);
  }
}

// A queue of callers.

/// One that waits, asks as it is told, and counts how often.
struct caller {
  waits::ticket_type ticket{};
  time_point next{};
  int asked = 0;
  bool through = false;
  bool refused = false;
};
/// Everybody asks as they are told, and each that is let through is answered: until when that takes.
time_point lead_through(auto const& limiter, std::vector<caller>& callers, bool answers,
                        std::vector<int>* order = nullptr) {
  for (;;) {
    caller* first = nullptr;
    for (auto& one : callers) {
      if (!one.through && !one.refused && (first == nullptr || one.next < first->next)) first = &one;
    }
    if (first == nullptr) break;
    auto const now = first->next;
    auto const answer = limiter.ask(first->ticket, now);
    ++first->asked;
    first->refused = answer.refused;
    first->through = !answer.refused && answer.wait == 0ns;
    if (first->through && answers) limiter.on_success(now);
    if (first->through && order != nullptr) order->push_back(static_cast<int>(first - callers.data()));
    first->next = now + answer.wait;
  }
  time_point last{};
  for (auto const& one : callers) last = std::max(last, one.next);
  return last;
}
std::vector<caller> many(std::size_t count, time_point now) {
  std::vector<caller> callers(count);
  for (auto& one : callers) one.next = now;
  return callers;
}

TEST(QueueingRateLimiter, CallersAreLetThroughInTheirOrderAndAtTheRate) {
  auto const limiter = limited_to<waits>(10);
  auto callers = many(50, at(5s));
  std::vector<int> order;
  auto const last = lead_through(limiter, callers, false, &order);
  auto const takes = std::chrono::duration<double>(last - at(5s)).count();
  EXPECT_GE(takes, 50 / limiter.fill_rate() - 0.001);
  EXPECT_LE(takes, 50 / limiter.fill_rate() + 2);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
  int asked = 0;
  for (auto const& one : callers) asked += one.asked;
  EXPECT_LE(asked, 50 * 4);
  EXPECT_EQ(limiter.waiting(), 0U);
}

TEST(QueueingRateLimiter, APlaceThatIsGivenBackIsTheNextCallers) {
  auto const limiter = limited_to<waits>(10);
  waits::ticket_type first{};
  waits::ticket_type second{};
  (void)limiter.ask(first, at(5s));
  auto const wait = limiter.ask(second, at(5s)).wait;
  limiter.release(second);
  limiter.release(waits::ticket_type{});  // which holds nothing
  EXPECT_EQ(limiter.waiting(), 1U);
  waits::ticket_type third{};
  EXPECT_EQ(limiter.ask(third, at(5s)).wait, wait);
  limiter.release(first);
  EXPECT_LT(limiter.ask(third, at(5s)).wait, wait);
  limiter.release(third);
  EXPECT_EQ(limiter.waiting(), 0U);
}

TEST(QueueingRateLimiter, WhoComesLaterStandsBehind) {
  auto const limiter = limited_to<waits>(10);
  auto const interval = duration{static_cast<std::int64_t>(1e9 / limiter.fill_rate())};
  waits::ticket_type first{};
  (void)limiter.ask(first, at(5s));
  waits::ticket_type second{};
  auto const later = at(5s) + interval + 1us;
  // A whole token that the first one has not asked for yet: whoever is awake takes it, or it would be lost.
  EXPECT_EQ(limiter.ask(second, later).wait, 0ns);
  EXPECT_GT(limiter.ask(first, later).wait, 0ns);
  EXPECT_LT(limiter.ask(first, later).wait, interval + 1us);
  waits::ticket_type third{};
  EXPECT_GT(limiter.ask(third, later).wait, interval);
}

TEST(QueueingRateLimiter, ALongQueueIsBounded) {
  client_rate_limiter const limiter{rate_limiter_constants{.longest_queue = 3}, time_point{}};
  limiter.on_failure(throttled, at(0s));
  auto callers = many(5, at(0s));
  for (auto& one : callers) one.refused = limiter.ask(one.ticket, at(0s)).refused;
  for (int i = 0; i < 5; ++i) EXPECT_EQ(callers[static_cast<std::size_t>(i)].refused, i >= 3) << i;
  EXPECT_EQ(callers[4].ticket, waits::ticket_type{});
  limiter.release(callers[1].ticket);
  EXPECT_FALSE(limiter.ask(callers[4].ticket, at(0s)).refused);
  EXPECT_EQ(limiter.describe(), "client_rate_limiter(longest_queue=3)");
}

TEST(QueueingRateLimiter, ALongWaitIsBoundedInAll) {
  client_rate_limiter const limiter{rate_limiter_constants{.longest_wait = 5}, time_point{}};
  limiter.on_failure(throttled, at(0s));  // half an attempt a second
  auto callers = many(4, at(0s));
  auto const last = lead_through(limiter, callers, false);
  EXPECT_EQ(std::count_if(callers.begin(), callers.end(), [](caller const& one) { return one.through; }), 2);
  EXPECT_EQ(std::count_if(callers.begin(), callers.end(), [](caller const& one) { return one.refused; }), 2);
  EXPECT_LE(last, at(10s));
  EXPECT_EQ(limiter.waiting(), 0U);
  // Others take the tokens while somebody waits: the whole wait counts, not what is left of it.
  auto const takes_the_token = [&](time_point now) {
    waits::ticket_type other{};
    return limiter.ask(other, now).wait == 0s;
  };
  EXPECT_TRUE(takes_the_token(at(10s)));
  waits::ticket_type one{};
  auto const first = limiter.ask(one, at(10s));
  EXPECT_EQ(first.wait, 2s);
  EXPECT_FALSE(first.refused);
  EXPECT_TRUE(takes_the_token(at(12s)));
  EXPECT_TRUE(takes_the_token(at(14s)));
  EXPECT_TRUE(limiter.ask(one, at(14s)).refused);
  EXPECT_EQ(one, waits::ticket_type{});
}

// Striped.

// In all but the tokens that the first throttled response finds.
TEST(StripedRateLimiter, MeasuresAsThePlainLimiter) {
  for (std::uint64_t seed = 0; seed != support::length_of(400U); ++seed) {
    std::mt19937_64 dice{seed};
    fails_fast const plain;
    striped<fails_fast> const other;
    auto const& counted = other.policy();
    auto now = at(1'000s);
    unsigned throttlings = 0;
    auto const step = [&] {
      now += duration{static_cast<std::int64_t>(dice() >> (34 + dice() % 20))};
      auto const then = dice() % 16 == 0 ? now - 200ms : now;  // another thread's clock is behind
      bool const is_throttled = dice() % 2'000 == 0;
      bool const fails = dice() % 10 == 0;
      throttlings += is_throttled ? 1 : 0;
      auto const tell = [&](auto const& limiter) {
        if (is_throttled) return limiter.on_failure(throttled, then);
        fails ? limiter.on_failure({.kind = error_kind::server}, then) : limiter.on_success(then);
      };
      tell(plain);
      tell(other);
      ASSERT_EQ(plain.measured_rate(), counted.measured_rate());
      ASSERT_EQ(plain.is_enabled(), counted.is_enabled());
      ASSERT_EQ(plain.last_max_rate(), counted.last_max_rate());
      if (!plain.is_enabled()) return;
      ASSERT_EQ(plain.fill_rate(), counted.fill_rate());
      ASSERT_EQ(plain.max_capacity(), counted.max_capacity());
    };
    for (int turn = 0; turn != 20 && !HasFatalFailure(); ++turn) {
      std::thread{[&] {
        for (int i = 0; i != 200 && !HasFatalFailure(); ++i) step();
      }}.join();
    }
    EXPECT_EQ(counted.is_enabled(), throttlings != 0);
  }
}

TEST(StripedRateLimiter, ManyThreadsLoseNoResponse) {
  striped<waits> const limiter{at(0s)};
  for (int second = 0; second != 20; ++second) {
    support::together(4, [&](unsigned /*index*/) {
      for (int i = 0; i != 1'000; ++i) limiter.on_success(at(second * 1s));
    });
  }
  limiter.on_success(at(20s));
  // Each sample is of one second, whatever thread took it; a count that was not in it is in the next.
  EXPECT_NEAR(limiter.policy().measured_rate(), 4'000, 40);
  limiter.on_failure(throttled, at(20s));
  EXPECT_TRUE(limiter.policy().is_enabled());
}

/// There is one bucket: threads that ask at once get its tokens, and no more.
TEST(StripedRateLimiter, TheRateHoldsOverAllStripes) {
  auto const limiter = limited_to<striped<fails_fast>>(50);
  std::atomic<int> admitted{0};
  support::together(4, [&](unsigned /*index*/) {
    for (int i = 0; i != 500; ++i) admitted += wait_of(limiter, at(6s)) == 0ns ? 1 : 0;
  });
  EXPECT_LE(admitted, 51);
  EXPECT_GE(admitted, 49);
}

// Composed.

TEST(PacedCalls, ShareOneThroughAHandle) {
  shared<waits> const pacer{};
  auto const one = compose(pacer, retry_all{});
  auto const two = compose(pacer, retry_all{}, no_backoff{});
  one.pacer().on_failure(throttled, at(1s));
  EXPECT_TRUE(two.pacer().policy().is_enabled());
  EXPECT_EQ(pacer.describe(), "shared(client_rate_limiter)");

  partitioned<int, waits> hosts{2};
  auto const host = hosts.at(1);
  host.on_failure(throttled, at(1s));
  decltype(host)::ticket_type ticket{};
  EXPECT_GT(host.ask(ticket, at(1s)).wait, 0ns);
  host.release(ticket);
  EXPECT_FALSE(hosts.at(2).policy().is_enabled());
}

}  // namespace
}  // namespace pacer_client_rate_limiter_test
