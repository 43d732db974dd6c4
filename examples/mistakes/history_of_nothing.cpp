// SPDX-License-Identifier: BSL-1.0
// section: Numbers / A history of nothing
// The failures are kept in the outcome itself, so it must know how many. Leave the history out to keep none.
// expect-error: anew::history<N> requires 1 <= N <= 65536
#include "anew/anew.hpp"
#include "anew/history/history.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using log = anew::history<0>;
#else  // right
using log = anew::history<3>;
#endif
// [/fix]

int main() {
  anew::strategy<log> const strategy{};
  anew::retry(strategy, [] {});
}
