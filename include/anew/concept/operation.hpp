// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_CONCEPT_OPERATION_HPP
#define ANEW_CONCEPT_OPERATION_HPP

#include <concepts>
#include <type_traits>
#include <utility>

#include "anew/attempt.hpp"
#include "anew/outcome.hpp"

namespace anew {

namespace detail {

template <class Op>
concept TakesAttempt = requires(Op& op, attempt& a) { op(a); };

template <class Op>
concept TakesNothing = requires(Op& op) { op(); };

template <class Op, bool WithAttempt>
struct invoke_result {
  using type = decltype(std::declval<Op&>()(std::declval<attempt&>()));
};
template <class Op>
struct invoke_result<Op, false> {
  using type = decltype(std::declval<Op&>()());
};

/// What the operation returns.
template <class Op>
using result_of = typename invoke_result<Op, TakesAttempt<Op>>::type;

}  // namespace detail

/// Something that may be called again: `op(attempt&)`, or `op()`. Its result is read as anew/outcome.hpp says.
/// It is called on the caller's thread, never two attempts at a time; it is neither copied nor moved.
template <class Op>
concept Operation = detail::TakesAttempt<Op> || detail::TakesNothing<Op>;

/// An operation that may run again although an earlier attempt may have taken effect: it reads, it overwrites with
/// the same value, or it carries a key by which the server knows it. See `idempotent()`.
template <class Op>
struct idempotent_operation {
  Op operation;

  constexpr auto operator()(attempt& a) -> detail::result_of<Op>
    requires detail::TakesAttempt<Op>
  {
    return operation(a);
  }
  constexpr auto operator()() -> detail::result_of<Op>
    requires(!detail::TakesAttempt<Op>)
  {
    return operation();
  }
  constexpr decltype(auto) operator()(attempt& a) const
    requires detail::TakesAttempt<Op const>
  {
    return operation(a);
  }
  constexpr decltype(auto) operator()() const
    requires(!detail::TakesAttempt<Op const> && detail::TakesNothing<Op const>)
  {
    return operation();
  }
};

/// Declares that an operation may run again although an earlier attempt may have taken effect. Without this word an
/// error whose safety is `maybe` ends the call with `stop_reason::not_idempotent`.
template <class Op>
[[nodiscard]] constexpr auto idempotent(Op&& operation) -> idempotent_operation<std::decay_t<Op>> {
  return {std::forward<Op>(operation)};
}

namespace detail {

template <class Op>
inline constexpr bool is_idempotent = false;
template <class Op>
inline constexpr bool is_idempotent<idempotent_operation<Op>> = true;
template <class Op>
inline constexpr bool is_idempotent<idempotent_operation<Op> const> = true;

}  // namespace detail
}  // namespace anew

#endif
