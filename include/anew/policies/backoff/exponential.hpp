// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_BACKOFF_EXPONENTIAL_HPP
#define ANEW_POLICIES_BACKOFF_EXPONENTIAL_HPP

#include <chrono>
#include <cstdint>
#include <string>

#include "anew/base/duration.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/internal/parameter.hpp"
#include "anew/base/internal/scale.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/rational.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// Waits `min(Cap, Base * Factor^(n-1))` before retry n.
///
/// `exponential_backoff<50ms, 20s>` is an empty type, `exponential_backoff<3s, 60s, rational{3, 2}>` grows by half;
/// `exponential_backoff{base, cap}` and `exponential_backoff{base, cap, rational{3, 2}}` take values known at run time and
/// throw `std::invalid_argument` where the requirements fail. Rounded to the nearest nanosecond; saturates at Cap for
/// every n up to 2^32-1.
///
/// Models: Backoff (pure)
/// Cost: a shift for a factor of 2, else two multiplications of 128 bits per bit of n; no floating point
/// Formula: min(Cap, Base * Factor^(n-1))
/// Requires: Base > 0, Cap >= Base, Factor >= 1
/// Choose it when the service needs time to recover: the usual choice, with a jitter. Not when the wait must be
/// predictable: constant_backoff.
/// Source: Smithy "Retries" guide; AWS SDKs since 2026 (50 ms, 20 s, factor 2).
template <static_duration Base = std::chrono::milliseconds{50}, static_duration Cap = std::chrono::seconds{20},
          rational Factor = rational{2}>
class exponential_backoff {
 public:
  using role = roles::backoff;
  using stays_in_bounds = exponential_backoff;

  constexpr exponential_backoff() noexcept = default;

  constexpr exponential_backoff(detail::any_duration base, detail::any_duration cap)
    requires(Base == run_time && Cap == run_time && detail::is_known<Factor>)
      : base_{detail::checked(base, fault_of(base, cap))}, cap_{cap} {}

  constexpr exponential_backoff(detail::any_duration base, detail::any_duration cap, rational by)
    requires(Base == run_time && Cap == run_time && !detail::is_known<Factor>)
      : base_{detail::checked(base, fault_of(base, cap, by))}, cap_{cap}, factor_{by} {}
  static constexpr detail::value_fault fault_of(duration base, duration cap, rational by = rational{2}) {
    return detail::value_fault{"exponential_backoff"}
        .above_zero(base, "base")
        .unless(cap >= base, "cap must not be below base", cap, " (base ", base, ")")
        .unless(by.den != 0 && by.num >= by.den, "factor must be at least 1", by);
  }

  [[nodiscard]] constexpr duration delay(std::uint32_t retry) const noexcept {
    auto const power = retry == 0 ? 0 : retry - 1;
    if constexpr (Factor == rational{2}) {
      return detail::double_up_to(base_.get(), cap_.get(), power);
    } else {
      auto const by = factor_.get();
      return detail::scale_by_power(base_.get(), cap_.get(), by.num, by.den, power);
    }
  }
  [[nodiscard]] constexpr duration cap() const noexcept { return cap_.get(); }

  [[nodiscard]] constexpr auto run_time_form() const {
    return detail::run_time_form_as<exponential_backoff<run_time, run_time, Factor>>(*this, base_.get(), cap_.get());
  }
  [[nodiscard]] std::string describe() const {
    return detail::written("exponential", base_.get(), cap_.get(),
                           detail::text_if(factor_.get() != rational{2}, factor_.get()));
  }

  static constexpr detail::kept_rules is_sound{
      true, Base == run_time ? fault_of(duration{1}, duration{1}, detail::is_known<Factor> ? Factor : rational{2})
                             : fault_of(Base.value(), Cap.value(), Factor)};
  static consteval void explain() {
    static_assert(
        detail::keeps_rule<exponential_backoff, 1>,
        "anew::exponential_backoff<Base, Cap> requires Base > 0; zero does not grow. Did you mean anew::no_backoff?");
    static_assert(detail::keeps_rule<exponential_backoff, 2>,
                  "anew::exponential_backoff<Base, Cap> requires Cap >= Base; Cap is below the first delay. Did you "
                  "swap them?");
    static_assert(detail::keeps_rule<exponential_backoff, 3>,
                  "anew::exponential_backoff<Base, Cap, Factor> requires Factor >= 1; a smaller factor shrinks the "
                  "delay. Write anew::rational{3, 2} for 1.5");
  }

 private:
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Base, exponential_backoff> base_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Cap, exponential_backoff, 1> cap_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Factor, exponential_backoff, 2> factor_;
};

exponential_backoff(detail::any_duration, detail::any_duration) -> exponential_backoff<run_time, run_time>;
exponential_backoff(detail::any_duration, detail::any_duration, rational)
    -> exponential_backoff<run_time, run_time, at_run_time<rational>>;

}  // namespace anew::inline ANEW_ABI

#endif
