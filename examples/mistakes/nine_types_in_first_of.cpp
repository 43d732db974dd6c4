// SPDX-License-Identifier: BSL-1.0
// section: Classifiers and exceptions / Too many exception types together
// There are eight catch clauses for all of them together.
// expect-error: anew::first_of<Classifiers...> requires its classifiers to catch at most eight types of exception together
#include "anew/anew.hpp"
#include "anew/classifier/first_of.hpp"

template <int>
struct error {};
template <int... Numbers>
using errors = anew::retry_on<error<Numbers>...>;

// [fix]
#ifdef ANEW_REJECT  // wrong
using on_failure = anew::first_of<errors<1, 2, 3, 4, 5>, errors<6, 7, 8, 9>>;
#else  // right
using on_failure = anew::first_of<errors<1, 2, 3, 4, 5>, errors<4, 5, 6, 7, 8>>;
#endif
// [/fix]

int main() {
  anew::retry(anew::strategy<on_failure>{}, [] {});
}
