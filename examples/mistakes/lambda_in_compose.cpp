// SPDX-License-Identifier: BSL-1.0
// A lambda hears of nothing by itself: an observer calls it, or a classifier asks it.
// expect-error: anew::compose(policies...) requires policies; at least one argument has no nested type 'role'
#include <cstdio>

#include "anew/anew.hpp"

struct log_retries {
  using role = anew::roles::observer;
  void on_retry(anew::retry_event const& event) const { std::printf("attempt %u follows\n", event.attempt); }
};

int main() {
// [fix]
#ifdef ANEW_REJECT  // wrong
  auto const heard = [](anew::retry_event const& event) { std::printf("attempt %u follows\n", event.attempt); };
  auto const strategy = anew::compose(anew::retry_all{}, heard);
#else  // right
  auto const strategy = anew::compose(anew::retry_all{}, log_retries{});
#endif
  // [/fix]
  anew::retry(strategy, [] {});
}
