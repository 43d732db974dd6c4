// SPDX-License-Identifier: BSL-1.0
// section: Calling retry / A sleeper that returns an awaitable
// Without `co_await` there would be no delay at all. Pass a sleeper that blocks, or return an awaitable from the
// operation too and await the call with `anew/coroutine.hpp`.
// expect-error: requires a sleeper that has waited when it returns
// expect-error: Include <anew/coroutine.hpp>
#include "anew/anew.hpp"
#include "anew/coroutine/task.hpp"

anew::task<> timer(anew::duration /*delay*/) { co_return; }

int main() {
  using patient = anew::strategy<anew::retry_all>;
// [fix]
#ifdef ANEW_REJECT  // wrong: the timer is not awaited
  anew::retry(patient{}, [] {}, timer);
#else  // right: a sleeper that blocks
  anew::retry(patient{}, [] {}, anew::blocking_sleeper{});
#endif
  // [/fix]
  static_cast<void>(&timer);
}
