// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_BACKOFF_FOR_FIRST_HPP
#define ANEW_POLICIES_BACKOFF_FOR_FIRST_HPP

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "anew/base/internal/given.hpp"
#include "anew/base/internal/inner.hpp"
#include "anew/base/internal/parameter.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/backoff/internal/explain_inner.hpp"

namespace anew::inline ANEW_ABI {

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
