// SPDX-License-Identifier: BSL-1.0
// section: Composing a strategy / A lambda in `compose()`
// A policy declares its role, and a lambda cannot.
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
