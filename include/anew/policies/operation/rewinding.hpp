// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_OPERATION_REWINDING_HPP
#define ANEW_POLICIES_OPERATION_REWINDING_HPP

#include <type_traits>
#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/policies/operation/internal/declared_operation.hpp"

namespace anew::inline ANEW_ABI {

/// An operation that is reset before it runs again. See `rewinding()`.
template <class Op, class Rewind>
struct rewinding_operation : detail::declared_operation<Op> {
  Rewind rewind;
};

/// Adds to an operation a function that resets it: `rewind()` seeks a body to its start, or clears a buffer. It is
/// called once before each retry, after the decision and before the sleep. If it returns false, the call ends with the
/// last failure and `stop_reason::not_replayable`; a `rewind` that returns void always succeeds. An exception of
/// `rewind` ends the call, as an exception of a classifier does.
template <class Op, class Rewind>
[[nodiscard]] constexpr auto rewinding(Op&& operation, Rewind&& rewind)
    -> rewinding_operation<std::decay_t<Op>, std::decay_t<Rewind>> {
  return {{std::forward<Op>(operation)}, std::forward<Rewind>(rewind)};
}

namespace detail {

/// True for an operation that `rewinding()` made, also inside another declaration.
template <class Op>
inline constexpr bool is_rewound = false;
template <class Op>
  requires requires { typename Op::declared; }
inline constexpr bool is_rewound<Op> = requires(Op& op) { op.rewind(); } || is_rewound<typename Op::declared>;
template <class Op>
concept IsRewound = is_rewound<std::remove_const_t<Op>>;

/// Resets an operation by its `rewind()`; returns false when that fails.
template <class Op>
constexpr bool rewind(Op& operation) {
  if constexpr (IsRewound<Op>) {
    if (!detail::rewind(operation.operation)) return false;
    if constexpr (requires { operation.rewind(); }) {
      if constexpr (std::is_void_v<decltype(operation.rewind())>) {
        operation.rewind();
      } else {
        return static_cast<bool>(operation.rewind());
      }
    }
  }
  return true;
}

}  // namespace detail
}  // namespace anew::inline ANEW_ABI

#endif
