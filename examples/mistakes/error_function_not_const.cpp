// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / A function of an error that is not const
// The same for `is_timeout`, `retry_after` and `fault`, and for the static functions of `anew::retry_traits<E>`.
// Asked of error values at the call, and of exceptions where a classifier names them.
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
