// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / Negative retries of a Step Functions task
// MaxAttempts of the States Language counts retries: `retrier<1s, 3>` makes four attempts.
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
