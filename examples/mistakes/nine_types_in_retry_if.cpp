// SPDX-License-Identifier: BSL-1.0
// section: Classifiers and exceptions / How many exception types
// There are eight catch clauses, whichever classifier asks for them.
// expect-error: anew::strategy<Policies...> requires a classifier to catch at most eight types of exception
#include "anew/anew.hpp"

struct any_error {
  bool is_final = false;
};
template <int>
struct error : any_error {};

struct may_help {
  bool operator()(any_error const& error) const { return !error.is_final; }
};

// [fix]
#ifdef ANEW_REJECT  // wrong
using on_failure =
    anew::retry_if<may_help, error<1>, error<2>, error<3>, error<4>, error<5>, error<6>, error<7>, error<8>, error<9>>;
#else  // right
using on_failure = anew::retry_if<may_help, any_error>;
#endif
// [/fix]

int main() {
  anew::retry(anew::strategy<on_failure>{}, [] {});
}
