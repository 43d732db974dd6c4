// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_OPERATION_CALL_DECLARATION_HPP
#define ANEW_POLICIES_OPERATION_CALL_DECLARATION_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/policies/operation/idempotent.hpp"
#include "anew/policies/operation/one_shot.hpp"

namespace anew::inline ANEW_ABI {

/// A declaration about the repetition of a call: `idempotent`, it may run again although an earlier attempt may have
/// taken effect; `one_shot`, it cannot run twice. `anew::idempotent(operation)` declares an operation,
/// `anew::idempotent_call` a call without an operation object.
enum class declared : unsigned char { nothing, idempotent, one_shot };

namespace detail {

/// An operation's declarations that decisions depend on, in few types, so that operations share the code of a decision.
template <class Op>
inline constexpr declared declaration_of = is_one_shot<Op>     ? declared::one_shot
                                           : is_idempotent<Op> ? declared::idempotent
                                                               : declared::nothing;

}  // namespace detail

/// Declares a call idempotent or one-shot when there is no operation object to wrap.
template <declared Declared>
struct call_declaration {
  static constexpr declared value = Declared;
};
/// The call may run again although an earlier attempt may have taken effect; see `idempotent()`.
inline constexpr call_declaration<declared::idempotent> idempotent_call{};
/// The call cannot run twice; see `one_shot()`.
inline constexpr call_declaration<declared::one_shot> one_shot_call{};

}  // namespace anew::inline ANEW_ABI

#endif
