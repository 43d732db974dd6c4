// SPDX-License-Identifier: BSL-1.0
// Calls that are stopped at any moment, and calls whose attempts go away: a hundred thousand schedules at full length, each
// from its seed. The initiating function throws, a callback API drops what it was given or calls it twice, a context is
// destroyed, the call is stopped inside its own attempt.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <type_traits>

#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/hedge.hpp"
#include "anew/policies/limits/attempt_timeout.hpp"
#include "anew/testing/manual_clock.hpp"

#include "asio_names.hpp"
#include "async_lifetimes.hpp"
#include "length.hpp"
#include "sanitized.hpp"

#if ANEW_TEST_UNDER_ASAN
extern "C" void __sanitizer_set_death_callback(void (*callback)());
#endif

namespace {

using namespace support::lifetimes;

constexpr std::uint64_t most_attempts = 5;

template <bool HasLimit>
auto composed(world& w) {
  auto const with = [&](auto... more) {
    return anew::compose(classifier{w}, support::counted_quota{w.quota}, support::counted_gate{w.gate},
                         anew::constant_backoff{w.delay}, anew::no_jitter{}, anew::max_attempts<most_attempts>{},
                         anew::testing::manual_clock{}, more...);
  };
  if constexpr (HasLimit) {
    return with(anew::attempt_timeout<7ms>{});
  } else {
    return with();
  }
}

/// The schedule that is running, for a report of what does not come back.
std::uint64_t running = 0;
world const* running_in = nullptr;
std::string title_of(shape const& of) {
  return std::string{of.is_hedged ? "async_hedge" : "async_retry"} + (of.is_foreign ? ", initiates()" : "") +
         (of.has_limit ? ", with a limit" : "");
}
[[maybe_unused]] void say_where() {
  if (running_in == nullptr) return;
  std::fprintf(stderr, "seed %llu of %s: %s\n", static_cast<unsigned long long>(running),
               title_of(running_in->what).c_str(), running_in->story.c_str());
}

template <bool IsHedged, bool IsForeign, class Strategy>
void begin(world& w, Strategy const& strategy) {
  auto handler = net::bind_cancellation_slot(
      w.signal->slot(), net::bind_allocator(support::counting_allocator<void>{w.memory}, ending{w}));
  auto operation = [&] {
    if constexpr (IsForeign) {
      return anew::idempotent(anew::initiates<void(error_code, int)>(callback_operation{w}));
    } else {
      return anew::idempotent(support::lifetimes::operation{w});
    }
  };
  if constexpr (IsHedged) {
    using hedging = std::conditional_t<IsForeign, anew::hedge_at_once<2>, anew::hedge_after<4ms, 2>>;
    anew::async_hedge(w.time.timers(), strategy, hedging{}, operation(), std::move(handler));
  } else {
    anew::async_retry(w.time.timers(), strategy, operation(), std::move(handler));
  }
}

/// What must hold between any two events.
void look(world& w) {
  w.look_for_a_lost_stop();
  if (w.is_leaving) {
    w.turn();
    w.see_off();
  }
  if (w.is_abandoned && w.quota.out != 0) w.wrong += "what the quota lent did not come back at once; ";
  if (w.is_abandoned && w.time.pending() != 0) w.wrong += "a timer was left when the call went away; ";
}

/// The loop is destroyed in the middle of the call, and takes it along.
void destroy(world& w) {
  w.tell("destroy");
  // Whatever keeps callbacks, or attempts of a hedged call, has to go before the loop that these are to end on.
  bool const is_first = w.what.is_foreign || w.what.is_hedged || w.draw.one_in(2);
  auto const forget = [&] {
    w.drop_all();
    w.other = std::make_unique<net::io_context>();
  };
  if (is_first) forget();
  w.loop.reset();
  w.time.close();  // as the timers of a loop go with it
  if (!is_first) forget();
}

void wind_up(world& w) {
  w.tell("wind-up");
  w.quota.refuses = false;
  w.gate.answer = support::gate_answer::admit;
  for (int i = 0; i < 200 && w.handlers != 0; ++i) {
    w.complete(w.any());
    w.turn_other();
    w.turn();
    w.time.advance(1s);
  }
  w.turn();
  w.see_off();
}

template <bool IsHedged, bool IsForeign, bool HasLimit>
std::string run_schedule(world& w) {
  auto strategy = std::make_unique<decltype(composed<HasLimit>(w)) const>(composed<HasLimit>(w));
  w.gate.answer = w.draw_gate();
  w.is_inside_a_function = true;
  w.run([&] { begin<IsHedged, IsForeign>(w, *strategy); });
  w.is_inside_a_function = false;
  look(w);
  auto const steps = w.draw.below(60);
  for (std::uint64_t i = 0; i < steps && !w.is_over(); ++i) {
    w.happen();
    look(w);
  }
  if (w.is_over()) strategy.reset();  // nobody asks it any more
  bool const is_destroyed = w.draw.one_in(4);
  if (is_destroyed) {
    destroy(w);
  } else {
    wind_up(w);
    // Nothing holds the loop: the caller's run() returns.
    w.loop->restart();
    w.loop->poll();
    if (!w.loop->stopped()) w.wrong += "the loop still has work; ";
  }
  strategy.reset();
  if (w.time.pending() != 0) w.wrong += "a timer is left; ";
  if (w.handlers != 0) w.wrong += "the handler is left; ";
  if (w.quota.out != 0) w.wrong += "what the quota lent did not come back; ";
  if (w.gate.out != 0) w.wrong += "a pass of the gate did not come back; ";
  if (!w.memory.is_balanced()) w.wrong += "memory did not come back; ";
  if (w.attempts > most_attempts) w.wrong += "too many attempts; ";
  if (w.completions > 1) w.wrong += "completed twice; ";
  if (w.completions == 0 && !w.is_abandoned && !w.may_be_abandoned && !is_destroyed) w.wrong += "never completed; ";
  w.seen.completed += w.completions;
  w.seen.refused += w.gate.refusals;
  w.seen.abandoned += w.is_abandoned ? 1U : 0U;
  return w.wrong;
}

template <bool IsHedged, bool IsForeign, bool HasLimit>
void run_schedules(std::uint64_t first_seed) {
#if ANEW_TEST_UNDER_ASAN
  __sanitizer_set_death_callback(&say_where);
#endif
  // Of each of eight kinds. The sanitizer sees what is used after its end, so it gets more of them than others.
  auto const how_many =
      support::watches_memory && !support::is_full_length() ? 4'000 : support::length_of<std::uint64_t>(12'500);
  constexpr shape kind{.is_hedged = IsHedged, .is_foreign = IsForeign, .has_limit = HasLimit};
  counts all;
  for (auto seed = first_seed; seed < first_seed + how_many; ++seed) {
    std::string text;
    {
      world w{seed, kind, all};
      running = seed;
      running_in = &w;
      text = run_schedule<IsHedged, IsForeign, HasLimit>(w);
      running_in = nullptr;
      ASSERT_EQ(text, "") << "seed " << seed << " of " << title_of(kind) << ": " << w.story;
    }
  }
  // Schedules that meet nothing do not pass for ones that meet everything.
  EXPECT_GT(all.thrown, how_many / 20);
  EXPECT_GT(all.dropped, how_many / 20);
  EXPECT_GT(all.dropped_in_initiation, how_many / 100);
  EXPECT_GT(all.dropped_in_cancellation, how_many / 200);
  EXPECT_GT(all.lost_contexts, how_many / 20);
  EXPECT_GT(all.stopped_in_initiation, how_many / 50);
  EXPECT_GT(all.refused, how_many / 50);
  if (!IsHedged) {
    EXPECT_GT(all.stopped_waits, how_many / 200);
  }
  EXPECT_GT(all.completed, how_many / 5);
  EXPECT_GT(all.abandoned, how_many / 5);
  if (IsForeign) {
    EXPECT_GT(all.late_copies, how_many / 50);
  }
  if (HasLimit) {
    EXPECT_GT(all.passed_limits, how_many / 20);
  }
  if (IsHedged) {
    EXPECT_GT(all.side_by_side, how_many / 50);
  }
}

TEST(Lifetime, ACallEndsWithItsAttempt) { run_schedules<false, false, false>(1); }
TEST(Lifetime, ALimitedCallEndsWithItsAttempt) { run_schedules<false, false, true>(1'000'000); }
TEST(Lifetime, ACallOfACallbackApiEndsWithItsAttempt) { run_schedules<false, true, false>(2'000'000); }
TEST(Lifetime, ALimitedCallOfACallbackApiEndsWithItsAttempt) { run_schedules<false, true, true>(3'000'000); }
TEST(Lifetime, AHedgedCallEndsWithItsAttempts) { run_schedules<true, false, false>(4'000'000); }
TEST(Lifetime, ALimitedHedgedCallEndsWithItsAttempts) { run_schedules<true, false, true>(5'000'000); }
TEST(Lifetime, AHedgedCallOfACallbackApiEndsWithItsAttempts) { run_schedules<true, true, false>(6'000'000); }
TEST(Lifetime, ALimitedHedgedCallOfACallbackApiEndsWithItsAttempts) { run_schedules<true, true, true>(7'000'000); }

}  // namespace
