// SPDX-License-Identifier: BSL-1.0
// chapter: Coroutines

#include <chrono>
#include <memory>
#include <utility>

#include "anew/anew.hpp"
#include "anew/coroutine.hpp"
#include "anew/policies/nesting/nesting_guard.hpp"
#include "anew/policies/sharing/shared.hpp"

// section: A coroutine without a sleep
// With `anew/coroutine.hpp` included, an operation that returns a task is awaited, but the default sleeper blocks the
// thread. Pass a sleep that waits on your event loop.
// expect-error: requires a sleep when the operation returns an awaitable
// expect-error: Pass one
namespace awaited_without_a_sleep {
anew::task<> timer(anew::duration /*delay*/) { co_return; }

anew::task<bool> connect() { co_return true; }

using strategy = anew::strategy<anew::retry_all>;

anew::task<bool> client() {
#ifdef ANEW_REJECT  // wrong
  co_return co_await anew::retry(strategy{}, connect);
#else  // right
  co_return co_await anew::retry(strategy{}, connect, timer);
#endif
}

void run() {
  static_cast<void>(client());
  static_cast<void>(&timer);
}
}  // namespace awaited_without_a_sleep

// section: An awaited call with a nesting guard
// The guard would mistake two concurrent calls on one thread for nested calls. To limit the retries of both, share
// one quota.
// expect-error: anew::retry(strategy, operation) requires a strategy without nesting_guard
// expect-error: Pass anew::nested_in to each call
namespace awaited_with_a_nesting_guard {
anew::task<> timer(anew::duration /*delay*/) { co_return; }

anew::task<bool> connect() { co_return true; }

void run() {
#ifdef ANEW_REJECT  // wrong
  anew::strategy<anew::retry_all, anew::nesting_guard<>> const strategy{};
#else  // right
  anew::shared<anew::token_bucket<100>> const budget{};
  anew::strategy<anew::retry_all, anew::shared<anew::token_bucket<100>>> const strategy{budget};
#endif
  auto const call = anew::retry(strategy, connect, timer);
  static_cast<void>(call);
}
}  // namespace awaited_with_a_nesting_guard

// section: An awaited operation that cannot be kept
// The coroutine stores operation and sleep in its frame, and copies lvalues. Move it in, or pass `std::ref()` to an
// object that outlives the call. The same applies to a sleep.
// expect-error: requires an operation and a sleep that the coroutine can store
// expect-error: Pass it with std::move()
namespace awaited_operation_cannot_be_kept {
anew::task<> timer(anew::duration /*delay*/) { co_return; }

using strategy = anew::strategy<anew::retry_all>;

void run() {
  auto connect = [body = std::make_unique<int>(1)]() -> anew::task<bool> { co_return *body == 1; };
#ifdef ANEW_REJECT  // wrong
  auto const call = anew::retry(strategy{}, connect, timer);
#else  // right
  auto const call = anew::retry(strategy{}, std::move(connect), timer);
#endif
  static_cast<void>(call);
}
}  // namespace awaited_operation_cannot_be_kept

// section: An awaited operation that returns a value
// A sleep that returns an awaitable does nothing until it is awaited, so the call must be a coroutine, and its type
// is the type that the operation returns. The usual cause is a lambda without its `-> task<T>`. If only one library's
// coroutines can await a type, return that library's task.
// expect-error: requires an operation that returns an awaitable, because its sleep returns one
// expect-error: Write its return type
namespace awaited_operation_returns_a_value {
anew::task<bool> connect() { co_return true; }
anew::task<> timer(anew::duration /*delay*/) { co_return; }

using strategy = anew::strategy<anew::retry_all>;

void run() {
#ifdef ANEW_REJECT  // wrong: it returns a bool, and waits for no result
  auto const operation = [] { return true; };
#else  // right
  auto const operation = []() -> anew::task<bool> { co_return co_await connect(); };
#endif
  auto const call = anew::retry(strategy{}, operation, timer);
  static_cast<void>(call);
  static_cast<void>(&connect);
}
}  // namespace awaited_operation_returns_a_value

// section: An awaited operation, and a sleep that blocks
// A blocking sleep would stop the thread on which all coroutines run. The same message appears if the operation's
// task cannot await the sleep's result, as with a timer of another library.
// expect-error: requires a sleep that returns an awaitable, because its operation returns one
// expect-error: Return your event loop's timer
namespace awaited_sleep_blocks {
anew::task<> timer(anew::duration /*delay*/) { co_return; }

anew::task<bool> connect() { co_return true; }

using strategy = anew::strategy<anew::retry_all>;

void run() {
#ifdef ANEW_REJECT  // wrong
  auto const call = anew::retry(strategy{}, connect, anew::blocking_sleeper{});
#else  // right
  auto const call = anew::retry(strategy{}, connect, [](anew::duration delay) { return timer(delay); });
#endif
  static_cast<void>(call);
  static_cast<void>(&timer);
}
}  // namespace awaited_sleep_blocks

// section: An awaited sleep in another unit
// `anew::duration` counts nanoseconds and does not convert to milliseconds implicitly, because that would round.
// Round up, so that no wait is too short.
// expect-error: anew::retry(strategy, operation) requires a sleeper that is callable as sleeper(anew::duration)
namespace awaited_sleep_in_milliseconds {
anew::task<> timer(std::chrono::milliseconds /*delay*/) { co_return; }

anew::task<bool> connect() { co_return true; }

using strategy = anew::strategy<anew::retry_all>;

void run() {
#ifdef ANEW_REJECT  // wrong
  auto const sleep = [](std::chrono::milliseconds delay) { return timer(delay); };
#else  // right
  auto const sleep = [](anew::duration delay) { return timer(std::chrono::ceil<std::chrono::milliseconds>(delay)); };
#endif
  auto const call = anew::retry(strategy{}, connect, sleep);
  static_cast<void>(call);
}
}  // namespace awaited_sleep_in_milliseconds
