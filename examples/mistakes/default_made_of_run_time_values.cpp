// SPDX-License-Identifier: BSL-1.0
// section: Values known at run time / No default for run-time values
// This is the compiler's own error about a deleted constructor; the remedy is in the line that it prints. The type of
// the strategy says that there is a base and a cap, but not their values. Pass the strategy object itself.
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
