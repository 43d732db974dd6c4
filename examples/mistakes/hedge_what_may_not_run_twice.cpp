// SPDX-License-Identifier: BSL-1.0
// A hedge runs while the first attempt is still at work.
// expect-error: requires anew::idempotent_call
#include <chrono>

#include "anew/anew.hpp"
#include "anew/hedge.hpp"

using namespace std::chrono_literals;

int main() {
  anew::strategy<> const client{};
  anew::hedge_after<10ms> const when{};
// [fix]
#ifdef ANEW_REJECT  // wrong
  anew::hedge_machine call{client, when};
#else  // right
  anew::hedge_machine call{client, when, anew::idempotent_call};
#endif
  // [/fix]
  return call.begin().start == 1 ? 0 : 1;
}
