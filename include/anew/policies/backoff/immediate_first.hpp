// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_BACKOFF_IMMEDIATE_FIRST_HPP
#define ANEW_POLICIES_BACKOFF_IMMEDIATE_FIRST_HPP

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "anew/base/duration.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/internal/inner.hpp"
#include "anew/base/internal/parameter.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/backoff/internal/explain_inner.hpp"
#include "anew/roles/internal/catalogue.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// Retries once immediately, and then as another backoff says.
///
/// `immediate_first<exponential_backoff<50ms, 20s>>`; `immediate_first{policy}` takes a backoff with values.
///
/// Models: Backoff (pure)      Cost: that of the inner one
/// Formula: 0 before retry 1, B.delay(n-1) before retry n; the cap is B.cap()
/// Requires: a Backoff
/// Choose it where most failures are a broken connection that the next attempt replaces. Not against an overloaded
/// server: the immediate attempt is load that it cannot bear. A jitter that grows by itself, such as
/// decorrelated_jitter, begins with the second retry.
/// Source: Polly.Contrib.WaitAndRetry `fastFirst`.
template <class B>
class immediate_first {
 public:
  using role = roles::backoff;

  immediate_first() = default;
  constexpr explicit immediate_first(B policy) : inner_{std::move(policy)} {}

  [[nodiscard]] constexpr duration delay(std::uint32_t retry) const {
    return retry <= 1 ? duration::zero() : inner_.get().delay(retry - 1);
  }
  [[nodiscard]] constexpr duration cap() const { return detail::cap_of(inner_.get()); }
  [[nodiscard]] constexpr auto run_time_form() const
    requires detail::DeclaresRunTimeForm<B>
  {
    return immediate_first<decltype(inner_.get().run_time_form())>{inner_.get().run_time_form()};
  }
  [[nodiscard]] std::string describe() const
    requires detail::DescribesItself<B>
  {
    return detail::written("immediate_first", inner_.get());
  }

  static constexpr bool is_sound = detail::is_sound_backoff<B>;
  static consteval void explain() { detail::explain_inner_backoff<B>(); }

 private:
  ANEW_NO_UNIQUE_ADDRESS detail::inner<B, immediate_first> inner_;
};

/// A phase of `phased_backoff`: a policy for the first `N` retries that it is asked for.
///
/// `for_first<3, constant_backoff<10ms>>`; `for_first{n, policy}` takes values known at run time and throws
/// `std::invalid_argument` unless `n` is 1 to 2^32-1. It is not a Backoff, because another backoff must follow it.
template <std::int64_t N, class B>
class for_first {
 public:
  for_first() = default;

  constexpr explicit for_first(B policy)
    requires(N != run_time_count)
      : inner_{std::move(policy)} {}

  constexpr for_first(detail::any_count retries, B policy)
    requires(N == run_time_count)
      : retries_{detail::checked(retries.get(), fault_of(retries, policy))}, inner_{std::move(policy)} {}
  static constexpr detail::value_fault fault_of(detail::any_count retries, B const& /*policy*/) {
    return detail::value_fault{"for_first"}.within(retries, 1, 4'294'967'295, "retries");
  }

  [[nodiscard]] constexpr std::uint32_t retries() const noexcept { return retries_.get(); }
  [[nodiscard]] constexpr decltype(auto) policy() const noexcept { return inner_.get(); }
  [[nodiscard]] std::string describe() const
    requires detail::DescribesItself<B>
  {
    return detail::written("for_first", retries(), policy());
  }

 private:
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<N, for_first> retries_;
  ANEW_NO_UNIQUE_ADDRESS detail::inner<B, for_first> inner_;
};

template <class B>
for_first(detail::any_count, B) -> for_first<run_time_count, B>;

}  // namespace anew::inline ANEW_ABI

#endif
