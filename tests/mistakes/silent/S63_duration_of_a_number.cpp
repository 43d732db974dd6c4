// SPDX-License-Identifier: BSL-1.0
// Meant: two seconds. anew::duration counts nanoseconds.
#include "given.hpp"

struct busy : std::runtime_error, anew::retry_info {
  using runtime_error::runtime_error;
  [[nodiscard]] anew::retry_safety is_retry_safe() const override { return anew::retry_safety::yes; }
  [[nodiscard]] std::optional<anew::duration> retry_after() const override { return anew::duration{2}; }
};
void send() {
  if (++calls < 2) throw busy{"x"};
}

int main() { print(anew::retry_outcome(anew::strategy<anew::exponential_backoff<1ms, 50ms>>{}, send, tell)); }
