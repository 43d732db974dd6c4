// SPDX-License-Identifier: BSL-1.0
// section: Composing a strategy / Not a policy
// A number does not say what it counts, and a predicate needs a classifier that calls it. Your own policy declares
// its role in its first line: `using role = anew::roles::...;`.
// expect-error: anew::strategy<Policies...> requires every argument to be a policy
// expect-error: no nested type 'role'
#include <chrono>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using polite = anew::strategy<anew::constant_backoff<100ms>, int>;
#else  // right
using polite = anew::strategy<anew::constant_backoff<100ms>, anew::max_attempts<5>>;
#endif
// [/fix]

int main() {
  anew::retry(polite{}, [] {});
}
