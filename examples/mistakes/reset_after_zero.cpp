// SPDX-License-Identifier: BSL-1.0
// section: Numbers / A reset after zero
// State how long an attempt must have run to count as a success. For attempts without a limit, use `anew::unbounded`.
// expect-error: anew::reset_after<Stable> requires Stable > 0
#include <chrono>

#include "anew/anew.hpp"
#include "anew/reset/reset_after.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using reset = anew::reset_after<0s>;
#else  // right
using reset = anew::reset_after<30s>;
#endif
// [/fix]

int main() {
  anew::strategy<reset> const strategy{};
  anew::retry(strategy, [] {});
}
