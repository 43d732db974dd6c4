// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / A clock that is not steady
// Declare `static constexpr bool is_steady = true;` for a clock that never goes back. A wall clock does.
// expect-error: Clock policy
// expect-error: std::chrono::steady_clock
#include <chrono>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using time_source = anew::std_clock<std::chrono::system_clock>;
#else  // right
using time_source = anew::std_clock<std::chrono::steady_clock>;
#endif
// [/fix]

int main() {
  anew::retry(anew::strategy<anew::deadline<10s>, anew::max_attempts<5>, time_source>{}, [] {});
}
