// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_BACKOFF_AT_LEAST_HPP
#define ANEW_POLICIES_BACKOFF_AT_LEAST_HPP

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "anew/base/duration.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/internal/inner.hpp"
#include "anew/base/internal/parameter.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/rational.hpp"
#include "anew/policies/backoff/internal/explain_inner.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// Waits as long as another backoff says, but at least `Min`.
///
/// `at_least_backoff<exponential_backoff<50ms, 20s>, 400ms>`; `at_least_backoff{policy, min}` takes values known at run time and
/// throws `std::invalid_argument` when `min` is negative. It raises the envelope: full_jitter still draws from zero.
///
/// Models: Backoff (pure)      Cost: that of the inner one, and a comparison
/// Formula: max(Min, B.delay(n)); the cap is max(Min, B.cap())
/// Requires: a Backoff, Min >= 0
/// Choose it where an earlier retry never helps. Not for a least wait after jitter: equal_jitter.
/// Source: none
template <class B, static_duration Min>
class at_least_backoff {
 public:
  using role = roles::backoff;

  at_least_backoff() = default;

  constexpr explicit at_least_backoff(B policy)
    requires(Min != run_time)
      : inner_{std::move(policy)} {}

  constexpr at_least_backoff(B policy, detail::any_duration min)
    requires(Min == run_time)
      : inner_{std::move(policy)}, min_{detail::checked(min, fault_of(inner_.get(), min))} {}
  static constexpr detail::value_fault fault_of(B const& /*policy*/, duration min) {
    return detail::value_fault{"at_least_backoff"}.not_negative(min, "min");
  }

  [[nodiscard]] constexpr duration delay(std::uint32_t retry) const {
    return detail::larger(min_.get(), inner_.get().delay(retry));
  }
  [[nodiscard]] constexpr duration cap() const { return detail::larger(min_.get(), detail::cap_of(inner_.get())); }
  [[nodiscard]] std::string describe() const
    requires detail::DescribesItself<B>
  {
    return detail::written("at_least", inner_.get(), min_.get());
  }

  static constexpr bool is_sound = detail::is_sound_backoff<B> && detail::is_not_negative<Min>;
  static consteval void explain() {
    if constexpr (detail::explain_inner_backoff<B>()) {
      static_assert(
          detail::is_not_negative<Min>,
          "anew::at_least_backoff<B, Min> requires Min >= 0; Min is negative, so it has no effect. Remove it or "
          "make it positive");
    }
  }

 private:
  ANEW_NO_UNIQUE_ADDRESS detail::inner<B, at_least_backoff> inner_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Min, at_least_backoff> min_;
};

template <class B>
at_least_backoff(B, detail::any_duration) -> at_least_backoff<B, run_time>;

/// Raises the cap of another backoff by a fraction, without changing its delays: room for a jitter that exceeds the
/// delay, at the cap too.
///
/// Without it, a jitter that exceeds the delay moves its window down below the cap. With it the strategy may wait
/// `1 + Fraction` times what the inner backoff calls its cap, and no longer. `raised_cap_backoff{policy, rational{1, 5}}`
/// takes values known at run time and throws `std::invalid_argument` where the requirement fails.
///
/// Models: Backoff (pure)      Cost: that of the inner one
/// Formula: B.delay(n); the cap is B.cap() * (1 + Fraction)
/// Requires: a Backoff, 0 <= Fraction <= 1
/// Choose it to match a peer that caps first and then adds up to that fraction, as gRPC does. Not for other peers: a cap
/// should be the longest delay.
/// Source: gRPC proposal A6 since August 2024: the jitter of plus or minus 20 % is applied to the capped backoff.
template <class B, rational Fraction>
class raised_cap_backoff {
 public:
  using role = roles::backoff;

  raised_cap_backoff() = default;

  constexpr explicit raised_cap_backoff(B policy)
    requires(detail::is_known<Fraction>)
      : inner_{std::move(policy)} {}

  constexpr raised_cap_backoff(B policy, rational room)
    requires(!detail::is_known<Fraction>)
      : inner_{std::move(policy)}, room_{detail::checked(room, fault_of(inner_.get(), room))} {}
  static constexpr detail::value_fault fault_of(B const& /*policy*/, rational room) {
    return detail::value_fault{"raised_cap_backoff"}.unless(room.den != 0 && room.num <= room.den,
                                                            "fraction must be between 0 and 1", room);
  }

  [[nodiscard]] constexpr duration delay(std::uint32_t retry) const { return inner_.get().delay(retry); }
  [[nodiscard]] constexpr duration cap() const {
    auto const cap = detail::cap_of(inner_.get());
    return detail::saturating_add(cap, detail::times(cap, room_.get()));
  }

  [[nodiscard]] std::string describe() const
    requires detail::DescribesItself<B>
  {
    return detail::written("raised_cap", inner_.get(), room_.get());
  }

  static constexpr bool is_sound = detail::is_sound_backoff<B> && detail::is_a_share<Fraction>;
  static consteval void explain() {
    if constexpr (detail::explain_inner_backoff<B>()) {
      static_assert(
          detail::is_a_share<Fraction>,
          "anew::raised_cap_backoff<B, Fraction> requires 0 <= Fraction <= 1; Fraction is out of range. Write "
          "anew::rational{1, 5} for 20 percent above the cap");
    }
  }

 private:
  ANEW_NO_UNIQUE_ADDRESS detail::inner<B, raised_cap_backoff> inner_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Fraction, raised_cap_backoff> room_;
};

template <class B>
raised_cap_backoff(B, rational) -> raised_cap_backoff<B, at_run_time<rational>>;

}  // namespace anew::inline ANEW_ABI

#endif
