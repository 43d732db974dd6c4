// SPDX-License-Identifier: BSL-1.0
// How many attempts after all other errors?
// expect-error: as the last argument, a policy for all other kinds
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
