// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_BACKOFF_SUM_HPP
#define ANEW_POLICIES_BACKOFF_SUM_HPP

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "anew/base/duration.hpp"
#include "anew/base/internal/inner.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/backoff/internal/explain_inner.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// Waits the sum of two backoffs' delays.
///
/// `sum_backoff<constant_backoff<1s>, exponential_backoff<50ms, 20s>>`; `sum_backoff{a, b}` takes policies with values.
///
/// Models: Backoff (pure)      Cost: that of both, and an addition
/// Formula: A.delay(n) + B.delay(n), saturating; the cap is the sum of the caps
/// Requires: two Backoffs
/// Choose it for an offset: a fixed delay plus a growing delay. Not for a least wait: at_least_backoff.
/// Source: tenacity `wait_combine`.
template <class A, class B>
class sum_backoff {
 public:
  using role = roles::backoff;

  sum_backoff() = default;
  constexpr sum_backoff(A first, B second) : first_{std::move(first)}, second_{std::move(second)} {}

  [[nodiscard]] constexpr duration delay(std::uint32_t retry) const {
    return detail::saturating_add(first_.get().delay(retry), second_.get().delay(retry));
  }
  [[nodiscard]] constexpr duration cap() const {
    return detail::saturating_add(detail::cap_of(first_.get()), detail::cap_of(second_.get()));
  }
  [[nodiscard]] std::string describe() const
    requires(detail::DescribesItself<A> && detail::DescribesItself<B>)
  {
    return detail::written("sum", first_.get(), second_.get());
  }

  static constexpr bool is_sound = detail::is_sound_backoff<A> && detail::is_sound_backoff<B>;
  static consteval void explain() {
    static_cast<void>(detail::explain_inner_backoff<A>() && detail::explain_inner_backoff<B>());
  }

 private:
  ANEW_NO_UNIQUE_ADDRESS detail::inner<A, sum_backoff, 0> first_;
  ANEW_NO_UNIQUE_ADDRESS detail::inner<B, sum_backoff, 1> second_;
};

}  // namespace anew::inline ANEW_ABI

#endif
