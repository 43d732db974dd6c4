// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_CALL_INTERNAL_EXPLAIN_RESULT_HPP
#define ANEW_CALL_INTERNAL_EXPLAIN_RESULT_HPP

#include <concepts>
#include <type_traits>

#include "anew/base/internal/mute.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/refused_result.hpp"
#include "anew/base/result_traits.hpp"
#include "anew/call/internal/decide.hpp"
#include "anew/call/internal/explain_error.hpp"
#include "anew/policies/classifier/retry_info.hpp"
#include "anew/policies/operation/throws_only.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/roles/internal/error_members.hpp"
#include "anew/roles/operation.hpp"

/// Decides for every driver how a classifier reads a result, and explains a result that it cannot read. Keep the table
/// of docs/concepts.md in step with this header.
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
struct classifier_reads_the_errors_of {
  static constexpr bool value = [] {
    if constexpr (ReadsWhole<C, R>) return true;
    if constexpr (carries_error<R>) return ClassifierOf<C, error_type<R>>;
    if constexpr (std::same_as<R, void_result>) return bool{ANEW_EXCEPTIONS} && ReadsExceptions<C>;
    return !leaves_unread<C, R> && (ReadsResult<C, R> || (bool{ANEW_EXCEPTIONS} && ReadsExceptions<C>));
  }();
};

// With the error instead of the result, because compilers print the template arguments, and the error is the type to
// act on.
template <class E>
inline constexpr bool error_says_whether_to_retry = SaysWhetherToRetry<E>;
template <class C, class E>
struct classifier_reads_error {
  static constexpr bool value = ClassifierOf<C, E>;
};

template <class R>
struct result_is_not_pending {
  static constexpr bool value = shape_of<R>() != shape::pending;
};
template <class R>
struct result_is_not_callable {
  static constexpr bool value = shape_of<R>() != shape::callable;
};

/// An expected carries its error; declared to fail by exceptions alone, it would succeed with an error in it.
template <class Op>
inline constexpr bool result_carries_no_error = !(ThrowsOnly<Op> && ExpectedLike<plain_result_of<Op>>);

/// Compilers print the template arguments.
template <class R, shape Shape, class Classifier>
struct result_is_read {
  static constexpr bool value = !leaves_unread<Classifier, R>;
};
template <class R, telling Member, class Classifier>
struct member_is_read {
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

/// For a result that fails by its value.
template <class C, class R>
using classifier_reads_failed = std::conditional_t<result_carries_a_reason<R>, classifier_reads_error<C, error_type<R>>,
                                                   classifier_reads_the_errors_of<C, R>>;

/// Explains a call of `retry()` by its classifier and operation. One function has all rungs, because each nested call
/// adds three lines to clang's output.
template <class S, class Op>
consteval bool explain_result() {
  using C = classifier_type_of<S>;
  using R = read_result_of<Op>;
  if constexpr (!result_is_not_pending<plain_result_of<Op>>::value) {
    static_assert(result_is_not_pending<plain_result_of<Op>>::value,
                  "anew::retry(strategy, operation) requires a result that is there when the operation returns; this "
                  "operation returns an awaitable, a future, a sender or a task, which a blocking call does not wait "
                  "for. Include <anew/coroutine.hpp> and co_await anew::retry(strategy, operation, sleep), use "
                  "anew::async_retry() of <anew/asio.hpp>, or return future.get()");
  } else if constexpr (!result_carries_no_error<Op>) {
    static_assert(result_carries_no_error<Op>,
                  "anew::throws_only(operation) requires an operation whose results carry no error; this operation "
                  "returns an expected, whose error would count as a success. Omit throws_only");
  } else if constexpr (!result_is_movable<result_of<Op>>) {
    static_assert(result_is_movable<result_of<Op>>,
                  "anew::retry(strategy, operation) requires a result that can be moved; this result is immovable, or "
                  "an rvalue reference. Return a value, or a std::unique_ptr to it");
  } else if constexpr (!result_is_not_callable<R>::value) {
    static_assert(
        result_is_not_callable<R>::value,
        "anew::retry(strategy, operation) requires a result that is there when the operation returns; this operation "
        "returns a callable without calling it. Call it in the operation, use anew::async_retry() for a deferred Asio "
        "operation, or pass anew::throws_only(operation) if the callable itself is the result");
  } else if constexpr (!result_traits_has_both_functions<R>) {
    static_assert(
        result_traits_has_both_functions<R>,
        "anew::result_traits<R> requires 'static bool is_success(R const&)' and 'static E error(R const&)'; this "
        "specialisation has only one of them, or one with another signature. Add the other");
  } else if constexpr (!std::same_as<R, void_result> && !classify_result_can_be_called<C, R>) {
    static_assert(classify_result_can_be_called<C, R>,
                  "anew::retry(strategy, operation) requires 'anew::directive classify_result(R const&) const' of a "
                  "classifier that has a classify_result for this result; this function is not const, takes R&, or "
                  "returns another type. Change its signature");
  } else if constexpr (RefusesResult<C, R>) {
    C::template explain_result<R>();
  } else if constexpr (leaves_unread<C, R> && LeavesUndecided<C, R>) {
    static_assert(result_is_read<R, shape_of<R>(), C>::value,
                  "anew::retry(strategy, operation) requires a result that it can classify as a success or a failure; "
                  "the predicate of "
                  "anew::retry_if<Predicate> says which values to retry, and not which of the others are failures. "
                  "Compose anew::retry_while<Predicate> if all others are successes, or return an anew::directive from "
                  "the predicate");
  } else if constexpr (leaves_unread<C, R> && shape_of<R>() == shape::number) {
    static_assert(
        result_is_read<R, shape_of<R>(), C>::value,
        "anew::retry(strategy, operation) requires a result that it can classify as a success or a failure; a signed "
        "integer may "
        "be a count or an error such as -1. Compose anew::retry_if<Predicate> with a predicate that returns an "
        "anew::directive, or pass anew::throws_only(operation) if every value is a success");
  } else if constexpr (leaves_unread<C, R> && shape_of<R>() == shape::enumeration) {
    static_assert(
        result_is_read<R, shape_of<R>(), C>::value,
        "anew::retry(strategy, operation) requires a result that it can classify as a success or a failure; no "
        "classifier reads "
        "this enumeration. Compose anew::retry_if<Predicate> with a predicate that returns an anew::directive, "
        "specialise anew::result_traits<R>, or pass anew::throws_only(operation) if every value is a success");
  } else if constexpr (leaves_unread<C, R> &&
                       (shape_of<R>() == shape::alternatives || shape_of<R>() == shape::elements)) {
    static_assert(
        result_is_read<R, shape_of<R>(), C>::value,
        "anew::retry(strategy, operation) requires a result that it can classify as a success or a failure; this "
        "variant, pair or "
        "tuple holds an error or a bool that nothing reads. Compose anew::retry_if<Predicate> with a predicate that "
        "returns an anew::directive, specialise anew::result_traits<R>, or pass anew::throws_only(operation) if every "
        "value is a success");
  } else if constexpr (leaves_unread<C, R> && shape_of<R>() == shape::member) {
    static_assert(
        member_is_read<R, telling_member<R>(), C>::value,
        "anew::retry(strategy, operation) requires a result that it can classify as a success or a failure; this class "
        "has a "
        "member that may tell of failure, and nothing reads it. Compose anew::http_status_classifier<> for "
        "an HTTP status, or anew::retry_if<Predicate> with a predicate that returns an anew::directive for "
        "anything else, specialise anew::result_traits<R>, or pass anew::throws_only(operation) if every value "
        "is a success");
  } else if constexpr (leaves_unread<C, R>) {
    static_assert(
        result_is_read<R, shape_of<R>(), C>::value,
        "anew::retry(strategy, operation) requires a result that says whether it is a success; this type "
        "converts to bool, which may mean success or failure. Compose anew::retry_while<Predicate> to retry some "
        "values, specialise anew::result_traits<R> with is_success(r) and error(r), or pass "
        "anew::throws_only(operation) if every value is a success");
#if !ANEW_EXCEPTIONS
  } else if constexpr (RefusesAttempts<S> && !MakesRefusedResult<plain_result_of<Op>>) {
    static_assert(MakesRefusedResult<plain_result_of<Op>>,
                  "anew::retry(strategy, operation) requires a result for a call that a gate or a pacer refuses, "
                  "because exceptions are disabled; this type does not provide one. Specialise anew::refused_result<R> "
                  "with 'static R make(anew::stop_reason)'");
#endif
  } else if constexpr (!error_of_result_is_callable<R>) {
    return detail::explain_error<error_type<R>>();
  } else if constexpr (classifier_reads_the_errors_of<C, R>::value) {
    return detail::explain_errors<C, R>();
  } else if constexpr (!carries_error<R>) {
#if ANEW_EXCEPTIONS
    static_assert(classifier_reads_the_errors_of<C, R>::value,
                  "anew::retry(strategy, operation) requires a way to fail; the operation returns a plain value, so it "
                  "can only fail by an exception, and the classifier reads no exceptions. Compose anew::retry_on<E>, "
                  "anew::retry_if<Predicate, E>, or anew::retry_info_on<E> for an E that says whether to retry");
#else
    static_assert(classifier_reads_the_errors_of<C, R>::value,
                  "anew::retry(strategy, operation) requires a way to fail; the operation returns a plain value, and "
                  "exceptions are disabled. Return a type that carries an error, or compose a classifier that reads "
                  "the value: anew::retry_if<Predicate>");
#endif
    return false;
  } else if constexpr (!std::same_as<C, retry_info_classifier>) {
    static_assert(classifier_reads_failed<C, R>::value,
                  "anew::retry(strategy, operation) requires a classifier that reads the operation's errors; the "
                  "strategy's classifier has no 'anew::directive classify(E const&) const' for them. Let the predicate "
                  "of anew::retry_if<Predicate> take the error, as a const function");
  } else if constexpr (!result_carries_a_reason<R>) {
    static_assert(
        result_carries_a_reason<R>,
        "anew::retry(strategy, operation) requires an error that says whether to retry; a bool or an optional says "
        "only that the operation failed. Compose a classifier: anew::retry_all, or anew::retry_if<Predicate>, where "
        "Predicate is the type of a function object that returns true to retry");
  } else {
    static_assert(error_says_whether_to_retry<error_type<R>>,
                  "anew::retry(strategy, operation) requires an error that says whether to retry; this error type does "
                  "not. Specialise anew::retry_traits<E> with 'static anew::retry_safety is_retry_safe(E const&)', or "
                  "compose a classifier: anew::retry_if<Predicate>, anew::retry_all");
  }
  return false;
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
