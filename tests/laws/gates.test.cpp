// SPDX-License-Identifier: BSL-1.0
// Law 11 for gates: whatever the interleaving, and whatever throws, no pass is lost, and never more probes are in
// flight than were asked for. Two threads, ten million operations in sum; the time is a counter that the threads push
// on.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies/gate/adaptive_concurrency.hpp"
#include "anew/policies/gate/circuit_breaker.hpp"
#include "anew/policies/gate/client_throttle.hpp"
#include "anew/policies/gate/cool_down.hpp"
#include "anew/policies/gate/max_concurrency.hpp"
#include "anew/policies/gate/rate_breaker.hpp"
#include "anew/policies/gate/striped_rate_breaker.hpp"

#include "breaker_support.hpp"
#include "length.hpp"
#include "names.hpp"
#include "together.hpp"

namespace {

using anew::breaker_state;

constexpr unsigned thread_count = 2;
// Five gates: 10^7 in sum at full length.
int const operations_per_thread = support::length_of(1'000'000);

void together(auto const& work) { support::together(thread_count, work); }

/// The largest that was ever seen.
void note_most(std::atomic<int>& most, int now) {
  for (auto seen = most.load(); seen < now && !most.compare_exchange_weak(seen, now);) continue;
}

/// Time that the threads push on, a little at each question.
struct pushed_clock {
  std::atomic<std::int64_t>* ticks;
  [[nodiscard]] time_point now() const { return time_point{anew::duration{ticks->fetch_add(100'000)}}; }
};

/// One thread's attempts: several in flight at once, which end in any order and in any way.
template <class Gate, class Entered, class Ended>
void attempt_at_random(Gate const& gate, pushed_clock clock, unsigned index, Entered const& entered, Ended const& ended,
                       int operations = operations_per_thread) {
  anew::generator dice{index, 21};
  std::vector<typename Gate::pass_type> held;
  for (int i = 0; i < operations; ++i) {
    auto const roll = dice();
    if (held.size() < 6 && roll % 2 == 0) {
      auto const answer = gate.try_enter(clock.now());
      if (!answer.pass) continue;
      entered(*answer.pass);
      held.push_back(*answer.pass);
    } else if (!held.empty()) {
      auto& chosen = held[(roll >> 8U) % held.size()];
      auto const pass = std::exchange(chosen, held.back());
      held.pop_back();
      ended(pass);  // first: the gate may give its place to somebody else at once
      switch ((roll >> 32U) % 8) {
        case 0: gate.release(pass); break;
        case 1: gate.on_failure(pass, failure{.kind = error_kind::client}, clock.now()); break;
        case 2:
        case 3: gate.on_failure(pass, failure{}, clock.now()); break;
        default: gate.on_success(pass, clock.now());
      }
    }
  }
  for (auto const pass : held) {
    ended(pass);
    gate.release(pass);
  }
}

/// Counts the changes that questions and reports return, by where they come from and lead to.
template <class Gate>
struct counts_changes {
  using pass_type = typename Gate::pass_type;
  Gate const& gate;
  std::atomic<std::int64_t> (&made)[3][3];

  void count(anew::gate_change change) const {
    if (change) made[static_cast<std::size_t>(change.from)][static_cast<std::size_t>(change.to)].fetch_add(1);
  }
  [[nodiscard]] auto try_enter(time_point now) const {
    auto const answer = gate.try_enter(now);
    count(answer.change);
    return answer;
  }
  void on_success(pass_type pass, time_point now) const {
    count(anew::detail::change_by([&] { return gate.on_success(pass, now); }));
  }
  void on_failure(pass_type pass, failure const& f, time_point now) const { count(gate.on_failure(pass, f, now)); }
  void release(pass_type pass) const { gate.release(pass); }
};

/// Each state is left as often as it is reached, but for the first and the last. One thread also changes it by hand.
template <class Gate>
void each_change_is_told_once(Gate const& gate, auto const& by_hand, auto const& state_of) {
  std::atomic<std::int64_t> made[3][3]{};
  std::atomic<std::int64_t> ticks{0};
  counts_changes<Gate> const counted{gate, made};
  together([&](unsigned index) {
    std::uint64_t entered = 0;
    attempt_at_random(
        counted, pushed_clock{&ticks}, index,
        [&](auto const&) {
          if (index == 0 && ++entered % 64 == 0) by_hand(counted);
        },
        [](auto const&) {}, operations_per_thread / 4);
  });
  std::int64_t all = 0;
  auto const stands = state_of(gate);
  for (std::size_t state = 0; state != 3; ++state) {
    std::int64_t reached = state == 0 ? 1 : 0, left = 0;
    for (std::size_t other = 0; other != 3; ++other) {
      reached += made[other][state];
      left += made[state][other];
    }
    EXPECT_EQ(reached - left, static_cast<std::size_t>(stands) == state ? 1 : 0) << state;
    all += left;
  }
  EXPECT_GT(all, support::length_of(1'000));
}

TEST(Law11, EachChangeOfAGateIsToldOnce) {
  auto const isolated_at_times = [](auto const& gate) {
    auto const by_hand = [](auto const& counted) {
      auto const& breaker = support::breaker_of(counted.gate);
      counted.count(breaker.isolate());
      counted.count(breaker.close());
    };
    each_change_is_told_once(gate, by_hand, [](auto const& of) { return support::state_of(of); });
  };
  isolated_at_times(anew::circuit_breaker<3, 10ms, 2>{});
  isolated_at_times(anew::rate_breaker<30, 250ms, 10, 10ms, 2>{});
  isolated_at_times(anew::striped<anew::rate_breaker<30, 250ms, 10, 10ms, 2>>{});
  each_change_is_told_once(
      anew::cool_down<anew::exponential_backoff<1ms, 5ms>, anew::when_cooling::refuse>{}, [](auto const&) {},
      [](auto const& gate) { return gate.is_untouched() ? breaker_state::closed : breaker_state::open; });
}

/// A breaker that lost a probe never closes again.
void expect_heals(auto const& breaker, time_point now) {
  for (int i = 0; i < 1'000 && support::state_of(breaker) != breaker_state::closed; ++i) {
    auto const answer = breaker.try_enter(now);
    ASSERT_TRUE(answer.pass.has_value()) << "a probe is in flight that nobody makes";
    breaker.on_success(*answer.pass, now);
  }
  EXPECT_EQ(support::state_of(breaker), breaker_state::closed);
}

void probes_are_exact(auto const& breaker, int probes) {
  // A pass is 2 * generation + 1. Not arrays: clang takes a minute to evaluate their initialization.
  std::vector<std::atomic<int>> in_flight(1U << 19U);
  std::vector<std::atomic<int>> peak(1U << 19U);
  std::atomic<std::int64_t> ticks{0};
  together([&](unsigned index) {
    attempt_at_random(
        breaker, pushed_clock{&ticks}, index, [&](std::uint32_t pass) { note_most(peak[pass], ++in_flight[pass]); },
        [&](std::uint32_t pass) { in_flight[pass].fetch_sub(1); });
  });
  ASSERT_TRUE(std::ranges::all_of(in_flight, [](auto const& count) { return count == 0; }));
  // A generation that is open gives no pass. So after a closed one that which is next but one is half open; after a
  // half open one the next is closed when it gave passes, and else was open.
  std::vector<std::uint32_t> with_passes;
  for (std::uint32_t generation = 0; generation < (1U << 18U); ++generation) {
    if (peak[2 * generation + 1] != 0) with_passes.push_back(generation);
  }
  // A busy machine lets the threads run one after the other, and the breaker change more seldom.
  ASSERT_GT(with_passes.size(), support::length_of(1'000U));
  ASSERT_LT(with_passes.back(), (1U << 18U) - 1) << "generations went round";
  bool is_closed = true;
  int most = 0;
  for (std::size_t i = 0; i < with_passes.size(); ++i) {
    if (i > 0) {
      auto const step = with_passes[i] - with_passes[i - 1];
      is_closed = !is_closed && step == 1;
      ASSERT_LE(step, 2U);
    }
    if (is_closed) continue;
    auto const at_once = peak[2 * with_passes[i] + 1].load();
    ASSERT_LE(at_once, probes);
    most = at_once < most ? most : at_once;
  }
  EXPECT_EQ(most, probes);
  expect_heals(breaker, time_point{anew::duration{ticks.load()} + 1h});
}

TEST(Law11, ACircuitBreakersProbesAreExact) {
  probes_are_exact(anew::circuit_breaker<3, 10ms, 1>{}, 1);
  probes_are_exact(anew::circuit_breaker<3, 10ms, 3>{}, 3);
}

TEST(Law11, ARateBreakersProbesAreExact) {
  probes_are_exact(anew::rate_breaker<30, 250ms, 10, 10ms, 1>{}, 1);
  probes_are_exact(anew::rate_breaker<30, 250ms, 10, 10ms, 2>{}, 2);
  probes_are_exact(anew::striped<anew::rate_breaker<30, 250ms, 10, 10ms, 2>>{}, 2);
}

/// However often its generations go round: nothing stays behind that keeps it from closing.
void heals_after(int operations, auto const& breaker) {
  std::atomic<std::int64_t> ticks{0};
  std::atomic<std::uint64_t> entered{0};
  together([&](unsigned index) {
    std::uint64_t mine = 0;
    attempt_at_random(
        breaker, pushed_clock{&ticks}, index, [&mine](std::uint32_t) { ++mine; }, [](std::uint32_t) {}, operations);
    entered += mine;
  });
  EXPECT_GT(entered, static_cast<std::uint64_t>(operations) / 10);
  expect_heals(breaker, time_point{anew::duration{ticks.load()} + 1h});
}

TEST(Law11, BreakersHealAfterMillionsOfOperations) {
  heals_after(support::length_of(5'000'000), anew::circuit_breaker<3, 1ms, 2>{});  // of each of two threads
  heals_after(operations_per_thread * 5, anew::rate_breaker<30, 250ms, 10, 10ms, 2>{});
}

TEST(Law11, AThrottleCountsEachEndAndEachRejectionOnce) {
  anew::client_throttle<anew::rational{1}, 1h> const gate;  // any rejection shows, and a tenth lasts six minutes
  std::atomic<std::uint64_t> accepted{0};
  std::atomic<std::uint64_t> rejected{0};
  constexpr time_point now{1000s};
  together([&](unsigned index) {
    anew::generator dice{index, 25};
    std::uint64_t my_accepted = 0;
    std::uint64_t my_rejected = 0;
    for (int i = 0; i < operations_per_thread; ++i) {
      auto since = time_point::min();
      auto const answer = gate.try_enter(now, since, dice);
      auto const end = answer.pass ? dice() % 16 : 0;
      if (!answer.pass) {
        ++my_rejected;
      } else if (end == 0) {
        gate.on_failure(*answer.pass, failure{.kind = error_kind::throttling}, now);
        ++my_rejected;
      } else if (end == 1) {
        gate.release(*answer.pass);
      } else {
        gate.on_success(*answer.pass, now);
        ++my_accepted;
      }
    }
    accepted += my_accepted;
    rejected += my_rejected;
  });
  auto const requests = static_cast<double>(accepted + rejected);
  EXPECT_GT(rejected, static_cast<std::uint64_t>(operations_per_thread) / 4);
  EXPECT_DOUBLE_EQ(gate.rejection_probability(now), static_cast<double>(rejected) / (requests + 1));
  EXPECT_EQ(gate.rejection_probability(now + 1h), 0.0);
}

TEST(Law11, ABulkheadIsNeverOverfullAndForgetsNobody) {
  anew::max_concurrency<3> const gate;
  std::atomic<int> inside{0};
  std::atomic<int> peak{0};
  together([&](unsigned index) {
    anew::generator dice{index, 26};
    std::vector<std::uint32_t> held;
    for (int i = 0; i < operations_per_thread; ++i) {
      if (dice() % 2 != 0) {
        if (auto const answer = gate.try_enter(time_point{}); answer.pass) {
          held.push_back(*answer.pass);
          note_most(peak, ++inside);
        }
      } else if (!held.empty()) {
        --inside;
        gate.on_success(held.back(), time_point{});
        held.pop_back();
      }
    }
    inside -= static_cast<int>(held.size());
    for (auto const pass : held) gate.release(pass);
  });
  EXPECT_EQ(peak, 3);
  EXPECT_EQ(gate.attempts(), 0U);
}

TEST(Law11, AnAdaptiveLimitStaysWithinItsBoundsAndForgetsNobody) {
  anew::adaptive_concurrency<8, 1ms, 2> const gate;
  std::atomic<std::int64_t> ticks{0};
  std::atomic<int> inside{0};
  std::atomic<int> peak{0};
  std::atomic<bool> left{false};
  together([&](unsigned index) {
    attempt_at_random(
        gate, pushed_clock{&ticks}, index,
        [&](std::uint64_t) {
          note_most(peak, ++inside);
          auto const limit = gate.limit();
          if (limit < 2 || limit > 8) left = true;
        },
        [&](std::uint64_t) { --inside; });
  });
  EXPECT_EQ(inside, 0);
  EXPECT_EQ(gate.attempts(), 0U);
  EXPECT_LE(peak, 8);
  EXPECT_GT(peak, 2);
  EXPECT_FALSE(left);
}

// Failures of passes that are equal are one, and each other is counted: none is lost, none is counted twice.
TEST(Law11, ACoolDownCountsEachFailureOnce) {
  for (int round = 0; round < 200; ++round) {
    anew::cool_down<anew::no_backoff> const gate;
    std::vector<std::uint64_t> passes[thread_count];
    together([&](unsigned index) {
      for (int i = 0; i < 500; ++i) {
        auto const pass = *gate.try_enter(time_point{}).pass;
        gate.on_failure(pass, failure{}, time_point{});
        passes[index].push_back(pass);
      }
    });
    std::set<std::uint64_t> different;
    for (auto const& mine : passes) different.insert(mine.begin(), mine.end());
    ASSERT_EQ(gate.failures(), different.size());
  }
}

// Exactly one of the attempts that waited for the end of a pause begins, even if others ask at the same time.
TEST(Law11, OneOfThoseWhoWaitedBegins) {
  constexpr unsigned threads = 4;
  anew::cool_down<anew::exponential_backoff<1ms, 1s>> const gate;
  time_point now{1s};
  for (int round = 0; round < 500; ++round) {
    gate.on_failure(*gate.try_enter(now).pass, failure{}, now);
    auto const until = gate.cooling_until();
    std::atomic<int> begun{0};
    std::atomic<bool> refused{false};
    support::together(threads, [&](unsigned index) {
      auto since = time_point::min();
      auto const early = gate.try_enter(now + anew::duration{index}, since, anew::thread_random{});
      if (early.pass || early.wait <= 0ns) refused = true;
      auto const answer = gate.try_enter(until, since, anew::thread_random{});
      if (answer.pass) {
        ++begun;
      } else if (answer.wait <= 0ns) {
        refused = true;
      }
    });
    ASSERT_EQ(begun, 1) << round;
    ASSERT_FALSE(refused) << round;
    now = until;
  }
}

// Attempts that wait, fail and succeed, several of each thread. A wait is at least 1ns: nothing would be a refusal.
TEST(Law11, WhoWaitsForACoolDownIsToldWhenToAsk) {
  anew::cool_down<anew::exponential_backoff<1ms, 50ms>> const gate;
  std::atomic<std::int64_t> ticks{0};
  std::atomic<bool> refused{false}, early{false}, too_late{false};
  std::atomic<std::uint64_t> came_back{0};
  together([&](unsigned index) {
    struct attempt {
      time_point since = time_point::min();
      time_point at = time_point::min();
    };
    anew::generator dice{index, 24};
    pushed_clock const clock{&ticks};
    attempt waiting[8];
    for (int i = 0; i < operations_per_thread / 2; ++i) {
      auto const roll = dice();
      auto& one = waiting[(roll >> 8U) % 8];
      auto const until = gate.cooling_until();  // never taken back
      // Never later than the cap after the latest time that anybody can have read, rounded up to the millisecond.
      if (until > clock.now() + 51ms) too_late = true;
      auto const now = clock.now();
      if (now < one.at && roll % 8 != 0) continue;  // now and then it asks too early
      auto const answer = gate.try_enter(now, one.since, dice);
      if (!answer.pass) {
        if (answer.wait <= 0ns) refused = true;
        one.at = now + answer.wait;
        continue;
      }
      // By the latest time that any thread has seen: once a pause is over for one, its success makes the gate forget it.
      if (clock.now() < until) early = true;
      came_back += one.at == time_point::min() ? 0U : 1U;
      one = {};
      if (roll % 64 == 1) {
        gate.on_failure(*answer.pass, failure{}, clock.now());
      } else {
        gate.on_success(*answer.pass, clock.now());
      }
    }
  });
  EXPECT_FALSE(refused);
  EXPECT_FALSE(early);
  EXPECT_FALSE(too_late);
  EXPECT_GT(came_back, 100U);
}

// Every failure in a row is counted once, in whichever thread it happens.
TEST(Law11, EachFailureIsCountedOnce) {
  auto const each = operations_per_thread / 4;
  auto const all = each * static_cast<int>(thread_count);
  anew::circuit_breaker const exact{all, 1h};
  together([&](unsigned) {
    for (int i = 0; i < each; ++i) {
      if (auto const answer = exact.try_enter(time_point{}); answer.pass) {
        exact.on_failure(*answer.pass, failure{}, time_point{});
      }
    }
  });
  EXPECT_EQ(exact.state(), breaker_state::open);
  anew::circuit_breaker const one_more{all + 1, 1h};
  together([&](unsigned) {
    for (int i = 0; i < each; ++i) one_more.on_failure(*one_more.try_enter(time_point{}).pass, failure{}, time_point{});
  });
  EXPECT_EQ(one_more.state(), breaker_state::closed);
}

}  // namespace
