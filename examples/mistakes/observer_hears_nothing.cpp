// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / Observer policy
// An observer has at least one of the three functions. With a misspelt function it would never be called.
// expect-error: requires an Observer policy to have at least one of
// expect-error: on_retry(anew::retry_event const&) const
#include <cstdio>

#include "anew/anew.hpp"

struct log_retries {
  using role = anew::roles::observer;
// [fix]
#ifdef ANEW_REJECT  // wrong
  void onRetry(anew::retry_event const& event) const { std::printf("attempt %u\n", unsigned{event.attempt}); }
#else  // right
  void on_retry(anew::retry_event const& event) const { std::printf("attempt %u\n", unsigned{event.attempt}); }
#endif
  // [/fix]
};

int main() {
  anew::retry(anew::strategy<log_retries>{}, [] {});
}
