// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ASIO_INTERNAL_EXPLAIN_HPP
#define ANEW_ASIO_INTERNAL_EXPLAIN_HPP

#include <concepts>
#include <system_error>
#include <type_traits>
#include <utility>

#include "anew/asio/initiates.hpp"
#include "anew/asio/internal/home.hpp"
#include "anew/asio/internal/net.hpp"
#include "anew/asio/internal/read_completion.hpp"
#include "anew/drive/internal/explain_call.hpp"
#include "anew/drive/internal/explain_result.hpp"
#include "anew/drive/internal/machine.hpp"
#include "anew/operation/throws_only.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/result_traits.hpp"

#ifdef ANEW_STANDALONE_ASIO
#include <asio/async_result.hpp>
#include <asio/detached.hpp>
#include <asio/system_executor.hpp>
#include <asio/use_future.hpp>
#if ANEW_ASIO_VERSION >= 103100
#include <asio/cancel_after.hpp>
#include <asio/cancel_at.hpp>
#endif
#else
#include <boost/asio/async_result.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/system_executor.hpp>
#include <boost/asio/use_future.hpp>
#if ANEW_ASIO_VERSION >= 103100
#include <boost/asio/cancel_after.hpp>
#include <boost/asio/cancel_at.hpp>
#endif
#endif

/// What is wrong with a call of `async_retry()`, in one sentence, before anything is computed from it.
namespace anew::inline ANEW_ABI::detail {

/// A call that may end, or wait, before its first attempt: a gate or a pacer says so, or a strategy of a user's own may.
template <class S>
concept MayEndBeforeAnAttempt = RefusesAttempts<S> || !requires { S::initial_token_is_pure; };

template <class S, class Op>
struct strategy_comes_first {
  static constexpr bool value = !models_retry_strategy<Op>::value;
};

template <class Op>
struct declaration_is_outside {
  static constexpr bool value = !requires { typename decltype(std::declval<Op&>().operation)::declared; };
};

template <class Op>
inline constexpr bool is_coroutine_operation = form_of<undeclared_t<Op>>() == operation_form::coroutine_with_attempt ||
                                               form_of<undeclared_t<Op>>() == operation_form::coroutine;

/// What takes a completion token at all. Asked with the probe alone: any other handler might be an error in the body.
template <class Op>
struct is_no_initiating_function {
  static constexpr bool value =
      !std::is_invocable_v<Op&, attempt&, signature_probe> && !std::is_invocable_v<Op&, signature_probe>;
};
template <class Op>
struct signature_is_known {
  static constexpr bool value = !std::same_as<signature_of_t<Op>, unknown_signature>;
};

template <class Op>
struct signature_is_one {
  static constexpr bool value = !std::same_as<signature_of_t<Op>, odd_signature>;
};

/// The rungs that ask about a completion's arguments.
template <class S, class Op, class Signature = signature_of_t<Op>>
struct completion_of;
template <class S, class Op, class... Args>
struct completion_of<S, Op, void(Args...)> {
  using classifier = classifier_type_of<S>;
  using first = typename first_argument<Args...>::type;
  using after = typename value_after_error<Args...>::type;
  static constexpr completion_shape shape = completion_shape_of<Args...>();

  static constexpr bool says_whether_it_failed = shape != completion_shape::values;
  static constexpr bool code_is_read =
      shape != completion_shape::error_code || classifier_reads_the_error_code<S, first>::value;
  /// One value alone, or what a coroutine returns.
  using completed = std::conditional_t<shape == completion_shape::value, first,
                                       std::conditional_t<shape == completion_shape::exception, after, void_result>>;
  using value = std::conditional_t<ThrowsOnly<Op>, void_result, completed>;
  static constexpr bool is_there = result_is_not_pending<completed>::value && result_is_not_callable<value>::value;
  static constexpr bool is_boosts_code = [] {
    if constexpr (carries_error<value> && !std::same_as<net_error_code, std::error_code>) {
      return std::same_as<error_type<value>, net_error_code> && ClassifierOf<classifier, std::error_code>;
    } else {
      return false;
    }
  }();
  static constexpr bool errors_are_read = [] {
    if constexpr (ReadsWhole<classifier, value>) {
      return true;
    } else if constexpr (carries_error<value>) {
      return ClassifierOf<classifier, error_type<value>>;
    } else if constexpr (shape == completion_shape::exception) {
      return ReadsExceptions<classifier> || ReadsResult<classifier, value> ||
             ClassifierOf<classifier, net_error_code> || ClassifierOf<classifier, std::error_code>;
    } else {
      return shape != completion_shape::value || (!ThrowsOnly<Op> && ReadsResult<classifier, value>);
    }
  }();
  static constexpr bool can_be_refused = makes_refused_arguments<Args...> || !MayEndBeforeAnAttempt<S>;
};

// By the operation, so that compilers show its name in the place of its signature.
template <class S, class Op>
struct completion_says_whether_it_failed {
  static constexpr bool value = completion_of<S, Op>::says_whether_it_failed;
};
template <class S, class Op>
struct classifier_reads_the_code {
  static constexpr bool value = completion_of<S, Op>::code_is_read;
};
template <class S, class Op>
struct completed_value_is_there {
  static constexpr bool value = completion_of<S, Op>::is_there;
};
template <class S, class Op>
struct classifier_reads_the_failures {
  static constexpr bool value = completion_of<S, Op>::errors_are_read;
};
template <class S, class Op>
struct refusal_can_be_told {
  static constexpr bool value = completion_of<S, Op>::can_be_refused;
};

/// The handler that a token stands for, as far as it can be known before there is one.
struct unknown_yet {};
template <class Token, class Signature>
struct handler_of_token : std::type_identity<unknown_yet> {};
template <class Token, class Signature>
  requires net::completion_handler_for<Token, Signature>
struct handler_of_token<Token, Signature> : std::type_identity<Token> {};
template <class Signature>
struct handler_of_token<net::detached_t, Signature> : std::type_identity<void_result> {};
template <class Allocator, class Signature>
struct handler_of_token<net::use_future_t<Allocator>, Signature> : std::type_identity<void_result> {};

/// Whether a token that waits itself has an executor for its timer. `cancel_after` takes that of the initiation, which has
/// one where the caller said where the call waits.
template <class Token, class Timers>
struct token_has_its_executor : std::true_type {};
#if ANEW_ASIO_VERSION >= 103100
template <class Token, class Clock, class WaitTraits>
struct token_has_its_executor<net::cancel_after_t<Token, Clock, WaitTraits>, no_timers> : std::false_type {};
template <class Token, class Clock, class WaitTraits>
struct token_has_its_executor<net::cancel_at_t<Token, Clock, WaitTraits>, no_timers> : std::false_type {};
#endif

template <class Token, class Timers>
consteval bool explain_token() {
  static_assert(token_has_its_executor<Token, Timers>::value,
                "anew::async_retry(strategy, operation, cancel_after(duration, token)) requires an executor for the "
                "token's timer, and so does anew::async_hedge. Say where: anew::async_retry(executor, strategy, "
                "operation, cancel_after(...)), or bring the timer: cancel_after(timer, duration, token)");
  return token_has_its_executor<Token, Timers>::value;
}

/// Whether a call knows where to wait: before its operation has shown its own executor, and for a coroutine or a callback
/// API at all, which never shows one.
template <class S, class Op, class Timers, class Handler>
struct call_knows_its_executor {
  static constexpr bool must = is_coroutine_operation<Op> || SaysItsSignature<undeclared_t<Op>> ||
                               MayEndBeforeAnAttempt<S> || HasAttemptTimeout<S>;
  static constexpr bool value = !must || !std::same_as<Timers, no_timers> || HasAnExecutor<Handler>;
};
template <class S, class Op, class Timers>
struct call_knows_its_executor<S, Op, Timers, unknown_yet> : std::true_type {};

/// For a handler that is known. Also asked where a token has made its handler.
template <class S, class Op, class Timers, class Handler>
consteval bool explain_home() {
  using known = call_knows_its_executor<S, Op, Timers, Handler>;
  if constexpr (is_coroutine_operation<Op>) {
    static_assert(
        known::value,
        "anew::async_retry(strategy, coroutine, token) requires an executor for the coroutine to run on; this "
        "completion handler has none. Say where: anew::async_retry(executor, strategy, coroutine, token)");
  } else if constexpr (SaysItsSignature<undeclared_t<Op>>) {
    static_assert(
        known::value,
        "anew::async_retry(strategy, anew::initiates<...>(operation), token) requires an executor for the call to wait "
        "and end on, which a callback API cannot name; this completion handler has none. Say where: "
        "anew::async_retry(executor, strategy, operation, token)");
  } else {
    static_assert(
        known::value,
        "anew::async_retry(strategy, operation, token) requires an executor when a gate, a pacer or a limit of "
        "attempts may make the call wait before its operation has begun; this completion handler has none. Say "
        "where: anew::async_retry(executor, strategy, operation, token)");
  }
  return known::value;
}

template <class S, class Op>
consteval bool explain_async_operation() {
  using plain = undeclared_t<Op>;
  if constexpr (!declaration_is_outside<plain>::value) {
    static_assert(declaration_is_outside<plain>::value,
                  "anew::initiates<Signature>(operation) requires the operation itself; this one was declared before. "
                  "Exchange them: anew::idempotent(anew::initiates<Signature>(operation))");
    return false;
  } else if constexpr (!signature_is_one<Op>::value) {
    static_assert(
        signature_is_one<Op>::value,
        "anew::async_retry(strategy, operation, token) requires an operation with one completion signature, without "
        "'&' behind it; this operation has several, or one with '&'. Bring its completions to one form, and say it: "
        "anew::initiates<void(error_code, std::size_t)>(operation)");
    return false;
  } else if constexpr (signature_is_known<Op>::value) {
    return true;
  } else if constexpr (is_no_initiating_function<plain>::value) {
    static_assert(
        signature_is_known<Op>::value,
        "anew::async_retry(strategy, operation, token) requires an asynchronous operation: one that is callable "
        "as operation(anew::attempt&, token) or operation(token), or a coroutine that returns awaitable<T>. For "
        "a handler of one type say its signature: anew::initiates<void(error_code)>(operation)");
    return false;
  } else {
    static_assert(
        signature_is_known<Op>::value,
        "anew::async_retry(strategy, operation, token) requires an operation that returns what the token makes "
        "of it, from which its signature is found out. Did you forget to return? Where there is nothing to "
        "return, say it: anew::initiates<void(error_code)>(operation)");
    return false;
  }
}

template <class S, class Op>
consteval bool explain_async_completion() {
  using completion = completion_of<S, Op>;
  using value = typename completion::value;
  if constexpr (!completion::says_whether_it_failed) {
    static_assert(
        completion_says_whether_it_failed<S, Op>::value,
        "anew::async_retry(strategy, operation, token) requires a completion that says whether it failed: by an "
        "error code or a std::exception_ptr that comes first, or by one value. This one's first argument of "
        "several is neither");
    return false;
  } else if constexpr (!completion::code_is_read) {
    static_assert(classifier_reads_the_code<S, Op>::value,
                  "anew::async_retry(strategy, operation, token) requires a classifier that reads error codes; this "
                  "strategy's does not. Did you forget one: anew::error_code_classifier, anew::retry_on_codes<...>, or "
                  "anew::retry_if<Predicate> over error codes?");
    return false;
  } else if constexpr (!completion::is_there) {
    static_assert(completed_value_is_there<S, Op>::value,
                  "anew::async_retry(strategy, operation, token) requires a value that is there when the operation "
                  "completes; this one is awaited, asked for or called later. Complete with what it gives");
    return false;
  } else if constexpr (RefusesResult<typename completion::classifier, value> && !std::same_as<value, void_result>) {
    completion::classifier::template explain_result<value>();
    return false;
  } else if constexpr (leaves_unread<typename completion::classifier, value> && shape_of<value>() == shape::member) {
    static_assert(
        member_is_read<value, telling_member<value>(), typename completion::classifier>::value,
        "anew::async_retry(strategy, operation, token) requires a value whose failures it can tell; this class has a "
        "member that tells of failure, and nothing reads it. Compose anew::http_status_classifier<> for a status of "
        "HTTP, anew::retry_if<Predicate> for any other, specialise anew::result_traits<R>, or pass "
        "anew::throws_only(operation) if every value is a success");
    return false;
  } else if constexpr (leaves_unread<typename completion::classifier, value>) {
    static_assert(
        result_is_read<value, shape_of<value>(), typename completion::classifier>::value,
        "anew::async_retry(strategy, operation, token) requires a value that says whether it is a success; this one "
        "may "
        "mean either. Compose anew::retry_if<Predicate> to read it, specialise anew::result_traits<R>, or pass "
        "anew::throws_only(operation) if every value is a success");
    return false;
  } else if constexpr (!completion::errors_are_read && completion::is_boosts_code) {
    static_assert(
        classifier_reads_the_failures<S, Op>::value,
        "anew::async_retry(strategy, operation, token) requires a classifier that reads the error code in the value, "
        "which is Boost's and not std::error_code. Include <anew/boost_system.hpp> and compose "
        "anew::boost_system::classifier<anew::error_code_classifier>");
    return false;
  } else if constexpr (!completion::errors_are_read) {
    static_assert(
        classifier_reads_the_failures<S, Op>::value,
        "anew::async_retry(strategy, operation, token) requires a classifier that reads how the operation "
        "fails: its exceptions, or the error in its value; this strategy's reads neither. Did you forget one: "
        "anew::error_code_classifier, anew::retry_on<E>, anew::retry_if<Predicate>?");
    return false;
  } else if constexpr (!completion::can_be_refused) {
    static_assert(
        refusal_can_be_told<S, Op>::value,
        "anew::async_retry(strategy, operation, token) requires a completion for a call that a gate or a pacer "
        "refuses before its first attempt: an error that comes first and default constructible values after "
        "it, or anew::refused_result<R> for one value");
    return false;
  } else {
    return true;
  }
}

template <class S, class Op, class Timers = no_timers, class Token = unknown_yet>
consteval bool explain_async() {
  if constexpr (std::same_as<S, ill_formed_strategy>) {
    return false;  // explained where it was composed
  } else if constexpr (!models_retry_strategy<S>::value && !strategy_comes_first<S, Op>::value) {
    static_assert(strategy_comes_first<S, Op>::value,
                  "anew::async_retry(strategy, operation, token) requires the strategy before the operation. Did you "
                  "exchange them?");
    return false;
  } else if constexpr (!models_retry_strategy<S>::value) {
    static_assert(models_retry_strategy<S>::value,
                  "anew::async_retry(strategy, operation, token) requires a RetryStrategy; "
                  "static_assert(anew::RetryStrategy<your_type>) says what this type lacks. Did you mean to pass an "
                  "anew::strategy<...> first, or behind an executor?");
    return false;
  } else if constexpr (!knows_no_nesting<S>::value) {
    static_assert(
        knows_no_nesting<S>::value,
        "anew::async_retry(strategy, operation, token) requires a strategy without nesting_guard, which knows of "
        "calls inside calls by the thread's stack, and here none waits on it. Did you mean a quota of both, "
        "anew::shared<>?");
    return false;
  } else if constexpr (!detail::explain_async_operation<S, Op>()) {
    return false;
  } else if constexpr (!detail::explain_async_completion<S, Op>()) {
    return false;
  } else if constexpr (!detail::explain_token<Token, Timers>()) {
    return false;
  } else {
    return detail::explain_home<S, Op, Timers, typename handler_of_token<Token, signature_of_t<Op>>::type>();
  }
}

struct inert_initiation {
  using executor_type = net::system_executor;  // for tokens with a timer
  [[nodiscard]] static executor_type get_executor() noexcept { return {}; }
  void operator()(auto&&... /*arguments*/) const noexcept {}
};
template <class Op>
struct inert_signature : std::type_identity<void(anything)> {};
template <class Op>
  requires(signature_is_known<Op>::value && signature_is_one<Op>::value)
struct inert_signature<Op> : std::type_identity<signature_of_t<Op>> {};

/// What a call that was explained to be wrong makes of its token, so that the explanation stays the only error. A plain
/// handler gets nothing, and may take nothing.
template <class Op, class Token>
decltype(auto) inert_async(Token&& token) {
  using signature = typename inert_signature<Op>::type;
  if constexpr (net::completion_token_for<std::decay_t<Token>, signature>) {
    return net::async_initiate<Token, signature>(inert_initiation{}, token);
  }
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
