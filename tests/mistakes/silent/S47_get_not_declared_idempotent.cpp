// SPDX-License-Identifier: BSL-1.0
// prints: calls=1 reason=not_idempotent
// Meant: a GET that got 500 is retried.
#include "given.hpp"

response get() { return ++calls, response{500}; }

int main() { print(anew::retry_outcome(thrice<anew::http_status_classifier<>>{}, get, no_sleep)); }
