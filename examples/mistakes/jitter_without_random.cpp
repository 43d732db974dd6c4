// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / Jitter policy
// A jitter with memory has a nested `state_type` and is passed a state; it stores nothing itself.
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
