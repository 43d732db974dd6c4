// SPDX-License-Identifier: BSL-1.0
// section: Classifiers and exceptions / How many exception types
// There are eight catch clauses.
// expect-error: anew::retry_on<Exceptions...> requires one to eight exception types
// expect-error: Name a common base
#include "anew/anew.hpp"

struct any_error {};
template <int>
struct error : any_error {};

// [fix]
#ifdef ANEW_REJECT  // wrong
using on_failure =
    anew::retry_on<error<1>, error<2>, error<3>, error<4>, error<5>, error<6>, error<7>, error<8>, error<9>>;
#else  // right
using on_failure = anew::retry_on<any_error>;
#endif
// [/fix]

int main() {
  anew::retry(anew::strategy<on_failure>{}, [] {});
}
