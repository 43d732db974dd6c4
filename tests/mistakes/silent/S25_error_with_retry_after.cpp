// SPDX-License-Identifier: BSL-1.0
// prints: sleep 2000 ms
// prints: calls=2 reason=succeeded
// Meant: the two seconds that the error asks for are waited.
#include "given.hpp"

struct busy {
  [[nodiscard]] anew::retry_safety is_retry_safe() const { return anew::retry_safety::yes; }
  [[nodiscard]] std::chrono::seconds retry_after() const { return 2s; }
};
struct answer {
  bool is_well;
  [[nodiscard]] bool has_value() const { return is_well; }
  [[nodiscard]] busy error() const { return {}; }
};
answer get() { return {++calls == 2}; }

int main() { print(anew::retry_outcome(anew::strategy<anew::no_backoff>{}, get, tell)); }
