// SPDX-License-Identifier: BSL-1.0
// section: Coroutines / A coroutine without a sleep
// With `anew/coroutine.hpp` included, an operation that returns a task is awaited, but the default sleeper blocks the
// thread. Pass a sleep that waits on your event loop.
// expect-error: requires a sleep when the operation returns an awaitable
// expect-error: Pass one
#include "anew/anew.hpp"
#include "anew/coroutine.hpp"

anew::task<> timer(anew::duration /*delay*/) { co_return; }

anew::task<bool> connect() { co_return true; }

using strategy = anew::strategy<anew::retry_all>;

anew::task<bool> client() {
// [fix]
#ifdef ANEW_REJECT  // wrong
  co_return co_await anew::retry(strategy{}, connect);
#else  // right
  co_return co_await anew::retry(strategy{}, connect, timer);
#endif
  // [/fix]
}

int main() {
  static_cast<void>(client());
  static_cast<void>(&timer);
}
