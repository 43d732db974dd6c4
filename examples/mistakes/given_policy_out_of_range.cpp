// SPDX-License-Identifier: BSL-1.0
// section: Policies chosen at run time / A given policy out of range
// A policy that you give to `read_strategy()` plays its role where the text does not name it. It is checked as in
// `strategy<>`.
// expect-error: anew::max_attempts<N> requires N >= 1
#include <string_view>

#include "anew/anew.hpp"
#include "anew/compose/notation/read_strategy.hpp"

void run(std::string_view text) {
// [fix]
#ifdef ANEW_REJECT  // wrong
  auto const read = anew::read_strategy(text, anew::retry_all{}, anew::max_attempts<0>{});
#else  // right
  auto const read = anew::read_strategy(text, anew::retry_all{}, anew::max_attempts<1>{});
#endif
  // [/fix]
  if (read) anew::retry(*read, [] {});
}

int main() { run("no_backoff"); }
