// SPDX-License-Identifier: BSL-1.0
// A sleep that is awaited needs a call that is awaited: an operation that is a coroutine, or returns an awaitable.
// expect-error: requires an operation that returns an awaitable, because its sleep returns one
// expect-error: Did you forget the type that it returns
#include "anew/anew.hpp"
#include "anew/coroutine.hpp"

anew::task<bool> connect() { co_return true; }
anew::task<> timer(anew::duration /*delay*/) { co_return; }

using strategy = anew::strategy<anew::retry_all>;

int main() {
// [fix]
#ifdef ANEW_REJECT  // wrong: it returns a bool, and waits for nobody
  auto const operation = [] { return true; };
#else  // right
  auto const operation = []() -> anew::task<bool> { co_return co_await connect(); };
#endif
  auto const call = anew::retry(strategy{}, operation, timer);
  // [/fix]
  static_cast<void>(call);
  static_cast<void>(&connect);
}
