// SPDX-License-Identifier: BSL-1.0
// section: Numbers / No limit for the other kinds
// The last argument is a plain limit: the default for all kinds without a rule.
// expect-error: anew::per_kind_attempts<for_kind<Kind, MaxAttempts>..., Default> requires a MaxAttempts in every
#include "anew/anew.hpp"
#include "anew/max_attempts/per_kind_attempts.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using limit = anew::per_kind_attempts<anew::for_kind<anew::error_kind::throttling, anew::max_attempts<8>>>;
#else  // right
using limit =
    anew::per_kind_attempts<anew::for_kind<anew::error_kind::throttling, anew::max_attempts<8>>, anew::max_attempts<3>>;
#endif
// [/fix]

int main() {
  anew::strategy<limit> const strategy{};
  anew::retry(strategy, [] {});
}
