// SPDX-License-Identifier: BSL-1.0
// section: Numbers / Two limits for one kind
// One of the two rules would never be used. Remove it.
// expect-error: anew::per_kind_attempts<for_kind<Kind, MaxAttempts>..., Default> requires each kind at most once
#include "anew/anew.hpp"
#include "anew/max_attempts/per_kind_attempts.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using busy = anew::for_kind<anew::error_kind::throttling, anew::max_attempts<8>>;
using limit = anew::per_kind_attempts<busy, busy, anew::max_attempts<3>>;
#else  // right
using busy = anew::for_kind<anew::error_kind::throttling, anew::max_attempts<8>>;
using limit = anew::per_kind_attempts<busy, anew::max_attempts<3>>;
#endif
// [/fix]

int main() {
  anew::strategy<limit> const strategy{};
  anew::retry(strategy, [] {});
}
