// SPDX-License-Identifier: BSL-1.0
// section: Coroutines / An awaited operation that returns a value
// A sleep that returns an awaitable does nothing until it is awaited, so the call must be a coroutine, and its type
// is the type that the operation returns. The usual cause is a lambda without its `-> task<T>`. If only one library's
// coroutines can await a type, return that library's task.
// expect-error: requires an operation that returns an awaitable, because its sleep returns one
// expect-error: Write its return type
#include "anew/anew.hpp"
#include "anew/coroutine.hpp"

anew::task<bool> connect() { co_return true; }
anew::task<> timer(anew::duration /*delay*/) { co_return; }

using strategy = anew::strategy<anew::retry_all>;

int main() {
// [fix]
#ifdef ANEW_REJECT  // wrong: it returns a bool, and waits for no result
  auto const operation = [] { return true; };
#else  // right
  auto const operation = []() -> anew::task<bool> { co_return co_await connect(); };
#endif
  auto const call = anew::retry(strategy{}, operation, timer);
  // [/fix]
  static_cast<void>(call);
  static_cast<void>(&connect);
}
