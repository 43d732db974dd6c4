// SPDX-License-Identifier: BSL-1.0
// section: Composing a strategy / A strategy with a quota is copied
// Copies of a strategy share one budget if its quota is `anew::shared<Quota>` or `anew::borrowed<Quota>`.
// expect-error: two copies would be two budgets: pass a reference, or use anew::shared
#include "anew/anew.hpp"

using patient = anew::strategy<anew::token_bucket<500>, anew::retry_all>;

// [fix]
#ifdef ANEW_REJECT  // wrong
void fetch(patient strategy) {
  anew::retry(strategy, [] {});
}
#else  // right
void fetch(patient const& strategy) {
  anew::retry(strategy, [] {});
}
#endif
// [/fix]

int main() {
  patient const strategy{};
  fetch(strategy);
}
