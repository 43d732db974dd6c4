// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_CALL_INTERNAL_EXPLAIN_MACHINE_HPP
#define ANEW_CALL_INTERNAL_EXPLAIN_MACHINE_HPP

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "anew/base/platform/compiler.hpp"
#include "anew/base/result_traits.hpp"
#include "anew/call/internal/explain_call.hpp"
#include "anew/call/internal/explain_result.hpp"
#include "anew/call/internal/machine.hpp"
#include "anew/roles/internal/error_members.hpp"

/// Explains in one sentence what is wrong with a `call_engine` or a `retry_machine`, before anything is computed from
/// it.
namespace anew::inline ANEW_ABI::detail {

template <class S>
consteval bool explain_machine() {
  if constexpr (std::same_as<S, ill_formed_strategy>) {
    return false;  // explained where it was composed
  } else if constexpr (!models_retry_strategy<S>::value) {
    static_assert(models_retry_strategy<S>::value,
                  "anew::call_engine and anew::retry_machine require a RetryStrategy; this type is not one. Pass an "
                  "anew::strategy<...> that outlives the machine; for a type of your own, "
                  "static_assert(anew::RetryStrategy<your_type>) lists what is missing");
  } else if constexpr (!has_no_nesting_guard<S>::value) {
    static_assert(
        has_no_nesting_guard<S>::value,
        "anew::call_engine and anew::retry_machine require a strategy without nesting_guard; the guard detects nested "
        "calls on the calling thread's stack, and a call by steps leaves that stack. Pass anew::nested_in to "
        "each call, or share one quota: anew::shared<anew::token_bucket<500>>");
  } else {
    return true;
  }
  return false;
}

/// Not the concept itself, whose parts clang explains in ten lines.
template <class Op>
inline constexpr bool engine_can_call_the_operation = Operation<Op>;
template <class Op>
consteval bool explain_engine_operation() {
  if constexpr (Operation<Op>) {
    return true;
  } else if constexpr (is_refused_closure<std::remove_reference_t<Op>>) {
    return detail::explain_closure<std::remove_reference_t<Op>>();
  } else if constexpr (!operation_takes_a_reference<std::remove_reference_t<Op>>) {
    static_assert(operation_takes_a_reference<std::remove_reference_t<Op>>,
                  "anew::call_engine{strategy, operation} requires an operation that takes its attempt by reference; "
                  "yours takes an anew::attempt by value, and an attempt cannot be copied. Write "
                  "[&](anew::attempt& self) { ... }");
    return false;
  } else {
    static_assert(engine_can_call_the_operation<Op>,
                  "anew::call_engine{strategy, operation} requires an operation that you can call as "
                  "operation(anew::attempt&) or operation(). Wrap yours: [=] { return operation(arguments); }");
    return false;
  }
}

template <class S, class R>
consteval bool explain_machine_outcome() {
  using C = classifier_type_of<S>;
  if constexpr (!is_there<R>) {
    static_assert(is_there<R>,
                  "call.on_outcome(result) requires a finished result; you passed an awaitable, a future or a "
                  "callable. Wait for it or call it, and pass its result");
  } else if constexpr (leaves_unread<C, R> && shape_of<R>() == shape::member) {
    static_assert(
        member_is_read<R, telling_member<R>(), C>::value,
        "call.on_outcome(result) requires a result that it can classify as a success or a failure; this class has a "
        "member that may tell "
        "of failure, and nothing reads it. Compose a classifier that reads it, specialise anew::result_traits<R>, or "
        "report its meaning: call.on_success(), call.on_error(error), call.on_verdict(directive)");
  } else if constexpr (leaves_unread<C, R>) {
    static_assert(result_is_read<R, shape_of<R>(), C>::value,
                  "call.on_outcome(result) requires a result that says whether it is a success; this type may mean "
                  "success or failure. Compose a classifier that reads it, specialise anew::result_traits<R>, or "
                  "report its meaning: call.on_success(), call.on_error(error), call.on_verdict(directive)");
  } else if constexpr (carries_error<R> && !classifier_reads_the_errors_of<C, R>::value) {
    static_assert(classifier_reads_failed<C, R>::value,
                  "call.on_outcome(result) requires a classifier that reads the result's error; the strategy's "
                  "classifier does not. Compose anew::retry_if<Predicate> or anew::retry_all, or report what the "
                  "result means: call.on_verdict(directive)");
  } else if constexpr (!error_of_result_is_callable<R>) {
    return detail::explain_error<error_type<R>>();
  } else {
    return true;
  }
  return false;
}

template <class S, class E>
consteval bool explain_machine_error() {
  using C = classifier_type_of<S>;
  if constexpr (!error_functions_are_callable<E>) {
    return detail::explain_error<E>();
  } else {
    static_assert(
        classifier_reads_error<C, E>::value,
        "call.on_error(error) requires a classifier that reads this type; the strategy's classifier does not. Compose "
        "anew::retry_if<Predicate> or anew::retry_all, or classify the error yourself: call.on_verdict(directive)");
    return classifier_reads_error<C, E>::value;
  }
}

/// Replaces the machine of a strategy that is already explained to be wrong, so that the explanation is the only error.
template <class Step>
struct inert_machine {
  explicit inert_machine(auto const&... /*strategy*/) noexcept {}
  static Step begin() noexcept { return end(); }
  static Step on_time() noexcept { return end(); }
  static Step on_success(auto const&... /*told*/) noexcept { return end(); }
  static Step on_exception(auto const&... /*told*/) noexcept { return end(); }
  static Step on_verdict(auto const&... /*told*/) noexcept { return end(); }
  static Step on_attempt_timeout(auto const&... /*told*/) noexcept { return end(); }
  static Step on_cancelled() noexcept { return end(); }
  static Step on_wait_over() noexcept { return end(); }
  static Step request_stop() noexcept { return end(); }
  static void abandon() noexcept {}
  static bool is_stopped() noexcept { return false; }
  static bool is_finished() noexcept { return true; }
  static bool is_in_flight(std::uint32_t /*number*/) noexcept { return false; }
  static std::uint32_t in_flight() noexcept { return 0; }
  static duration wait() noexcept { return {}; }
  static time_point wait_ends_at() noexcept { return {}; }
  static attempt::parts current() noexcept { return {}; }
  static duration attempt_timeout() noexcept { return {}; }
  static stop_reason reason() noexcept { return {}; }
  static std::uint32_t attempts() noexcept { return {}; }

 private:
  static Step end() noexcept {
    if constexpr (std::is_same_v<Step, next_step>) return next_step::finished;
    return {};
  }
};

template <class S, bool IsSound>
struct machine_if : std::type_identity<machine<S>> {};
template <class S>
struct machine_if<S, false> : std::type_identity<inert_machine<next_step>> {};

}  // namespace anew::inline ANEW_ABI::detail

#endif
