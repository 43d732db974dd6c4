// SPDX-License-Identifier: BSL-1.0
// section: Policies chosen at run time / A policy twice in a choice
// A policy is chosen by its type, so two equal types cannot be told apart.
// expect-error: anew::choice<Role, Policies...> requires policies of different types
#include "anew/anew.hpp"
#include "anew/compose/choice.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using limit = anew::choice<anew::roles::max_attempts, anew::max_attempts<3>, anew::max_attempts<3>>;
#else  // right
using limit = anew::choice<anew::roles::max_attempts, anew::max_attempts<3>, anew::max_attempts<5>>;
#endif
// [/fix]

int main() {
  anew::retry(anew::strategy<limit>{}, [] {});
}
