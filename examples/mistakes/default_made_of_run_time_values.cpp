// SPDX-License-Identifier: BSL-1.0
// section: Values known at run time / No default for run-time values
// The compiler's own error about a deleted constructor; the remedy stands in the line that it shows. The type of a
// composed strategy knows that there is a base and a cap, and not which. Pass the strategy itself on.
// expect-error: deleted
// expect-error: a policy of this strategy needs its values: anew::compose(policies...)
#include <chrono>

#include "anew/anew.hpp"

int main(int argc, char** /*argv*/) {
  std::chrono::milliseconds const base{10 * argc};
  auto const tuned = anew::compose(anew::exponential_backoff{base, base * 100}, anew::equal_jitter{});
// [fix]
#ifdef ANEW_REJECT  // wrong
  anew::retry(decltype(tuned){}, [] {});
#else  // right
  anew::retry(tuned, [] {});
#endif
  // [/fix]
}
