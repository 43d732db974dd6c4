// SPDX-License-Identifier: BSL-1.0
// prints: calls=1 reason=unclassified
// prints: anew::retry_info_on<busy>
// Meant: an exception with is_retry_safe() says for itself.
#include "given.hpp"

struct busy : std::runtime_error {
  using runtime_error::runtime_error;
  [[nodiscard]] anew::retry_safety is_retry_safe() const { return anew::retry_safety::yes; }
};
void send() { throws(busy{"x"}); }

int main() { print(anew::retry_outcome(anew::strategy<>{}, send, no_sleep)); }
