// SPDX-License-Identifier: BSL-1.0
// A jitter draws from the random source that it is given, be it the thread's or a scripted one.
// expect-error: Jitter policy
// expect-error: apply(anew::duration ceiling, R& random) const
#include "anew/anew.hpp"

struct upper_half {
  using role = anew::roles::jitter;
// [fix]
#ifdef ANEW_REJECT  // wrong
  anew::duration apply(anew::duration ceiling) const { return ceiling / 2; }
#else  // right
  anew::duration apply(anew::duration ceiling, auto& random) const { return ceiling / (1 + random() % 2); }
#endif
  // [/fix]
};

int main() {
  anew::retry(anew::strategy<upper_half>{}, [] {});
}
