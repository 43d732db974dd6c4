// SPDX-License-Identifier: BSL-1.0
// section: Policies chosen at run time / A view of a temporary
// A view refers to its strategy, and a temporary is gone at the end of its line. Declare the strategy first.
// expect-error: anew: it refers to a strategy that you keep
#include "anew/anew.hpp"
#include "anew/virtual.hpp"

using composed = anew::virtual_strategy<anew::strategy<anew::retry_all>>;

int main() {
// [fix]
#ifdef ANEW_REJECT  // wrong
  anew::strategy_view const view{composed{}};
#else  // right
  composed const strategy{};
  anew::strategy_view const view{strategy};
#endif
  // [/fix]
  return anew::retry(view, [] { return true; }) ? 0 : 1;
}
