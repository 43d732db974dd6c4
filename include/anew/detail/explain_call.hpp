// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DETAIL_EXPLAIN_CALL_HPP
#define ANEW_DETAIL_EXPLAIN_CALL_HPP

#include <concepts>
#include <type_traits>
#include <utility>

#include "anew/classifier/retry_info.hpp"
#include "anew/concept/classifier.hpp"
#include "anew/concept/operation.hpp"
#include "anew/concept/retry_strategy.hpp"
#include "anew/concept/sleeper.hpp"
#include "anew/config.hpp"
#include "anew/detail/drive.hpp"
#include "anew/detail/explain.hpp"
#include "anew/detail/explain_reading.hpp"
#include "anew/outcome.hpp"
#include "anew/refusal.hpp"

/// What is wrong with a call of `retry()`, in one sentence, before anything is computed from it.
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

/// Neither a sleeper nor a stop token, but what makes tokens.
template <class Sleep, class Stop>
struct stop_is_a_token {
  static constexpr bool value = !StopSource<Sleep> && !StopSource<Stop>;
};

template <class S>
struct models_retry_strategy {
  static constexpr bool value = RetryStrategy<S>;
};

/// A result that fails by its value needs a classifier that reads the value; one that does not needs one that reads
/// exceptions, or plain values.
template <class C, class R>
struct classifier_reads_the_errors_of {
  static constexpr bool value = [] {
    if constexpr (carries_error<R>) {
      return ClassifierOf<C, error_type<R>>;
    } else {
      return (ANEW_EXCEPTIONS && ReadsExceptions<C>) || (!std::is_void_v<R> && ReadsResult<C, R>);
    }
  }();
};

template <class R>
struct error_says_whether_to_retry {
  static constexpr bool value = SaysWhetherToRetry<error_type<R>>;
};

template <class R>
struct result_is_not_pending {
  static constexpr bool value = shape_of<R>() != shape::pending;
};
template <class R>
struct result_is_not_callable {
  static constexpr bool value = shape_of<R>() != shape::callable;
};

template <class R>
struct result_is_readable {
  static constexpr bool value = ReadableResult<R>;
};

/// A result that the driver can hand on.
template <class R>
struct result_is_movable {
  static constexpr bool value = std::is_void_v<R> || std::is_lvalue_reference_v<R> || std::is_move_constructible_v<R>;
};
template <class R>
struct result_is_movable<R&&> {
  static constexpr bool value = false;  // what it refers to need not outlive the attempt
};

/// A result that says that it failed, and not why.
template <class R>
struct result_carries_a_reason {
  static constexpr bool value = shape_of<R>() != shape::boolean && shape_of<R>() != shape::optional;
};

/// What the operation returned, as `result_is_readable` and the others ask about it.
template <class Op>
using plain_result_of = std::remove_cvref_t<result_of<Op>>;

/// One function with all rungs, because each call in between is three lines of clang's.
template <class S, class Op, class Sleep, class Stop>
consteval bool explain_call() {
  if constexpr (std::same_as<S, ill_formed_strategy>) {
    return false;  // explained where it was composed
  } else if constexpr (!HasTokenType<S>) {
    static_assert(HasTokenType<S>,
                  "anew::retry(strategy, operation) requires a RetryStrategy; this type has no nested 'token_type'. "
                  "Did you mean to pass anew::strategy<...>{} first?");
    return false;
  } else if constexpr (!HasDelay<S>) {
    static_assert(HasDelay<S>,
                  "anew::retry(strategy, operation) requires a RetryStrategy; its token_type lacks "
                  "'anew::duration delay() const'");
    return false;
  } else if constexpr (!HasFunctionsOfAStrategy<S>) {
    static_assert(HasFunctionsOfAStrategy<S>,
                  "anew::retry(strategy, operation) requires a RetryStrategy; this one lacks in part: "
                  "'token_type acquire_initial_token() const', 'anew::refreshed<token_type> refresh_retry_token("
                  "token_type&&, anew::failure const&) const', 'record_success(token_type&&) const'");
    return false;
  } else if constexpr (!models_retry_strategy<S>::value) {
    static_assert(
        models_retry_strategy<S>::value,
        "anew::retry(strategy, operation) requires a RetryStrategy: a movable token_type, which "
        "acquire_initial_token() returns, and refresh_retry_token(), which returns anew::refreshed<token_type>; "
        "one of this type's is another. static_assert(anew::RetryStrategy<your_strategy>) says which");
    return false;
  } else if constexpr (!Operation<Op>) {
    static_assert(
        TakesNothing<Op>,
        "anew::retry(strategy, operation) requires an operation that is callable as operation(anew::attempt&) or "
        "operation(); this one is not. Did you mean to wrap it: [&] { return operation(arguments); }?");
    return false;
  } else if constexpr (!stop_is_a_token<std::remove_cvref_t<Sleep>, Stop>::value) {
    static_assert(stop_is_a_token<std::remove_cvref_t<Sleep>, Stop>::value,
                  "anew::retry(strategy, operation, stop) requires a stop token; this is a stop source, which does not "
                  "wake the sleeper. Pass source.get_token()");
    return false;
  } else if constexpr (!StopToken<Stop>) {
    static_assert(StopToken<Stop>,
                  "anew::retry(strategy, operation, sleeper, stop) requires a stop token last; this type has no "
                  "'bool stop_requested() const' and 'bool stop_possible() const'. Did you exchange the last two?");
    return false;
  } else if constexpr (!SleeperFor<Sleep, Stop>) {
    static_assert(Sleeper<Sleep>,
                  "anew::retry(strategy, operation, sleeper) requires a sleeper that is callable as "
                  "sleeper(anew::duration); this one is not. Does it take another unit, or is it const by mistake?");
    return false;
  } else if constexpr (!result_is_not_pending<plain_result_of<Op>>::value) {
    static_assert(result_is_not_pending<plain_result_of<Op>>::value,
                  "anew::retry(strategy, operation) requires a result that is there when the operation returns; this "
                  "operation returns an awaitable, a future or a sender, and a blocking call does not wait for it. "
                  "Include <anew/coroutine.hpp> and co_await anew::retry(strategy, operation, sleep), use "
                  "anew::async_retry() of <anew/asio.hpp>, or return future.get()");
    return false;
  } else if constexpr (!result_is_not_callable<plain_result_of<Op>>::value) {
    static_assert(result_is_not_callable<plain_result_of<Op>>::value,
                  "anew::retry(strategy, operation) requires a result that is there when the operation returns; this "
                  "operation returns a callable that has not been called. Call it in the operation, use "
                  "anew::async_retry() for a deferred operation of Asio, or derive "
                  "anew::result_traits<R> from anew::plain_result if the callable itself is the result");
    return false;
  } else if constexpr (!result_is_movable<result_of<Op>>::value) {
    static_assert(result_is_movable<result_of<Op>>::value,
                  "anew::retry(strategy, operation) requires a result that can be moved out of an attempt; this one is "
                  "immovable, or an rvalue reference. Did you mean to return a value, or a std::unique_ptr to it?");
    return false;
  } else if constexpr (!result_is_readable<plain_result_of<Op>>::value) {
    static_assert(result_is_readable<plain_result_of<Op>>::value,
                  "anew::retry(strategy, operation) requires a result that says whether it is a success; this one may "
                  "mean either. Specialise anew::result_traits<R> with is_success(r) and error(r), or derive it from "
                  "anew::plain_result");
    return false;
#if !ANEW_EXCEPTIONS
  } else if constexpr (RefusesAttempts<S> && !MakesRefusedResult<plain_result_of<Op>>) {
    static_assert(MakesRefusedResult<plain_result_of<Op>>,
                  "anew::retry(strategy, operation) requires a result for a call that a gate or a pacer refuses, "
                  "because exceptions are switched off. Specialise anew::refused_result<R> with 'static R "
                  "make(anew::stop_reason)'");
    return false;
#endif
  } else {
    using C = classifier_type_of<S>;
    using R = plain_result_of<Op>;
    if constexpr (!error_of_result_is_heard<R>) {
      return detail::explain_error<error_type<R>>();
    } else if constexpr (!classify_result_is_callable<C, R>) {
      return detail::explain_classify_result<C, R>();
    } else if constexpr (classifier_reads_the_errors_of<C, R>::value) {
      return true;
    } else if constexpr (!carries_error<R>) {
#if ANEW_EXCEPTIONS
      static_assert(
          classifier_reads_the_errors_of<C, R>::value,
          "anew::retry(strategy, operation) requires a way to fail; the operation returns a plain value, so only "
          "exceptions tell of failure, and the classifier reads none. Did you forget anew::retry_on<E>, or "
          "anew::retry_if<Predicate, E>?");
#else
      static_assert(classifier_reads_the_errors_of<C, R>::value,
                    "anew::retry(strategy, operation) requires a way to fail; the operation returns a plain value, and "
                    "exceptions are switched off. Return what carries an error, or compose a classifier that reads the "
                    "value: anew::retry_if<Predicate>");
#endif
      return false;
    } else if constexpr (!std::same_as<C, retry_info_classifier>) {
      static_assert(
          classifier_reads_the_errors_of<C, R>::value,
          "anew::retry(strategy, operation) requires a classifier that reads the operation's errors; this one "
          "has no 'anew::directive classify(E const&) const' for their type. Does the predicate of "
          "anew::retry_if<Predicate> take it, and is it const?");
      return false;
    } else if constexpr (!result_carries_a_reason<R>::value) {
      static_assert(
          result_carries_a_reason<R>::value,
          "anew::retry(strategy, operation) requires an error that says whether to retry; a bool or an optional "
          "says only that it failed. Did you forget a classifier: anew::retry_all, or anew::retry_if<Predicate>?");
      return false;
    } else {
      static_assert(
          error_says_whether_to_retry<R>::value,
          "anew::retry(strategy, operation) requires an error that says whether to retry; this type says "
          "nothing. Specialise anew::retry_traits<E> with 'static anew::retry_safety is_retry_safe(E const&)', "
          "or compose a classifier: anew::retry_if<Predicate>, anew::retry_all");
      return false;
    }
  }
}

/// What a call that was explained to be wrong returns, so that the explanation stays the only error.
struct anything {
  template <class T>
  constexpr operator T() const {  // NOLINT(*-explicit-*)
    __builtin_unreachable();
  }
};

template <class Op>
struct inert_result {
  using type = anything;
};
template <Operation Op>
struct inert_result<Op> {
  using type = result_of<Op>;
};

template <class T>
[[noreturn]] T inert() {
  __builtin_unreachable();
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
