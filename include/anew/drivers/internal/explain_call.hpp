// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_INTERNAL_EXPLAIN_CALL_HPP
#define ANEW_DRIVERS_INTERNAL_EXPLAIN_CALL_HPP

#include <concepts>
#include <type_traits>

#include "anew/base/internal/failure_members.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/intrinsics.hpp"
#include "anew/base/refused_result.hpp"
#include "anew/base/result_traits.hpp"
#include "anew/drivers/declarations.hpp"
#include "anew/drivers/internal/decide.hpp"
#include "anew/drivers/internal/questions.hpp"
#include "anew/policies/classifier/retry_info.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/roles/internal/error_members.hpp"
#include "anew/roles/operation.hpp"
#include "anew/roles/sleeper.hpp"
#include "anew/strategy/internal/explain.hpp"

/// Decides for every driver how a classifier reads a result. Keep the table of docs/concepts.md in step with this header.
namespace anew::inline ANEW_ABI::detail {

/// The operation's return type, without reference and const.
template <class Op>
using plain_result_of = std::remove_cvref_t<result_of<Op>>;
/// The same, but `void` for a result that never means a failure, since no classifier has to read it.
template <class Op>
using read_result_of =
    std::conditional_t<ThrowsOnly<Op> || std::is_void_v<plain_result_of<Op>>, void_result, plain_result_of<Op>>;

/// A result that may mean a failure needs a classifier that reads it, and decides on each value of it.
template <class C, class R>
inline constexpr bool leaves_unread = may_be_a_failure<C, R> && (!ReadsResult<C, R> || LeavesUndecided<C, R>);

/// A result that fails by its value needs a classifier that reads the value; any other result needs a classifier that
/// reads exceptions, or plain values.
template <class C, class R>
inline constexpr bool classifier_reads_the_errors_of = [] {
  if constexpr (ReadsWhole<C, R>) return true;
  if constexpr (carries_error<R>) return ClassifierOf<C, error_type<R>>;
  if constexpr (std::same_as<R, void_result>) return bool{ANEW_EXCEPTIONS} && ReadsExceptions<C>;
  return !leaves_unread<C, R> && (ReadsResult<C, R> || (bool{ANEW_EXCEPTIONS} && ReadsExceptions<C>));
}();

// With the error instead of the result, because compilers print the template arguments, and the error is the type to
// act on.
template <class E>
inline constexpr bool error_says_whether_to_retry = SaysWhetherToRetry<E>;
template <class C, class E>
inline constexpr bool classifier_reads_error = ClassifierOf<C, E>;

/// A result that must not be awaited, asked for or called first. `Read` is `void` where the callable is the result.
template <class Result, class Read = Result>
inline constexpr bool result_is_finished = shape_of<Result>() != shape::pending && shape_of<Read>() != shape::callable;

/// An expected carries its error; declared to fail by exceptions alone, it would succeed with an error in it.
template <class Op>
inline constexpr bool result_carries_no_error = !(ThrowsOnly<Op> && ExpectedLike<plain_result_of<Op>>);

/// Compilers print the template arguments. A class, because of a variable's arguments clang prints the expressions.
template <class R, shape Shape, telling Member, class Classifier>
struct result_is_read {
  static constexpr bool value = !leaves_unread<Classifier, R>;
};

/// A specialisation of result_traits that has one of its two functions.
template <class R>
inline constexpr bool result_traits_has_both_functions =
    TraitedResult<R> || TraitedPlain<R> ||
    (!requires(R const& r) { result_traits<R>::is_success(r); } && !requires(R const& r) { result_traits<R>::error(r); });

/// A member that is declared, but not callable on a const object, or that returns a wrong type, counts as present.
template <class C, class R>
inline constexpr bool classify_result_can_be_called =
    ReadsResult<C, R> || !requires(C& c, R& r) { c.classify_result(r); };

/// A result that the driver can return.
template <class R>
inline constexpr bool result_is_movable =
    std::is_void_v<R> || std::is_lvalue_reference_v<R> || std::is_move_constructible_v<R>;
template <class R>
inline constexpr bool result_is_movable<R&&> = false;  // a referenced object need not outlive the attempt

/// False for a result that can fail, and holds no error.
template <class R>
inline constexpr bool result_carries_a_reason = shape_of<R>() != shape::boolean && shape_of<R>() != shape::optional;

// Explains in one sentence what is wrong with a call, before anything is computed from it. Every driver asks these
// questions, and those of its own.

/// The function that was called. `outcome`: a user's own loop reported a result.
enum class caller : unsigned char { retry, awaited, poll, awaited_poll, async_retry, async_poll, machine, outcome };
constexpr bool is_of_poll(caller by) noexcept {
  return by == caller::poll || by == caller::awaited_poll || by == caller::async_poll;
}
constexpr bool is_awaited(caller by) noexcept { return by == caller::awaited || by == caller::awaited_poll; }
constexpr bool takes_a_token(caller by) noexcept { return by == caller::async_retry || by == caller::async_poll; }

/// An operation as the questions see it, whose result is awaited, or comes by steps.
template <class R>
struct operation_that_returns {
  R operator()() const;
};
template <class Op, class R>
using operation_returning =
    std::conditional_t<ThrowsOnly<Op>, throws_only_operation<operation_that_returns<R>>, operation_that_returns<R>>;

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

// NOLINTBEGIN(*-macro-*, *-braces-*): a message is a literal, and begins with the name of the call
// clang-format off: a rung is what the call requires, and the question that is answered with no
#define ANEW_REQUIRES(REQUIREMENT, ...)                                                                  \
  if constexpr (!(__VA_ARGS__)) {                                                                        \
    if constexpr (By == caller::retry || By == caller::awaited) {                                        \
      static_assert(__VA_ARGS__, "anew::retry(strategy, operation) requires " REQUIREMENT);              \
    } else if constexpr (is_of_poll(By)) {                                                               \
      static_assert(__VA_ARGS__, "anew::poll(strategy, operation, acceptors) requires " REQUIREMENT);    \
    } else if constexpr (By == caller::async_retry) {                                                    \
      static_assert(__VA_ARGS__, "anew::async_retry(strategy, operation, token) requires " REQUIREMENT); \
    } else if constexpr (By == caller::machine) {                                                        \
      static_assert(__VA_ARGS__, "anew::call_engine and anew::retry_machine require " REQUIREMENT);      \
    } else {                                                                                             \
      static_assert(__VA_ARGS__, "call.on_outcome(result) requires " REQUIREMENT);                       \
    }                                                                                                    \
  } else

/// Strategy, operation, stop token and sleeper, as far as the driver has them. One function has all rungs, because each
/// nested call adds three lines to clang's output.
template <caller By, class S, class Op, class Sleep = void, class Stop = void>
consteval bool explain_call() {
  if constexpr (std::same_as<S, ill_formed_strategy>) {
    return false;  // explained where it was composed
  } else if constexpr (!models_retry_strategy<S>) {
    ANEW_REQUIRES("a RetryStrategy; you passed an anew::retry_strategy, whose tokens it cannot see. Pass "
                  "anew::strategy_view{strategy}", strategy_is_not_virtual<S>)
    ANEW_REQUIRES("the strategy before the operation; you passed the operation first. Swap them",
                  strategy_comes_first<S, Op>)
    ANEW_REQUIRES("a RetryStrategy; this type is not one. Pass an anew::strategy<...> that outlives the call, not a "
                  "pointer to one (anew::strategy_view{*pointer} of an anew::retry_strategy), nor a function that "
                  "returns one; for a type of your own, static_assert(anew::RetryStrategy<your_type>) lists what is missing",
                  models_retry_strategy<S>) {}
  } else
  ANEW_REQUIRES("a strategy without nesting_guard; the guard detects nested calls on the calling thread's stack, and "
                "this call leaves that stack. Pass anew::nested_in to each call, or share one quota: "
                "anew::shared<anew::token_bucket<500>>",
                By == caller::retry || is_of_poll(By) || has_no_nesting_guard<S>)
  if constexpr (takes_a_token(By)) {
    return true;  // its operation takes a token
  } else if constexpr (!Operation<Op>) {
    if constexpr (is_refused_closure<Op>) {
      return detail::explain_closure<Op>();
    } else
    ANEW_REQUIRES("an operation that can be called again; this operation is callable only as an rvalue, so a second "
                  "attempt would send nothing. Pass anew::one_shot(operation), or let the operation keep what it sends",
                  operation_can_be_called_again<Op>)
    ANEW_REQUIRES("an operation that is callable as operation(anew::attempt&) or operation(); this operation is not. "
                  "Take the attempt by reference, or wrap the operation: [&] { return operation(arguments); }",
                  operation_can_be_called<Op>) {}
  } else if constexpr (By == caller::machine) {
    return true;  // it neither sleeps nor reads the result of an operation
  } else
  ANEW_REQUIRES("a stop token; you passed a stop source, which cannot wake the sleeper. Pass source.get_token()",
                stop_is_no_source<std::remove_cvref_t<Sleep>, Stop>)
  ANEW_REQUIRES("a stop token as its last argument; this argument has no 'bool stop_requested() const' and 'bool "
                "stop_possible() const'. Did you swap it with the sleeper?", is_a_stop_token<Stop>)
  ANEW_REQUIRES("a sleeper that is callable as sleeper(anew::duration); this sleeper is not. Take an anew::duration, "
                "and if it is mutable, pass it without const", sleeper_takes_a_duration<Sleep, Stop>)
  ANEW_REQUIRES("an operation that takes its attempt when an attempt timeout is composed; nothing interrupts an "
                "operation that blocks or is awaited, so it must ask for its limit. Write [&](anew::attempt& self) { "
                "... self.limit() ... }", operation_takes_its_attempt<S, Op>)
  if constexpr (is_awaited(By)) {
    return true;
  } else
  ANEW_REQUIRES("a sleeper that has waited when it returns; this sleeper returns an awaitable, which a blocking call "
                "does not wait for. Include <anew/coroutine.hpp>, return an awaitable from the operation too, and "
                "co_await the call", sleeper_waits<Sleep, Stop>)
  if constexpr (ExplainsItsQuota<S>) {
    return S::nesting_type::template explain_quota<typename S::quota_type>();
  } else {
    return true;
  }
  return false;
}

/// The operation's result, and the errors that the classifier reads of it.
template <caller By, class S, class Op>
consteval bool explain_result() {
  using C = classifier_type_of<S>;
  using R = read_result_of<Op>;
  constexpr bool hands_out = By == caller::retry || By == caller::awaited;
  ANEW_REQUIRES("a finished result; this result is an awaitable, a future, a sender, a task, or a callable that "
                "nothing has called. Wait for it or call it first; include <anew/coroutine.hpp>, pass a sleep and "
                "co_await the call; use anew::async_retry() or anew::async_poll() of <anew/asio.hpp>; or pass "
                "anew::throws_only(operation) if a callable is the result", result_is_finished<plain_result_of<Op>, R>)
  ANEW_REQUIRES("a result that can be moved; this result is immovable, or an rvalue reference. Return a value, or a "
                "std::unique_ptr to it", (!hands_out && !is_of_poll(By)) || result_is_movable<result_of<Op>>)
  if constexpr (is_of_poll(By)) {
    return true;  // acceptors read it
  } else if constexpr (!result_carries_no_error<Op>) {
    static_assert(result_carries_no_error<Op>,
                  "anew::throws_only(operation) requires an operation whose results carry no error; this operation "
                  "returns an expected, whose error would count as a success. Omit throws_only");
  } else if constexpr (!result_traits_has_both_functions<R>) {
    static_assert(
        result_traits_has_both_functions<R>,
        "anew::result_traits<R> requires 'static bool is_success(R const&)' and 'static E error(R const&)'; this "
        "specialisation has only one of them, or one with another signature. Add the other");
  } else
  ANEW_REQUIRES("'anew::directive classify_result(R const&) const' of a classifier that has a classify_result for this "
                "result; this function is not const, takes R&, or returns another type. Change its signature",
                std::same_as<R, void_result> || classify_result_can_be_called<C, R>)
  if constexpr (RefusesResult<C, R> && (hands_out || !std::same_as<R, void_result>)) {
    C::template explain_result<R>();
  } else
  ANEW_REQUIRES("a result that it can classify as a success or a failure; the predicate of anew::retry_if<Predicate> "
                "says which values to retry, and not which of the others are failures. Compose "
                "anew::retry_while<Predicate> if all others are successes, or return an anew::directive from the "
                "predicate", !LeavesUndecided<C, R> || result_is_read<R, shape_of<R>(), telling_member<R>(), C>::value)
  ANEW_REQUIRES("a result that it can classify as a success or a failure; this type may mean either, and no classifier "
                "reads it. Compose anew::retry_if<Predicate> with a predicate that returns an anew::directive, or "
                "anew::http_status_classifier<> for an HTTP status, specialise anew::result_traits<R>, or pass "
                "anew::throws_only(operation) if every value is a success",
                result_is_read<R, shape_of<R>(), telling_member<R>(), C>::value)
#if !ANEW_EXCEPTIONS
  ANEW_REQUIRES("a result for a call that a gate or a pacer refuses, because exceptions are disabled; this type does "
                "not provide one. Specialise anew::refused_result<R> with 'static R make(anew::stop_reason)'",
                !hands_out || !RefusesAttempts<S> || MakesRefusedResult<plain_result_of<Op>>)
#endif
  if constexpr (!error_of_result_is_callable<R>) {
    return detail::explain_error<error_type<R>>();
  } else if constexpr (classifier_reads_the_errors_of<C, R> || (!hands_out && !carries_error<R>)) {
    return true;
  } else if constexpr (!carries_error<R>) {
    ANEW_REQUIRES("a way to fail; the operation returns a plain value, so it can only fail by an exception, and the "
                  "classifier reads no exceptions. Compose anew::retry_on<E>, anew::retry_if<Predicate, E>, or "
                  "anew::retry_info_on<E> for an E that says whether to retry; without exceptions, return a type that "
                  "carries an error", classifier_reads_the_errors_of<C, R>) {}
  } else if constexpr (!std::same_as<C, retry_info_classifier>) {
    ANEW_REQUIRES("a classifier that reads the operation's errors; the strategy's classifier has no 'anew::directive "
                  "classify(E const&) const' for them. Let the predicate of anew::retry_if<Predicate> take the error, "
                  "as a const function", classifier_reads_error<C, error_type<R>>) {}
  } else
  ANEW_REQUIRES("an error that says whether to retry; a bool or an optional says only that the operation failed. "
                "Compose a classifier: anew::retry_all, or anew::retry_if<Predicate>, where Predicate is the type of a "
                "function object that returns true to retry", result_carries_a_reason<R>)
  ANEW_REQUIRES("an error that says whether to retry; this error type does not. Specialise anew::retry_traits<E> with "
                "'static anew::retry_safety is_retry_safe(E const&)', or compose a classifier: "
                "anew::retry_if<Predicate>, anew::retry_all", error_says_whether_to_retry<error_type<R>>) {}
  return false;
}

/// Refuses a strategy that is made for one call and holds policies that calls share: its bucket is full each time, its
/// breaker never opens. Its type is deduced, so that it is instantiated where the call is: clang forgets the user's line
/// otherwise.
template <caller By, class S, class Result>
decltype(auto) explain_temporary() {
  ANEW_REQUIRES("a strategy that outlives the call; you passed a temporary with a quota, a gate or a pacer, which "
                "every call would create anew. Declare it once, 'static my_strategy const strategy;', or hold the "
                "policy in anew::shared<Policy>", !has_own_state<S>) {}
  return detail::inert<Result>();
}

#undef ANEW_REQUIRES
// clang-format on
// NOLINTEND(*-macro-*, *-braces-*)

}  // namespace anew::inline ANEW_ABI::detail

#endif
