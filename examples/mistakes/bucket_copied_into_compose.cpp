// SPDX-License-Identifier: BSL-1.0
// section: Values known at run time / A policy that cannot be taken over
// Move the bucket into the strategy and share the strategy between calls.
// expect-error: anew::compose(policies...) requires policies that it can copy or move
#include <utility>

#include "anew/anew.hpp"

int main(int argc, char** /*argv*/) {
  anew::token_bucket bucket{argc};
// [fix]
#ifdef ANEW_REJECT  // wrong
  auto const budgeted = anew::compose(bucket);
#else  // right
  auto const budgeted = anew::compose(std::move(bucket));
#endif
  // [/fix]
  anew::retry(budgeted, [] {});
}
