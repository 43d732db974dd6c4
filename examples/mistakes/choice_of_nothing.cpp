// SPDX-License-Identifier: BSL-1.0
// section: Policies chosen at run time / A choice without policies
// A choice holds one of its policies, so it must have at least one.
// expect-error: anew::choice<Role, Policies...> requires at least one policy, and policies that play this role
#include "anew/anew.hpp"
#include "anew/compose/choice.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using limit = anew::choice<anew::roles::max_attempts>;
#else  // right
using limit = anew::choice<anew::roles::max_attempts, anew::max_attempts<3>, anew::unbounded>;
#endif
// [/fix]

int main() {
  anew::retry(anew::strategy<limit>{}, [] {});
}
