// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_BACKOFF_CONSTANT_HPP
#define ANEW_POLICIES_BACKOFF_CONSTANT_HPP

#include <cstdint>
#include <string>

#include "anew/base/duration.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/internal/parameter.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

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

  constexpr constant_backoff() noexcept = default;

  constexpr explicit constant_backoff(detail::any_duration delay)
    requires(Delay == run_time)
      : delay_{detail::checked(delay, fault_of(delay))} {}
  static constexpr detail::value_fault fault_of(duration delay) {
    return detail::value_fault{"constant_backoff"}.not_negative(delay, "delay");
  }

  [[nodiscard]] constexpr duration delay(std::uint32_t /*retry*/) const noexcept { return delay_.get(); }
  [[nodiscard]] constexpr duration cap() const noexcept { return delay_.get(); }
  [[nodiscard]] constexpr auto run_time_form() const {
    return detail::run_time_form_as<constant_backoff<run_time>>(*this, cap());
  }
  [[nodiscard]] std::string describe() const { return detail::written("constant", delay_.get()); }

  static constexpr bool is_sound = detail::is_not_negative<Delay>;
  static consteval void explain() {
    static_assert(
        detail::is_not_negative<Delay>,
        "anew::constant_backoff<Delay> requires Delay >= 0; Delay is negative. Did you mean anew::no_backoff?");
  }

 private:
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Delay, constant_backoff> delay_;
};

constant_backoff(detail::any_duration) -> constant_backoff<run_time>;

/// Retries immediately.
///
/// Models: Backoff (pure, empty)      Cost: none
/// Formula: 0
/// Choose it for a race on this machine (a lock, an optimistic transaction) or with a pacer. Not against a server:
/// callers that do not wait keep an overloaded service down.
/// Source: none
struct no_backoff {
  using role = roles::backoff;
  [[nodiscard]] static constexpr duration delay(std::uint32_t /*retry*/) noexcept { return duration::zero(); }
  [[nodiscard]] static constexpr duration cap() noexcept { return duration::zero(); }
  [[nodiscard]] static std::string describe() { return "no_backoff"; }
};

}  // namespace anew::inline ANEW_ABI

#endif
