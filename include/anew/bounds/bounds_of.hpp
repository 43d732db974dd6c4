// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BOUNDS_BOUNDS_OF_HPP
#define ANEW_BOUNDS_BOUNDS_OF_HPP

#include <chrono>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/bounds/bound.hpp"
#include "anew/bounds/internal/facts.hpp"
#include "anew/bounds/internal/waits.hpp"
#include "anew/policies/sharing/internal/forwarded.hpp"
#include "anew/roles/roles.hpp"
#include "anew/strategy/basic_strategy.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

/// The facts of each policy of a strategy, and what follows from them for a call.
struct gathered {
  bound<std::uint64_t> attempts;
  duration total = duration::max();  // of the deadline
  duration overrun{};                // of an attempt that begins at the deadline
  duration margin{};                 // by which a deadline lengthens a wait
  duration lent{};                   // by the quota
  bound<duration> gate, pacer;
  duration attempt = duration::max();
  certainty hint_how = certainty::exact;
  bool has_reset = false;
  bool shortens = false;  // a hint or a deadline may shorten a wait
  bool has_nesting = false;

  [[nodiscard]] constexpr bool has_deadline() const noexcept { return total != duration::max(); }
  [[nodiscard]] constexpr bool is_without_end() const noexcept { return attempts.value == strategy_bounds::any_number; }

  constexpr strategy_bounds put_together(waiting& asked) {
    if (has_reset) attempts = {strategy_bounds::any_number, certainty::unbounded, "reset"};
    auto const retries = is_without_end() ? attempts.value : attempts.value - 1;
    auto const w = asked.all(retries, total);
    auto const how = w.is_exact && asked.facts.is_monotone ? certainty::exact : certainty::at_most;
    char const* by = "backoff";
    if (w.longest > w.own) by = lent > w.own && lent >= w.longest ? "quota" : "hint";

    strategy_bounds b{};
    b.attempts = attempts_in_time(w, retries, asked.facts.is_monotone);
    auto const without_end = [&](char const* otherwise) { return is_without_end() ? b.attempts.by : otherwise; };
    b.admission = admission();
    auto const known_if = [](certainty least, certainty of) { return of == certainty::unknown ? of : least; };
    auto const how_hinted = known_if(how, hint_how);
    b.own_wait = in_time(saturating_add(w.own, margin), how, "backoff");
    b.own_waiting = in_time(w.own_sum, known_if(how, attempts.how), without_end("backoff"));
    // The gate and the pacer let an attempt wait in addition.
    auto const with_admission = [&](duration sum, duration admitted, certainty of, char const* of_what) {
      return in_time(saturating_add(sum, admitted), larger(of, b.admission.how),
                     admitted > sum || b.admission.how == certainty::unknown ? b.admission.by : of_what);
    };
    b.wait = with_admission(saturating_add(w.longest, margin), b.admission.value, how_hinted, by);
    b.waiting = with_admission(w.sum, repeated(b.admission.value, b.attempts.value), known_if(how_hinted, attempts.how),
                               without_end(by));
    if (!shortens && !is_without_end()) b.least_waiting = w.least_sum;
    b.expected_waiting = mean(w);
    b.attempt = {attempt, attempt == duration::max() ? certainty::unbounded : certainty::at_most, "attempt_timeout"};
    b.call = call(b);
    b.is_single_when_nested = has_nesting;
    return b;
  }

 private:
  [[nodiscard]] constexpr bound<duration> in_time(duration value, certainty how, char const* by) const {
    if (has_deadline() && value >= total) return {total, certainty::at_most, "deadline"};
    return {value, value == duration::max() ? larger(how, certainty::unbounded) : how, by};
  }
  [[nodiscard]] constexpr bound<std::uint64_t> attempts_in_time(waits const& w, std::uint64_t retries,
                                                                bool is_monotone) const {
    auto most = attempts;
    if (!has_deadline()) return most;
    if (!shortens && !has_reset && w.within_time < retries) return {w.within_time + 1, certainty::at_most, "deadline"};
    bool const may_be_too_short = !is_monotone || w.least_sum >= total;
    if (most.how == certainty::exact && may_be_too_short) most.how = certainty::at_most;
    return most;
  }
  [[nodiscard]] constexpr bound<duration> admission() const {
    bound<duration> sum{};
    for (auto const* part : {&gate, &pacer}) {
      sum.value = saturating_add(sum.value, part->value);
      sum.how = larger(sum.how, part->how);
      if (part->value > duration::zero()) sum.by = part->by;
    }
    return sum;
  }
  [[nodiscard]] constexpr bound<duration> mean(waits const& w) const {
    bound<duration> expected{saturate(std::chrono::duration<double, std::nano>{w.mean}),
                             w.mean_is_exact ? certainty::exact : certainty::at_most, "jitter"};
    bool const others_decide = has_deadline() || lent > duration::zero() || admission().value > duration::zero() ||
                               admission().how != certainty::exact;
    if (!w.has_mean || others_decide || is_without_end()) expected.how = certainty::unknown;
    return expected;
  }
  /// An attempt takes at most what remains of the deadline; a last try takes its own limit.
  [[nodiscard]] constexpr bound<duration> call(strategy_bounds const& b) const {
    if (!b.attempt.is_known()) return b.attempt;
    auto const in_attempts = repeated(b.attempt.value, b.attempts.value);
    auto const sum = saturating_add(in_attempts, b.waiting.value);
    char const* const by = b.waiting.value > in_attempts ? b.waiting.by : "attempt_timeout";
    auto const latest = saturating_add(total, overrun);
    if (smaller(sum, latest) == duration::max()) return {sum, b.waiting.how, b.waiting.by};
    return {smaller(sum, latest), certainty::at_most, sum <= latest ? by : "deadline"};
  }
};

/// Of a guard that shares the outer quota, a nested call makes as many attempts as another.
template <class N>
inline constexpr bool is_collapsing = !IsChoice<N> && requires { requires N::refusal == stop_reason::nested; };

template <class S, class B, class J, class Q, class M, class H, class D, class T, class G, class P>
constexpr strategy_bounds find_bounds(B const& backoff, J const& jitter, Q const& quota, M const& limit, H const& hint,
                                      D const& deadline, T const& timeout, G const& gate, P const& pacer) {
  gathered g{};
  g.lent = smaller(detail::lent_by(quota), cap_of(backoff));
  g.gate = detail::admission_of(gate, "gate");
  g.pacer = detail::admission_of(pacer, "pacer");
  g.hint_how = detail::hinted(hint, cap_of(backoff)).how;
  g.has_reset = S::has_reset;
  g.shortens = detail::hint_shortens(hint);
  g.has_nesting = is_collapsing<typename S::nesting_type>;
  bool is_last_try = false;
  detail::ask_chosen(deadline, [&]<class Chosen>(Chosen const& until) {
    if constexpr (!is_absent<Chosen>) {
      g.total = until.total();
      if constexpr (requires { until.margin(); }) g.margin = until.margin();
      // A wait that is too long is refused or cut; your own policy may also lengthen a short one.
      auto const too_long = until.fit(saturating_add(g.total, duration{1}), g.total);
      auto const short_wait = until.fit(duration{1}, g.total);
      if (short_wait && *short_wait > duration{1}) g.margin = larger(g.margin, *short_wait - duration{1});
      g.shortens = g.shortens || (too_long && g.margin == duration::zero());
      is_last_try = too_long == g.total;
    }
  });
  detail::ask_chosen(timeout, [&]<class Chosen>(Chosen const& of_attempt) {
    if constexpr (!is_absent<Chosen>) g.attempt = of_attempt.of(g.total);
  });
  if (is_last_try) g.overrun = g.attempt;
  asks_policies<B, J, H, M> asked{backoff, jitter, hint, limit, g.lent};
  g.attempts = detail::attempts_of(limit, asked.asked);
  auto b = g.put_together(asked);
  b.quota = detail::bounds_of_quota(quota, b.attempts.value);
  auto const most = quota_promise::at_most_attempts(b.attempts.value);
  if (most.is_known() && most.value < b.quota.amplification.value) b.quota.amplification = most;
  if (b.quota.amplification.how == certainty::unbounded) b.quota.amplification.by = b.attempts.by;
  if (b.attempts.how == certainty::exact && b.quota.burst < b.attempts.value - 1) {  // it never pays for all of them
    for (auto* const each : {&b.attempts.how, &b.own_wait.how, &b.wait.how, &b.own_waiting.how, &b.waiting.how})
      *each = larger(*each, certainty::at_most);
  }
  return b;
}

/// A policy whose numbers are in its type can be made and asked in a constant expression. A handle (`shared`, `borrowed`)
/// has its policy's numbers.
template <class P>
concept Made = requires { typename std::bool_constant<(static_cast<void>(P{}), true)>; };
template <class P>
struct numbers_of_type : std::type_identity<P> {};
template <template <class> class Handle, class P>
  requires(Made<P> && !Made<Handle<P>> && PlaysRole<P, roles::quota>)
struct numbers_of_type<Handle<P>> : std::type_identity<P> {};
template <class P>
using made_of = typename numbers_of_type<P>::type;

// A policy that cannot be asked in a constant expression is unknown there. A choice would promise for its first alternative.
template <class P>
concept NumbersAreInType =
    Made<P> && !IsChoice<P> &&
    (std::is_empty_v<P> || PlaysRole<P, roles::quota> || PlaysRole<P, roles::gate> || PlaysRole<P, roles::pacer>);
template <class M>
concept AsksAttempts = requires { typename std::bool_constant<(M{}.permits_another(std::uint32_t{1}), true)>; };
template <class B>
concept AsksDelay = requires { typename std::bool_constant<(B{}.delay(std::uint32_t{1}), true)>; };

/// The first role whose policy cannot be asked; null where all can.
template <class S>
consteval char const* role_that_is_unknown() {
  using B = typename S::backoff_type;
  using M = typename S::max_attempts_type;
  char const* unknown = nullptr;
  auto const ask = [&unknown](bool is_known, char const* role) {
    if (!is_known && unknown == nullptr) unknown = role;
  };
  ask(NumbersAreInType<B> && AsksDelay<B>, "backoff");
  ask(NumbersAreInType<M> && AsksAttempts<M>, "max_attempts");
  ask(NumbersAreInType<typename S::jitter_type>, "jitter");
  ask(NumbersAreInType<typename S::hint_type>, "hint");
  ask(NumbersAreInType<typename S::deadline_type> &&
          (is_absent<typename S::deadline_type> || FitsInConstants<typename S::deadline_type>),
      "deadline");
  ask(NumbersAreInType<typename S::attempt_timeout_type>, "attempt_timeout");
  ask(NumbersAreInType<made_of<typename S::quota_type>>, "quota");
  ask(NumbersAreInType<made_of<typename S::gate_type>>, "gate");
  ask(NumbersAreInType<made_of<typename S::pacer_type>>, "pacer");
  return unknown;
}

constexpr strategy_bounds nothing_is_known(char const* role) {
  strategy_bounds b{};
  b.attempts = {strategy_bounds::any_number, certainty::unknown, role};
  for (auto* each :
       {&b.own_wait, &b.wait, &b.own_waiting, &b.waiting, &b.expected_waiting, &b.admission, &b.attempt, &b.call}) {
    *each = {duration::max(), certainty::unknown, role};
  }
  b.quota.amplification = {quota_promise::any, certainty::unknown, role};
  return b;
}

template <class S>
consteval strategy_bounds bounds_of_type() {
  constexpr auto const* unknown = detail::role_that_is_unknown<S>();
  if constexpr (unknown != nullptr) {
    return detail::nothing_is_known(unknown);
  } else {
    return detail::find_bounds<S>(
        typename S::backoff_type{}, typename S::jitter_type{}, made_of<typename S::quota_type>{},
        typename S::max_attempts_type{}, typename S::hint_type{}, typename S::deadline_type{},
        typename S::attempt_timeout_type{}, made_of<typename S::gate_type>{}, made_of<typename S::pacer_type>{});
  }
}
/// A type that is not composed of policies promises nothing, nor does a strategy whose mistake was explained already.
template <class S>
inline constexpr strategy_bounds found_bounds = detail::nothing_is_known("strategy");
template <class... Ps>
inline constexpr strategy_bounds found_bounds<basic_strategy<Ps...>> = detail::bounds_of_type<basic_strategy<Ps...>>();

}  // namespace detail

/// Returns the promises of a strategy whose numbers are template arguments: `bounds_of<aws::standard>().attempts.value`.
///
/// The policies are asked, not described a second time: the library draws with the least and the greatest random words.
/// A policy of your own takes part. It may say more by these members, all `constexpr`; what it does not say is
/// `certainty::unknown`:
///
/// | role            | member                                                  | without it                        |
/// |-----------------|---------------------------------------------------------|-----------------------------------|
/// | jitter          | `static bool draws_between_extremes = true`: its draws grow with the random number | any wait in [0, cap] |
/// | jitter          | `static bool mean_is_middle = true`, or `static double mean_after(first, previous, cap)` | the mean is unknown |
/// | max_attempts    | `value()`                                               | asked up to 4,096 attempts        |
/// | backoff, max_attempts | `tells_apart(kind)`: whether this kind has a rule of its own | each kind is asked    |
/// | hint            | `longest_after(own)` or `longest()`                     | the wait is unknown               |
/// | gate            | `static bool never_waits = true`                        | `longest_wait()`                  |
/// | gate, pacer     | `longest_wait()` of one attempt                         | the admission is unknown          |
/// | quota           | `promises(attempts)`, a `quota_bounds`                  | the amplification is unknown      |
///
/// Returns: a reference to a constant. All is unknown where a policy's numbers are known at run time only: `bounds()`
/// Cost: nothing at run time; 7 ms of g++ and 13 ms of clang for each strategy
template <class S>
[[nodiscard]] consteval strategy_bounds const& bounds_of() {
  return detail::found_bounds<S>;
}

/// Returns the promises of this strategy, with the numbers that it holds: values, choices, a strategy read from text.
///
/// Cost: asks the backoff and the jitter for each retry, up to 256; no allocation
template <class... Ps>
[[nodiscard]] constexpr strategy_bounds bounds(basic_strategy<Ps...> const& s) {
  return detail::find_bounds<basic_strategy<Ps...>>(s.backoff(), s.jitter(), s.quota(), s.max_attempts(), s.hint(),
                                                    s.deadline(), s.attempt_timeout(), s.gate(), s.pacer());
}

/// Returns the promises of calls whose every attempt makes a call through a strategy with the bounds `inner`.
///
/// Attempts and amplifications multiply, unless both strategies have a nesting guard that collapses: then the inner
/// call makes one attempt without a wait.
[[nodiscard]] constexpr strategy_bounds layered(strategy_bounds const& outer, strategy_bounds const& inner) {
  auto b = outer;
  auto const times = outer.attempts.value;
  bool const single = outer.is_single_when_nested && inner.is_single_when_nested;
  auto const add = [&](bound<duration> const& out, bound<duration> const& in) -> bound<duration> {
    if (!out.is_known()) return out;
    if (!in.is_known()) return in;
    return {detail::saturating_add(out.value, detail::repeated(in.value, times)), certainty::at_most, in.by};
  };
  b.admission = inner.admission;
  b.is_single_when_nested = false;  // the innermost calls would not be
  b.call = outer.call.is_known() ? outer.call : add(outer.waiting, inner.call);
  if (single) {
    b.waiting = add(outer.waiting, inner.admission);
    return b;
  }
  constexpr auto any = strategy_bounds::any_number;
  if (!inner.attempts.is_known() && outer.attempts.is_known()) b.attempts = inner.attempts;
  if (b.attempts.is_known()) {
    b.attempts.value = times <= any / inner.attempts.value ? times * inner.attempts.value : any;
    b.attempts.how = detail::larger(outer.attempts.how, inner.attempts.how);
  }
  b.waiting = add(outer.waiting, inner.waiting);
  b.own_waiting = add(outer.own_waiting, inner.own_waiting);
  for (auto const part : {&strategy_bounds::wait, &strategy_bounds::own_wait}) {
    if ((inner.*part).how > (b.*part).how || ((inner.*part).is_known() && (inner.*part).value > (b.*part).value))
      b.*part = inner.*part;
  }
  b.expected_waiting.how = certainty::unknown;
  b.quota.amplification.value = outer.quota.amplification.value * inner.quota.amplification.value;
  b.quota.amplification.how = detail::larger(outer.quota.amplification.how, inner.quota.amplification.how);
  return b;
}

}  // namespace anew::inline ANEW_ABI

#endif
