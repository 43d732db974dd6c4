// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVE_INTERNAL_EMPTY_OPERATION_HPP
#define ANEW_DRIVE_INTERNAL_EMPTY_OPERATION_HPP

#include <concepts>
#include <cstddef>
#include <type_traits>

#include "anew/platform/compiler.hpp"
#include "anew/platform/internal/invalid_argument.hpp"

namespace anew::inline ANEW_ABI::detail {

/// An operation that may be empty: `std::function`, a pointer to a function.
template <class Op>
concept MayBeEmpty = (std::is_pointer_v<Op> || (std::is_class_v<Op> && std::is_constructible_v<Op, std::nullptr_t>)) &&
                     requires(Op const& operation) { static_cast<bool>(operation == nullptr); };

/// A `std::reference_wrapper`.
template <class Op>
concept RefersToOperation = requires(Op const& operation) {
  { operation.get() } -> std::same_as<typename Op::type&>;
};

/// Refuses an empty operation before the first attempt: a call of it is a mistake in the program, which no retry mends.
template <class Op>
ANEW_INLINE void require_operation([[maybe_unused]] Op const& operation) {
  if constexpr (requires { operation.operation; } && requires { typename Op::declared; }) {
    detail::require_operation(operation.operation);
  } else if constexpr (RefersToOperation<Op>) {
    detail::require_operation(operation.get());
  } else if constexpr (MayBeEmpty<Op>) {
    if (operation == nullptr) [[unlikely]]
      detail::invalid_argument("retry", "the operation must be callable", "empty");
  }
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
