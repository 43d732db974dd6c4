// SPDX-License-Identifier: BSL-1.0
// section: Classifiers and exceptions / A base before what derives from it
// The types become catch clauses in the order in which they are named, and the first that fits is taken. A type that
// is named twice is the same mistake.
// expect-error: requires a classifier to name a derived exception type before its base
#include <stdexcept>
#include <system_error>

#include "anew/anew.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using on_failure = anew::retry_on<std::runtime_error, std::system_error>;
#else  // right
using on_failure = anew::retry_on<std::system_error, std::runtime_error>;
#endif
// [/fix]

int main() {
  anew::retry(anew::strategy<on_failure>{}, [] {});
}
