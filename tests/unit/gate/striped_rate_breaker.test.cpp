// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/gate/rate_breaker.hpp"
#include "anew/gate/striped_rate_breaker.hpp"
#include "anew/quota/striped.hpp"

#include "breaker_support.hpp"
#include "length.hpp"
#include "together.hpp"

namespace gate_striped_rate_breaker_test {
namespace {

using namespace std::chrono_literals;
using anew::breaker_state;
using anew::duration;
using anew::error_kind;
using anew::failure;
using anew::rate_breaker;
using anew::striped;
using anew::time_point;
using support::broke;
using support::enter;
using support::fail;
using support::succeed;

constexpr time_point start{1'000s};

static_assert(anew::Gate<striped<rate_breaker<>>>);
static_assert(anew::detail::EntersAtOnce<striped<rate_breaker<>>>);
static_assert(!anew::detail::SucceedsAtOnce<striped<rate_breaker<>>>);
static_assert(sizeof(striped<rate_breaker<>>) == 704);

/// On a thread of its own, and so in another stripe than the thread before.
template <class Work>
void on_a_thread(Work const& work) {
  std::thread{work}.join();
}

TEST(StripedRateBreaker, SumsTheSuccessesOfThreadsThatEnded) {
  striped<rate_breaker<50, 10s, 20, 30s>> const breaker;
  for (int i = 0; i != 15; ++i) on_a_thread([&] { succeed(breaker, start); });
  fail(breaker, start, 14);
  EXPECT_EQ(breaker.policy().state(), breaker_state::closed);  // 14 of 29
  on_a_thread([&] { fail(breaker, start); });
  EXPECT_EQ(breaker.policy().state(), breaker_state::open);  // 15 of 30
  EXPECT_FALSE(breaker.try_enter(start + 30s - 1ns).pass.has_value());
}

TEST(StripedRateBreaker, GoesOnWithWhatThePlainBreakerCounted) {
  rate_breaker<50, 10s, 20, 30s> plain;
  succeed(plain, start, 15);
  striped breaker{std::move(plain)};
  on_a_thread([&] { succeed(breaker, start, 5); });
  fail(breaker, start, 10);
  striped<rate_breaker<50, 10s, 20, 30s>> const moved{std::move(breaker)};
  fail(moved, start, 9);
  EXPECT_EQ(moved.policy().state(), breaker_state::closed);  // 19 of 39
  fail(moved, start);
  EXPECT_EQ(moved.policy().state(), breaker_state::open);
}

struct dice {
  std::mt19937_64 bits;
  std::uint64_t below(std::uint64_t most) { return bits() % most; }
};

/// Drives both forms by the same events, in threads that take turns. The number of answers that were refusals.
template <class Plain, class Striped>
unsigned expect_equal(Plain const& plain, Striped const& other, duration window, std::uint64_t seed) {
  dice random{std::mt19937_64{seed}};
  struct attempt {
    typename Plain::pass_type of_plain;
    typename Striped::pass_type of_striped;
  };
  std::vector<attempt> under_way;
  auto now = start;
  unsigned refusals = 0;
  auto const share_of_failures = 20 + random.below(60);
  auto const step = [&] {
    switch (random.below(64)) {
      case 0: now += window / 8; break;
      case 1: now += window / 8 - 1ns; break;
      case 2: now += window; break;
      case 3: now += duration{static_cast<std::int64_t>(random.below(365ULL * 24 * 3600 * 1'000'000'000))}; break;
      default:
        now += duration{static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(window.count() / 64)))};
    }
    auto const late = random.below(16) == 0 ? now - window / 4 : now;  // another thread's clock is behind
    ASSERT_EQ(plain.would_refuse(now), other.would_refuse(now));
    if (under_way.size() < 12) {
      auto const one = plain.try_enter(now);
      auto const two = other.try_enter(now);
      ASSERT_EQ(one.pass.has_value(), two.pass.has_value());
      refusals += one.pass ? 0U : 1U;
      if (one.pass) under_way.push_back({*one.pass, *two.pass});
    }
    if (under_way.empty() || random.below(8) == 0) return;
    auto const at = random.below(under_way.size());
    auto const ends = under_way[at];
    under_way[at] = under_way.back();
    under_way.pop_back();
    failure const what{.kind = random.below(16) == 0 ? error_kind::client : error_kind::server};
    if (random.below(16) == 0) {
      plain.release(ends.of_plain);
      other.release(ends.of_striped);
    } else if (random.below(100) < share_of_failures) {
      plain.on_failure(ends.of_plain, what, late);
      other.on_failure(ends.of_striped, what, late);
    } else {
      plain.on_success(ends.of_plain, late);
      other.on_success(ends.of_striped, late);
    }
    ASSERT_EQ(plain.state(), other.policy().state());
  };
  for (int turn = 0; turn != 40 && !::testing::Test::HasFatalFailure(); ++turn) {
    on_a_thread([&] {
      for (int i = 0; i != 100 && !::testing::Test::HasFatalFailure(); ++i) step();
    });
  }
  return refusals;
}

TEST(StripedRateBreaker, DecidesAsThePlainBreaker) {
  unsigned refusals = 0;
  auto const seeds = support::length_of(40U);
  for (std::uint64_t seed = 0; seed != seeds && !HasFatalFailure(); ++seed) {
    SCOPED_TRACE(seed);
    refusals += expect_equal(rate_breaker<>{}, striped<rate_breaker<>>{}, 10s, seed);
    refusals +=
        expect_equal(rate_breaker{30, 800ms, 5, 300ms, 3}, striped{rate_breaker{30, 800ms, 5, 300ms, 3}}, 800ms, seed);
    refusals +=
        expect_equal(rate_breaker<50, 250ms, 3, 1us>{}, striped<rate_breaker<50, 250ms, 3, 1us>, 3>{}, 250ms, seed);
  }
  EXPECT_GT(refusals, 25 * seeds);
}

// However the threads meet: a failure that is counted brings with it all that its thread had counted before.
TEST(StripedRateBreaker, ThreadsNeverOpenItBelowItsRate) {
  for (int round = 0; round != 20; ++round) {
    striped<rate_breaker<50, 60s, 100, 1h>> const breaker;
    support::together(4, [&](unsigned index) {
      for (unsigned i = 0; i != 2'000; ++i) {
        auto const pass = enter(breaker, start);
        // Each thread has more successes than failures at any time, and so have all of them together.
        if (i % 5 >= 3) {
          breaker.on_failure(pass, broke, start);
        } else {
          breaker.on_success(pass, start + duration{index});
        }
      }
    });
    EXPECT_EQ(breaker.policy().state(), breaker_state::closed);
    // 4,800 successes and 3,200 failures: 1,600 failures more, and not one fewer, are half.
    fail(breaker, start, 1'599);
    EXPECT_EQ(breaker.policy().state(), breaker_state::closed) << "a success is missing";
    fail(breaker, start);
    EXPECT_EQ(breaker.policy().state(), breaker_state::open) << "a failure is missing";
  }
}

// At the latest with the failure that makes the rate, which any thread may bring.
TEST(StripedRateBreaker, ThreadsOpenItAtItsRate) {
  for (int round = 0; round != 50; ++round) {
    striped<rate_breaker<50, 60s, 100, 1h>> const breaker;
    on_a_thread([&] { succeed(breaker, start, 400); });
    std::vector<typename striped<rate_breaker<>>::pass_type> passes;
    for (int i = 0; i != 400; ++i) passes.push_back(enter(breaker, start));
    support::together(4, [&](unsigned index) {
      for (unsigned i = 0; i != 100; ++i) breaker.on_failure(passes[index * 100 + i], broke, start);
    });
    EXPECT_EQ(breaker.policy().state(), breaker_state::open);
  }
}

}  // namespace
}  // namespace gate_striped_rate_breaker_test
