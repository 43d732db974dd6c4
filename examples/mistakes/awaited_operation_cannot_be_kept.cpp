// SPDX-License-Identifier: BSL-1.0
// section: Coroutines / An awaited operation that cannot be kept
// The coroutine stores operation and sleep in its frame, and copies lvalues. Move it in, or pass `std::ref()` to an
// object that outlives the call. The same applies to a sleep.
// expect-error: anew::retry(strategy, operation, sleep) requires an operation that the coroutine can store
// expect-error: Pass std::move(operation)
#include <memory>
#include <utility>

#include "anew/anew.hpp"
#include "anew/coroutine.hpp"

anew::task<> timer(anew::duration /*delay*/) { co_return; }

using strategy = anew::strategy<anew::retry_all>;

int main() {
  auto connect = [body = std::make_unique<int>(1)]() -> anew::task<bool> { co_return *body == 1; };
// [fix]
#ifdef ANEW_REJECT  // wrong
  auto const call = anew::retry(strategy{}, connect, timer);
#else  // right
  auto const call = anew::retry(strategy{}, std::move(connect), timer);
#endif
  // [/fix]
  static_cast<void>(call);
}
