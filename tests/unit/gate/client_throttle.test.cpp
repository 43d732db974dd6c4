// SPDX-License-Identifier: BSL-1.0
// Client-side throttling: the probability is that of the formula, over a window that slides; what counts as accepted; and
// how many attempts an overloaded server gets.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <random>
#include <utility>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies/gate/client_throttle.hpp"
#include "anew/policies/gate/striped_client_throttle.hpp"
#include "anew/testing/scripted_random.hpp"

#include "names.hpp"
#include "together.hpp"

namespace gate_client_throttle_test {
namespace {

using anew::client_throttle, anew::striped;
using support::on_a_thread;

constexpr time_point start{1'000s};

auto asked(auto const& gate, auto&& now, auto&& random) {
  auto since = time_point::min();
  return gate.try_enter(now, since, random);
}
/// Attempts that the gate admits, whatever its probability, and that end at that time.
void succeed(auto const& gate, time_point now, int times = 1) {
  for (int i = 0; i < times; ++i) {
    auto const answer = asked(gate, now, scripted_random{highest_word});
    ASSERT_TRUE(answer.pass.has_value());
    gate.on_success(*answer.pass, now);
  }
}
void fail(auto const& gate, time_point now, int times = 1, error_kind kind = error_kind::throttling) {
  for (int i = 0; i < times; ++i) {
    auto const answer = asked(gate, now, scripted_random{highest_word});
    ASSERT_TRUE(answer.pass.has_value());
    gate.on_failure(*answer.pass, failure{.kind = kind}, now);
  }
}
bool admits(auto const& gate, time_point now, std::uint64_t word) {
  return asked(gate, now, scripted_random{word}).pass.has_value();
}

/// A time that says whether it was read.
struct watched_time {
  bool is_read = false;
  operator time_point() {
    is_read = true;
    return start;
  }
};
bool needs_no_time(auto const& gate) {
  watched_time now;
  (void)asked(gate, now, scripted_random{highest_word});
  return !now.is_read;
}

TEST(ClientThrottle, AdmitsAllWhileAllIsAccepted) {
  client_throttle<> const gate;
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(admits(gate, start, lowest_word));  // under way, and not rejected
  succeed(gate, start, 1000);
  scripted_random const random{lowest_word};
  EXPECT_TRUE(asked(gate, start, random).pass.has_value());
  EXPECT_EQ(random.calls(), 0U);
  EXPECT_TRUE(needs_no_time(gate));
  EXPECT_EQ(gate.rejection_probability(start), 0.0);
}

TEST(ClientThrottle, TheProbabilityIsThatOfTheFormula) {
  client_throttle<> const gate;
  fail(gate, start);
  EXPECT_EQ(gate.rejection_probability(start), 0.5);  // (1 - 2*0) / (1 + 1)
  EXPECT_FALSE(needs_no_time(gate));
  EXPECT_TRUE(admits(gate, start, std::uint64_t{1} << 63U));
  EXPECT_FALSE(admits(gate, start, (std::uint64_t{1} << 63U) - 1));  // and this rejection is a request too
  EXPECT_DOUBLE_EQ(gate.rejection_probability(start), 2.0 / 3.0);
  succeed(gate, start);
  EXPECT_EQ(gate.rejection_probability(start), 0.25);  // (3 - 2*1) / (3 + 1)
  EXPECT_TRUE(admits(gate, start, std::uint64_t{1} << 62U));
  succeed(gate, start);
  EXPECT_EQ(gate.rejection_probability(start), 0.0);  // (4 - 2*2) / 5
  EXPECT_TRUE(admits(gate, start, lowest_word));
}

TEST(ClientThrottle, WhatTheServerWorkedOnIsAccepted) {
  for (auto const& [kind, probability] : {std::pair{error_kind::throttling, 0.5},
                                          {error_kind::transient, 0.5},
                                          {error_kind::client, 0.0},
                                          {error_kind::server, 0.0},
                                          {error_kind::timeout, 0.0}}) {
    client_throttle<> const gate;
    fail(gate, start, 1, kind);
    EXPECT_EQ(gate.rejection_probability(start), probability) << to_string(kind);
  }
  client_throttle<> const gate;  // and it pays for one that was rejected
  fail(gate, start);
  fail(gate, start, 1, error_kind::client);
  EXPECT_EQ(gate.rejection_probability(start), 0.0);
}

TEST(ClientThrottle, AnAttemptThatWasNotMadeIsNotCounted) {
  client_throttle<> const gate;
  auto const answer = gate.try_enter(start);
  ASSERT_TRUE(answer.pass.has_value());
  gate.release(*answer.pass);
  gate.on_success({}, start);  // nor is one without a pass
  gate.on_failure({}, failure{.kind = error_kind::throttling}, start);
  EXPECT_EQ(gate.rejection_probability(start), 0.0);
  fail(gate, start);
  EXPECT_EQ(gate.rejection_probability(start), 0.5);
}

TEST(ClientThrottle, LooksBackAsFarAsItsWindow) {
  client_throttle<rational{2}, 10s> const gate;
  fail(gate, start);
  EXPECT_EQ(gate.rejection_probability(start + 10s - 1ns), 0.5);
  EXPECT_EQ(gate.rejection_probability(start + 10s), 0.0);
  EXPECT_TRUE(admits(gate, start + 10s, lowest_word));
  client_throttle<> const longer;
  fail(longer, start);
  EXPECT_EQ(longer.rejection_probability(start + 108s), 0.5);
  EXPECT_EQ(longer.rejection_probability(start + 120s), 0.0);
}

TEST(ClientThrottle, AnIdleYearForgetsEverything) {
  client_throttle<> const gate;
  constexpr auto year = 8766h;
  fail(gate, start, 1000);
  auto later = start + year;
  EXPECT_TRUE(admits(gate, later, lowest_word));
  succeed(gate, later, 3);
  EXPECT_TRUE(admits(gate, later, lowest_word));
  fail(gate, later, 4);
  EXPECT_DOUBLE_EQ(gate.rejection_probability(later), (7.0 - 2 * 3) / 8);
  // Beyond the numbers of all tenths that shorter words would hold.
  client_throttle<rational{2}, 1s> const quick;
  fail(quick, time_point{duration::min()});
  EXPECT_EQ(quick.rejection_probability(time_point{duration::min()}), 0.5);
  for (int bits = 20; bits < 63; ++bits) {
    auto const then = time_point{duration::min()} + duration{std::int64_t{1} << bits};
    EXPECT_EQ(quick.rejection_probability(then) == 0.0, then - time_point{duration::min()} >= 1s) << bits;
  }
  EXPECT_EQ(quick.rejection_probability(time_point{duration::max()}), 0.0);
}

TEST(ClientThrottle, AClockThatIsLateLosesNothing) {
  client_throttle<rational{2}, 10s> const gate;
  fail(gate, start + 5s, 4);
  EXPECT_DOUBLE_EQ(gate.rejection_probability(start), 4.0 / 5);  // the window ends with the newest request
  succeed(gate, start + 2s);
  EXPECT_DOUBLE_EQ(gate.rejection_probability(start + 5s), (5.0 - 2) / 6);
  succeed(gate, start - 60s, 100);  // late by more than a window: not counted
  fail(gate, start - 6s, 100);
  EXPECT_DOUBLE_EQ(gate.rejection_probability(start + 5s), (5.0 - 2) / 6);
}

/// A server that accepts 50 a second, by a bucket of one second's capacity, of a client that asks `load` times as often.
struct simulation {
  std::int64_t load;
  time_point now = start;
  double tokens = 50;
  std::int64_t accepted = 0;
  std::int64_t rejected = 0;

  void run(auto const& gate, std::mt19937_64& random, duration length) {
    accepted = rejected = 0;
    for (auto const end = now + length; now < end; now += duration{1s} / (load * 50)) {
      tokens = std::min(tokens + 1.0 / static_cast<double>(load), 50.0);
      auto const answer = asked(gate, now, random);
      if (!answer.pass) continue;
      if (tokens >= 1) {
        tokens -= 1;
        ++accepted;
        gate.on_success(*answer.pass, now);
      } else {
        ++rejected;
        gate.on_failure(*answer.pass, failure{.kind = error_kind::throttling}, now);
      }
    }
  }
};

template <rational K>
double in_the_steady_state(std::int64_t load, std::uint64_t seed) {
  client_throttle<K> const gate;
  std::mt19937_64 random{seed};
  simulation world{.load = load};
  world.run(gate, random, 6min);
  world.run(gate, random, 10min);
  EXPECT_NEAR(static_cast<double>(world.accepted), 10 * 60 * 50.0, 10 * 60);  // the server stays busy
  return static_cast<double>(world.rejected) / static_cast<double>(world.accepted);
}

TEST(ClientThrottle, AnOverloadedServerRejectsAsManyAsTheMultipleSays) {
  EXPECT_NEAR((in_the_steady_state<rational{11, 10}>(4, 1)), 0.10, 0.02);
  EXPECT_NEAR((in_the_steady_state<rational{3, 2}>(4, 2)), 0.50, 0.02);
  EXPECT_NEAR((in_the_steady_state<rational{2}>(4, 3)), 1.00, 0.02);
  EXPECT_NEAR((in_the_steady_state<rational{2}>(10, 4)), 1.00, 0.02);
}

// ---- the window against one that keeps everything ----------------------------------------------------------------------

using window = anew::detail::acceptance_window<>;
using request = window::request;

/// Every tenth and its counts, none ever forgotten.
struct naive {
  std::map<std::uint64_t, window::counts> tenths;
  std::uint64_t newest_of[2][11]{};

  void add(request ended, std::uint64_t at) {
    auto& newest = newest_of[static_cast<unsigned>(ended)][at % 11];
    if (at < newest) return;  // late by a whole window
    newest = at;
    auto& counts = tenths[at];
    ++(ended == request::accepted ? counts.accepted : counts.rejected);
  }
  [[nodiscard]] std::uint64_t newest(std::uint64_t at) const {
    return tenths.empty() ? at : std::max(at, tenths.rbegin()->first);
  }
  [[nodiscard]] window::counts sum(std::uint64_t at) const {
    window::counts all;
    for (auto of = tenths.lower_bound(newest(at) < 9 ? 0 : newest(at) - 9); of != tenths.end(); ++of) {
      all.accepted += of->second.accepted;
      all.rejected += of->second.rejected;
    }
    return all;
  }
};

TEST(ClientThrottle, TheWindowIsThatOfACountThatKeepsEverything) {
  std::mt19937_64 dice{17};
  for (int run = 0; run < 200; ++run) {
    window const counted;
    naive all;
    duration const length{static_cast<std::int64_t>(1'000'000'000 + dice() % 3'599'000'000'001)};
    auto now = time_point{duration{static_cast<std::int64_t>(dice() >> (1 + dice() % 20)) * (run % 2 == 0 ? 1 : -1)}};
    for (int i = 0; i < 300; ++i) {
      auto const pause = duration{static_cast<std::int64_t>(dice() >> (9 + dice() % 50))};  // up to a year
      if (now > time_point{duration::max() - pause}) break;
      now += pause;
      auto at = window::number_at(now, length);
      if (dice() % 4 == 0) at -= dice() % 14;  // a thread whose clock is late
      switch (dice() % 3) {
        case 0:
          counted.add(counted.accepted(), request::accepted, at);
          all.add(request::accepted, at);
          break;
        case 1:
          counted.add(counted.accepted(), request::rejected, at);
          all.add(request::rejected, at);
          break;
        default: break;
      }
      auto const found = counted.sum(counted.accepted(), at);
      auto const expected = all.sum(at);
      ASSERT_EQ(found.accepted, expected.accepted) << run << ' ' << i;
      ASSERT_EQ(found.rejected, expected.rejected) << run << ' ' << i;
      // What holds in each tenth holds in each window, at whatever time.
      bool const holds = counted.holds_in_each_tenth(counted.accepted(),
                                                     [](auto const& seen) { return seen.rejected <= seen.accepted; });
      for (std::uint64_t back = 0; holds && back < 14; ++back) {
        auto const then = counted.sum(counted.accepted(), at - back);
        ASSERT_LE(then.rejected, then.accepted);
      }
    }
  }
}

TEST(ClientThrottle, NumbersOfTenthsCoverTheClock) {
  constexpr auto first = window::number_at(time_point{duration::min()}, window::shortest);
  constexpr auto last = window::number_at(time_point{duration::max()}, window::shortest);
  static_assert(first > 0 && last > first && last < std::uint64_t{1} << 38U);
  static_assert(window::number_at(time_point{-1ns}, 1s) + 1 == window::number_at(time_point{0ns}, 1s));
  static_assert(window::number_at(time_point{99'999'999ns}, 1s) == window::number_at(time_point{0ns}, 1s));
}

TEST(ClientThrottle, FullCountsKeepTheirRatio) {
  anew::detail::acceptance_window<1023> const small;
  using small_request = decltype(small)::request;
  for (int i = 0; i < 500'000; ++i) {
    small.add(small.accepted(), small_request::rejected, 7);
    if (i % 4 == 0) small.add(small.accepted(), small_request::accepted, 7);
  }
  auto const seen = small.sum(small.accepted(), 7);
  EXPECT_LE(seen.rejected, 1023U);
  EXPECT_GE(seen.rejected, 512U);
  EXPECT_NEAR(static_cast<double>(seen.accepted) / static_cast<double>(seen.rejected), 0.25, 0.01);
  // The products of the formula hold every count.
  constexpr auto most = anew::detail::counted_tenth::most * 10 * 2;
  static_assert(most + 1 < (std::uint64_t{1} << 31U));  // times a numerator or a denominator of 32 bits
}

// ---- striped -----------------------------------------------------------------------------------------------------------

TEST(StripedClientThrottle, GoesOnWithWhatThePlainThrottleCounted) {
  client_throttle<> plain;
  succeed(plain, start);
  striped const gate{std::move(plain)};
  fail(gate, start, 3);
  EXPECT_DOUBLE_EQ(gate.policy().rejection_probability(start), (4.0 - 2 * 1) / 5);
  EXPECT_FALSE(gate.policy().is_untouched());
  on_a_thread([&] { succeed(gate, start); });
  EXPECT_DOUBLE_EQ(gate.policy().rejection_probability(start), (5.0 - 2 * 2) / 6);
}

TEST(StripedClientThrottle, AFullStripeKeepsTheRatio) {
  striped<client_throttle<rational{1}, 1h>, 64> const gate;  // a stripe is full at 524,287
  for (int i = 0; i != 300'000; ++i) gate.on_failure(1, failure{.kind = error_kind::throttling}, start);
  on_a_thread([&] {
    for (int i = 0; i != 400'000; ++i) gate.on_success(1, start);
  });
  auto const before = gate.policy().rejection_probability(start);
  EXPECT_NEAR(before, 3.0 / 7, 1e-4);
  on_a_thread([&] {
    for (int i = 0; i != 524'287; ++i) gate.on_success(1, start);
  });
  EXPECT_NEAR(gate.policy().rejection_probability(start), 300.0 / 1'224.287, 1e-4);
  for (int i = 0; i != 524'288; ++i) gate.on_success(1, start);  // one more than this thread's stripe holds
  EXPECT_NEAR(gate.policy().rejection_probability(start), 300.0 / 1'748.575, 1e-4);
}

TEST(StripedClientThrottle, ManyThreadsCountEachRequestOnce) {
  striped<client_throttle<rational{1}>> const gate;
  support::together(4, [&](unsigned index) {
    for (unsigned i = 0; i != 2'000; ++i) {
      if (index == 0 && i % 2 == 0) {
        gate.on_failure(1, failure{.kind = error_kind::throttling}, start);
      } else {
        gate.on_success(1, start);
      }
      (void)asked(gate, start, scripted_random{highest_word});
    }
  });
  EXPECT_DOUBLE_EQ(gate.policy().rejection_probability(start), 1'000.0 / 8'001);
  static_assert(anew::Gate<striped<client_throttle<>>> && sizeof(striped<client_throttle<>>) == 1216);
}

// ---- values, text, messages --------------------------------------------------------------------------------------------

TEST(ClientThrottle, TakesValuesAtRunTime) {
  client_throttle const gate{rational{3, 2}, 10s};
  static_assert(std::is_same_v<decltype(gate), client_throttle<anew::at_run_time<rational>, anew::run_time> const>);
  succeed(gate, start, 2);
  fail(gate, start, 2);
  EXPECT_DOUBLE_EQ(gate.rejection_probability(start), (4.0 - 3) / 5);
  EXPECT_EQ(gate.rejection_probability(start + 10s), 0.0);
  client_throttle moved{rational{2}, 1min};
  fail(moved, start);
  auto const elsewhere = std::move(moved);
  EXPECT_EQ(elsewhere.rejection_probability(start), 0.5);
  static_assert(!std::is_copy_constructible_v<client_throttle<>> && sizeof(client_throttle<>) == 176);
}

}  // namespace
}  // namespace gate_client_throttle_test
