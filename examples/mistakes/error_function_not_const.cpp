// SPDX-License-Identifier: BSL-1.0
// An error is read through const; otherwise throttling would wait as long as everything else.
// expect-error: anew requires an error's is_throttle to be 'bool is_throttle() const'
#include "anew/anew.hpp"

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

struct reply {
  bool has_value() const { return true; }
  busy error() const { return {}; }
};

int main() {
  return anew::retry(anew::strategy<>{}, [] { return reply{}; }).has_value() ? 0 : 1;
}
