// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_HISTORY_FAILED_ATTEMPT_HPP
#define ANEW_POLICIES_HISTORY_FAILED_ATTEMPT_HPP

#include <cstdint>
#include <exception>
#include <optional>
#include <type_traits>

#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/history.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

template <class E>
inline constexpr bool error_is_kept = std::is_object_v<E> && std::is_copy_constructible_v<E> &&
                                      !std::is_same_v<E, no_error_value> && !std::is_same_v<E, std::nullopt_t>;

template <class E, bool IsKept = error_is_kept<E>>
struct kept_error {
  std::optional<E> error{};  ///< empty when the attempt threw
  template <class... Given>
  constexpr void set(Given const&... given) {
    error.reset();
    (error.emplace(given), ...);
  }
};
template <class E>
struct kept_error<E, false> {
  template <class... Given>
  static constexpr void set(Given const&... /*given*/) noexcept {}
};

}  // namespace detail

/// One failed attempt of a call: `attempt`, `what`, `error` where the errors can be copied, and `exception`.
template <class E>
struct failed_attempt : detail::kept_error<E> {
  std::uint32_t attempt = 0;  ///< its number, from 1
  failure what{};             ///< what the strategy decided by
#if ANEW_EXCEPTIONS
  std::exception_ptr exception{};  ///< null when the attempt returned
#endif
};

}  // namespace anew::inline ANEW_ABI

#endif
