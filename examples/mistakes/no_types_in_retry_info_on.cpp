// SPDX-License-Identifier: BSL-1.0
// section: Classifiers and exceptions / How many exception types
// Without a type it would be `retry_info_classifier`.
// expect-error: anew::retry_info_on<Exceptions...> requires one to seven exception types
#include "anew/anew.hpp"
#include "anew/policies.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using hears = anew::retry_info_on<>;
#else  // right
using hears = anew::retry_info_classifier;
#endif
// [/fix]

int main() {
  anew::retry(anew::strategy<hears, anew::no_backoff>{}, [] {});
}
