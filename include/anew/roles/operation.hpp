// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ROLES_OPERATION_HPP
#define ANEW_ROLES_OPERATION_HPP

#include <type_traits>
#include <utility>

#include "anew/base/attempt.hpp"
#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

/// An operation that is called with its `attempt&`. Your own driver needs no attempt for other operations.
template <class Op>
concept TakesAttempt = requires(Op& op, attempt& a) { op(a); };

namespace detail {

template <class Op>
concept TakesNothing = requires(Op& op) { op(); };

template <class Op, bool WithAttempt>
struct invoke_result : std::type_identity<decltype(std::declval<Op&>()(std::declval<attempt&>()))> {};
template <class Op>
struct invoke_result<Op, false> : std::type_identity<decltype(std::declval<Op&>()())> {};

/// The return type of the operation.
template <class Op>
using result_of = typename invoke_result<Op, TakesAttempt<Op>>::type;

}  // namespace detail

/// A callable that may be called again: `op(attempt&)`, or `op()`. Its result is read as anew/base/result_traits.hpp
/// says. It is called on the caller's thread, never two attempts at a time; it is neither copied nor moved.
template <class Op>
concept Operation = TakesAttempt<Op> || detail::TakesNothing<Op>;

}  // namespace anew::inline ANEW_ABI

#endif
