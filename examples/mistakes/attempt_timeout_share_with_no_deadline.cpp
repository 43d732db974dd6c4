// SPDX-License-Identifier: BSL-1.0
// section: Limits of attempts / A share without a deadline
// `with<>` replaces the attempt timeout only: the strategy must have a deadline already.
// expect-error: anew::strategy<Policies...> requires a deadline for an attempt timeout that is a share of it
#include <chrono>

#include "anew/anew.hpp"
#include "anew/attempt_timeout/attempt_timeout.hpp"
#include "anew/attempt_timeout/attempt_timeout_share.hpp"

using namespace std::chrono_literals;

using usual = anew::strategy<anew::attempt_timeout<1s>, anew::max_attempts<5>>;

// [fix]
#ifdef ANEW_REJECT  // wrong
using halves = anew::with<usual, anew::attempt_timeout_share<anew::rational{1, 2}>>;
#else  // right
using halves = anew::with<usual, anew::attempt_timeout_share<anew::rational{1, 2}>, anew::deadline<10s>>;
#endif
// [/fix]

int main() {
  anew::retry(halves{}, [](anew::attempt&) {});
}
