// SPDX-License-Identifier: BSL-1.0
// Meant: what is_throttle() says is heard.
#include "given.hpp"

struct busy {
  [[nodiscard]] anew::retry_safety is_retry_safe() const { return anew::retry_safety::yes; }
  [[nodiscard]] bool is_throttle() { return true; }
};
struct answer {
  [[nodiscard]] bool has_value() const { return false; }
  [[nodiscard]] busy error() const { return {}; }
};
answer get() { return ++calls, answer{}; }

int main() { print(anew::retry_outcome(anew::strategy<>{}, get, no_sleep)); }
