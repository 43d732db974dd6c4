// SPDX-License-Identifier: BSL-1.0
// An operation takes nothing, or the attempt; what else it needs, it brings along.
// expect-error: anew::retry(strategy, operation) requires an operation that is callable
#include <string>

#include "anew/anew.hpp"

int fetch(std::string const& address) { return static_cast<int>(address.size()); }

int main() {
// [fix]
#ifdef ANEW_REJECT  // wrong
  return anew::retry(anew::strategy<>{}, fetch);
#else  // right
  return anew::retry(anew::strategy<>{}, [] { return fetch("example.org"); });
#endif
  // [/fix]
}
