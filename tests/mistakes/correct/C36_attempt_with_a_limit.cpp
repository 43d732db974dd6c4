// SPDX-License-Identifier: BSL-1.0
// prints: 2 ms after 3 calls
#include "given.hpp"

namespace attempt_with_a_limit {

std::chrono::milliseconds limit{};
void send(anew::attempt& attempt) {
  limit = std::chrono::duration_cast<std::chrono::milliseconds>(attempt.limit(1h));
  fail_twice();
}
void run() {
  anew::retry(thrice<anew::retry_on<net_error>, anew::attempt_timeout<2ms>>{}, send, no_sleep);
  std::printf("%lld ms", static_cast<long long>(limit.count()));
  print_calls();
}

}  // namespace attempt_with_a_limit

int main() {
  attempt_with_a_limit::run();
  return 0;
}
