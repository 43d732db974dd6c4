// SPDX-License-Identifier: BSL-1.0
// section: Coroutines / An awaited sleep in another unit
// `anew::duration` counts nanoseconds and does not convert to milliseconds implicitly, because that would round.
// Round up, so that no wait is too short.
// expect-error: requires a sleep that is callable as sleep(anew::duration)
#include <chrono>

#include "anew/anew.hpp"
#include "anew/coroutine.hpp"

anew::task<> timer(std::chrono::milliseconds /*delay*/) { co_return; }

anew::task<bool> connect() { co_return true; }

using strategy = anew::strategy<anew::retry_all>;

int main() {
// [fix]
#ifdef ANEW_REJECT  // wrong
  auto const sleep = [](std::chrono::milliseconds delay) { return timer(delay); };
#else  // right
  auto const sleep = [](anew::duration delay) { return timer(std::chrono::ceil<std::chrono::milliseconds>(delay)); };
#endif
  // [/fix]
  auto const call = anew::retry(strategy{}, connect, sleep);
  static_cast<void>(call);
}
