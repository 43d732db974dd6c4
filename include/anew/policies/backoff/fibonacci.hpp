// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_BACKOFF_FIBONACCI_HPP
#define ANEW_POLICIES_BACKOFF_FIBONACCI_HPP

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
  template <class Self>
  static consteval void explain() {
    static_assert(detail::keeps_rule<Self, 1, 2>,
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
