// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_INTERNAL_EMPTY_OPERATION_HPP
#define ANEW_DRIVERS_INTERNAL_EMPTY_OPERATION_HPP

#include <concepts>
#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/intrinsics.hpp"
#include "anew/base/platform/internal/invalid_argument.hpp"

namespace anew::inline ANEW_ABI::detail {

/// Storage for one object that is made only after a failure, and destroys itself.
template <class T>
union room_for {
  T value;
  room_for() noexcept {}
  room_for(room_for const&) = delete;
  room_for& operator=(room_for const&) = delete;
  ~room_for() {}

  template <class... Args>
  ANEW_INLINE T& make(Args&&... args) {
    return *::new (static_cast<void*>(__builtin_addressof(value))) T{std::forward<Args>(args)...};
  }
};

/// How an out-of-line function takes an object of the call: an empty one by value, because its address would force a
/// stack frame on the caller.
template <class T>
inline constexpr bool is_passed_by_value = is_only_its_type<T>;
template <class T>
using by_value_if_empty = std::conditional_t<is_passed_by_value<T>, T, T&>;

/// An operation that may be empty: `std::function`, a pointer to a function.
template <class Op>
concept MayBeEmpty = (std::is_pointer_v<Op> || (std::is_class_v<Op> && is_constructible<Op, std::nullptr_t>)) &&
                     requires(Op const& operation) { static_cast<bool>(operation == nullptr); };

/// A `std::reference_wrapper`, without its header.
template <class Op>
concept RefersToAnother = requires(Op const& reference) {
  { reference.get() } -> std::same_as<typename Op::type&>;
  { reference } -> std::convertible_to<typename Op::type&>;
};

/// Refuses an empty operation, or an empty function that resets it, before the first attempt: a call of it is a mistake in
/// the program, which no retry mends. It looks through declarations and references.
template <class Op>
ANEW_INLINE void require_operation([[maybe_unused]] Op const& operation, [[maybe_unused]] char const* call = "retry",
                                   [[maybe_unused]] char const* rule = "the operation must be callable") {
  if constexpr (RefersToAnother<Op>) {
    detail::require_operation(operation.get(), call, rule);
  } else if constexpr (requires { operation.operation; } &&
                       (requires { typename Op::declared; } || requires { typename Op::completion_signature; })) {
    detail::require_operation(operation.operation, call, rule);
    if constexpr (requires { operation.rewind; }) {
      detail::require_operation(operation.rewind, "rewinding", "the function that resets must be callable");
    }
  } else if constexpr (MayBeEmpty<Op>) {
    if (operation == nullptr) [[unlikely]]
      detail::invalid_argument(call, rule, "empty");
  }
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
