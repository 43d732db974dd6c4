// SPDX-License-Identifier: BSL-1.0
// Two copies of a bucket would be two budgets, so it is moved or made in place.
// expect-error: anew::compose(policies...) requires
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
