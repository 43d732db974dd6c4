// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ROLES_RETRY_TOKEN_HPP
#define ANEW_ROLES_RETRY_TOKEN_HPP

#include <concepts>
#include <type_traits>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

/// All state of one call, as a strategy sees it.
///
/// | expression           | returns    | meaning                                             |
/// |----------------------|------------|-----------------------------------------------------|
/// | `t.delay()`, `t` const | `duration` | how long to wait before the token's attempt |
///
/// Nothrow movable; used once. The destructor returns a permit that the quota counts as held.
template <class T>
concept RetryToken = std::movable<T> && std::is_nothrow_move_constructible_v<T> && requires(T const& t) {
  { t.delay() } -> std::same_as<duration>;
};

}  // namespace anew::inline ANEW_ABI

#endif
