// SPDX-License-Identifier: BSL-1.0
// Meant: two seconds. anew::duration counts nanoseconds.
#include "given.hpp"

struct busy : speaking_error {
  using speaking_error::speaking_error;
  [[nodiscard]] std::optional<anew::duration> retry_after() const override { return anew::duration{2}; }
};
void send() {
  if (++calls < 2) throw busy{"x"};
}

int main() { print(anew::retry_outcome(anew::strategy<anew::exponential_backoff<1ms, 50ms>>{}, send, tell)); }
