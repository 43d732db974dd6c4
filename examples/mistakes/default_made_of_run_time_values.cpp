// SPDX-License-Identifier: BSL-1.0
// The type remembers that there are a base and a cap; only the value knows which.
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
