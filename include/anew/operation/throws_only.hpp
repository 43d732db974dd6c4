// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_OPERATION_THROWS_ONLY_HPP
#define ANEW_OPERATION_THROWS_ONLY_HPP

#include <type_traits>
#include <utility>

#include "anew/operation/internal/declared_operation.hpp"
#include "anew/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

/// An operation whose result never means a failure. See `throws_only()`.
template <class Op>
struct throws_only_operation : detail::declared_operation<Op> {};

/// Declares that an operation fails by exceptions alone: whatever it returns is a success, `false`, `-1`, an enumeration,
/// a null pointer and a callable too. `anew::retry(strategy, anew::throws_only([&] { return connection.count(); }))`.
///
/// Requires: a classifier that reads exceptions; a result that is there, for a future that throws later is no exception yet.
/// Cost: none. Choose it for a result that may look like an error and is none. Not where a value does mean one: compose a
/// classifier that reads it, `retry_if<Predicate>`. For a type that never does, anywhere: `result_traits<R>`.
template <class Op>
[[nodiscard]] constexpr auto throws_only(Op&& operation) -> throws_only_operation<std::decay_t<Op>> {
  return {{std::forward<Op>(operation)}};
}

namespace detail {

/// A concept, so that it stands in a constraint of an operation of any kind.
template <class Op>
concept ThrowsOnly = is_declared<throws_only_operation, std::remove_const_t<Op>>;

}  // namespace detail
}  // namespace anew::inline ANEW_ABI

#endif
