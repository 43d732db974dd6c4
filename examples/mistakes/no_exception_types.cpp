// SPDX-License-Identifier: BSL-1.0
// "On what?" retry_on names what it retries.
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
