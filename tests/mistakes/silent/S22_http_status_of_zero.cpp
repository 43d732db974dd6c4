// SPDX-License-Identifier: BSL-1.0
// prints: calls=3 reason=succeeded
// Meant: 0 stands for a response that never came, and is retried.
#include "given.hpp"

response get() { return {++calls < 3 ? 0 : 200}; }

int main() { print(anew::retry_outcome(thrice<anew::http_status_classifier<>>{}, anew::idempotent(get), no_sleep)); }
