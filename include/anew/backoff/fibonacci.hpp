// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BACKOFF_FIBONACCI_HPP
#define ANEW_BACKOFF_FIBONACCI_HPP

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
struct fibonacci_base_is_between_zero_and_cap {
  static constexpr bool value = Base == run_time || (0 < Base.nanoseconds && Base.nanoseconds <= Cap.nanoseconds);
};

}  // namespace detail

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

  constexpr fibonacci_backoff() noexcept
    requires(Base != run_time && Cap != run_time)
  = default;

  template <class Rep1, class Period1, class Rep2, class Period2>
    requires(Base == run_time && Cap == run_time)
  constexpr fibonacci_backoff(std::chrono::duration<Rep1, Period1> base, std::chrono::duration<Rep2, Period2> cap)
      : base_{detail::saturate(base)}, cap_{detail::saturate(cap)} {
    if (base_.get() <= duration::zero()) {
      detail::invalid_argument("fibonacci_backoff", "base must be above zero", detail::to_text(base_.get()));
    }
    if (cap_.get() < base_.get()) {
      detail::invalid_argument(
          "fibonacci_backoff", "cap must not be below base",
          detail::to_text(cap_.get()).append(" (base ").append(detail::to_text(base_.get())).append(")"));
    }
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

  [[nodiscard]] std::string describe() const {
    std::string text{"fibonacci("};
    return text.append(detail::to_text(base_.get())).append(",").append(detail::to_text(cap_.get())).append(")");
  }

  static constexpr bool is_sound = detail::fibonacci_base_is_between_zero_and_cap<Base, Cap>::value;
  template <class Self>
  static consteval void explain() {
    static_assert(detail::fibonacci_base_is_between_zero_and_cap<Base, Cap>::value,
                  "anew::fibonacci_backoff<Base, Cap> requires 0 < Base <= Cap; Base is out of range. Did you swap "
                  "them, or mean anew::no_backoff?");
  }

 private:
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Base, fibonacci_backoff> base_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Cap, fibonacci_backoff, 1> cap_;
};

template <class Rep1, class Period1, class Rep2, class Period2>
fibonacci_backoff(std::chrono::duration<Rep1, Period1>, std::chrono::duration<Rep2, Period2>)
    -> fibonacci_backoff<run_time, run_time>;

}  // namespace anew::inline ANEW_ABI

#endif
