// SPDX-License-Identifier: BSL-1.0
// section: Classifiers and exceptions / A base class before its derived class
// The types become catch clauses in the order you name them, and the first that matches is taken. Naming a type twice
// is the same mistake.
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
