// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / A silent function inside a fan_out
// A policy inside `fan_out`, `shared`, `partitioned` or `long_poll` must satisfy the same checks as alone.
// expect-error: requires an Observer's 'on_retry' to be 'void on_retry(anew::retry_event const&) const'
#include <cstdio>

#include "anew/anew.hpp"
#include "anew/observer/fan_out.hpp"

struct metrics {
  using role = anew::roles::observer;
  void on_end(anew::end_event const& /*event*/) const {}
};

struct log {
  using role = anew::roles::observer;
  void on_end(anew::end_event const& event) const { std::printf("%u attempts\n", unsigned{event.attempts}); }
// [fix]
#ifdef ANEW_REJECT  // wrong
  void on_retry(anew::retry_event const& event) { std::printf("attempt %u\n", unsigned{event.attempt}); }
#else  // right
  void on_retry(anew::retry_event const& event) const { std::printf("attempt %u\n", unsigned{event.attempt}); }
#endif
  // [/fix]
};

int main() {
  anew::retry(anew::strategy<anew::fan_out<metrics, log>>{}, [] {});
}
