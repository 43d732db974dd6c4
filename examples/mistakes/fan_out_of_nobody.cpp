// SPDX-License-Identifier: BSL-1.0
// "Nobody listens." Then there is no observer to compose.
// expect-error: anew::fan_out<Observers...> requires an observer at least; this one would tell nobody
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
