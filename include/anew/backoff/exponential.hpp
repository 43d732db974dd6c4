// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BACKOFF_EXPONENTIAL_HPP
#define ANEW_BACKOFF_EXPONENTIAL_HPP

#include <chrono>
#include <cstdint>
#include <string>

#include "anew/concept/roles.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/platform/internal/invalid_argument.hpp"
#include "anew/value/duration.hpp"
#include "anew/value/internal/parameter.hpp"
#include "anew/value/internal/scale.hpp"
#include "anew/value/internal/text.hpp"
#include "anew/value/rational.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

template <static_duration Base>
struct base_is_above_zero {
  static constexpr bool value = Base == run_time || Base.nanoseconds > 0;
};

template <static_duration Base, static_duration Cap>
struct cap_is_not_below_base {
  static constexpr bool value = Base == run_time || Cap == run_time || Cap.nanoseconds >= Base.nanoseconds;
};

template <rational Factor>
struct factor_is_at_least_one {
  static constexpr bool value = !is_known<Factor> || (Factor.den > 0 && Factor.num >= Factor.den);
};

}  // namespace detail

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
  static constexpr bool is_static = Base != run_time && Cap != run_time && detail::is_known<Factor>;
  static constexpr bool is_doubling = is_static && Factor == rational{2} && Base.nanoseconds <= Cap.nanoseconds;

 public:
  using role = roles::backoff;

  constexpr exponential_backoff() noexcept
    requires is_static
  = default;

  template <class Rep1, class Period1, class Rep2, class Period2>
    requires(Base == run_time && Cap == run_time && detail::is_known<Factor>)
  constexpr exponential_backoff(std::chrono::duration<Rep1, Period1> base, std::chrono::duration<Rep2, Period2> cap)
      : base_{detail::saturate(base)}, cap_{detail::saturate(cap)} {
    check();
  }

  template <class Rep1, class Period1, class Rep2, class Period2>
    requires(Base == run_time && Cap == run_time && !detail::is_known<Factor>)
  constexpr exponential_backoff(std::chrono::duration<Rep1, Period1> base, std::chrono::duration<Rep2, Period2> cap,
                                rational by)
      : base_{detail::saturate(base)}, cap_{detail::saturate(cap)}, factor_{by} {
    check();
    if (by.den == 0 || by.num < by.den) {
      detail::invalid_argument("exponential_backoff", "factor must be at least 1", detail::to_text(by));
    }
  }

  [[nodiscard]] constexpr duration delay(std::uint32_t retry) const noexcept {
    auto const power = retry == 0 ? 0 : retry - 1;
    if constexpr (is_doubling) {
      return detail::double_up_to<Base.nanoseconds, Cap.nanoseconds>(power);
    } else {
      auto const by = factor_.get();
      return detail::scale_by_power(base_.get(), cap_.get(), by.num, by.den, power);
    }
  }
  [[nodiscard]] constexpr duration cap() const noexcept { return cap_.get(); }

  [[nodiscard]] std::string describe() const {
    std::string text{"exponential("};
    text.append(detail::to_text(base_.get())).append(",").append(detail::to_text(cap_.get()));
    if (factor_.get() != rational{2}) text.append(",").append(detail::to_text(factor_.get()));
    return text.append(")");
  }

  static constexpr bool is_sound = detail::base_is_above_zero<Base>::value &&
                                   detail::cap_is_not_below_base<Base, Cap>::value &&
                                   detail::factor_is_at_least_one<Factor>::value;
  template <class Self>
  static consteval void explain() {
    if constexpr (!detail::base_is_above_zero<Base>::value) {
      static_assert(
          detail::base_is_above_zero<Base>::value,
          "anew::exponential_backoff<Base, Cap> requires Base > 0; zero does not grow. Did you mean anew::no_backoff?");
    } else if constexpr (!detail::cap_is_not_below_base<Base, Cap>::value) {
      static_assert(detail::cap_is_not_below_base<Base, Cap>::value,
                    "anew::exponential_backoff<Base, Cap> requires Cap >= Base; Cap is below the first delay. Did you "
                    "swap them?");
    } else {
      static_assert(detail::factor_is_at_least_one<Factor>::value,
                    "anew::exponential_backoff<Base, Cap, Factor> requires Factor >= 1; a smaller factor shrinks the "
                    "delay. Write anew::rational{3, 2} for 1.5");
    }
  }

 private:
  constexpr void check() const {
    if (base_.get() <= duration::zero()) {
      detail::invalid_argument("exponential_backoff", "base must be above zero", detail::to_text(base_.get()));
    }
    if (cap_.get() < base_.get()) {
      detail::invalid_argument("exponential_backoff", "cap must not be below base",
                               detail::to_text(cap_.get()) + " (base " + detail::to_text(base_.get()) + ")");
    }
  }

  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Base, exponential_backoff> base_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Cap, exponential_backoff, 1> cap_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Factor, exponential_backoff, 2> factor_;
};

template <class Rep1, class Period1, class Rep2, class Period2>
exponential_backoff(std::chrono::duration<Rep1, Period1>, std::chrono::duration<Rep2, Period2>)
    -> exponential_backoff<run_time, run_time>;
template <class Rep1, class Period1, class Rep2, class Period2>
exponential_backoff(std::chrono::duration<Rep1, Period1>, std::chrono::duration<Rep2, Period2>, rational)
    -> exponential_backoff<run_time, run_time, at_run_time<rational>>;

}  // namespace anew::inline ANEW_ABI

#endif
