// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BACKOFF_FOR_FIRST_HPP
#define ANEW_BACKOFF_FOR_FIRST_HPP

#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "anew/backoff/internal/explain_inner.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/platform/internal/invalid_argument.hpp"
#include "anew/value/internal/inner.hpp"
#include "anew/value/internal/parameter.hpp"
#include "anew/value/internal/text.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

inline constexpr std::int64_t most_retries = std::numeric_limits<std::uint32_t>::max();

template <std::int64_t N>
struct phase_is_not_empty {
  static constexpr bool value = N == run_time_count || (N >= 1 && N <= most_retries);
};

}  // namespace detail

/// A phase of `phased_backoff`: a policy for the first `N` retries that it is asked for.
///
/// `for_first<3, constant_backoff<10ms>>`; `for_first{n, policy}` takes values known at run time and throws
/// `std::invalid_argument` unless `n` is 1 to 2^32-1. It is not a Backoff, because another backoff must follow it.
template <std::int64_t N, class B>
class for_first {
 public:
  for_first()
    requires(N != run_time_count && std::is_default_constructible_v<B>)
  = default;

  constexpr explicit for_first(B policy)
    requires(N != run_time_count)
      : inner_{std::move(policy)} {}

  template <std::integral Int>
    requires(N == run_time_count)
  constexpr for_first(Int retries, B policy)
      : retries_{static_cast<std::uint32_t>(retries)}, inner_{std::move(policy)} {
    if (!std::in_range<std::uint32_t>(retries) || retries == 0) {
      detail::invalid_argument("for_first", "retries must be between 1 and 4294967295", std::to_string(retries));
    }
  }

  [[nodiscard]] constexpr std::uint32_t retries() const noexcept { return retries_.get(); }
  [[nodiscard]] constexpr decltype(auto) policy() const noexcept { return inner_.get(); }
  [[nodiscard]] std::string describe() const
    requires detail::DescribesItself<B>
  {
    std::string text{"for_first("};
    return text.append(std::to_string(retries())).append(",").append(policy().describe()).append(")");
  }

 private:
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<N, for_first> retries_;
  ANEW_NO_UNIQUE_ADDRESS detail::inner<B, for_first> inner_;
};

template <std::integral Int, class B>
for_first(Int, B) -> for_first<run_time_count, B>;

}  // namespace anew::inline ANEW_ABI

#endif
