// SPDX-License-Identifier: BSL-1.0
// section: Numbers / Capacity out of range
// -1 does not mean "without limit"; that is `anew::unlimited_quota`, which is also what a strategy without a quota
// has.
// expect-error: anew::token_bucket<Capacity> requires 0 <= Capacity <= 4294967295
#include "anew/anew.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using generous = anew::strategy<anew::token_bucket<-1>>;
#else  // right
using generous = anew::strategy<anew::unlimited_quota>;
#endif
// [/fix]

int main() {
  generous const strategy{};
  anew::retry(strategy, [] {});
}
