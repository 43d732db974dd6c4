// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / A fan_out without observers
// To observe nothing, omit the policy.
// expect-error: anew::fan_out<Observers...> requires at least one observer
#include "anew/anew.hpp"
#include "anew/observer/fan_out.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using unheard = anew::strategy<anew::fan_out<>>;
#else  // right
using unheard = anew::strategy<>;
#endif
// [/fix]

int main() {
  anew::retry(unheard{}, [] {});
}
