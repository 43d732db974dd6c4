// SPDX-License-Identifier: BSL-1.0
// section: Classifiers and exceptions / Not a classifier
// An exception type does not say whether to retry. A classifier does.
// expect-error: anew::caused_by<C> requires a classifier;
#include <system_error>

#include "anew/anew.hpp"
#include "anew/classifier/caused_by.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using on_failure = anew::caused_by<std::system_error>;
#else  // right
using on_failure = anew::caused_by<anew::retry_on<std::system_error>>;
#endif
// [/fix]

int main() {
  anew::retry(anew::strategy<on_failure>{}, [] {});
}
