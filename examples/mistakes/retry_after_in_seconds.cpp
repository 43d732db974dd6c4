// SPDX-License-Identifier: BSL-1.0
// section: Calling retry / `retry_after()` without a unit
// Return any `<chrono>` duration, or `std::nullopt` for an error without a hint.
// expect-error: anew::retry(strategy, operation) requires an error whose retry_after() returns a duration or a
#include <stdexcept>

#include "anew/anew.hpp"

struct busy : std::runtime_error {
  using std::runtime_error::runtime_error;
  [[nodiscard]] static anew::retry_safety is_retry_safe() { return anew::retry_safety::yes; }
// [fix]
#ifdef ANEW_REJECT  // wrong
  [[nodiscard]] static int retry_after() { return 2; }
#else  // right
  [[nodiscard]] static std::chrono::seconds retry_after() { return std::chrono::seconds{2}; }
#endif
  // [/fix]
};

int main() {
  anew::retry(anew::strategy<anew::retry_on<busy>>{}, [] {});
}
