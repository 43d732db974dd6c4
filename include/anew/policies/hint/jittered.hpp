// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_HINT_JITTERED_HPP
#define ANEW_POLICIES_HINT_JITTERED_HPP

#include <optional>
#include <string>
#include <utility>

#include "anew/base/duration.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/internal/inner.hpp"
#include "anew/base/internal/parameter.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/random_source.hpp"
#include "anew/base/rational.hpp"
#include "anew/policies/hint/server.hpp"
#include "anew/roles/hint.hpp"
#include "anew/roles/internal/several.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

template <rational Fraction>
inline constexpr bool fraction_is_above_zero = !is_known<Fraction> || (Fraction.num > 0 && Fraction.den > 0);

/// A policy that resolves hints without drawing, so that it can be asked repeatedly.
template <class Inner>
inline constexpr bool inner_hint_draws_nothing = PlaysRole<Inner, roles::hint> && ResolvesHints<Inner>;

}  // namespace detail

/// Spreads the callers to whom a server named the same delay: waits between that delay and `1 + Fraction` times it.
///
/// The wait is never less than the server's delay, and never longer than `Inner` permits, where the window ends.
/// `Inner` alone decides about a hint that is too long, or below the computed delay: such a hint is not jittered.
/// `jittered_hint<>` is Envoy's 1x to 1.5x around `server_hint<>`; `jittered_hint{rational{1, 4}}` and
/// `jittered_hint{rational{1, 4}, server_hint{long_hint::clamp}}` take values known at run time.
///
/// Models: Hint (draws; empty if `Inner` is)
/// Formula: U(asked, min(asked * (1 + Fraction), the longest that Inner grants))
/// Requires: Fraction > 0; Inner is a Hint that does not draw. One that refuses the end of the window has a `longest()`, or
/// there is no window
/// Cost: one random number and two questions to Inner when there is a hint that is obeyed
/// Choose it where one answer goes to many clients, as Retry-After does: without jitter they would retry together.
/// Not where the server spreads them itself, or asks for a minimum that is already generous: server_hint.
/// Source: Envoy, JitteredLowerBoundBackOffStrategy: a value in [asked, 1.5 * asked)
template <rational Fraction = rational{1, 2}, class Inner = server_hint<>>
class jittered_hint {
  static constexpr bool is_static = detail::is_known<Fraction>;

 public:
  using role = roles::hint;
  /// The same as in `Inner`.
  static constexpr bool obeys_refusals = detail::ObeysRefusals<Inner>;
  static constexpr bool forwards_members = true;  // longest() and not_understood() where Inner has them

  constexpr jittered_hint() = default;
  constexpr explicit jittered_hint(Inner inner)
    requires(is_static)
      : inner_{std::move(inner)} {}
  constexpr explicit jittered_hint(rational fraction, Inner inner = Inner{})
    requires(!is_static)
      : inner_{std::move(inner)}, fraction_{detail::checked(fraction, fault_of(fraction, inner_.get()))} {}
  static constexpr detail::value_fault fault_of(rational fraction, Inner const& /*inner*/) {
    return detail::value_fault{"jittered_hint"}.unless(fraction.num != 0 && fraction.den != 0,
                                                       "fraction must be above zero", fraction);
  }

  [[nodiscard]] constexpr std::optional<planned_delay> resolve(duration computed, duration asked, duration cap,
                                                               RandomSource auto& random) const {
    auto const planned = inner_.get().resolve(computed, asked, cap);
    if (!planned || planned->origin != delay_origin::hint) return planned;
    auto const lowest = planned->delay;
    auto const window = detail::larger(longest_granted(computed, asked, cap, lowest) - lowest, duration::zero());
    return planned_delay{lowest + random_up_to(window, random), delay_origin::hint};
  }

  [[nodiscard]] constexpr planned_delay not_understood(duration computed, duration cap) const
    requires detail::PlansForUnread<Inner>
  {
    return inner_.get().not_understood(computed, cap);
  }

  /// The longest delay that a server may ask for, and the end of the window.
  [[nodiscard]] constexpr duration longest() const noexcept
    requires requires(Inner const& inner) { inner.longest(); }
  {
    return inner_.get().longest();
  }

  /// How far the wait may exceed the computed delay.
  [[nodiscard]] constexpr duration overshoot() const noexcept
    requires requires(Inner const& inner) { inner.overshoot(); }
  {
    return inner_.get().overshoot();
  }
  [[nodiscard]] constexpr bool obeys_refusals_now() const
    requires requires(Inner const& inner) { inner.obeys_refusals_now(); }
  {
    return inner_.get().obeys_refusals_now();
  }

  [[nodiscard]] std::string describe() const {
    return detail::written("jittered_hint", fraction_.get(), detail::describe_member(inner_.get(), ""));
  }

  static constexpr bool is_sound = detail::fraction_is_above_zero<Fraction> &&
                                   detail::inner_hint_draws_nothing<Inner> && !detail::IsMarkedUnsound<Inner>;
  static consteval void explain() {
    if constexpr (!detail::fraction_is_above_zero<Fraction>) {
      static_assert(detail::fraction_is_above_zero<Fraction>,
                    "anew::jittered_hint<Fraction> requires Fraction > 0; jitter only lengthens a hint. Write "
                    "anew::rational{1, 2}, or use anew::server_hint<> for no jitter");
    } else if constexpr (!detail::inner_hint_draws_nothing<Inner>) {
      static_assert(detail::inner_hint_draws_nothing<Inner>,
                    "anew::jittered_hint<Fraction, Inner> requires an inner Hint policy without jitter of its own; "
                    "Inner has jitter, or is not a Hint. Did you mean anew::server_hint<>?");
    } else {
      Inner::explain();
    }
  }

 private:
  /// asked * (1 + Fraction), to the nanosecond below, or what the inner policy makes of a server that asks for that.
  [[nodiscard]] constexpr duration longest_granted(duration computed, duration asked, duration cap,
                                                   duration lowest) const {
    auto const wanted = detail::saturating_add(asked, detail::times(asked, fraction_.get()));
    auto const planned = inner_.get().resolve(computed, wanted, cap);
    if (planned && planned->origin != delay_origin::backoff) return planned->delay;
    if constexpr (requires { inner_.get().longest(); }) return inner_.get().longest();
    return lowest;
  }

  ANEW_NO_UNIQUE_ADDRESS detail::inner<Inner, jittered_hint> inner_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Fraction, jittered_hint> fraction_;
};

template <class Inner>
  requires detail::PlaysRole<Inner, roles::hint>
jittered_hint(Inner) -> jittered_hint<rational{1, 2}, Inner>;
jittered_hint(rational) -> jittered_hint<at_run_time<rational>>;
template <class Inner>
jittered_hint(rational, Inner) -> jittered_hint<at_run_time<rational>, Inner>;

}  // namespace anew::inline ANEW_ABI

#endif
