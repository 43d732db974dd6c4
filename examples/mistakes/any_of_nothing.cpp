// SPDX-License-Identifier: BSL-1.0
// section: Classifiers and exceptions / A combination of nothing
// Without a rule nothing is retried. For no retries at all, `anew::never`.
// expect-error: anew::any_of<Classifiers...> requires at least one classifier
#include "anew/anew.hpp"
#include "anew/classifier/any_of.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using on_failure = anew::any_of<>;
#else  // right
using on_failure = anew::any_of<anew::retry_info_classifier>;
#endif
// [/fix]

int main() {
  anew::retry(anew::strategy<on_failure>{}, [] {});
}
