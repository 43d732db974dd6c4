// SPDX-License-Identifier: BSL-1.0
// prints: calls=1 reason=unclassified
// Meant: the HTTP classifier retries a refused connection too.
#include "given.hpp"

response get() {
  if (++calls < 3) throw std::system_error{make_error_code(std::errc::connection_refused)};
  return {200};
}

int main() { print(anew::retry_outcome(thrice<anew::http_status_classifier<>>{}, get, no_sleep)); }
