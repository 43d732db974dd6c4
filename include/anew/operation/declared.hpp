// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_OPERATION_DECLARED_HPP
#define ANEW_OPERATION_DECLARED_HPP

#include "anew/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

/// What you declare of a call's repetition: `idempotent` it may run again although an earlier attempt may have taken
/// effect, `one_shot` it cannot run twice. `anew::idempotent(operation)` declares it of an operation,
/// `anew::idempotent_call` of a call that no operation object stands for.
enum class declared : unsigned char { nothing, idempotent, one_shot };

}  // namespace anew::inline ANEW_ABI

#endif
