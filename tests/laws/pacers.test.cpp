// SPDX-License-Identifier: BSL-1.0
// The laws of pacers; and law 11: whatever the interleaving, and whatever throws, no token is granted twice, and no
// response, no token and no place in the queue is lost. Two threads, ten million operations in sum.
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies/pacer/client_rate_limiter.hpp"
#include "anew/policies/pacer/rate_limit.hpp"
#include "anew/policies/pacer/striped_client_rate_limiter.hpp"
#include "anew/policies/sharing/partitioned.hpp"
#include "anew/policies/sharing/shared.hpp"
#include "anew/testing/laws/pacer.hpp"
#include "anew/testing/manual_clock.hpp"

#include "length.hpp"
#include "names.hpp"
#include "together.hpp"

namespace {

using anew::client_rate_limiter;
using anew::pace;
using anew::when_limited;

constexpr unsigned thread_count = 2;
// Five tests of two threads: 10^7 in sum at full length.
int const operations_per_thread = support::length_of(1'000'000);

void together(auto const& work) { support::together(thread_count, work); }

constexpr failure throttled{.kind = error_kind::throttling};
constexpr time_point at(duration since_epoch) { return time_point{since_epoch}; }

using waits = client_rate_limiter<>;
using fails_fast = client_rate_limiter<when_limited::fail_fast>;

// --- the laws, of each that is shipped, and that each law can be broken

struct of_own_numbers {
  static auto make() { return client_rate_limiter{anew::rate_limiter_constants{.beta = 0.9, .min_fill_rate = 10}}; }
};
struct leased_one {
  static auto make() {
    static anew::partitioned<int, waits> registry{1000};
    static int key = 0;
    return registry.at(++key);
  }
};
using spaced = anew::rate_limit<100, 1s, 1>;
using pacers = testing::Types<waits, fails_fast, of_own_numbers, anew::shared<waits>, leased_one, spaced,
                              anew::striped<waits>, anew::striped<fails_fast>>;

}  // namespace

namespace anew::testing {
INSTANTIATE_TYPED_TEST_SUITE_P(Shipped, PacerLaws, pacers);
}  // namespace anew::testing

namespace {

namespace laws = anew::testing::laws;

// clang-format off: it would put each broken pacer on three lines

/// Lets everybody through: a pacer, if not a good one.
struct idle_pacer {
  using role = anew::roles::pacer;
  using ticket_type = int;
  static pace ask(int&, time_point) { return {}; }
  static void on_success(time_point) {}
  static void on_failure(failure const&, time_point) {}
  static void release(int) {}
};
/// A place in a queue for each who asks.
struct queue_pacer : idle_pacer {
  pace ask(int& ticket, time_point) const {
    return std::exchange(ticket, 1) != 0 ? pace{} : pace{(queue.fetch_add(1) + 1) * 1ms};
  }
  mutable std::atomic<std::int64_t> queue{0};
};
struct shut : idle_pacer { static pace ask(int&, time_point) { return {1h, false}; } };
struct refuses_all : idle_pacer { static pace ask(int&, time_point) { return {{}, true}; } };
struct waits_less_than_nothing : idle_pacer {
  static pace ask(int&, time_point now) { return {now.time_since_epoch().count() % 7 == 0 ? -1ns : 0ns}; }
};
struct keeps_tickets : idle_pacer { static pace ask(int& ticket, time_point) { return ticket = 1, pace{}; } };
struct refused_with_a_ticket : idle_pacer {
  static pace ask(int& ticket, time_point) { return ticket = 1, pace{{}, true}; }
};
/// Each who asks stands behind all who ever did.
struct forgets_who_leaves : queue_pacer {};
/// Two threads that leave at once are one.
struct loses_under_contention : queue_pacer {
  void release(int ticket) const { if (ticket != 0) queue.store(queue.load() - 1); }
};
struct begins_anew_when_asked : idle_pacer { static pace ask(int&, time_point) { return {1s}; } };

// clang-format on

TEST(LawsOfPacers, CanBeBroken) {
  EXPECT_TRUE(laws::a_new_pacer_lets_through(idle_pacer{}));
  EXPECT_TRUE(laws::nobody_waits_for_ever(idle_pacer{}));
  EXPECT_TRUE(laws::a_wait_is_not_negative(idle_pacer{}));
  EXPECT_TRUE(laws::a_leaver_delays_no_waiter(idle_pacer{}));
  EXPECT_TRUE(laws::asking_early_costs_nothing(idle_pacer{}));
  EXPECT_FALSE(laws::a_new_pacer_lets_through(shut{}));
  EXPECT_FALSE(laws::a_new_pacer_lets_through(refuses_all{}));
  EXPECT_FALSE(laws::nobody_waits_for_ever(shut{}));
  EXPECT_FALSE(laws::nobody_waits_for_ever(refuses_all{}));
  EXPECT_FALSE(laws::nobody_waits_for_ever(keeps_tickets{}));
  EXPECT_FALSE(laws::a_wait_is_not_negative(waits_less_than_nothing{}));
  EXPECT_FALSE(laws::a_wait_is_not_negative(keeps_tickets{}));
  EXPECT_FALSE(laws::a_wait_is_not_negative(refused_with_a_ticket{}));
  EXPECT_FALSE(laws::a_leaver_delays_no_waiter(forgets_who_leaves{}));
  EXPECT_FALSE(laws::a_leaver_delays_no_waiter_under_contention(forgets_who_leaves{}));
  EXPECT_TRUE(laws::a_leaver_delays_no_waiter(loses_under_contention{}));
  EXPECT_FALSE(laws::asking_early_costs_nothing(begins_anew_when_asked{}));
}

// --- contention

/// One that lets through so many attempts a second, as long as nobody responds.
template <class Limiter>
Limiter limited_to(double rate, time_point now) {
  Limiter limiter{now};
  auto const responses = static_cast<int>(std::lround(rate / 0.7 / 0.8 / 2 * 10));
  for (int i = 1; i < responses; ++i) limiter.on_success(now);
  limiter.on_failure(throttled, now + 5s);
  typename Limiter::ticket_type ticket{};
  static_cast<void>(limiter.ask(ticket, now + 5s));  // the token that came back before
  return limiter;
}

// Nobody responds, so the rate stands still: as many are let through as time brought, not one more or less.
TEST(ClientRateLimiterUnderContention, LetsThroughWhatTimeBrings) {
  auto const limiter = limited_to<waits>(1000, at(0s));
  std::atomic<std::int64_t> ticks{(5s + 0ns).count()};
  std::atomic<std::uint64_t> granted{0};
  std::atomic<bool> below_zero{false};
  together([&](unsigned /*index*/) {
    std::uint64_t mine = 0;
    for (int i = 0; i < operations_per_thread; ++i) {
      waits::ticket_type ticket{};
      auto const answer = limiter.ask(ticket, at(duration{ticks.fetch_add(10'000)}));  // a hundred ask for each token
      limiter.release(ticket);
      mine += answer.wait == 0ns ? 1U : 0U;
      if (answer.wait < 0ns || answer.wait > 2s) below_zero = true;
    }
    granted += mine;
  });
  EXPECT_FALSE(below_zero);
  auto const last = static_cast<double>(ticks.load() - 10'000 - 5'000'000'000) / 1e9;
  auto const brought = last * limiter.fill_rate();
  EXPECT_NEAR(static_cast<double>(granted.load()) + limiter.capacity(), brought, 1e-3);
}

// Before the first throttled response nobody waits for the lock; what is not counted at once is counted later.
TEST(ClientRateLimiterUnderContention, LosesNoResponse) {
  waits const limiter{at(0s)};
  together([&](unsigned index) {
    waits::ticket_type ticket{};
    for (int i = 0; i < operations_per_thread; ++i) {
      static_cast<void>(limiter.ask(ticket, at(100ms)));
      if (index == 0 && i % 3 == 0) {
        limiter.on_failure(failure{}, at(100ms));
      } else {
        limiter.on_success(at(100ms));
      }
    }
  });
  EXPECT_EQ(limiter.measured_rate(), 0);
  limiter.on_success(at(500ms));
  EXPECT_DOUBLE_EQ(limiter.measured_rate(), 0.8 * (2.0 * operations_per_thread + 1) / 0.5);
  EXPECT_FALSE(limiter.is_enabled());
}

// The first throttled response comes in the middle of it.
TEST(ClientRateLimiterUnderContention, LosesNoResponseWhileItIsLimitedForTheFirstTime) {
  for (int round = 0; round < 50; ++round) {
    waits const limiter{at(0s)};
    int const responses = operations_per_thread / 100;
    together([&](unsigned index) {
      for (int i = 0; i < responses; ++i) {
        if (index == 0 && i == responses / 2) {
          limiter.on_failure(throttled, at(100ms));
        } else {
          limiter.on_success(at(100ms));
        }
      }
    });
    ASSERT_TRUE(limiter.is_enabled());
    limiter.on_success(at(500ms));
    ASSERT_DOUBLE_EQ(limiter.measured_rate(), 0.8 * (2.0 * responses + 1) / 0.5);
  }
}

/// Tickets of attempts that wait, that are let through, and that are thrown away, among responses of all kinds.
template <class Limiter>
void attempts_at_random(Limiter const& limiter) {
  std::atomic<std::int64_t> ticks{0};
  std::atomic<bool> wrong{false};
  together([&](unsigned index) {
    using ticket_type = typename Limiter::ticket_type;
    anew::generator dice{index, 112};
    std::vector<ticket_type> waiting;
    for (int i = 0; i < operations_per_thread; ++i) {
      auto const roll = dice();
      auto const now = at(duration{ticks.fetch_add(static_cast<std::int64_t>(roll % 1'000'000))});
      auto const chosen = waiting.empty() ? 0 : (roll >> 24U) % waiting.size();
      switch ((roll >> 20U) % 16) {
        case 0: limiter.on_failure(throttled, now); break;
        case 1:
        case 2:
        case 3: limiter.on_success(now); break;
        case 4: limiter.on_failure(failure{}, now); break;
        case 5:
        case 6:
        case 7:
        case 8:
          if (!waiting.empty()) {
            limiter.release(waiting[chosen]);
            waiting[chosen] = waiting.back();
            waiting.pop_back();
          }
          break;
        case 9:
        case 10:
        case 11:
          if (!waiting.empty()) {
            auto const answer = limiter.ask(waiting[chosen], now);
            if (answer.refused || answer.wait == 0ns) {
              waiting[chosen] = waiting.back();
              waiting.pop_back();
            }
          }
          break;
        default: {
          ticket_type ticket{};
          auto const answer = limiter.ask(ticket, now);
          if (answer.wait < 0ns) wrong = true;
          if (!answer.refused && answer.wait > 0ns) waiting.push_back(ticket);
        }
      }
    }
    for (auto const& ticket : waiting) limiter.release(ticket);
  });
  EXPECT_FALSE(wrong);
  EXPECT_TRUE(limiter.is_enabled());
  EXPECT_LE(limiter.capacity(), limiter.max_capacity());
  EXPECT_EQ(limiter.waiting(), 0U);
  EXPECT_GE(limiter.capacity(), 0);
}

TEST(ClientRateLimiterUnderContention, NothingIsOwedInTheEnd) { attempts_at_random(waits{at(0s)}); }

}  // namespace
