// SPDX-License-Identifier: BSL-1.0
// section: Values known at run time / A value of another policy
// `max_attempts<3>` and `max_attempts{n}` are two types. `anew::compose` deduces the strategy type from the values.
// expect-error: anew::strategy<Policies...>{values...} requires values of its own policies
// expect-error: Did you mean anew::compose(policies...)
#include "anew/anew.hpp"

int main(int argc, char** /*argv*/) {
// [fix]
#ifdef ANEW_REJECT  // wrong
  anew::strategy<anew::equal_jitter> const tuned{anew::max_attempts{argc + 2}};
#else  // right
  auto const tuned = anew::compose(anew::equal_jitter{}, anew::max_attempts{argc + 2});
#endif
  // [/fix]
  anew::retry(tuned, [] {});
}
