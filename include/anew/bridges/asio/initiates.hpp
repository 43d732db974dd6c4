// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_ASIO_INITIATES_HPP
#define ANEW_BRIDGES_ASIO_INITIATES_HPP

#include <exception>
#include <type_traits>
#include <utility>

#include "anew/base/attempt.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/asio/internal/net.hpp"
#include "anew/bridges/coroutine/cancelled_by.hpp"
#include "anew/drivers/declarations.hpp"
#include "anew/roles/classifier.hpp"

/// The completion of an asynchronous operation. Our own completion token deduces it: the result of initiating with that
/// token names the signature. (Asio's own trait is a hard error for anything but an asynchronous operation.)
namespace anew::inline ANEW_ABI::detail {

struct signature_probe {};

/// An operation that may complete in several ways, or whose handler may be called more than once.
struct odd_signature {};
/// A completion signature without its qualifier, which only says how the handler is called.
template <class... Signatures>
struct plain_signature : std::type_identity<odd_signature> {};
template <class... Args>
struct plain_signature<void(Args...)> : std::type_identity<void(Args...)> {};
template <class... Args>
struct plain_signature<void(Args...) noexcept> : std::type_identity<void(Args...)> {};
template <class... Args>
struct plain_signature<void(Args...) &&> : std::type_identity<void(Args...)> {};
template <class... Args>
struct plain_signature<void(Args...) && noexcept> : std::type_identity<void(Args...)> {};

}  // namespace anew::inline ANEW_ABI::detail

namespace ANEW_ASIO {  // NOLINT(modernize-concat-nested-namespaces): it is a macro

template <class... Signatures>
class async_result<::anew::detail::signature_probe, Signatures...> {
 public:
  using return_type = ::anew::detail::plain_signature<Signatures...>;

  template <class Initiation, class... Args>
  static return_type initiate(Initiation&& /*initiation*/, ::anew::detail::signature_probe /*token*/,
                              Args&&... /*args*/) {
    return {};
  }
};

}  // namespace ANEW_ASIO

namespace anew::inline ANEW_ABI {

/// An initiating function together with its completion signature. See `initiates()`.
template <class Signature, class Op>
struct initiating_operation {
  using completion_signature = Signature;
  /// A plain handler may receive any of its completions.
  struct any_handler {
    void operator()(auto&&... /*arguments*/) const noexcept {}
  };
  static constexpr bool takes_attempt = std::is_invocable_v<Op&, attempt&, any_handler>;

  Op operation;

  /// With a token, or with an attempt and a token.
  template <class... Args>
    requires std::is_invocable_v<Op&, Args...>
  decltype(auto) operator()(Args&&... args) {
    return operation(std::forward<Args>(args)...);
  }
};

/// Names the completion signature of an initiating function whose signature cannot be deduced: one that returns
/// nothing, or takes one type of handler, as callback APIs do.
///
/// The API may copy its handler and call a copy from any thread. The copies share the attempt: the first one that is
/// called completes it, on the call's executor, and the arguments of further calls are dropped. If the last copy is
/// destroyed uncalled, the call ends and its handler is destroyed uncalled. The call requires an executor: its
/// handler's, or `async_retry(executor, ...)`. Close the API before the execution context is destroyed.
///
///     async_retry(context, strategy, anew::initiates<void(error_code, std::size_t)>([&](anew::attempt&, auto handler) {
///       legacy_read(std::function<void(error_code, std::size_t)>{handler});
///     }), token);
///
/// Put declarations around it: `anew::idempotent(anew::initiates<...>(operation))`.
/// Cost: one block of the heap per attempt, which the copies share, and a `dispatch`.
/// Choose it for callback APIs. Not for operations of Asio's form, whose signature is deduced and which cost neither.
template <class Signature, class Op>
[[nodiscard]] constexpr auto initiates(Op&& operation) -> initiating_operation<Signature, std::decay_t<Op>> {
  return {std::forward<Op>(operation)};
}

namespace detail {

/// The operation itself, without its declarations.
template <class Op>
constexpr auto& undeclared(Op& operation) noexcept {
  if constexpr (requires { typename Op::declared; } && !requires { Op::is_called_itself; }) {
    return detail::undeclared(operation.operation);
  } else {
    return operation;
  }
}
template <class Op>
using undeclared_t = std::remove_reference_t<decltype(detail::undeclared(std::declval<Op&>()))>;

template <class T>
inline constexpr bool is_awaitable = false;
template <class T, class Ex>
inline constexpr bool is_awaitable<net::awaitable<T, Ex>> = true;

/// A coroutine of Asio, which takes its attempt or nothing.
template <class Op>
concept CoroutineWithAttempt = requires(Op& op, attempt& self) { requires is_awaitable<decltype(op(self))>; };
template <class Op>
concept CoroutineWithout = requires(Op& op) { requires is_awaitable<decltype(op())>; };
template <class Awaitable>
struct spawned_signature;
template <class T, class Ex>
struct spawned_signature<net::awaitable<T, Ex>> : std::type_identity<void(std::exception_ptr, T)> {};
template <class Ex>
struct spawned_signature<net::awaitable<void, Ex>> : std::type_identity<void(std::exception_ptr)> {};

template <class Op>
concept SaysItsSignature = requires { typename Op::completion_signature; };
// A generic lambda of one parameter would take an attempt for its token, and an error in its body cannot be detected:
// so the unambiguous forms are tried first.
template <class Op>
concept InitiatesWithAttempt =
    requires(Op& op, attempt& self) { typename decltype(op(self, signature_probe{}))::type; };
template <class Op>
concept InitiatesWithout = requires(Op& op) { typename decltype(op(signature_probe{}))::type; };

struct unknown_signature {};

/// The ways to start an attempt.
enum class operation_form : unsigned char {
  initiates_with_attempt,
  initiates,
  coroutine_with_attempt,
  coroutine,
  unknown,
};

template <class Op>
consteval operation_form form_of() {
  if constexpr (SaysItsSignature<Op>) {
    return Op::takes_attempt ? operation_form::initiates_with_attempt : operation_form::initiates;
  } else if constexpr (InitiatesWithAttempt<Op>) {
    return operation_form::initiates_with_attempt;
  } else if constexpr (InitiatesWithout<Op>) {
    return operation_form::initiates;
  } else if constexpr (CoroutineWithAttempt<Op>) {
    return operation_form::coroutine_with_attempt;
  } else if constexpr (CoroutineWithout<Op>) {
    return operation_form::coroutine;
  } else {
    return operation_form::unknown;
  }
}

template <class Op>
concept AsioCoroutine =
    form_of<Op>() == operation_form::coroutine_with_attempt || form_of<Op>() == operation_form::coroutine;

template <class Op>
consteval auto signature_of() {
  constexpr auto form = form_of<Op>();
  if constexpr (SaysItsSignature<Op>) {
    return plain_signature<typename Op::completion_signature>{};
  } else if constexpr (form == operation_form::initiates_with_attempt) {
    return std::type_identity<typename decltype(std::declval<Op&>()(std::declval<attempt&>(),
                                                                    signature_probe{}))::type>{};
  } else if constexpr (form == operation_form::initiates) {
    return std::type_identity<typename decltype(std::declval<Op&>()(signature_probe{}))::type>{};
  } else if constexpr (form == operation_form::coroutine_with_attempt) {
    return spawned_signature<decltype(std::declval<Op&>()(std::declval<attempt&>()))>{};
  } else if constexpr (form == operation_form::coroutine) {
    return spawned_signature<decltype(std::declval<Op&>()())>{};
  } else {
    return std::type_identity<unknown_signature>{};
  }
}

/// The completion signature of an operation, without its declarations.
template <class Op>
using signature_of_t = typename decltype(detail::signature_of<undeclared_t<Op>>())::type;

/// A kept_by_copy operation makes its first attempt as a copy, so what that changes in itself would be lost.
template <class Op>
inline constexpr bool kept_by_copy_operation_is_const =
    !is_declared_kept_by_copy<Op> || form_of<undeclared_t<Op> const>() == form_of<undeclared_t<Op>>();

}  // namespace detail
/// Asio's coroutines say by its own exception that they were cancelled; `co_await anew::retry()` does not retry that.
template <class T, class Executor>
struct cancelled_by<net::awaitable<T, Executor>> : std::type_identity<catch_list<net_system_error>> {};

}  // namespace anew::inline ANEW_ABI

#endif
