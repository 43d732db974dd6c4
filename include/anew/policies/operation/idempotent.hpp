// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_OPERATION_IDEMPOTENT_HPP
#define ANEW_POLICIES_OPERATION_IDEMPOTENT_HPP

#include <type_traits>
#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/policies/operation/internal/declared_operation.hpp"

namespace anew::inline ANEW_ABI {

/// An operation that may run again although an earlier attempt may have taken effect: it reads, it overwrites with the
/// same value, or it carries an idempotency key. See `idempotent()`.
template <class Op>
struct idempotent_operation : detail::declared_operation<Op> {};

/// Declares that an operation may run again although an earlier attempt may have taken effect. Without this declaration
/// an error whose safety is `maybe` ends the call with `stop_reason::not_idempotent`.
template <class Op>
[[nodiscard]] constexpr auto idempotent(Op&& operation) -> idempotent_operation<std::decay_t<Op>> {
  return {{std::forward<Op>(operation)}};
}

namespace detail {

template <class Op>
inline constexpr bool is_idempotent = is_declared<idempotent_operation, std::remove_const_t<Op>>;

}  // namespace detail
}  // namespace anew::inline ANEW_ABI

#endif
