// SPDX-License-Identifier: BSL-1.0
// Meant: HTTP 503 is retried.
#include "given.hpp"

struct response {
  int status;
  std::string body;
};
response get() { return ++calls, response{503, "busy"}; }

int main() { print(anew::retry_outcome(thrice<anew::retry_all>{}, get, no_sleep)); }
