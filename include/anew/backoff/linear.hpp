// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BACKOFF_LINEAR_HPP
#define ANEW_BACKOFF_LINEAR_HPP

#include <chrono>
#include <cstdint>
#include <string>

#include "anew/concept/internal/catalogue.hpp"
#include "anew/concept/roles.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/platform/internal/invalid_argument.hpp"
#include "anew/value/duration.hpp"
#include "anew/value/internal/parameter.hpp"
#include "anew/value/internal/text.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

template <static_duration Base, static_duration Cap>
struct linear_base_is_between_zero_and_cap {
  static constexpr bool value = Base == run_time || (0 <= Base.nanoseconds && Base.nanoseconds <= Cap.nanoseconds);
};

template <static_duration Step>
struct linear_step_is_above_zero {
  static constexpr bool value = Step == run_time || Step.nanoseconds > 0;
};

}  // namespace detail

/// Waits longer by a step before each retry: `min(Cap, Base + (n-1) * Step)` before retry n.
///
/// `linear_backoff<100ms, 10s>` grows by its base and is an empty type, `linear_backoff<100ms, 10s, 50ms>` grows by its
/// own step; `linear_backoff{base, cap}` and `linear_backoff{base, cap, step}` take values known at run time and throw
/// `std::invalid_argument` where the requirements fail.
///
/// Models: Backoff (pure)      Cost: one division
/// Formula: min(Cap, Base + (n-1) * Step)
/// Requires: 0 <= Base <= Cap, Step > 0
/// Choose it when every waiting caller frees some capacity, such as at a queue or a lock. Not against a service that is
/// down: it recovers into a load that grew with the number of callers; exponential_backoff makes room.
/// Source: Finagle `Backoff.linear`, Polly `DelayBackoffType.Linear`.
template <static_duration Base, static_duration Cap, static_duration Step /*= Base*/>
class linear_backoff {
  static constexpr bool is_static = Base != run_time && Cap != run_time && Step != run_time;

 public:
  using role = roles::backoff;

  constexpr linear_backoff() noexcept
    requires is_static
  = default;

  template <class Rep1, class Period1, class Rep2, class Period2>
    requires(Base == run_time && Cap == run_time && Step == run_time)
  constexpr linear_backoff(std::chrono::duration<Rep1, Period1> base, std::chrono::duration<Rep2, Period2> cap)
      : linear_backoff{base, cap, base} {}

  template <class Rep1, class Period1, class Rep2, class Period2, class Rep3, class Period3>
    requires(Base == run_time && Cap == run_time && Step == run_time)
  constexpr linear_backoff(std::chrono::duration<Rep1, Period1> base, std::chrono::duration<Rep2, Period2> cap,
                           std::chrono::duration<Rep3, Period3> step)
      : base_{detail::saturate(base)}, cap_{detail::saturate(cap)}, step_{detail::saturate(step)} {
    if (base_.get() < duration::zero()) {
      detail::invalid_argument("linear_backoff", "base must not be negative", detail::to_text(base_.get()));
    }
    if (cap_.get() < base_.get()) {
      detail::invalid_argument(
          "linear_backoff", "cap must not be below base",
          detail::to_text(cap_.get()).append(" (base ").append(detail::to_text(base_.get())).append(")"));
    }
    if (step_.get() <= duration::zero()) {
      detail::invalid_argument("linear_backoff", "step must be above zero", detail::to_text(step_.get()));
    }
  }

  [[nodiscard]] constexpr duration delay(std::uint32_t retry) const noexcept {
    if (retry <= 1) return base_.get();
    auto const steps = static_cast<std::int64_t>(retry) - 1;
    if (step_.get() > (cap_.get() - base_.get()) / steps)
      return cap_.get();  // exactly where the product passes the cap
    return base_.get() + step_.get() * steps;
  }
  [[nodiscard]] constexpr duration cap() const noexcept { return cap_.get(); }

  [[nodiscard]] std::string describe() const {
    std::string text{"linear("};
    text.append(detail::to_text(base_.get())).append(",").append(detail::to_text(cap_.get()));
    if (step_.get() != base_.get()) text.append(",").append(detail::to_text(step_.get()));
    return text.append(")");
  }

  static constexpr bool is_sound =
      detail::linear_base_is_between_zero_and_cap<Base, Cap>::value && detail::linear_step_is_above_zero<Step>::value;
  template <class Self>
  static consteval void explain() {
    if constexpr (!detail::linear_base_is_between_zero_and_cap<Base, Cap>::value) {
      static_assert(
          detail::linear_base_is_between_zero_and_cap<Base, Cap>::value,
          "anew::linear_backoff<Base, Cap, Step> requires 0 <= Base <= Cap; Base is out of range. Did you swap them?");
    } else {
      static_assert(detail::linear_step_is_above_zero<Step>::value,
                    "anew::linear_backoff<Base, Cap, Step> requires Step > 0; the delay would not grow. Did you mean "
                    "anew::constant_backoff<Delay>?");
    }
  }

 private:
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Base, linear_backoff> base_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Cap, linear_backoff, 1> cap_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Step, linear_backoff, 2> step_;
};

template <class Rep1, class Period1, class Rep2, class Period2>
linear_backoff(std::chrono::duration<Rep1, Period1>, std::chrono::duration<Rep2, Period2>)
    -> linear_backoff<run_time, run_time, run_time>;
template <class Rep1, class Period1, class Rep2, class Period2, class Rep3, class Period3>
linear_backoff(std::chrono::duration<Rep1, Period1>, std::chrono::duration<Rep2, Period2>,
               std::chrono::duration<Rep3, Period3>) -> linear_backoff<run_time, run_time, run_time>;

}  // namespace anew::inline ANEW_ABI

#endif
