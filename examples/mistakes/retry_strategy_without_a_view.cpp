// SPDX-License-Identifier: BSL-1.0
// section: Calling retry / A strategy behind the virtual interface
// `retry()` sees the tokens of its strategy. An `anew::retry_strategy`, or what a `std::unique_ptr` of one points to, is
// passed through `anew::strategy_view`.
// expect-error: you passed an anew::retry_strategy
// expect-error: Pass anew::strategy_view{strategy}
#include <memory>

#include "anew/anew.hpp"
#include "anew/virtual.hpp"

int main() {
  std::unique_ptr<anew::retry_strategy> const strategy =
      std::make_unique<anew::virtual_strategy<anew::strategy<anew::retry_all>>>();
// [fix]
#ifdef ANEW_REJECT  // wrong
  anew::retry(*strategy, [] {});
#else  // right
  anew::retry(anew::strategy_view{*strategy}, [] {});
#endif
  // [/fix]
}
