// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_OPERATION_ONE_SHOT_HPP
#define ANEW_OPERATION_ONE_SHOT_HPP

#include <type_traits>
#include <utility>

#include "anew/operation/internal/declared_operation.hpp"
#include "anew/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

/// An operation that cannot run twice, whatever its error. See `one_shot()`.
template <class Op>
struct one_shot_operation : detail::declared_operation<Op> {};

/// Declares that an operation cannot run twice, because it consumes its input, such as a body that is read from a pipe.
/// Any failure is its last, and ends the call with `stop_reason::not_replayable`. For input that can be reset:
/// rewinding.
template <class Op>
[[nodiscard]] constexpr auto one_shot(Op&& operation) -> one_shot_operation<std::decay_t<Op>> {
  return {{std::forward<Op>(operation)}};
}

namespace detail {

template <class Op>
inline constexpr bool is_one_shot = is_declared<one_shot_operation, std::remove_const_t<Op>>;

}  // namespace detail
}  // namespace anew::inline ANEW_ABI

#endif
