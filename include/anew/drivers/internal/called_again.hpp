// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_INTERNAL_CALLED_AGAIN_HPP
#define ANEW_DRIVERS_INTERNAL_CALLED_AGAIN_HPP

#include <type_traits>

#include "anew/base/platform/compiler.hpp"
#include "anew/drivers/declarations.hpp"
#include "anew/drivers/internal/by_value_if_empty.hpp"
#include "anew/drivers/internal/decide.hpp"
#include "anew/drivers/internal/invoke.hpp"
#include "anew/roles/operation.hpp"

namespace anew::inline ANEW_ABI::detail {

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
concept IsCalledThroughPointer = std::is_object_v<Op> && !TakesAttempt<Op> && !IsRewound<Op>;

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
