// SPDX-License-Identifier: BSL-1.0
// prints: 2 ms after 3 calls
#include "given.hpp"

std::chrono::milliseconds limit{};
void send(anew::attempt& attempt) {
  limit = std::chrono::duration_cast<std::chrono::milliseconds>(attempt.limit(1h));
  fail_twice();
}
int main() {
  anew::retry(thrice<anew::retry_on<net_error>, anew::attempt_timeout<2ms>>{}, send, no_sleep);
  tell_all(limit.count(), " ms");
}
