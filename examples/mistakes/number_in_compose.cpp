// SPDX-License-Identifier: BSL-1.0
// section: Composing a strategy / Not a policy
// compose() takes policies: a number alone does not say what it counts.
// expect-error: anew::compose(policies...) requires policies; you passed a number or a duration
#include <chrono>

#include "anew/anew.hpp"

int main(int argc, char** /*argv*/) {
  std::chrono::milliseconds const base{10 * argc};
// [fix]
#ifdef ANEW_REJECT  // wrong
  auto const tuned = anew::compose(anew::exponential_backoff{base, base * 100}, 5);
#else  // right
  auto const tuned = anew::compose(anew::exponential_backoff{base, base * 100}, anew::max_attempts{5});
#endif
  // [/fix]
  anew::retry(tuned, [] {});
}
