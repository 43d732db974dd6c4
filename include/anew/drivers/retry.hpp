// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_RETRY_HPP
#define ANEW_DRIVERS_RETRY_HPP

#include <type_traits>
#include <utility>

#include "anew/base/attempt.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/result_traits.hpp"
#include "anew/drivers/blocking_sleeper.hpp"
#include "anew/drivers/declarations.hpp"
#include "anew/drivers/internal/drive.hpp"
#include "anew/drivers/internal/explain_call.hpp"
#include "anew/drivers/internal/observed.hpp"
#include "anew/roles/operation.hpp"
#include "anew/roles/retry_strategy.hpp"
#include "anew/roles/sleeper.hpp"
#include "anew/strategy/strategy.hpp"

/// Explains calls of `retry()` that match none of its forms, each in one sentence. These overloads win only where no
/// other overload is viable.
namespace anew::inline ANEW_ABI {

namespace detail {

/// A strategy by a conversion: every other overload of `retry()` is preferred.
struct any_strategy {
  any_strategy(auto const& /*strategy*/) noexcept;  // NOLINT(*-explicit-*)
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

/// An operation whose result can carry an error: a caller that ignores the result loses the error.
template <class Op>
concept FailsByValue =
    Operation<std::remove_reference_t<Op>> && carries_error<read_result_of<std::remove_reference_t<Op>>>;
template <class Sleep, class... Stop>
concept SleepsHere = requires(Sleep& sleep, duration delay) { requires std::is_void_v<decltype(sleep(delay))>; } ||
                     requires(Sleep& sleep, duration delay, Stop const&... stop) {
                       requires std::is_void_v<decltype(sleep(delay, stop...))>;
                     };

template <class S, class Op, class Sleep, class Stop = never_stop>
ANEW_INLINE decltype(auto) retry(S const& strategy, Op& operation, Sleep& sleep, Stop const& stop = {}) {
  if constexpr (!detail::explain_call<caller::retry, S, Op, Sleep, Stop>()) {
    return detail::inert<typename inert_result<Op>::type>();
  } else if constexpr (!detail::explain_result<caller::retry, S, Op>()) {
    return detail::inert<typename inert_result<Op>::type>();
  } else {
    auto nobody_asks = detail::begin_report<no_report>(strategy, detail::operation_name_of(operation));
    if constexpr (std::is_void_v<result_of<Op>>) {
      detail::drive(strategy, operation, sleep, stop, nobody_asks);
    } else {
      return detail::drive(strategy, operation, sleep, stop, nobody_asks);
    }
  }
}

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

/// Calls `operation` until it succeeds, its error is final, or the strategy gives up, and returns the operation's own
/// last result: the value, the error value, or the exception, untouched.
///
/// Requires: `strategy` models RetryStrategy; `operation` is callable with `attempt&` or nothing and returns something that
/// anew/base/result_traits.hpp can read and move; `sleep` models Sleeper.
/// Returns: what `operation` returned last. A rejected result is destroyed before the sleep, and kept only when a stop
/// token may end the call in the sleep, which then returns it.
/// Throws: what `operation` throws last, and whatever the classifier, the sleeper or an observer throws; then the
/// quota is as it was before that retry. `std::invalid_argument` for an empty operation, such as a default `std::function`.
/// Cost: for a call that succeeds at once the instructions of the loop written by hand, and what the quota says.
/// Choose it on a thread that may block. For more about the ending: retry_outcome.
/// Example: examples/01_first_retry.cpp
///
/// With a stop token: a stop wakes the sleeper and starts no further attempt; the last failure is the result.
template <class Strategy, class Op, class... Stop>
  requires detail::StopAlone<Stop...>
ANEW_INLINE decltype(auto) retry(Strategy const& strategy, Op&& operation, Stop const&... stop) {
  blocking_sleeper sleep{};
  return detail::retry(strategy, operation, sleep, stop...);
}
template <class Strategy, class Op, class... Stop>
  requires(detail::StopAlone<Stop...> && detail::FailsByValue<Op>)
[[nodiscard]] ANEW_INLINE decltype(auto) retry(Strategy const& strategy, Op&& operation, Stop const&... stop) {
  blocking_sleeper sleep{};
  return detail::retry(strategy, operation, sleep, stop...);
}

/// With your own sleeper: `sleep(delay)` is called once before each retry, also when the delay is zero.
template <class Strategy, class Op, class Sleep, class... Stop>
  requires detail::SleepThenStop<Sleep, Stop...>
ANEW_INLINE decltype(auto) retry(Strategy const& strategy, Op&& operation, Sleep&& sleep, Stop const&... stop) {
  return detail::retry(strategy, operation, sleep, stop...);
}
template <class Strategy, class Op, class Sleep, class... Stop>
  requires(detail::SleepThenStop<Sleep, Stop...> && detail::SleepsHere<Sleep, Stop...> && detail::FailsByValue<Op>)
[[nodiscard]] ANEW_INLINE decltype(auto) retry(Strategy const& strategy, Op&& operation, Sleep&& sleep,
                                               Stop const&... stop) {
  return detail::retry(strategy, operation, sleep, stop...);
}

/// Explains why a strategy whose policies calls share must not be a temporary.
template <detail::IsTemporaryWithState Strategy, class Op, class... Rest>
  requires(sizeof...(Rest) <= 1)
decltype(auto) retry(Strategy const&& /*strategy*/, Op&& /*operation*/, Rest&&... /*rest*/) {
  using result = typename detail::inert_result<std::remove_reference_t<Op>>::type;
  return detail::explain_temporary<detail::caller::retry, Strategy, result>();
}
template <detail::IsTemporaryWithState Strategy, class Op, class Sleep, class Stop>
decltype(auto) retry(Strategy const&& /*strategy*/, Op&& /*operation*/, Sleep&& /*sleep*/, Stop const& /*stop*/) {
  using result = typename detail::inert_result<std::remove_reference_t<Op>>::type;
  return detail::explain_temporary<detail::caller::retry, Strategy, result>();
}

}  // namespace anew::inline ANEW_ABI

#endif
