// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_INTERNAL_INVOKE_HPP
#define ANEW_DRIVERS_INTERNAL_INVOKE_HPP

#include <type_traits>
#include <utility>

#include "anew/base/attempt.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/intrinsics.hpp"
#include "anew/base/result_traits.hpp"
#include "anew/drivers/declarations.hpp"
#include "anew/drivers/internal/decide.hpp"
#include "anew/drivers/internal/empty_operation.hpp"
#include "anew/roles/operation.hpp"

/// One attempt of a blocking call.
namespace anew::inline ANEW_ABI::detail {

template <class Op>
using driven_result = std::conditional_t<std::is_void_v<result_of<Op>>, void_result, std::remove_cv_t<result_of<Op>>>;

/// A result that fits into registers: a copy is cheaper than a place in memory.
template <class R>
inline constexpr bool is_cheap_to_copy =
    is_trivially_copyable<R> && is_constructible<R, R const&> && sizeof(R) <= 2 * sizeof(void*);

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

/// An operation, called again through a pointer, with what it declares: what is compiled for the way after a failure does
/// not depend on its type.
template <class R, bool MayThrow, declared Declared, bool ThrowsOnly>
struct called_again {
  void* object;
  R (*call)(void*) noexcept(!MayThrow);
  R operator()() const noexcept(!MayThrow) { return call(object); }
};
template <class R, bool MayThrow, declared Declared, bool ThrowsOnly>
inline constexpr bool is_passed_by_value<called_again<R, MayThrow, Declared, ThrowsOnly>> = true;
template <class R, bool MayThrow, declared Declared, bool ThrowsOnly>
inline constexpr declared declaration_of<called_again<R, MayThrow, Declared, ThrowsOnly>> = Declared;
template <class R, bool MayThrow, declared Declared, bool ThrowsOnly>
inline constexpr bool is_declared<throws_only_operation, called_again<R, MayThrow, Declared, ThrowsOnly>> = ThrowsOnly;

template <class Op>
inline constexpr bool is_called_again = false;
template <class R, bool MayThrow, declared Declared, bool ThrowsOnly>
inline constexpr bool is_called_again<called_again<R, MayThrow, Declared, ThrowsOnly>> = true;

/// An operation that takes its attempt keeps its type: inlined, it reads the few parts of the attempt that it needs, and
/// the others are not written.
template <class Op>
concept IsCalledThroughPointer = !std::is_function_v<Op> && !TakesAttempt<Op> && !IsRewound<Op>;

/// The operation as a loop calls it. With a token that is made before the first attempt it keeps its type too: g++ 12
/// then spends 13 instructions of a success on the address of the object.
template <class Op, bool TokenIsPure>
struct again_of : std::type_identity<Op> {
  ANEW_INLINE static Op& make(Op& operation) noexcept { return operation; }  // NOLINT(bugprone-return-*)
};
template <IsCalledThroughPointer Op>
struct again_of<Op, true>
    : std::type_identity<called_again<result_of<Op>, detail::may_throw<Op>(), declaration_of<Op>, ThrowsOnly<Op>>> {
  ANEW_INLINE static typename again_of::type make(Op& operation) noexcept {
    using R = result_of<Op>;
    return {const_cast<void*>(static_cast<void const*>(__builtin_addressof(operation))),
            [](void* object) noexcept(!detail::may_throw<Op>()) -> R {
              return static_cast<R>((*static_cast<Op*>(object))());
            }};
  }
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
