// SPDX-License-Identifier: BSL-1.0
// MaxAttempts of Step Functions counts retries; there are none at zero.
// expect-error: anew::step_functions::retrier<Interval, MaxAttempts> requires MaxAttempts >= 0
#include <chrono>

#include "anew/anew.hpp"
#include "anew/preset/step_functions.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using task = anew::step_functions::retrier<1s, -1>;
#else  // right
using task = anew::step_functions::retrier<1s, 0>;
#endif
// [/fix]

int main() {
  anew::retry(task{}, [] {});
}
