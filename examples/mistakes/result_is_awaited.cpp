// SPDX-License-Identifier: BSL-1.0
// chapter: Calling retry

// section: A result that is not there yet
// Without `anew/coroutine.hpp`, `retry` is the blocking call, which starts the coroutine once and awaits nothing.
// expect-error: anew::retry(strategy, operation) requires a finished result
// expect-error: include <anew/coroutine.hpp>, pass a sleep and co_await the call
#include <stdexcept>

#include "anew/anew.hpp"
#include "anew/bridges/coroutine/task.hpp"
#ifndef ANEW_REJECT
#include "anew/coroutine.hpp"
#endif

namespace result_is_awaited {
anew::task<> timer(anew::duration /*delay*/) { co_return; }

anew::task<int> ask() { co_return 42; }

using patient = anew::strategy<anew::retry_on<std::runtime_error>>;

anew::task<int> client() {
#ifdef ANEW_REJECT  // wrong: anew/coroutine.hpp is not included
  co_return co_await anew::retry(patient{}, ask, [](anew::duration) {});
#else  // right
  co_return co_await anew::retry(patient{}, ask, timer);
#endif
}

void run() {
  static_cast<void>(client());
  static_cast<void>(&timer);
}
}  // namespace result_is_awaited
