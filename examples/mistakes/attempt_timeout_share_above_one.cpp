// SPDX-License-Identifier: BSL-1.0
// section: Limits of attempts / A share above one
// `attempt_timeout_share<50>` is fifty times the remaining time. `attempt_timeout_share<rational{1, 2}>` is half of it.
// expect-error: anew::attempt_timeout_share<Share> requires 0 < Share <= 1
#include <chrono>

#include "anew/anew.hpp"
#include "anew/attempt_timeout/attempt_timeout_share.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using limit = anew::attempt_timeout_share<anew::rational{50}>;
#else  // right
using limit = anew::attempt_timeout_share<anew::rational{50, 100}>;
#endif
// [/fix]

int main() {
  anew::retry(anew::strategy<limit, anew::deadline<10s>, anew::unbounded>{}, [](anew::attempt&) {});
}
