// SPDX-License-Identifier: BSL-1.0
// prints: 200 after 3 calls
#include "given.hpp"

response get() { return {++calls < 3 ? 503 : 200}; }
int main() { tell_all(anew::retry(thrice<anew::http_status_classifier<>>{}, get, no_sleep).status()); }
