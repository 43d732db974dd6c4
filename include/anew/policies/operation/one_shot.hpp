// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_OPERATION_ONE_SHOT_HPP
#define ANEW_POLICIES_OPERATION_ONE_SHOT_HPP

#include <type_traits>
#include <utility>

#include "anew/base/attempt.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/operation/internal/declared_operation.hpp"
#include "anew/roles/operation.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

/// An operation that gives away what it holds: it can be called as an rvalue only.
template <class Op>
concept GivesItselfAway = !TakesAttempt<Op> && !TakesNothing<Op>;

}  // namespace detail

/// An operation that cannot run twice, whatever its error. See `one_shot()`.
template <class Op>
struct one_shot_operation : detail::declared_operation<Op> {
  using detail::declared_operation<Op>::operator();
  constexpr decltype(auto) operator()(attempt& a)
    requires detail::GivesItselfAway<Op> && requires(Op&& op) { std::move(op)(a); }
  {
    return std::move(this->operation)(a);
  }
  constexpr decltype(auto) operator()()
    requires detail::GivesItselfAway<Op> && requires(Op&& op) { std::move(op)(); }
  {
    return std::move(this->operation)();
  }
};

/// Declares that an operation cannot run twice, because it consumes its input, such as a body that is read from a pipe.
/// Any failure is its last, and ends the call with `stop_reason::not_replayable`. For input that can be reset:
/// rewinding. An operation that is callable only as an rvalue, because it gives away what it holds, is called so.
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
