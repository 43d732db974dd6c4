// SPDX-License-Identifier: BSL-1.0
// prints: 5 after 3 calls
#include "given.hpp"

struct busy {
  [[nodiscard]] anew::retry_safety is_retry_safe() const { return anew::retry_safety::yes; }
};
struct answer {
  int value = 0;
  [[nodiscard]] bool has_value() const { return value != 0; }
  [[nodiscard]] busy error() const { return {}; }
};
answer ask() { return {++calls < 3 ? 0 : 5}; }
int main() { tell_all(anew::retry(anew::strategy<anew::no_backoff>{}, ask, no_sleep).value); }
