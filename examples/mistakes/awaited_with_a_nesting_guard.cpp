// SPDX-License-Identifier: BSL-1.0
// section: Coroutines / An awaited call with a nesting guard
// The guard would mistake two concurrent calls on one thread for nested calls. To limit the retries of both, share
// one quota.
// expect-error: requires a strategy without nesting_guard when it is awaited
// expect-error: Use anew::nested_in, which each call is told
#include "anew/anew.hpp"
#include "anew/coroutine.hpp"
#include "anew/nesting/nesting_guard.hpp"
#include "anew/sharing/shared.hpp"

anew::task<> timer(anew::duration /*delay*/) { co_return; }

anew::task<bool> connect() { co_return true; }

int main() {
// [fix]
#ifdef ANEW_REJECT  // wrong
  anew::strategy<anew::retry_all, anew::nesting_guard<>> const strategy{};
#else  // right
  anew::shared<anew::token_bucket<100>> const budget{};
  anew::strategy<anew::retry_all, anew::shared<anew::token_bucket<100>>> const strategy{budget};
#endif
  // [/fix]
  auto const call = anew::retry(strategy, connect, timer);
  static_cast<void>(call);
}
