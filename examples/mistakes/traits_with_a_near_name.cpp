// SPDX-License-Identifier: BSL-1.0
// section: Classifiers and exceptions / A function of retry_traits under another name
// A function that anew does not know would be ignored: a throttled call would pay the price of a transient error.
// expect-error: anew::retry_traits<E> requires the names
#include "anew/anew.hpp"

struct vendor_error {
  int code = 0;
};

template <>
struct anew::retry_traits<vendor_error> {
  static anew::retry_safety is_retry_safe(vendor_error const& /*e*/) { return anew::retry_safety::yes; }
// [fix]
#ifdef ANEW_REJECT  // wrong
  static bool is_throttling(vendor_error const& e) { return e.code == 429; }
#else  // right
  static bool is_throttle(vendor_error const& e) { return e.code == 429; }
#endif
  // [/fix]
};

struct answer {
  vendor_error held{};
  bool has_value() const { return true; }
  vendor_error const& error() const { return held; }
};

int main() {
  return anew::retry(anew::strategy<>{}, [] { return answer{}; }).has_value() ? 0 : 1;
}
