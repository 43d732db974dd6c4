// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_INTERNAL_INVOKE_HPP
#define ANEW_DRIVERS_INTERNAL_INVOKE_HPP

#include <type_traits>
#include <utility>

#include "anew/base/attempt.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/result_traits.hpp"
#include "anew/drivers/internal/decide.hpp"
#include "anew/roles/operation.hpp"

/// One attempt of a blocking call.
namespace anew::inline ANEW_ABI::detail {

template <class Op>
using driven_result = std::conditional_t<std::is_void_v<result_of<Op>>, void_result, std::remove_cv_t<result_of<Op>>>;

/// A result that fits into registers: a copy is cheaper than a place in memory.
template <class R>
inline constexpr bool is_cheap_to_copy =
    std::is_trivially_copyable_v<R> && std::is_copy_constructible_v<R> && sizeof(R) <= 2 * sizeof(void*);

/// The scope around an attempt of a strategy that has a nesting policy.
struct no_scope {};
template <class S>
ANEW_INLINE auto scope_of([[maybe_unused]] S const& strategy) {
  if constexpr (HasNesting<S>) {
    return strategy.nesting().enter(strategy.quota());
  } else {
    return no_scope{};
  }
}

/// Calls the operation with its attempt, or without arguments, whichever it accepts.
template <class Op, class... Attempt>
ANEW_INLINE driven_result<Op> call_operation(Op& operation, Attempt&... self) {
  if constexpr (std::is_void_v<result_of<Op>>) {
    operation(self...);
    return void_result{};
  } else {
    return operation(self...);
  }
}

template <class S, class Op>
ANEW_INLINE driven_result<Op> invoke(S const& strategy, Op& operation, [[maybe_unused]] attempt::parts const& parts) {
  [[maybe_unused]] auto const scope = scope_of(strategy);
  if constexpr (TakesAttempt<Op>) {
    attempt self{parts};
    return detail::call_operation(operation, self);
  } else {
    return detail::call_operation(operation);
  }
}

template <class Op>
consteval bool may_throw() {
#if ANEW_EXCEPTIONS
  if constexpr (TakesAttempt<Op>) {
    return !noexcept(std::declval<Op&>()(std::declval<attempt&>()));
  } else {
    return !noexcept(std::declval<Op&>()());
  }
#else
  return false;
#endif
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
