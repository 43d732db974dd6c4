// SPDX-License-Identifier: BSL-1.0
// An error is read through const; otherwise throttling would wait as long as everything else.
// expect-error: anew requires 'bool is_throttle() const' of an error that has is_retry_safe()
#include "anew/anew.hpp"

#include "support/expected.hpp"

struct busy {
  anew::retry_safety is_retry_safe() const { return anew::retry_safety::yes; }
// [fix]
#ifdef ANEW_REJECT  // wrong
  bool is_throttle() { return true; }
#else  // right
  bool is_throttle() const { return true; }
#endif
  // [/fix]
};

int main() {
  return anew::retry(anew::strategy<>{}, []() -> expected<int, busy> { return 0; }).value();
}
