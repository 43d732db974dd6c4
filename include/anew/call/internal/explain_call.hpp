// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_CALL_INTERNAL_EXPLAIN_CALL_HPP
#define ANEW_CALL_INTERNAL_EXPLAIN_CALL_HPP

#include <concepts>
#include <type_traits>
#include <utility>

#include "anew/base/internal/not_yet.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/intrinsics.hpp"
#include "anew/call/internal/drive.hpp"
#include "anew/call/internal/refused_closure.hpp"
#include "anew/roles/attempt_timeout.hpp"
#include "anew/roles/operation.hpp"
#include "anew/roles/retry_strategy.hpp"
#include "anew/roles/sleeper.hpp"
#include "anew/strategy/internal/explain.hpp"

/// Explains in one sentence what is wrong with a call of `retry()`, before anything is computed from it: strategy,
/// operation, sleeper and stop token. For the result see anew/call/internal/explain_result.hpp.
namespace anew::inline ANEW_ABI::detail {

template <class S>
concept HasTokenType = requires { typename S::token_type; };

template <class S>
concept HasDelay = requires(typename S::token_type const& token) {
  { token.delay() } -> std::same_as<duration>;
};

template <class S>
concept HasFunctionsOfAStrategy = requires(S const& s, typename S::token_type& token, failure const& f) {
  s.acquire_initial_token();
  s.refresh_retry_token(std::move(token), f);
  s.record_success(std::move(token));
};

template <class S>
inline constexpr bool strategy_is_no_pointer = !std::is_pointer_v<S> && !requires(S const& s) {
  s.get();
  s.operator->();
};
/// A strategy behind the virtual interface, which this header does not know.
template <class S>
inline constexpr bool strategy_is_not_virtual = !requires(S const& s) { s.wishes(); };
template <class S>
inline constexpr bool strategy_is_no_number = !std::is_arithmetic_v<S>;

/// A stop source, passed instead of a stop token or sleeper.
template <class Sleep, class Stop>
inline constexpr bool stop_is_a_token = !StopSource<Sleep> && !StopSource<Stop>;

template <class S>
struct models_retry_strategy {
  static constexpr bool value = RetryStrategy<S>;
};

/// A sleeper's return value is ignored; a return value that must itself be waited for is a mistake.
template <class Sleep, class Stop>
inline constexpr bool sleeper_waits = [] {
  if constexpr (requires(Sleep& sleep, duration delay, Stop const& stop) { sleep(delay, stop); }) {
    using slept = decltype(std::declval<Sleep&>()(duration{}, std::declval<Stop const&>()));
    return !Pending<std::remove_cvref_t<slept>>;
  } else {
    return !Pending<std::remove_cvref_t<decltype(std::declval<Sleep&>()(duration{}))>>;
  }
}();

/// An attempt timeout cannot end a blocking operation: the operation must ask for it.
template <class S, class Op>
inline constexpr bool operation_takes_its_attempt = !HasAttemptTimeout<S> || TakesAttempt<Op>;

/// An attempt cannot be copied. Only a temporary can initialise a parameter of its type.
template <class Op, class... Token>
inline constexpr bool operation_takes_a_reference =
    !requires(Op& op, attempt::parts const& parts, Token&... token) { op(attempt{parts}, token...); };
template <class Op>
  requires requires { typename Op::declared; }
inline constexpr bool operation_takes_a_reference<Op> = operation_takes_a_reference<typename Op::declared>;

/// An operation that can be called once: as an rvalue.
template <class Op>
inline constexpr bool operation_can_be_called_again =
    !(requires(Op&& op) { std::move(op)(); } || requires(Op&& op, attempt& a) { std::move(op)(a); });

template <class S>
concept ExplainsItsQuota = requires { S::nesting_type::template explain_quota<typename S::quota_type>(); };

/// One function has all rungs, because each nested call adds three lines to clang's output.
template <class S, class Op, class Sleep, class Stop>
consteval bool explain_call() {
  if constexpr (std::same_as<S, ill_formed_strategy>) {
    return false;  // explained where it was composed
  } else if constexpr (!strategy_is_no_pointer<S>) {
    static_assert(
        strategy_is_no_pointer<S>,
        "anew::retry(strategy, operation) requires a RetryStrategy; you passed a pointer to one. Pass *strategy, or "
        "anew::strategy_view{*strategy} if it points to an anew::retry_strategy");
  } else if constexpr (!HasTokenType<S> && !strategy_is_not_virtual<S>) {
    static_assert(
        strategy_is_not_virtual<S>,
        "anew::retry(strategy, operation) requires a RetryStrategy; you passed an anew::retry_strategy, whose "
        "tokens it cannot see. Pass anew::strategy_view{strategy}");
  } else if constexpr (!strategy_is_no_number<S>) {
    static_assert(
        strategy_is_no_number<S>,
        "anew::retry(strategy, operation) requires a RetryStrategy; the first argument is a number, or a type "
        "that an earlier error made one. Correct that error, or pass anew::strategy<...>{} first");
  } else if constexpr (!HasTokenType<S>) {
    static_assert(HasTokenType<S>,
                  "anew::retry(strategy, operation) requires a RetryStrategy; the first argument has no nested "
                  "'token_type'. Pass anew::strategy<...>{} first");
  } else if constexpr (!HasDelay<S>) {
    static_assert(HasDelay<S>,
                  "anew::retry(strategy, operation) requires a RetryStrategy; its token_type has no 'anew::duration "
                  "delay() const'. Add that function");
  } else if constexpr (!HasFunctionsOfAStrategy<S>) {
    static_assert(
        HasFunctionsOfAStrategy<S>,
        "anew::retry(strategy, operation) requires a RetryStrategy; this strategy is missing at least one of: "
        "'token_type acquire_initial_token() const', 'anew::refreshed<token_type> refresh_retry_token(token_type&&, "
        "anew::failure const&) const', 'record_success(token_type&&) const'");
  } else if constexpr (!models_retry_strategy<S>::value) {
    static_assert(
        models_retry_strategy<S>::value,
        "anew::retry(strategy, operation) requires a RetryStrategy: a movable token_type, which "
        "acquire_initial_token() returns, and refresh_retry_token(), which returns anew::refreshed<token_type>; at "
        "least one of them has another type. Add static_assert(anew::RetryStrategy<your_strategy>) to see which");
  } else if constexpr (!Operation<Op>) {
    if constexpr (is_refused_closure<Op>) {
      return detail::explain_closure<Op>();
    } else if constexpr (!operation_takes_a_reference<Op>) {
      static_assert(operation_takes_a_reference<Op>,
                    "anew::retry(strategy, operation) requires an operation that takes its attempt by reference; this "
                    "operation takes an anew::attempt by value, and an attempt cannot be copied. Write "
                    "[&](anew::attempt& self) { ... }");
    } else if constexpr (!operation_can_be_called_again<Op>) {
      static_assert(operation_can_be_called_again<Op>,
                    "anew::retry(strategy, operation) requires an operation that can be called again; this operation "
                    "is callable only as an rvalue, so a second attempt would send nothing. Pass "
                    "anew::one_shot(operation), or let the operation keep what it sends");
    } else {
      static_assert(
          TakesNothing<Op>,
          "anew::retry(strategy, operation) requires an operation that is callable as operation(anew::attempt&) or "
          "operation(); this operation is not. Wrap it: [&] { return operation(arguments); }");
    }
  } else if constexpr (!stop_is_a_token<std::remove_cvref_t<Sleep>, Stop>) {
    static_assert(stop_is_a_token<std::remove_cvref_t<Sleep>, Stop>,
                  "anew::retry(strategy, operation, stop) requires a stop token; you passed a stop source, which "
                  "cannot wake the sleeper. Pass source.get_token()");
  } else if constexpr (!StopToken<Stop>) {
    static_assert(StopToken<Stop>,
                  "anew::retry(strategy, operation, sleeper, stop) requires a stop token last; the last argument has "
                  "no 'bool stop_requested() const' and 'bool stop_possible() const'. Did you swap the last two?");
  } else if constexpr (!SleeperFor<Sleep, Stop>) {
    static_assert(
        Sleeper<Sleep>,
        "anew::retry(strategy, operation, sleeper) requires a sleeper that is callable as sleeper(anew::duration); "
        "this sleeper is not. Take an anew::duration, and if it is mutable, pass it without const");
  } else if constexpr (!sleeper_waits<Sleep, Stop>) {
    static_assert(
        sleeper_waits<Sleep, Stop>,
        "anew::retry(strategy, operation, sleeper) requires a sleeper that has waited when it returns; this sleeper "
        "returns an awaitable, which a blocking call does not wait for. Include <anew/coroutine.hpp>, return an "
        "awaitable from the operation too, and co_await anew::retry(strategy, operation, sleep)");
  } else if constexpr (!operation_takes_its_attempt<S, Op>) {
    static_assert(operation_takes_its_attempt<S, Op>,
                  "anew::retry(strategy, operation) requires an operation that takes its attempt when an attempt "
                  "timeout is composed; nothing interrupts a blocking operation, so it must ask for its limit. Write "
                  "[&](anew::attempt& self) { ... self.limit() ... }");
  } else if constexpr (ExplainsItsQuota<S>) {
    return S::nesting_type::template explain_quota<typename S::quota_type>();
  } else {
    return true;
  }
  return false;
}

/// The result of a call that is explained to be wrong, so that the explanation is the only error.
struct anything {
  template <class T>
  constexpr operator T() const {  // NOLINT(*-explicit-*)
    detail::unreachable();
  }
};

template <class Op>
struct inert_result : std::type_identity<anything> {};
template <Operation Op>
struct inert_result<Op> : std::type_identity<result_of<Op>> {};

template <class T>
[[noreturn]] T inert() {
  detail::unreachable();
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
