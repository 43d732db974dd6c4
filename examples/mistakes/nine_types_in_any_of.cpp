// SPDX-License-Identifier: BSL-1.0
// section: Classifiers and exceptions / Too many exception types together
// An attempt has eight catch clauses for all classifiers together; a type that two classifiers name counts once.
// `anew::caused_by` needs one of them.
// expect-error: anew::any_of<Classifiers...> requires its classifiers to catch at most eight types of exception together
#include "anew/anew.hpp"
#include "anew/classifier/any_of.hpp"

template <int>
struct error {};
template <int... Numbers>
using errors = anew::retry_on<error<Numbers>...>;

// [fix]
#ifdef ANEW_REJECT  // wrong
using on_failure = anew::any_of<errors<1, 2, 3, 4, 5>, errors<6, 7, 8, 9>>;
#else  // right
using on_failure = anew::any_of<errors<1, 2, 3, 4, 5>, errors<4, 5, 6, 7, 8>>;
#endif
// [/fix]

int main() {
  anew::retry(anew::strategy<on_failure>{}, [] {});
}
