// SPDX-License-Identifier: BSL-1.0
// A number has no unit.
// expect-error: anew requires 'std::optional<anew::duration> retry_after() const' of an error
#include <chrono>
#include <stdexcept>

#include "anew/anew.hpp"

struct busy : std::runtime_error {
  using std::runtime_error::runtime_error;
  anew::retry_safety is_retry_safe() const { return anew::retry_safety::yes; }
// [fix]
#ifdef ANEW_REJECT  // wrong
  int retry_after() const { return 2; }
#else  // right
  std::chrono::seconds retry_after() const { return std::chrono::seconds{2}; }
#endif
  // [/fix]
};

int main() {
  anew::retry(anew::strategy<anew::retry_on<busy>>{}, [] {});
}
