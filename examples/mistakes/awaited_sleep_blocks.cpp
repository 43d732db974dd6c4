// SPDX-License-Identifier: BSL-1.0
// section: Coroutines / An awaited operation, and a sleep that blocks
// A blocking sleep would stop the thread on which all coroutines run. The same message appears if the operation's
// task cannot await the sleep's result, as with a timer of another library.
// expect-error: requires a sleep that returns an awaitable, because its operation returns one
// expect-error: Return your event loop's timer
#include "anew/anew.hpp"
#include "anew/coroutine.hpp"

anew::task<> timer(anew::duration /*delay*/) { co_return; }

anew::task<bool> connect() { co_return true; }

using strategy = anew::strategy<anew::retry_all>;

int main() {
// [fix]
#ifdef ANEW_REJECT  // wrong
  auto const call = anew::retry(strategy{}, connect, anew::blocking_sleeper{});
#else  // right
  auto const call = anew::retry(strategy{}, connect, [](anew::duration delay) { return timer(delay); });
#endif
  // [/fix]
  static_cast<void>(call);
  static_cast<void>(&timer);
}
