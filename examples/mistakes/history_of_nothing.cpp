// SPDX-License-Identifier: BSL-1.0
// section: Numbers / A history of zero failures
// The failures are kept inside the outcome, so their number is a part of its type. Omit the policy to keep no
// failures.
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
