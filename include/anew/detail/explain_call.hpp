// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DETAIL_EXPLAIN_CALL_HPP
#define ANEW_DETAIL_EXPLAIN_CALL_HPP

#include <concepts>
#include <type_traits>

#include "anew/classifier/retry_info.hpp"
#include "anew/concept/classifier.hpp"
#include "anew/concept/operation.hpp"
#include "anew/concept/retry_strategy.hpp"
#include "anew/concept/sleeper.hpp"
#include "anew/config.hpp"
#include "anew/detail/drive.hpp"
#include "anew/outcome.hpp"
#include "anew/strategy.hpp"

/// What is wrong with a call of `retry()`, in one sentence, before anything is computed from it.
namespace anew::detail {

template <class S>
concept HasTokenType = requires { typename S::token_type; };

template <class S>
concept HasDelay = requires(typename S::token_type const& token) {
  { token.delay() } -> std::same_as<duration>;
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
struct result_is_readable {
  static constexpr bool value = ReadableResult<R>;
};

template <class S>
consteval bool explain_strategy() {
  if constexpr (!HasTokenType<S>) {
    static_assert(HasTokenType<S>,
                  "anew::retry(strategy, operation) requires a RetryStrategy; this type has no nested 'token_type'. "
                  "Did you mean to pass anew::strategy<...>{} first?");
    return false;
  } else if constexpr (!HasDelay<S>) {
    static_assert(HasDelay<S>,
                  "anew::retry(strategy, operation) requires a RetryStrategy; its token_type lacks "
                  "'anew::duration delay() const'");
    return false;
  } else if constexpr (!RetryStrategy<S>) {
    static_assert(RetryStrategy<S>,
                  "anew::retry(strategy, operation) requires a RetryStrategy: a movable token_type and const member "
                  "functions acquire_initial_token(), refresh_retry_token(token&&, failure const&), record_success(token&&)");
    return false;
  } else {
    return true;
  }
}

template <class C, class Result>
consteval bool explain_result() {
  using R = std::remove_cvref_t<Result>;
  if constexpr (!result_is_readable<R>::value) {
    static_assert(result_is_readable<R>::value,
                  "anew cannot read the operation's result: it may mean success or failure, and nothing says which. "
                  "Specialise anew::result_traits<R> with is_success(r) and error(r), or derive it from anew::plain_result");
    return false;
  } else if constexpr (classifier_reads_the_errors_of<C, R>::value) {
    return true;
  } else if constexpr (!carries_error<R>) {
    static_assert(classifier_reads_the_errors_of<C, R>::value,
                  "anew::retry requires a way to fail: the operation returns a plain value, so only exceptions tell of "
                  "failure, and the classifier reads none. Did you forget anew::retry_on<E>, or retry_if<Predicate, E>?");
    return false;
  } else if constexpr (std::same_as<C, retry_info_classifier>) {
    static_assert(error_says_whether_to_retry<R>::value,
                  "anew: the operation's error type says nothing about retrying. Specialise anew::retry_traits<E> with "
                  "'static anew::retry_safety is_retry_safe(E const&)', or compose a classifier: retry_if, retry_all, ...");
    return false;
  } else {
    static_assert(classifier_reads_the_errors_of<C, R>::value,
                  "anew: the strategy's classifier has no 'anew::directive classify(E const&) const' for the operation's "
                  "error type. Did you mean anew::retry_if<Predicate> with a predicate over it?");
    return false;
  }
}

template <class S, class Op, class Sleep, class Stop>
consteval bool explain_call() {
  if constexpr (std::same_as<S, ill_formed_strategy>) {
    return false;  // explained where it was composed
  } else if constexpr (!detail::explain_strategy<S>()) {
    return false;
  } else if constexpr (!Operation<Op>) {
    static_assert(Operation<Op>,
                  "anew::retry(strategy, operation) requires an operation that is callable as operation(anew::attempt&) or "
                  "operation()");
    return false;
  } else if constexpr (!SleeperFor<Sleep, Stop>) {
    static_assert(SleeperFor<Sleep, Stop>,
                  "anew::retry(strategy, operation, sleeper) requires a sleeper that is callable as "
                  "sleeper(anew::duration)");
    return false;
  } else {
    return detail::explain_result<classifier_type_of<S>, result_of<Op>>();
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

}  // namespace anew::detail

#endif
