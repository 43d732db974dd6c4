// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BACKOFF_CONSTANT_HPP
#define ANEW_BACKOFF_CONSTANT_HPP

#include <chrono>
#include <cstdint>
#include <string>

#include "anew/concept/roles.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/platform/internal/invalid_argument.hpp"
#include "anew/value/duration.hpp"
#include "anew/value/internal/parameter.hpp"
#include "anew/value/internal/text.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

template <static_duration Delay>
struct delay_is_not_negative {
  static constexpr bool value = is_not_negative<Delay>;
};

}  // namespace detail

/// Waits the same delay before every retry.
///
/// `constant_backoff<100ms>` is an empty type; `constant_backoff{delay}` takes a value known at run time and throws
/// `std::invalid_argument` when it is negative.
///
/// Models: Backoff (pure)      Cost: none
/// Formula: Delay
/// Requires: Delay >= 0
/// Choose it to poll something local, or when the wait must be predictable. Not against a service with many callers:
/// exponential_backoff gives it room to recover.
/// Source: none
template <static_duration Delay>
class constant_backoff {
 public:
  using role = roles::backoff;

  constexpr constant_backoff() noexcept
    requires(Delay != run_time)
  = default;

  template <class Rep, class Period>
    requires(Delay == run_time)
  constexpr explicit constant_backoff(std::chrono::duration<Rep, Period> delay) : delay_{detail::saturate(delay)} {
    if (delay_.get() < duration::zero()) {
      detail::invalid_argument("constant_backoff", "delay must not be negative", detail::to_text(delay_.get()));
    }
  }

  [[nodiscard]] constexpr duration delay(std::uint32_t /*retry*/) const noexcept { return delay_.get(); }
  [[nodiscard]] constexpr duration cap() const noexcept { return delay_.get(); }
  [[nodiscard]] std::string describe() const {
    return std::string{"constant("}.append(detail::to_text(delay_.get())).append(")");
  }

  static constexpr bool is_sound = detail::delay_is_not_negative<Delay>::value;
  template <class Self>
  static consteval void explain() {
    static_assert(
        detail::delay_is_not_negative<Delay>::value,
        "anew::constant_backoff<Delay> requires Delay >= 0; Delay is negative. Did you mean anew::no_backoff?");
  }

 private:
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Delay, constant_backoff> delay_;
};

template <class Rep, class Period>
constant_backoff(std::chrono::duration<Rep, Period>) -> constant_backoff<run_time>;

}  // namespace anew::inline ANEW_ABI

#endif
