// SPDX-License-Identifier: BSL-1.0
// section: Numbers / Attempts
// N counts attempts, not retries, and the first attempt is always made. To never retry, use `max_attempts<1>` or
// `anew::never`. Neither 0 nor -1 nor a very large number means "for ever"; `anew::unbounded` does.
// expect-error: anew::max_attempts<N> requires N >= 1
#include "anew/anew.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using once = anew::strategy<anew::max_attempts<0>>;
#else  // right
using once = anew::strategy<anew::max_attempts<1>>;
#endif
// [/fix]

int main() {
  anew::retry(once{}, [] {});
}
