// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_BACKOFF_LINEAR_HPP
#define ANEW_POLICIES_BACKOFF_LINEAR_HPP

#include <cstdint>
#include <string>

#include "anew/base/duration.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/internal/parameter.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/internal/catalogue.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

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
 public:
  using role = roles::backoff;

  constexpr linear_backoff() noexcept = default;

  constexpr linear_backoff(detail::any_duration base, detail::any_duration cap)
    requires(Base == run_time && Cap == run_time && Step == run_time)
      : linear_backoff{base, cap, base} {}

  constexpr linear_backoff(detail::any_duration base, detail::any_duration cap, detail::any_duration step)
    requires(Base == run_time && Cap == run_time && Step == run_time)
      : base_{detail::checked(base, fault_of(base, cap, step))}, cap_{cap}, step_{step} {}
  static constexpr detail::value_fault fault_of(duration base, duration cap, duration step) {
    return detail::value_fault{"linear_backoff"}
        .not_negative(base, "base")
        .unless(cap >= base, "cap must not be below base", cap, " (base ", base, ")")
        .above_zero(step, "step");
  }

  [[nodiscard]] constexpr duration delay(std::uint32_t retry) const noexcept {
    if (retry <= 1) return base_.get();
    auto const steps = static_cast<std::int64_t>(retry) - 1;
    if (step_.get() > (cap_.get() - base_.get()) / steps)
      return cap_.get();  // exactly where the product passes the cap
    return base_.get() + step_.get() * steps;
  }
  [[nodiscard]] constexpr duration cap() const noexcept { return cap_.get(); }

  [[nodiscard]] constexpr auto run_time_form() const {
    return detail::run_time_form_as<linear_backoff<run_time, run_time, run_time>>(*this, base_.get(), cap_.get(),
                                                                                  step_.get());
  }
  [[nodiscard]] std::string describe() const {
    return detail::written("linear", base_.get(), cap_.get(), detail::text_if(step_.get() != base_.get(), step_.get()));
  }

  static constexpr detail::kept_rules is_sound{Base != run_time, fault_of(Base.value(), Cap.value(), Step.value())};
  static consteval void explain() {
    static_assert(
        detail::keeps_rule<linear_backoff, 1, 2>,
        "anew::linear_backoff<Base, Cap, Step> requires 0 <= Base <= Cap; Base is out of range. Did you swap them?");
    static_assert(detail::keeps_rule<linear_backoff, 3>,
                  "anew::linear_backoff<Base, Cap, Step> requires Step > 0; the delay would not grow. Did you mean "
                  "anew::constant_backoff<Delay>?");
  }

 private:
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Base, linear_backoff> base_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Cap, linear_backoff, 1> cap_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Step, linear_backoff, 2> step_;
};

linear_backoff(detail::any_duration, detail::any_duration, detail::any_duration = duration::zero())
    -> linear_backoff<run_time, run_time, run_time>;

/// Waits the sum of the two previous delays: 1, 1, 2, 3, 5, 8 times the base, up to the cap.
///
/// `fibonacci_backoff<100ms, 10s>` is an empty type; `fibonacci_backoff{base, cap}` takes values known at run time and
/// throws `std::invalid_argument` where the requirements fail.
///
/// Models: Backoff (pure)      Cost: one addition per retry before, at most 92: by then the cap is reached
/// Formula: min(Cap, Base * F(n)), where F(1) = F(2) = 1 and F(n) = F(n-1) + F(n-2)
/// Requires: 0 < Base <= Cap
/// Choose it where doubling is too fast: it grows by 1.618 in the end, and the second retry comes as soon as the first.
/// Not where you want a certain factor: exponential_backoff.
/// Source: none
template <static_duration Base, static_duration Cap>
class fibonacci_backoff {
 public:
  using role = roles::backoff;

  constexpr fibonacci_backoff() noexcept = default;

  constexpr fibonacci_backoff(detail::any_duration base, detail::any_duration cap)
    requires(Base == run_time && Cap == run_time)
      : base_{detail::checked(base, fault_of(base, cap))}, cap_{cap} {}
  static constexpr detail::value_fault fault_of(duration base, duration cap) {
    return detail::value_fault{"fibonacci_backoff"}
        .above_zero(base, "base")
        .unless(cap >= base, "cap must not be below base", cap, " (base ", base, ")");
  }

  [[nodiscard]] constexpr duration delay(std::uint32_t retry) const noexcept {
    duration previous{0};
    duration current = base_.get();
    for (; retry > 1; --retry) {
      if (previous > cap_.get() - current) return cap_.get();  // F(93) ns is beyond every cap, so the loop ends
      auto const next = previous + current;
      previous = current;
      current = next;
    }
    return current;
  }
  [[nodiscard]] constexpr duration cap() const noexcept { return cap_.get(); }

  [[nodiscard]] constexpr auto run_time_form() const {
    return detail::run_time_form_as<fibonacci_backoff<run_time, run_time>>(*this, base_.get(), cap_.get());
  }
  [[nodiscard]] std::string describe() const { return detail::written("fibonacci", base_.get(), cap_.get()); }

  static constexpr detail::kept_rules is_sound{Base != run_time, fault_of(Base.value(), Cap.value())};
  static consteval void explain() {
    static_assert(detail::keeps_rule<fibonacci_backoff, 1, 2>,
                  "anew::fibonacci_backoff<Base, Cap> requires 0 < Base <= Cap; Base is out of range. Did you swap "
                  "them, or mean anew::no_backoff?");
  }

 private:
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Base, fibonacci_backoff> base_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Cap, fibonacci_backoff, 1> cap_;
};

fibonacci_backoff(detail::any_duration, detail::any_duration) -> fibonacci_backoff<run_time, run_time>;

}  // namespace anew::inline ANEW_ABI

#endif
