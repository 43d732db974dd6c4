// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_INTERNAL_EXPLAIN_OPERATION_HPP
#define ANEW_DRIVERS_INTERNAL_EXPLAIN_OPERATION_HPP

#include <type_traits>

#include "anew/base/attempt.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/drivers/internal/explain_call.hpp"
#include "anew/roles/operation.hpp"
#include "anew/roles/retry_strategy.hpp"

/// Explains calls of `retry()` that match none of its forms, each in one sentence. These overloads win only where no
/// other overload is viable.
namespace anew::inline ANEW_ABI {

namespace detail {

/// A strategy by a conversion: every other overload of `retry()` is preferred.
struct any_strategy {
  template <class S>
  any_strategy(S const& /*strategy*/) noexcept;  // NOLINT(*-explicit-*)
};

template <class Strategy, class Op>
inline constexpr bool strategy_is_passed_first = RetryStrategy<Op>;
template <class Strategy>
inline constexpr bool second_argument_is_an_operation = !RetryStrategy<Strategy>;
template <class Strategy, class Op>
consteval void explain_one_argument() {
  if constexpr (!second_argument_is_an_operation<Op>) {
    static_assert(second_argument_is_an_operation<Op>,
                  "anew::retry(strategy, operation) requires an operation after the strategy; you passed only a "
                  "strategy. Add [&] { return call(arguments); }");
  } else {
    static_assert(strategy_is_passed_first<Strategy, Op>,
                  "anew::retry(strategy, operation) requires a strategy object as its first argument; you passed only "
                  "an operation. Write anew::retry(anew::strategy<...>{}, operation)");
  }
}

template <class Function>
inline constexpr bool operation_is_not_overloaded = false;
template <class Function>
consteval void explain_overload_set() {
  static_assert(operation_is_not_overloaded<Function>,
                "anew::retry(strategy, operation) requires one operation; you passed the name of several overloaded "
                "functions. Choose one with a lambda: [&] { return function(arguments); }");
}

template <class Op>
using inert_result_of = typename inert_result<std::remove_reference_t<Op>>::type;

}  // namespace detail

template <class Strategy = void, class Op>
detail::inert_result_of<Op> retry(Op&& /*operation*/) {
  detail::explain_one_argument<Strategy, std::remove_cvref_t<Op>>();
  return detail::inert<detail::inert_result_of<Op>>();
}

/// Picks from an overload set the function that can be an operation.
template <class R, class... Others>
R retry(detail::any_strategy /*strategy*/, R (* /*operation*/)(), Others const&... /*others*/) {
  detail::explain_overload_set<R()>();
  return detail::inert<R>();
}
template <class R, class... Others>
R retry(detail::any_strategy /*strategy*/, R (* /*operation*/)(attempt&), Others const&... /*others*/) {
  detail::explain_overload_set<R(attempt&)>();
  return detail::inert<R>();
}

}  // namespace anew::inline ANEW_ABI

#endif
