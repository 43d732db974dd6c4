// SPDX-License-Identifier: BSL-1.0
// chapter: Hedging

#include <chrono>

#include "anew/anew.hpp"
#include "anew/hedge.hpp"
#include "anew/policies/nesting/nesting_guard.hpp"
#include "anew/testing/archetypes.hpp"

using namespace std::chrono_literals;

// section: A quantile of more than one
// Write the 95th percentile as `95, 100` and the 99.9th as `999, 1000`.
// expect-error: anew::hedge_at_quantile<Num, Den> requires 0 < Num < Den <= 1000
namespace hedge_at_percent {
#ifdef ANEW_REJECT  // wrong
using when_late = anew::hedge_at_quantile<95, 10>;
#else  // right
using when_late = anew::hedge_at_quantile<95, 100>;
#endif

int run() {
  when_late const when{};
  anew::strategy<> const strategy{};
  anew::hedge_machine call{strategy, when, anew::idempotent_call};
  return call.begin().start == 1 ? 0 : 1;
}
}  // namespace hedge_at_percent

// section: Hedge before the call
// No attempt is sent before the first one. To send both at once, use `anew::hedge_at_once<>`.
// expect-error: anew::hedge_after<Delay> requires Delay >= 0
namespace hedge_before_the_call {
#ifdef ANEW_REJECT  // wrong
using when_late = anew::hedge_after<-1ms>;
#else  // right
using when_late = anew::hedge_at_once<>;
#endif

int run() {
  when_late const when{};
  anew::strategy<> const strategy{};
  anew::hedge_machine call{strategy, when, anew::idempotent_call};
  return call.begin().start == 1 ? 0 : 1;
}
}  // namespace hedge_before_the_call

// section: Hedging an operation that is not idempotent
// A retry starts only after the previous attempt has ended; a hedge runs at the same time. A hedged payment may be
// made twice.
// expect-error: requires anew::idempotent_call
namespace hedge_what_may_not_run_twice {
int run() {
  anew::strategy<> const client{};
  anew::hedge_after<10ms> const when{};
#ifdef ANEW_REJECT  // wrong
  anew::hedge_machine call{client, when};
#else  // right
  anew::hedge_machine call{client, when, anew::idempotent_call};
#endif
  return call.begin().start == 1 ? 0 : 1;
}
}  // namespace hedge_what_may_not_run_twice

// section: Hedging with a nesting guard
// A nesting guard detects nested calls on the thread's stack, and `reset_after` measures how long the single attempt
// ran. Hedged attempts run side by side.
// expect-error: requires a strategy without nesting_guard and reset_after
namespace hedge_with_nesting_guard {
#ifdef ANEW_REJECT  // wrong
using client = anew::strategy<anew::nesting_guard<>>;
#else  // right
using client = anew::strategy<>;
#endif

int run() {
  client const strategy{};
  anew::hedge_after<10ms> const when{};
  anew::hedge_machine call{strategy, when, anew::idempotent_call};
  return call.begin().start == 1 ? 0 : 1;
}
}  // namespace hedge_with_nesting_guard

// section: Hedging with a strategy of your own
// `refresh_retry_token` settles the previous attempt as failed, but a hedged attempt is still in flight. Use
// `retry_machine` for retries with such a strategy.
// expect-error: anew::hedge_machine{strategy, ...} requires an anew::strategy<...>
namespace hedge_a_foreign_strategy {
#ifdef ANEW_REJECT  // wrong
using client = anew::testing::least_strategy;
#else  // right
using client = anew::strategy<>;
#endif

int run() {
  client const strategy{};
  anew::hedge_after<10ms> const when{};
  anew::hedge_machine call{strategy, when, anew::idempotent_call};
  return call.begin().start == 1 ? 0 : 1;
}
}  // namespace hedge_a_foreign_strategy

// section: Hedging with a temporary
// The machine refers to both for the whole call. Keep a hedging that learns from call to call.
// expect-error: anew: it refers to a strategy and a hedging that you keep
namespace hedge_for_a_temporary {
int run() {
  anew::strategy<> const client{};
#ifdef ANEW_REJECT  // wrong
  anew::hedge_machine call{client, anew::hedge_after<10ms>{}, anew::idempotent_call};
#else  // right
  anew::hedge_after<10ms> const when{};
  anew::hedge_machine call{client, when, anew::idempotent_call};
#endif
  return call.begin().start == 1 ? 0 : 1;
}
}  // namespace hedge_for_a_temporary

// section: Not a hedging
// [hedging.hpp](/include/anew/drivers/hedge/hedging.hpp) lists the functions of a Hedging.
// expect-error: anew::hedge_machine and anew::async_hedge require a Hedging after the strategy
namespace hedge_by_a_duration {
#ifdef ANEW_REJECT  // wrong
constexpr auto when = 10ms;
#else  // right
constexpr anew::hedge_after<10ms> when;
#endif

int run() {
  anew::strategy<> const strategy{};
  anew::hedge_machine call{strategy, when, anew::idempotent_call};
  return call.begin().start == 1 ? 0 : 1;
}
}  // namespace hedge_by_a_duration

// section: Quantile bounds out of order
// The defaults are 100 ms at first, at least 1 ms, at most 10 s, and 64 samples.
// expect-error: requires 1us <= lower <= initial <= upper <= 24h and 1 <= samples <= 1000
namespace hedge_bounds_out_of_order {
#ifdef ANEW_REJECT  // wrong
using when_late = anew::hedge_at_quantile<95, 100, 1, anew::quantile_bounds{.initial = 20s}>;
#else  // right
using when_late = anew::hedge_at_quantile<95, 100, 1, anew::quantile_bounds{.initial = 20s, .upper = 60s}>;
#endif

int run() {
  when_late const when{};
  anew::strategy<> const strategy{};
  anew::hedge_machine call{strategy, when, anew::idempotent_call};
  return call.begin().start == 1 ? 0 : 1;
}
}  // namespace hedge_bounds_out_of_order

// section: Too many hedges
// A call has a fixed number of places for attempts, and allocates nothing. A second hedge removes little of the tail
// that the first one leaves.
// expect-error: anew::hedge_after<Delay, MaxExtra> requires 0 <= MaxExtra <= 7
namespace hedge_many_times {
#ifdef ANEW_REJECT  // wrong
using when_late = anew::hedge_after<10ms, 20>;
#else  // right
using when_late = anew::hedge_after<10ms, 2>;
#endif

int run() {
  when_late const when{};
  anew::strategy<> const strategy{};
  anew::hedge_machine call{strategy, when, anew::idempotent_call};
  return call.begin().start == 1 ? 0 : 1;
}
}  // namespace hedge_many_times

// section: Too many hedges at a quantile
// One hedge removes nearly all of the tail.
// expect-error: anew::hedge_at_quantile<Num, Den, MaxExtra> requires 0 <= MaxExtra <= 7
namespace hedge_at_quantile_many_times {
#ifdef ANEW_REJECT  // wrong
using when_late = anew::hedge_at_quantile<95, 100, 8>;
#else  // right
using when_late = anew::hedge_at_quantile<95, 100, 1>;
#endif

int run() {
  when_late const when{};
  anew::strategy<> const strategy{};
  anew::hedge_machine call{strategy, when, anew::idempotent_call};
  return call.begin().start == 1 ? 0 : 1;
}
}  // namespace hedge_at_quantile_many_times
