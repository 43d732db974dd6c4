// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / An observer of another event
// Each function has an event of its own: `attempt_event`, `retry_event`, `end_event`.
// expect-error: requires an Observer's 'on_end' to be 'void on_end(anew::end_event const&) const'
#include <cstdio>

#include "anew/anew.hpp"

struct log {
  using role = anew::roles::observer;
  void on_retry(anew::retry_event const& event) const { std::printf("attempt %u\n", unsigned{event.attempt}); }
// [fix]
#ifdef ANEW_REJECT  // wrong
  void on_end(anew::attempt_event const& event) const { std::printf("%u attempts\n", unsigned{event.attempt}); }
#else  // right
  void on_end(anew::end_event const& event) const { std::printf("%u attempts\n", unsigned{event.attempts}); }
#endif
  // [/fix]
};

int main() {
  anew::retry(anew::strategy<log>{}, [] {});
}
