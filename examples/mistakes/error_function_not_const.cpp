// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / A function of an error that is not const
// The same applies to `is_timeout`, `retry_after` and `fault`, and to the static functions of
// `anew::retry_traits<E>`. They are checked for error values at the call, and for exceptions that a classifier names.
// expect-error: anew requires 'bool is_throttle() const' of an error that has is_retry_safe()
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
