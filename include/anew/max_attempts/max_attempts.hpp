// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_MAX_ATTEMPTS_MAX_ATTEMPTS_HPP
#define ANEW_MAX_ATTEMPTS_MAX_ATTEMPTS_HPP

#include <concepts>
#include <cstdint>
#include <string>
#include <utility>

#include "anew/concept/roles.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/platform/internal/invalid_argument.hpp"
#include "anew/value/internal/parameter.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

template <std::int64_t Attempts>
struct attempts_are_at_least_one {
  static constexpr bool value = Attempts == run_time_count || Attempts >= 1;
};

template <std::int64_t Attempts>
struct attempts_fit_in_32_bits {
  static constexpr bool value = Attempts == run_time_count || std::in_range<std::uint32_t>(Attempts);
};

}  // namespace detail

/// At most N attempts, the first one included: `max_attempts<3>` makes at most three calls, `max_attempts<1>` never retries.
///
/// `max_attempts{n}` takes a value known at run time and throws `std::invalid_argument` when it is below 1.
///
/// Models: MaxAttempts      Cost: one compare
/// Formula: attempts made < N
/// Requires: 1 <= N <= 2^32-1
/// Choose it always; three is what the SDKs agree on. Beside a deadline that alone should decide: unbounded.
/// Source: AWS SDKs: three attempts, the first one included
template <std::int64_t N>
class max_attempts {
 public:
  using role = roles::max_attempts;

  constexpr max_attempts() noexcept
    requires(N != run_time_count)
  = default;

  template <std::integral Int>
    requires(N == run_time_count)
  constexpr explicit max_attempts(Int attempts) : attempts_{static_cast<std::uint32_t>(attempts)} {
    if (!std::in_range<std::uint32_t>(attempts) || attempts < 1) {
      detail::invalid_argument("max_attempts", "attempts must be between 1 and 4294967295", std::to_string(attempts));
    }
  }

  [[nodiscard]] constexpr bool permits_another(std::uint32_t made) const noexcept { return made < attempts_.get(); }
  [[nodiscard]] constexpr std::uint32_t value() const noexcept { return attempts_.get(); }
  [[nodiscard]] std::string describe() const {
    return std::string{"max_attempts("}.append(std::to_string(value())).append(")");
  }

  static constexpr bool is_sound =
      detail::attempts_are_at_least_one<N>::value && detail::attempts_fit_in_32_bits<N>::value;
  template <class Self>
  static consteval void explain() {
    if constexpr (!detail::attempts_are_at_least_one<N>::value) {
      static_assert(detail::attempts_are_at_least_one<N>::value,
                    "anew::max_attempts<N> requires N >= 1; N counts attempts, and the first attempt is always made. "
                    "Write max_attempts<1> to never retry");
    } else {
      static_assert(detail::attempts_fit_in_32_bits<N>::value,
                    "anew::max_attempts<N> requires N <= 4294967295; N is too large. Did you mean anew::unbounded?");
    }
  }

 private:
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<N, max_attempts> attempts_;
};

template <std::integral Int>
max_attempts(Int) -> max_attempts<run_time_count>;

}  // namespace anew::inline ANEW_ABI

#endif
