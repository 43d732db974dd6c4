// SPDX-License-Identifier: BSL-1.0
// section: Calling retry / A pointer to a strategy
// A call takes its strategy by reference. Dereference the pointer.
// expect-error: anew::retry(strategy, operation) requires a RetryStrategy; you passed a pointer to one
#include "anew/anew.hpp"

int main() {
  anew::strategy<> const own;
  auto const* const strategy = &own;
// [fix]
#ifdef ANEW_REJECT  // wrong
  anew::retry(strategy, [] {});
#else  // right
  anew::retry(*strategy, [] {});
#endif
  // [/fix]
}
