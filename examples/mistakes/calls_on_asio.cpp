// SPDX-License-Identifier: BSL-1.0
// chapter: Calls on Asio

#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <system_error>
#include <type_traits>
#include <utility>

#include <boost/asio/append.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/drivers/declarations.hpp"
#include "anew/policies/classifier/error_code.hpp"
#include "anew/policies/gate/circuit_breaker.hpp"
#include "anew/policies/nesting/nesting_guard.hpp"

namespace net = anew::net;

// section: A completion without an error
// The first argument reports a failure, as an error code or a `std::exception_ptr`, or a single value does. With
// several values, none of which is an error, nothing does. A pointer may mean either until `anew::result_traits` says
// which, and so may a class with a member such as `status` until a classifier reads it. The result of a coroutine is
// read in the same way.
// expect-error: requires a completion that says whether it failed
namespace asio_several_values {
void run() {
  net::io_context context;
  auto const ask = [&](anew::attempt&, auto&& token) {
#ifdef ANEW_REJECT  // wrong
    return net::post(context, net::append(std::forward<decltype(token)>(token), true, 200));
#else  // right
    return net::post(context, net::append(std::forward<decltype(token)>(token), anew::net_error_code{}, 200));
#endif
  };
  anew::strategy<anew::retry_all, anew::max_attempts<5>> const strategy{};
  anew::async_retry(strategy, ask, [](auto...) {});
}
}  // namespace asio_several_values

// section: A completion without an error
// The result of a coroutine is read like that of a function: without a classifier for it, a 503 would be a success.
// expect-error: anew::async_retry(strategy, operation, token) requires a result that it can classify as a success or a failure; this type may mean either
// expect-error: telling::status
namespace asio_value_has_a_status {
struct response {
  unsigned status = 200;
};
struct is_server_error {
  bool operator()(response const& r) const { return r.status >= 500; }
};

#ifdef ANEW_REJECT  // wrong
using patient = anew::strategy<anew::retry_all>;
#else  // right
using patient = anew::strategy<anew::retry_while<is_server_error>>;
#endif

net::awaitable<response> get() { co_return response{}; }

void run() {
  net::io_context context;
  anew::async_retry(context, patient{}, get, [](std::exception_ptr, response) {});
  context.run();
}
}  // namespace asio_value_has_a_status

// section: A declaration inside the signature
// Write `anew::idempotent(anew::initiates<Signature>(operation))`. Swapped, the two would hide the
// declaration.
// expect-error: anew::initiates<Signature>(operation) requires the operation itself
namespace asio_declared_before_initiates {
void run() {
  net::io_context context;
  net::steady_timer timer{context};
  anew::strategy<anew::retry_all, anew::max_attempts<5>> const strategy{};
  auto const wait = [&](anew::attempt&, auto handler) { timer.async_wait(std::move(handler)); };
#ifdef ANEW_REJECT  // wrong
  auto const operation = anew::initiates<void(std::error_code)>(anew::idempotent(wait));
#else  // right
  auto const operation = anew::idempotent(anew::initiates<void(std::error_code)>(wait));
#endif
  anew::async_retry(context, strategy, operation, [](auto...) {});
}
}  // namespace asio_declared_before_initiates

// section: A handler with other arguments
// A handler gets what the operation completes with: `async_wait` an error code, `async_read` a size too.
// expect-error: anew::async_retry and anew::async_hedge require a handler that takes what the operation completes with
namespace asio_handler_takes_something_else {
void run() {
  net::io_context context;
  net::steady_timer timer{context};
  auto const wait = [&](auto&& token) { return timer.async_wait(std::forward<decltype(token)>(token)); };
  anew::strategy<anew::error_code_classifier> const strategy{};
#ifdef ANEW_REJECT  // wrong
  anew::async_retry(strategy, wait, [](anew::net_error_code, std::size_t) {});
#else  // right
  anew::async_retry(strategy, wait, [](anew::net_error_code) {});
#endif
}
}  // namespace asio_handler_takes_something_else

// section: A refusal that cannot be reported
// A gate or a pacer may end a call before its first attempt, and the completion has to report it: with an error first
// and default constructible values after it, or with `anew::refused_result<R>` for a single value.
// expect-error: anew::async_retry(strategy, operation, token) requires a way to complete when a gate or a pacer
// expect-error: refusal_can_be_reported<void
#ifndef ANEW_REJECT
template <>
struct anew::refused_result<bool> {
  static bool make(anew::stop_reason /*why*/) { return false; }
};
#endif

namespace asio_refusal_cannot_be_told {
using client =
    anew::strategy<anew::retry_all, anew::max_attempts<5>, anew::circuit_breaker<5, std::chrono::seconds{30}>>;

struct timers {  // where the call waits
  net::io_context* on;
  auto get_executor() const { return on->get_executor(); }
  auto make_timer() const { return net::steady_timer{*on}; }
};

void run() {
  net::io_context context;
  auto const ask = [&](anew::attempt&, auto&& token) {
    return net::post(context, net::append(std::forward<decltype(token)>(token), true));
  };
  client const strategy{};
  anew::async_retry(timers{&context}, strategy, ask, [](auto...) {});
}
}  // namespace asio_refusal_cannot_be_told

// section: A kept_by_copy operation that cannot be copied
// The first attempt is made by a copy of a kept_by_copy operation, and the retries by the operation.
// expect-error: anew::kept_by_copy(operation) requires an operation that can be copied
namespace kept_by_copy_cannot_be_copied {
void run() {
  net::io_context context;
  auto timer = std::make_unique<net::steady_timer>(context);
  anew::strategy<anew::retry_all, anew::max_attempts<5>> const strategy{};
#ifdef ANEW_REJECT  // wrong
  auto wait = [own = std::move(timer)](auto&& token) {
#else  // right
  auto wait = [&own = timer](auto&& token) {
#endif
    return own->async_wait(std::forward<decltype(token)>(token));
  };
  anew::async_retry(context, strategy, anew::kept_by_copy(std::move(wait)), [](auto...) {});
  context.run();
}
}  // namespace kept_by_copy_cannot_be_copied

// section: A kept_by_copy operation that changes itself
// The first attempt is made by a copy of a kept_by_copy operation. A change in that copy would be lost for the second
// attempt.
// expect-error: anew::kept_by_copy(operation) requires an operation that can be called as const
namespace asio_kept_by_copy_changes {
void run() {
  net::io_context context;
  net::steady_timer timer{context};
  anew::strategy<anew::retry_all, anew::max_attempts<5>> const strategy{};
  int calls = 0;
#ifdef ANEW_REJECT  // wrong
  auto const wait = [&timer, calls](auto&& token) mutable {
#else  // right
  auto const wait = [&timer, &calls](auto&& token) {
#endif
    ++calls;
    return timer.async_wait(std::forward<decltype(token)>(token));
  };
  anew::async_retry(context, strategy, anew::kept_by_copy(wait), [](auto...) {});
}
}  // namespace asio_kept_by_copy_changes

// section: An asynchronous call without a strategy
// The order is strategy, operation, completion token. An executor, a context or a source of timers may come first.
// expect-error: anew::async_retry(strategy, operation, token) requires a RetryStrategy; this type is not one
namespace asio_not_a_strategy {
void run() {
  net::io_context context;
  net::steady_timer timer{context};
  auto const wait = [&](anew::attempt&, auto&& token) {
    return timer.async_wait(std::forward<decltype(token)>(token));
  };
#ifdef ANEW_REJECT  // wrong
  int const strategy = 5;
#else  // right
  anew::strategy<anew::retry_all, anew::max_attempts<5>> const strategy{};
#endif
  anew::async_retry(strategy, wait, [](auto...) {});
}
}  // namespace asio_not_a_strategy

// section: An asynchronous call without a strategy
// The strategy comes first, then the operation, then the completion token.
// expect-error: anew::async_retry(strategy, operation, token) requires the strategy before the operation
namespace asio_operation_comes_first {
void run() {
  net::io_context context;
  net::steady_timer timer{context};
  auto const wait = [&](anew::attempt&, auto&& token) {
    return timer.async_wait(std::forward<decltype(token)>(token));
  };
  anew::strategy<anew::retry_all, anew::max_attempts<5>> const strategy{};
#ifdef ANEW_REJECT  // wrong
  anew::async_retry(wait, strategy, [](auto...) {});
#else  // right
  anew::async_retry(strategy, wait, [](auto...) {});
#endif
}
}  // namespace asio_operation_comes_first

// section: An error in the value that the classifier does not read
// A value with `has_value()` and `error()` fails by its error, so the classifier must read the type of that error.
// expect-error: anew::async_retry(strategy, operation, token) requires an error that says whether to retry; this error type does not
// expect-error: db_error>
namespace asio_value_error_not_read {
enum class db_error { none, busy, corrupt };

struct reply {  // any type with has_value() and error(), such as std::expected
  db_error failure = db_error::none;
  bool has_value() const { return failure == db_error::none; }
  db_error error() const { return failure; }
};

struct is_busy {
  bool operator()(db_error error) const { return error == db_error::busy; }
};
#ifdef ANEW_REJECT  // wrong
using client = anew::strategy<anew::max_attempts<5>>;
#else  // right
using client = anew::strategy<anew::max_attempts<5>, anew::retry_if<is_busy>>;
#endif

void run() {
  net::io_context context;
  auto const ask = [&](anew::attempt&, auto&& token) {
    return net::post(context, net::append(std::forward<decltype(token)>(token), reply{}));
  };
  client const strategy{};
  anew::async_retry(strategy, ask, [](auto...) {});
}
}  // namespace asio_value_error_not_read

// section: An operation that takes its attempt by value
// An attempt cannot be copied: take it by reference.
// expect-error: anew::async_retry(strategy, operation, token) requires an asynchronous operation
// expect-error: Take the attempt by reference
namespace asio_operation_takes_a_copy {
void run() {
  net::io_context context;
  anew::strategy<anew::retry_all> const strategy{};
#ifdef ANEW_REJECT  // wrong
  auto const ask = [&](anew::attempt, auto&& token) {
#else  // right
  auto const ask = [&](anew::attempt&, auto&& token) {
#endif
    return net::post(context, std::forward<decltype(token)>(token));
  };
  anew::async_retry(context.get_executor(), strategy, anew::throws_only(ask), [](auto...) {});
}
}  // namespace asio_operation_takes_a_copy

// section: An unknown completion signature
// The completion signature is deduced from the result of initiating the operation with a token. Return that result;
// if there is nothing to return, state the signature with `anew::initiates<>`.
// expect-error: anew::async_retry(strategy, operation, token) requires an operation that returns the result of
namespace asio_operation_returns_nothing {
void run() {
  net::io_context context;
  net::steady_timer timer{context};
  anew::strategy<anew::retry_all, anew::max_attempts<5>> const strategy{};
  auto const wait = [&](anew::attempt&, auto&& token) {
#ifdef ANEW_REJECT  // wrong
    timer.async_wait(std::forward<decltype(token)>(token));
#else  // right
    return timer.async_wait(std::forward<decltype(token)>(token));
#endif
  };
  anew::async_retry(strategy, wait, [](auto...) {});
}
}  // namespace asio_operation_returns_nothing

// section: Error codes that the classifier does not read
// The default classifier asks the error whether it may be retried, and an error code does not say. Compose
// `error_code_classifier`, `retry_on_codes<...>` or a predicate. A classifier of `std::error_code` reads Boost's
// codes, too.
// expect-error: anew::async_retry(strategy, operation, token) requires a classifier that reads how the operation fails
namespace asio_code_not_read {
#ifdef ANEW_REJECT  // wrong
using client = anew::strategy<anew::max_attempts<5>>;
#else  // right
using client = anew::strategy<anew::error_code_classifier, anew::max_attempts<5>>;
#endif

void run() {
  net::io_context context;
  net::steady_timer timer{context};
  auto const wait = [&](anew::attempt&, auto&& token) {
    return timer.async_wait(std::forward<decltype(token)>(token));
  };
  client const strategy{};
  anew::async_retry(strategy, wait, [](auto...) {});
}
}  // namespace asio_code_not_read

// section: Failures that the classifier does not read
// An unsigned number is always a success unless the classifier reads it. A coroutine fails by exceptions, which the
// classifier has to read, or by their codes.
// expect-error: requires a classifier that reads how the operation fails
namespace asio_value_never_fails {
struct is_server_error {
  bool operator()(unsigned status) const { return status >= 500; }
};
#ifdef ANEW_REJECT  // wrong
using client = anew::strategy<anew::retry_all, anew::max_attempts<5>>;
#else  // right
using client = anew::strategy<anew::retry_if<is_server_error>, anew::max_attempts<5>>;
#endif

void run() {
  net::io_context context;
  auto const ask = [&](anew::attempt&, auto&& token) {
    return net::post(context, net::append(std::forward<decltype(token)>(token), 200U));
  };
  client const strategy{};
  anew::async_retry(strategy, ask, [](auto...) {});
}
}  // namespace asio_value_never_fails

// section: Nesting on an event loop
// `nesting_guard` detects on the thread's stack that a call was made inside another call's attempt. An asynchronous
// call leaves that stack while it waits. Share a quota between the layers instead, or give the inner call
// `max_attempts<1>`.
// expect-error: anew::async_retry(strategy, operation, token) requires a strategy without nesting_guard
namespace asio_with_nesting_guard {
#ifdef ANEW_REJECT  // wrong
using inner = anew::strategy<anew::retry_all, anew::nesting_guard<>>;
#else  // right
using inner = anew::strategy<anew::retry_all, anew::max_attempts<1>>;  // the outer call does the retrying
#endif

void run() {
  net::io_context context;
  net::steady_timer timer{context};
  auto const wait = [&](anew::attempt&, auto&& token) {
    return timer.async_wait(std::forward<decltype(token)>(token));
  };
  inner const strategy{};
  anew::async_retry(strategy, wait, [](auto...) {});
}
}  // namespace asio_with_nesting_guard

// section: No executor to wait on
// Neither a callback API nor a plain callback has an executor, so the call has nowhere to wait and complete.
// expect-error: anew::async_retry and anew::async_hedge require an executor for a coroutine, for a callback API
namespace asio_callback_api_nowhere {
namespace {
void legacy_read(std::function<void(anew::net_error_code)> const& callback) { callback({}); }
}  // namespace

void run() {
  net::io_context context;
  auto const read = anew::initiates<void(anew::net_error_code)>([](auto handler) { legacy_read(std::move(handler)); });
  anew::strategy<anew::retry_all, anew::max_attempts<5>> const strategy{};
#ifdef ANEW_REJECT  // wrong
  anew::async_retry(strategy, read, [](anew::net_error_code) {});
#else  // right
  anew::async_retry(context, strategy, read, [](anew::net_error_code) {});
#endif
}
}  // namespace asio_callback_api_nowhere

// section: No executor to wait on
// A handler without an executor (a plain function, a future) leaves the call on the executor of its operation, which
// is known once the operation has started. A coroutine has no such executor, a callback API behind `initiates()`
// cannot name one, and with a gate, a pacer or an attempt timeout the call may wait before that. Pass the executor
// first: `anew::async_retry(executor, strategy, operation, token)`. The same applies to the timer of `cancel_after`.
//
// Other operations reveal their executor only when they run. If one has no executor, the call cannot wait for its
// second attempt: it throws `std::logic_error` out of the loop's `run()` and ends.
// expect-error: anew::async_retry and anew::async_hedge require an executor for a coroutine, for a callback API
namespace asio_coroutine_nowhere {
void run() {
  net::io_context context;
  net::steady_timer timer{context};
  auto const wait = [&]() -> net::awaitable<void> { co_await timer.async_wait(net::use_awaitable); };
  anew::strategy<anew::retry_all, anew::max_attempts<5>> const strategy{};
#ifdef ANEW_REJECT  // wrong
  anew::async_retry(strategy, wait, [](auto...) {});
#else  // right
  anew::async_retry(context, strategy, wait, [](auto...) {});
#endif
}
}  // namespace asio_coroutine_nowhere

// section: No executor to wait on
// An open breaker ends the call before its operation has started, so the call does not know yet where to complete.
// expect-error: anew::async_retry and anew::async_hedge require an executor for a coroutine, for a callback API
namespace asio_gate_nowhere {
using client =
    anew::strategy<anew::retry_all, anew::max_attempts<5>, anew::circuit_breaker<5, std::chrono::seconds{30}>>;

void run() {
  net::io_context context;
  net::steady_timer timer{context};
  auto const wait = [&](anew::attempt&, auto&& token) {
    return timer.async_wait(std::forward<decltype(token)>(token));
  };
  client const strategy{};
#ifdef ANEW_REJECT  // wrong
  anew::async_retry(strategy, wait, [](auto...) {});
#else  // right
  anew::async_retry(context, strategy, wait, [](auto...) {});
#endif
}
}  // namespace asio_gate_nowhere

// section: A token that cannot be copied
// An lvalue is copied, as Asio does it. A handler that holds a `std::unique_ptr`, say, has to be moved. A `mutable` lambda
// must not be declared `const`.
// expect-error: requires a completion token that it can copy
namespace asio_token_cannot_be_copied {
void run() {
  net::io_context context;
  net::steady_timer timer{context};
  auto const wait = [&](auto&& token) { return timer.async_wait(std::forward<decltype(token)>(token)); };
  anew::strategy<anew::error_code_classifier> const strategy{};
#ifdef ANEW_REJECT  // wrong
  auto const done = [kept = std::make_unique<int>(1)](anew::net_error_code) {};
  anew::async_retry(strategy, wait, done);
#else  // right
  auto done = [kept = std::make_unique<int>(1)](anew::net_error_code) {};
  anew::async_retry(strategy, wait, std::move(done));
#endif
}
}  // namespace asio_token_cannot_be_copied

// section: Not an asynchronous operation
// An operation takes a completion token, alone or after `anew::attempt&`, or it is a coroutine that returns
// `awaitable<T>`. For a blocking operation use `retry()`. For an operation with one fixed handler type state the
// signature: `anew::initiates<void(error_code)>(operation)`.
// expect-error: requires an asynchronous operation
namespace asio_operation_blocks {
void run() {
  net::io_context context;
  net::steady_timer timer{context};
  anew::strategy<anew::retry_all, anew::max_attempts<5>> const strategy{};
#ifdef ANEW_REJECT  // wrong
  auto const wait = [&] { timer.wait(); };
#else  // right
  auto const wait = [&](auto&& token) { return timer.async_wait(std::forward<decltype(token)>(token)); };
#endif
  anew::async_retry(strategy, wait, [](auto...) {});
}
}  // namespace asio_operation_blocks

// section: Several completion signatures
// An operation that completes in one of two ways has two signatures, but a call has one. Convert both to one form
// inside `anew::initiates<Signature>`.
// expect-error: anew::async_retry(strategy, operation, token) requires an operation with exactly one completion
namespace asio_several_signatures {
/// Completes with an error alone, or with no error and a number of bytes.
template <class Token>
auto async_fetch(net::io_context& context, Token&& token) {
  auto const begin = [&context](auto handler) {
    net::post(context, [h = std::move(handler)]() mutable { std::move(h)(anew::net_error_code{}, std::size_t{7}); });
  };
  return net::async_initiate<Token, void(anew::net_error_code), void(anew::net_error_code, std::size_t)>(begin, token);
}

void run() {
  net::io_context context;
  anew::strategy<anew::error_code_classifier, anew::max_attempts<5>> const strategy{};
// [asio_several_signatures]
#ifdef ANEW_REJECT  // wrong
  auto const fetch = [&](auto&& token) { return async_fetch(context, std::forward<decltype(token)>(token)); };
#else  // right
  auto const fetch = anew::initiates<void(anew::net_error_code, std::size_t)>([&](auto handler) {
    async_fetch(context, [h = std::move(handler)](anew::net_error_code error, std::size_t bytes = 0) mutable {
      std::move(h)(error, bytes);
    });
  });
#endif
  // [/asio_several_signatures]
  anew::async_retry(context, strategy, fetch, [](auto...) {});
}
}  // namespace asio_several_signatures
