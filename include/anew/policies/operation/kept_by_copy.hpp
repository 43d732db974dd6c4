// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_OPERATION_KEPT_BY_COPY_HPP
#define ANEW_POLICIES_OPERATION_KEPT_BY_COPY_HPP

#include <type_traits>
#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/policies/operation/internal/declared_operation.hpp"

namespace anew::inline ANEW_ABI {

/// An operation whose address is used only while it is being called. See `kept_by_copy()`.
template <class Op>
struct kept_by_copy_operation : detail::declared_operation<Op> {};

namespace detail {

template <class Op>
inline constexpr bool is_declared_kept_by_copy = is_declared<kept_by_copy_operation, std::remove_const_t<Op>>;

/// A kept_by_copy operation is copied before its first call, and the copy is called.
template <class Op>
struct operation_can_be_copied {
  static constexpr bool value = std::is_copy_constructible_v<Op>;
};

}  // namespace detail

/// Declares that an asynchronous operation uses neither its own address nor that of its `attempt&` after its initiating
/// function has returned, so that `async_retry()` can keep it in the completion handler, which moves. A first attempt
/// that succeeds then takes no memory for its call:
///
///     anew::async_retry(strategy, anew::kept_by_copy([&socket, buffer](auto token) {
///       return socket.async_read_some(buffer, std::move(token));
///     }), token);
///
/// Requires: an operation that can be copied and be called as const. A copy is called for the first attempt, and what the
/// operation captured by value ends with that call: capture what the I/O uses (a buffer, a socket) by reference.
/// Cost: two copies of the operation, for one block of memory less. Other drivers call the operation where it is.
/// Choose it for captures of references and small values. Not for an operation that owns its buffer, hands `this` to a
/// callback, or asks its `attempt&` later whether a stop was requested.
template <class Op>
[[nodiscard]] constexpr auto kept_by_copy(Op&& operation) -> kept_by_copy_operation<std::decay_t<Op>> {
  static_assert(
      detail::operation_can_be_copied<std::decay_t<Op>>::value,
      "anew::kept_by_copy(operation) requires an operation that can be copied, because a copy makes the first "
      "attempt; this operation cannot be copied. Capture what it owns by reference, or omit kept_by_copy()");
  return {{std::forward<Op>(operation)}};
}

}  // namespace anew::inline ANEW_ABI

#endif
