// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_OPERATION_REWINDING_HPP
#define ANEW_OPERATION_REWINDING_HPP

#include <type_traits>
#include <utility>

#include "anew/operation/internal/declared_operation.hpp"
#include "anew/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

/// An operation that is reset before it runs again. See `rewinding()`.
template <class Op, class Rewind>
struct rewinding_operation : detail::declared_operation<Op> {
  Rewind rewind;
};

/// An operation and what puts it back to its beginning: a body that is read again from its start, a buffer that is
/// cleared. `rewind()` is called once before each retry, when it has been decided and before the sleep. When it returns
/// false, nothing can be put back: the call ends with the last failure and `stop_reason::not_replayable`; a `rewind` that
/// returns nothing always can. What it throws ends the call, as what a classifier throws does.
template <class Op, class Rewind>
[[nodiscard]] constexpr auto rewinding(Op&& operation, Rewind&& rewind)
    -> rewinding_operation<std::decay_t<Op>, std::decay_t<Rewind>> {
  return {{std::forward<Op>(operation)}, std::forward<Rewind>(rewind)};
}

namespace detail {

/// True for an operation that `rewinding()` made, or another declaration about one.
template <class Op>
inline constexpr bool is_rewound = false;
template <class Op>
  requires requires { typename Op::declared; }
inline constexpr bool is_rewound<Op> = requires(Op& op) { op.rewind(); } || is_rewound<typename Op::declared>;
template <class Op>
concept IsRewound = is_rewound<std::remove_const_t<Op>>;

/// Puts an operation back to its beginning, as it was told to; false when that cannot be done.
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
