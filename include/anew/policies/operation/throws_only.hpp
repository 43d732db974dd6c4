// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_OPERATION_THROWS_ONLY_HPP
#define ANEW_POLICIES_OPERATION_THROWS_ONLY_HPP

#include <type_traits>
#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/policies/operation/internal/declared_operation.hpp"

namespace anew::inline ANEW_ABI {

/// An operation whose result never means a failure. See `throws_only()`.
template <class Op>
struct throws_only_operation : detail::declared_operation<Op> {};

/// Declares that an operation fails by exceptions alone: every result is a success, including `false`, `-1`, an
/// enumeration, a null pointer and a callable.
/// `anew::retry(strategy, anew::throws_only([&] { return connection.count(); }))`.
///
/// Requires: a classifier that reads exceptions; a result that is not pending, because a future throws later.
/// Cost: none. Choose it for a result that looks like an error, but never is one. Not where a value does mean an error:
/// compose a classifier that reads it, `retry_if<Predicate>`. For a type that is never an error, in any operation:
/// `result_traits<R>`.
template <class Op>
[[nodiscard]] constexpr auto throws_only(Op&& operation) -> throws_only_operation<std::decay_t<Op>> {
  return {{std::forward<Op>(operation)}};
}

namespace detail {

/// A concept, so that it can constrain operations of every kind.
template <class Op>
concept ThrowsOnly = is_declared<throws_only_operation, std::remove_const_t<Op>>;

}  // namespace detail
}  // namespace anew::inline ANEW_ABI

#endif
