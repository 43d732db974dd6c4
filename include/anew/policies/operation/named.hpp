// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_OPERATION_NAMED_HPP
#define ANEW_POLICIES_OPERATION_NAMED_HPP

#include <type_traits>
#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/policies/operation/internal/declared_operation.hpp"

namespace anew::inline ANEW_ABI {

/// An operation with a name for observers. See `named()`.
template <class Op>
struct named_operation : detail::declared_operation<Op> {
  char const* operation_name;
};

/// The name of an operation: a string literal, or another constant that lives as long as the program.
struct operation_name {
  char const* text;
  consteval operation_name(char const* constant) : text{constant} {}  // NOLINT(*-explicit-*)
};

/// Gives an operation a name, which an observer that follows calls finds in `call_event::operation`:
/// `anew::retry(strategy, anew::named(anew::idempotent(fetch), "get_user"))`.
///
/// Requires: a name that is a constant expression, such as a literal: nothing is copied, and it cannot dangle.
/// Cost: a pointer; without an observer that follows calls none. Choose it where one strategy serves several operations.
/// Where each has its own strategy: the label of its observer. Names are few: they become the labels of metrics.
/// Source: Polly `ResilienceContext.OperationKey`
template <class Op>
[[nodiscard]] constexpr auto named(Op&& operation, operation_name name) -> named_operation<std::decay_t<Op>> {
  return {{std::forward<Op>(operation)}, name.text};
}

namespace detail {

/// Returns the outermost name of an operation, or nullptr if it has no name.
template <class Op>
constexpr char const* operation_name_of([[maybe_unused]] Op const& operation) noexcept {
  if constexpr (requires {
                  operation.operation_name;
                  typename Op::declared;
                }) {
    return operation.operation_name;
  } else if constexpr (requires {
                         operation.operation;
                         typename Op::declared;
                       }) {
    return detail::operation_name_of(operation.operation);
  } else {
    return nullptr;
  }
}

}  // namespace detail
}  // namespace anew::inline ANEW_ABI

#endif
