// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_JITTER_PROPORTIONAL_HPP
#define ANEW_POLICIES_JITTER_PROPORTIONAL_HPP

#include <cstdint>
#include <string>

#include "anew/base/duration.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/internal/parameter.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/random_source.hpp"
#include "anew/base/random_up_to.hpp"
#include "anew/base/rational.hpp"
#include "anew/roles/internal/catalogue.hpp"
#include "anew/roles/jitter.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// Waits the delay plus or minus a fraction of it, uniformly.
///
/// `proportional_jitter<rational{1, 2}>` is an empty type; `proportional_jitter{rational{1, 2}}` takes a value known at
/// run time and throws `std::invalid_argument` where the requirement fails. Where the delay and its fraction would pass
/// the cap, the whole window moves down below it: at the cap c it is [c - 2fc, c], as wide as anywhere. The published
/// forms either pass the cap there or clamp to it, which puts half of the delays exactly on it.
///
/// Models: Jitter (its state is empty)      Cost: one random number, two multiplications, one division
/// Formula: U(max(0, h - 2fd), h), where d is the delay, f the fraction and h = min(cap, d + fd)
/// Requires: 0 <= Fraction <= 1
/// Choose it where the mean must stay what the backoff says, or a peer's documentation gives a percentage. Not for the
/// least load on the server: callers stay together in a band; full_jitter.
/// Source: cenkalti/backoff `RandomizationFactor`, gRPC "Connection Backoff Protocol" (0.2), Polly `UseJitter` (1/4).
template <rational Fraction>
class proportional_jitter {
 public:
  using role = roles::jitter;
  static constexpr bool draws_between_extremes = true;
  static constexpr bool mean_is_middle = true;

  /// An empty state, declared because only a jitter with a state gets the cap.
  struct state_type {};

  constexpr proportional_jitter() noexcept = default;

  constexpr explicit proportional_jitter(rational of)
    requires(!detail::is_known<Fraction>)
      : fraction_{detail::checked(of, fault_of(of))} {}
  static constexpr detail::value_fault fault_of(rational of) {
    return detail::value_fault{"proportional_jitter"}.unless(of.den != 0 && of.num <= of.den,
                                                             "fraction must be between 0 and 1", of);
  }

  template <RandomSource R>
  [[nodiscard]] constexpr duration apply(delay_bounds const& bounds, state_type& /*state*/, R& random) const {
    auto const delay = detail::smaller(bounds.ceiling, bounds.cap);
    auto const half = detail::times(delay, fraction_.get());
    auto const high = half > bounds.cap - delay ? bounds.cap : delay + half;
    auto const low = detail::larger(high - half - half, duration::zero());  // half <= delay <= high
    return low + random_up_to(high - low, random);
  }

  [[nodiscard]] constexpr auto run_time_form() const {
    return detail::run_time_form_as<proportional_jitter<at_run_time<rational>>>(*this, fraction_.get());
  }
  [[nodiscard]] std::string describe() const { return detail::written("proportional_jitter", fraction_.get()); }

  static constexpr detail::kept_rules is_sound{detail::is_known<Fraction>, fault_of(Fraction)};
  template <class Self>
  static consteval void explain() {
    static_assert(detail::keeps_rule<Self, 1>,
                  "anew::proportional_jitter<Fraction> requires 0 <= Fraction <= 1; Fraction is out of range. Write "
                  "anew::rational{1, 5} for plus or minus 20 percent");
  }

 private:
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Fraction, proportional_jitter> fraction_;
};

proportional_jitter(rational) -> proportional_jitter<at_run_time<rational>>;

}  // namespace anew::inline ANEW_ABI

#endif
