// SPDX-License-Identifier: BSL-1.0
// A generic predicate would be asked about the count of bytes, and never about the exception.
// expect-error: requires a predicate that names the type of the result
// expect-error: anew::retry_if<Predicate, E>
#include <system_error>

#include "anew/anew.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using when_broken = anew::retry_if<decltype([](auto const& /*error*/) { return true; })>;
#else  // right
using when_broken = anew::retry_if<decltype([](auto const& /*error*/) { return true; }), std::system_error>;
#endif
// [/fix]

int main() {
  anew::retry(anew::strategy<when_broken>{}, []() -> unsigned { return 512; });
}
