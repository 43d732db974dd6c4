// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_OPERATION_CALL_DECLARATION_HPP
#define ANEW_OPERATION_CALL_DECLARATION_HPP

#include "anew/operation/declared.hpp"
#include "anew/operation/idempotent.hpp"
#include "anew/operation/one_shot.hpp"
#include "anew/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

/// What an operation declares, as far as a decision asks: of few types, so that operations share the code for it.
template <class Op>
inline constexpr declared declaration_of = is_one_shot<Op>     ? declared::one_shot
                                           : is_idempotent<Op> ? declared::idempotent
                                                               : declared::nothing;

}  // namespace detail

/// What is declared of a call that no operation object stands for.
template <declared Declared>
struct call_declaration {
  static constexpr declared value = Declared;
};
/// As `idempotent()` says of an operation: it may run again although an earlier attempt may have taken effect.
inline constexpr call_declaration<declared::idempotent> idempotent_call{};
/// As `one_shot()` says of an operation: it cannot run twice.
inline constexpr call_declaration<declared::one_shot> one_shot_call{};

}  // namespace anew::inline ANEW_ABI

#endif
