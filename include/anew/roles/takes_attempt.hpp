// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ROLES_TAKES_ATTEMPT_HPP
#define ANEW_ROLES_TAKES_ATTEMPT_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/roles/operation.hpp"

namespace anew::inline ANEW_ABI {

/// True for an operation that is called with its `attempt&`. Your own driver needs no attempt for other operations.
template <class Op>
inline constexpr bool takes_attempt = detail::TakesAttempt<Op>;

}  // namespace anew::inline ANEW_ABI

#endif
