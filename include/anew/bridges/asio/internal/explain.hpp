// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_ASIO_INTERNAL_EXPLAIN_HPP
#define ANEW_BRIDGES_ASIO_INTERNAL_EXPLAIN_HPP

#include <concepts>
#include <system_error>
#include <type_traits>
#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/base/result_traits.hpp"
#include "anew/bridges/asio/initiates.hpp"
#include "anew/bridges/asio/internal/net.hpp"
#include "anew/bridges/asio/internal/read_completion.hpp"
#include "anew/bridges/asio/timer_source.hpp"
#include "anew/drivers/declarations.hpp"
#include "anew/drivers/internal/explain_call.hpp"
#include "anew/drivers/internal/machine.hpp"

/// Explains a wrong call of `async_retry()` in one sentence, before anything is computed from it.
namespace anew::inline ANEW_ABI::detail {

/// A call that may end, or wait, before its first attempt: because of a gate or a pacer, or a user's own strategy.
template <class S>
concept MayEndBeforeAnAttempt = RefusesAttempts<S> || !requires { S::initial_token_is_pure; };

template <class Op>
inline constexpr bool declaration_is_outside =
    requires { Op::is_called_itself; } || !requires { typename decltype(std::declval<Op&>().operation)::declared; };

/// Whether it takes a completion token at all. Only the probe is tried: any other handler might be an error in the
/// body.
template <class Op>
inline constexpr bool is_an_initiating_function =
    std::is_invocable_v<Op&, attempt&, signature_probe> || std::is_invocable_v<Op&, signature_probe>;
template <class Op>
inline constexpr bool signature_is_known = !std::same_as<signature_of_t<Op>, unknown_signature>;

template <class Op>
inline constexpr bool signature_is_one = !std::same_as<signature_of_t<Op>, odd_signature>;

/// The checks of a completion's arguments.
template <class S, class Op, class Signature = signature_of_t<Op>>
struct completion_of;
template <class S, class Op, class... Args>
struct completion_of<S, Op, void(Args...)> {
  using classifier = classifier_type_of<S>;
  using first = typename first_argument<Args...>::type;
  using after = typename value_after_error<Args...>::type;
  static constexpr completion_shape shape = completion_shape_of<Args...>();

  static constexpr bool says_whether_it_failed = shape != completion_shape::values;
  /// A single value, or a coroutine's result.
  using completed = std::conditional_t<shape == completion_shape::value, first,
                                       std::conditional_t<shape == completion_shape::exception, after, void_result>>;
  using value = std::conditional_t<ThrowsOnly<Op>, void_result, completed>;
  static constexpr bool is_boost_code = [] {
    if constexpr (carries_error<value> && !std::same_as<net_error_code, std::error_code>)
      return std::same_as<error_type<value>, net_error_code> && ClassifierOf<classifier, std::error_code>;
    return false;
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
      return shape == completion_shape::error_code
                 ? ClassifierOf<classifier, first> || ClassifierOf<classifier, std::error_code>
                 : shape != completion_shape::value || (!ThrowsOnly<Op> && ReadsResult<classifier, value>);
    }
  }();
};

// Parametrised by the operation, so that compilers print its name instead of its signature.
template <class S, class Op>
inline constexpr bool completion_says_whether_it_failed = completion_of<S, Op>::says_whether_it_failed;
template <class S, class Op>
inline constexpr bool classifier_reads_the_failures = completion_of<S, Op>::errors_are_read;
/// By the signature: `refused_result` is specialised for the type of a single value.
template <class Signature>
inline constexpr bool refusal_can_be_reported = false;
template <class... Args>
inline constexpr bool refusal_can_be_reported<void(Args...)> = makes_refused_arguments<Args...>;

/// The handler type of a token, as far as it is known before there is a handler.
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

/// Whether a token that waits itself has an executor for its timer. `cancel_after` takes the initiation's executor,
/// which exists if the caller named one.
template <class Token, class Timers>
struct token_has_its_executor : std::true_type {};
#if ANEW_ASIO_VERSION >= 103100
template <class Token, class Clock, class WaitTraits>
struct token_has_its_executor<net::cancel_after_t<Token, Clock, WaitTraits>, no_timers> : std::false_type {};
template <class Token, class Clock, class WaitTraits>
struct token_has_its_executor<net::cancel_at_t<Token, Clock, WaitTraits>, no_timers> : std::false_type {};
#endif

/// `Token` is a reference where an lvalue is passed, which is copied. Asio asks whether that itself is a handler.
template <class Token, class Signature>
inline constexpr bool token_can_be_kept =
    std::is_constructible_v<std::decay_t<Token>, Token> &&
    (net::completion_handler_for<Token, Signature> || !net::completion_handler_for<std::decay_t<Token>, Signature>);
template <class Signature>
inline constexpr bool token_can_be_kept<unknown_yet, Signature> = true;

template <class Token, class Timers>
consteval bool explain_token() {
  using plain = std::decay_t<Token>;
  static_assert(token_has_its_executor<plain, Timers>::value,
                "anew::async_retry(strategy, operation, cancel_after(duration, token)) requires an executor for the "
                "token's timer, and so does anew::async_hedge; the token has no associated executor. Pass one first: "
                "anew::async_retry(executor, strategy, operation, cancel_after(...)), or pass a timer: "
                "cancel_after(timer, duration, token)");
  return token_has_its_executor<plain, Timers>::value;
}

/// A call that waits before its operation's first completion, or whose operation never reveals an executor.
template <class S, class Op>
inline constexpr bool may_wait_first = AsioCoroutine<undeclared_t<Op>> || SaysItsSignature<undeclared_t<Op>> ||
                                       MayEndBeforeAnAttempt<S> || HasAttemptTimeout<S>;
template <class Timers, class Handler>
inline constexpr bool call_knows_its_executor =
    std::same_as<Handler, unknown_yet> || !std::same_as<Timers, no_timers> || HasAnExecutor<Handler>;

/// For a known handler. Also checked after a token has made its handler.
template <bool Needed, class Timers, class Handler>
consteval bool explain_home() {
  if constexpr (Needed) {
    static_assert(
        call_knows_its_executor<Timers, Handler>,
        "anew::async_retry and anew::async_hedge require an executor for a coroutine, for a callback API, for "
        "hedges, and for a wait before the operation starts (gate, pacer, per-attempt timeout); the completion "
        "handler has no associated executor. Pass one first: anew::async_retry(executor, strategy, operation, "
        "token)");
    return call_knows_its_executor<Timers, Handler>;
  }
  return true;
}

// NOLINTBEGIN(*-macro-*, *-braces-*): a message is a literal
// clang-format off: a rung is a message, and the question that is answered with no
#define ANEW_REQUIRES(MESSAGE, ...)      \
  if constexpr (!(__VA_ARGS__)) {        \
    static_assert(__VA_ARGS__, MESSAGE); \
  } else

template <class S, class Op>
consteval bool explain_async_operation() {
  using plain = undeclared_t<Op>;
  ANEW_REQUIRES("anew::initiates<Signature>(operation) requires the operation itself; you passed an operation that is "
                "wrapped in a declaration. Swap the two wrappers: "
                "anew::idempotent(anew::initiates<Signature>(operation))", declaration_is_outside<plain>)
  ANEW_REQUIRES("anew::async_retry(strategy, operation, token) requires an operation with exactly one completion "
                "signature, without a '&' qualifier; this operation has several, or a '&'-qualified one. Adapt it to "
                "complete in one way, and state the signature: anew::initiates<void(error_code, "
                "std::size_t)>(operation)", signature_is_one<Op>)
  ANEW_REQUIRES("anew::kept_by_copy(operation) requires an operation that can be called as const, because a copy makes "
                "the first attempt; this operation can change itself, and would lose the change. Remove 'mutable' and "
                "capture by reference what the attempts change, or omit kept_by_copy()",
                kept_by_copy_operation_is_const<Op>)
  if constexpr (signature_is_known<Op>) {
    return true;
  } else
  ANEW_REQUIRES("anew::async_retry(strategy, operation, token) requires an asynchronous operation: one that is "
                "callable as operation(anew::attempt&, token) or operation(token), or a coroutine that returns "
                "awaitable<T>; this operation is not callable like that. Take the attempt by reference; if it takes one "
                "fixed handler type, state the signature: anew::initiates<void(error_code)>(operation)",
                is_an_initiating_function<plain>)
  ANEW_REQUIRES("anew::async_retry(strategy, operation, token) requires an operation that returns the result of "
                "initiating it with the token; the completion signature is deduced from that, and this operation "
                "returns something else. Return it, or state the signature: "
                "anew::initiates<void(error_code)>(operation)", signature_is_known<Op>) {}
  return false;
}

template <class S, class Op>
consteval bool explain_async_completion() {
  using completion = completion_of<S, Op>;
  using result = operation_returning<Op, typename completion::completed>;
  ANEW_REQUIRES("anew::async_retry(strategy, operation, token) requires a completion that says whether it failed: with "
                "an error code or a std::exception_ptr as its first argument, or with a single value; this completion "
                "has several arguments, and the first is neither. Complete with the error first",
                completion_says_whether_it_failed<S, Op>)
  ANEW_REQUIRES("anew::async_retry(strategy, operation, token) requires a classifier that reads the error code in the "
                "value; that is a boost::system::error_code, and the classifier reads std::error_code. Include "
                "<anew/boost_system.hpp> and compose anew::boost_system::classifier<anew::error_code_classifier>",
                !completion::is_boost_code || classifier_reads_the_failures<S, Op>)
  if constexpr (!detail::explain_result<caller::async_retry, S, result>()) {
  } else
  ANEW_REQUIRES("anew::async_retry(strategy, operation, token) requires a classifier that reads how the operation "
                "fails; the strategy's classifier reads neither its error code, nor its exceptions, nor its value. "
                "Compose anew::error_code_classifier, anew::retry_on<E>, or anew::retry_if<Predicate>",
                classifier_reads_the_failures<S, Op>)
  ANEW_REQUIRES("anew::async_retry(strategy, operation, token) requires a way to complete when a gate or a pacer "
                "refuses the first attempt; this completion has no error to report the refusal. Complete with an error "
                "first and default constructible values after it, or, for a single value of type R, specialise "
                "anew::refused_result<R> with 'static R make(anew::stop_reason)'",
                !MayEndBeforeAnAttempt<S> || refusal_can_be_reported<signature_of_t<Op>>) {
    return true;
  }
  return false;
}

#undef ANEW_REQUIRES
// clang-format on
// NOLINTEND(*-macro-*, *-braces-*)

template <class Token, class Signature>
concept TokenTakesTheCompletion =
    std::same_as<Token, unknown_yet> || net::completion_handler_for<std::decay_t<Token>, Signature> ||
    net::completion_token_for<Token, Signature>;

template <class Token, class Signature>
consteval bool explain_handler() {
  constexpr bool takes_it = TokenTakesTheCompletion<Token, Signature>;
  static_assert(
      takes_it,
      "anew::async_retry and anew::async_hedge require a handler that takes what the operation completes with, "
      "or a completion token; this handler takes something else. Let it take the arguments of the operation's "
      "completion, such as (error_code, std::size_t), or auto...");
  return takes_it;
}

template <class S, class Op, class Timers = no_timers, class Token = unknown_yet>
consteval bool explain_async() {
  if constexpr (!detail::explain_call<caller::async_retry, S, Op>()) {
  } else if constexpr (!detail::explain_async_operation<S, Op>()) {
  } else if constexpr (!detail::explain_async_completion<S, Op>()) {
  } else if constexpr (!token_can_be_kept<Token, signature_of_t<Op>>) {
    static_assert(token_can_be_kept<Token, signature_of_t<Op>>,
                  "anew::async_retry(strategy, operation, token) requires a completion token that it can copy from an "
                  "lvalue; this token cannot be copied, or is const and can be called only where it is not. Pass "
                  "std::move(token), and omit 'const' where the token is declared");
  } else if constexpr (!detail::explain_handler<Token, signature_of_t<Op>>()) {
  } else if constexpr (detail::explain_token<Token, Timers>()) {
    return detail::explain_home<may_wait_first<S, Op>, Timers,
                                typename handler_of_token<std::decay_t<Token>, signature_of_t<Op>>::type>();
  }
  return false;
}

struct inert_initiation {
  using executor_type = net::system_executor;  // for tokens with a timer
  [[nodiscard]] static executor_type get_executor() noexcept { return {}; }
  void operator()(auto&&... /*arguments*/) const noexcept {}
};
template <class Op>
struct inert_signature : std::type_identity<void(anything)> {};
template <class Op>
  requires(signature_is_known<Op> && signature_is_one<Op>)
struct inert_signature<Op> : std::type_identity<signature_of_t<Op>> {};

/// The result of a wrong call, so that the explanation stays the only error. A plain handler gets no arguments.
template <class Op, class Token>
decltype(auto) inert_async(Token&& token) {
  using signature = typename inert_signature<Op>::type;
  if constexpr (net::completion_token_for<Token, signature>) {
    return net::async_initiate<Token, signature>(inert_initiation{}, token);
  }
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
