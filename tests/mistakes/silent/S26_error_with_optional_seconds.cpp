// SPDX-License-Identifier: BSL-1.0
// prints: sleep 2000 ms
// prints: calls=2 reason=succeeded
// Meant: the two seconds that the error asks for are waited.
#include "given.hpp"

struct busy : speaking_error {
  using speaking_error::speaking_error;
  [[nodiscard]] std::optional<anew::duration> retry_after() const override { return 2s; }
};
void send() {
  if (++calls < 2) throw busy{"x"};
}

int main() { print(anew::retry_outcome(anew::strategy<anew::exponential_backoff<1ms, 50ms>>{}, send, tell)); }
