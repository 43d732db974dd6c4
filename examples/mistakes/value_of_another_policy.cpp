// SPDX-License-Identifier: BSL-1.0
// The type says three attempts; a value of another type does not find a place in it.
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
