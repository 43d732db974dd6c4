// SPDX-License-Identifier: BSL-1.0
// section: Classifiers and exceptions / A combination without classifiers
// Without a classifier nothing is decided.
// expect-error: anew::first_of<Classifiers...> requires at least one classifier
#include "anew/anew.hpp"
#include "anew/classifier/first_of.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using on_failure = anew::first_of<>;
#else  // right
using on_failure = anew::first_of<anew::retry_info_classifier>;
#endif
// [/fix]

int main() {
  anew::retry(anew::strategy<on_failure>{}, [] {});
}
