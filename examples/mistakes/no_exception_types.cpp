// SPDX-License-Identifier: BSL-1.0
// section: Classifiers and exceptions / How many exception types
// An attempt has eight catch clauses. For more types, name a common base; to retry every exception, use
// `anew::retry_all`. If you name `std::exception`, `std::logic_error` takes one clause too, because it is final
// unless you name it.
// expect-error: anew::retry_on<Exceptions...> requires one to eight exception types
#include <system_error>

#include "anew/anew.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using on_failure = anew::retry_on<>;
#else  // right
using on_failure = anew::retry_on<std::system_error>;
#endif
// [/fix]

int main() {
  anew::retry(anew::strategy<on_failure>{}, [] {});
}
