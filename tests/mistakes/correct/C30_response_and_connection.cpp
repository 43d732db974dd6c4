// SPDX-License-Identifier: BSL-1.0
// prints: 200 after 3 calls
#include "given.hpp"

response get() {
  if (++calls == 1) throw std::system_error{make_error_code(std::errc::connection_refused)};
  return {calls == 2 ? 503 : 200};
}
using both = anew::any_of<anew::http_status_classifier<>, anew::error_code_classifier>;
int main() { tell_all(anew::retry(thrice<both>{}, get, no_sleep).status()); }
