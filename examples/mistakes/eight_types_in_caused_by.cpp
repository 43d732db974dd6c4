// SPDX-License-Identifier: BSL-1.0
// section: Classifiers and exceptions / Too many exception types together
// `std::nested_exception` needs one of the eight catch clauses.
// expect-error: anew::caused_by<C> requires a classifier that catches at most seven types of exception
#include "anew/anew.hpp"
#include "anew/classifier/caused_by.hpp"

template <int>
struct error {};
template <int... Numbers>
using errors = anew::retry_on<error<Numbers>...>;

// [fix]
#ifdef ANEW_REJECT  // wrong
using on_failure = anew::caused_by<errors<1, 2, 3, 4, 5, 6, 7, 8>>;
#else  // right
using on_failure = anew::caused_by<errors<1, 2, 3, 4, 5, 6, 7>>;
#endif
// [/fix]

int main() {
  anew::retry(anew::strategy<on_failure>{}, [] {});
}
