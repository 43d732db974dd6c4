// SPDX-License-Identifier: BSL-1.0
// prints: sleep 30000 ms
// prints: calls=2 reason=succeeded
// Meant: Retry-After: 30 is waited for.
#include "given.hpp"

struct busy : response {
  [[nodiscard]] std::optional<anew::duration> retry_after() const { return 30s; }
};
busy get() { return {{++calls < 2 ? 503 : 200}}; }

using client = thrice<anew::http_status_classifier<>>;

int main() { print(anew::retry_outcome(anew::with<client, anew::exponential_backoff<1ms, 50ms>>{}, get, tell)); }
