// SPDX-License-Identifier: BSL-1.0
// A classifier names types; the catch clause makes the reference.
// expect-error: anew::retry_on<Exceptions...> requires the types that are thrown
#include <stdexcept>

#include "anew/anew.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using on_error = anew::retry_on<std::runtime_error&>;
#else  // right
using on_error = anew::retry_on<std::runtime_error>;
#endif
// [/fix]

int main() {
  anew::retry(anew::strategy<on_error>{}, [] {});
}
