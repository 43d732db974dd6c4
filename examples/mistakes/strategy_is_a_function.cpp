// SPDX-License-Identifier: BSL-1.0
// section: Calling retry / A function as a strategy
// `patient strategy();` declares a function. Compilers warn of it where they see it.
// expect-error: you passed a function that returns a strategy. Declare an object with braces
#include "anew/anew.hpp"

using patient = anew::strategy<anew::retry_all>;

// [fix]
#ifdef ANEW_REJECT  // wrong
patient client();
#else  // right
patient const client{};
#endif
// [/fix]

int main() {
  anew::retry(client, [] {});
}
