// SPDX-License-Identifier: BSL-1.0
// prints: sent after 3 calls
#include "given.hpp"

struct lease_lost : std::runtime_error, anew::retry_info {
  using runtime_error::runtime_error;
  [[nodiscard]] anew::retry_safety is_retry_safe() const override { return anew::retry_safety::yes; }
};
void send() {
  if (++calls < 3) throw lease_lost{"too late"};
}
int main() {
  anew::retry(anew::strategy<anew::no_backoff>{}, send, no_sleep);
  std::printf("sent");
  print_calls();
}
