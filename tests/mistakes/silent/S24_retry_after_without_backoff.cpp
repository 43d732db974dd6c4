// SPDX-License-Identifier: BSL-1.0
// prints: sleep 2000 ms
// prints: calls=2 reason=succeeded
// Meant: Retry-After: 2 is waited for.
#include "given.hpp"

struct busy : response {
  [[nodiscard]] std::optional<anew::duration> retry_after() const { return 2s; }
};
busy get() { return {{++calls < 2 ? 503 : 200}}; }

int main() { print(anew::retry_outcome(thrice<anew::http_status_classifier<>>{}, get, tell)); }
