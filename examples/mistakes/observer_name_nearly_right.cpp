// SPDX-License-Identifier: BSL-1.0
// Nothing calls on_retries().
// expect-error: has a public function whose name is nearly one of these
// expect-error: on_retries
#include <cstdio>

#include "anew/anew.hpp"

struct log {
  using role = anew::roles::observer;
  void on_end(anew::end_event const& event) const { std::printf("%u attempts\n", unsigned{event.attempts}); }
// [fix]
#ifdef ANEW_REJECT  // wrong
  void on_retries(anew::retry_event const& event) const { std::printf("attempt %u\n", unsigned{event.attempt}); }
#else  // right
  void on_retry(anew::retry_event const& event) const { std::printf("attempt %u\n", unsigned{event.attempt}); }
#endif
  // [/fix]
};

int main() {
  anew::retry(anew::strategy<log>{}, [] {});
}
