// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / A type that is never thrown
// `retry_on<E*>` would catch `throw new E`, and not `throw E{}`. A pointer to text and a number may be named:
// `retry_on<char const*>` catches `throw "text"`. For exceptions that are thrown by pointer on purpose there is
// `retry_if<Predicate, E*>`.
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
