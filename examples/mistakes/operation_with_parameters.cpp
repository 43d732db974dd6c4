// SPDX-License-Identifier: BSL-1.0
// section: Calling retry / An operation that cannot be called
// Capture the operation's arguments in a lambda.
// expect-error: anew::retry(strategy, operation) requires an operation that is callable
#include <cstddef>
#include <string>

#include "anew/anew.hpp"

std::size_t fetch(std::string const& address) { return address.size(); }

int main() {
// [fix]
#ifdef ANEW_REJECT  // wrong
  std::size_t const size = anew::retry(anew::strategy<>{}, fetch);
#else  // right
  std::size_t const size = anew::retry(anew::strategy<>{}, [] { return fetch("example.org"); });
#endif
  // [/fix]
  return size == 0 ? 1 : 0;
}
