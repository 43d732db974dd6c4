// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_OPERATION_DECLARED_HPP
#define ANEW_POLICIES_OPERATION_DECLARED_HPP

#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

/// A declaration about the repetition of a call: `idempotent`, it may run again although an earlier attempt may have
/// taken effect; `one_shot`, it cannot run twice. `anew::idempotent(operation)` declares an operation,
/// `anew::idempotent_call` a call without an operation object.
enum class declared : unsigned char { nothing, idempotent, one_shot };

}  // namespace anew::inline ANEW_ABI

#endif
