// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BOUNDS_LAYERED_HPP
#define ANEW_BOUNDS_LAYERED_HPP

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/bounds/bound.hpp"
#include "anew/bounds/internal/waits.hpp"

namespace anew::inline ANEW_ABI {

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
