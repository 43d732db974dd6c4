// SPDX-License-Identifier: BSL-1.0
// section: Calling retry / A predicate of anything
// A predicate with an `auto` parameter would take every result, successes included, and sees no exceptions, because
// it names none. Name the exceptions after it, or the type of the result in its parameter: `[](response const& r) {
// return r.status == 503; }`. A generic predicate still reads error values.
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
