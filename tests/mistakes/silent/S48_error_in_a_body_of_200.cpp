// SPDX-License-Identifier: BSL-1.0
// Meant: an error in the body is a failure.
#include "given.hpp"

struct response {
  int code;
  std::string body;
  [[nodiscard]] int status() const { return code; }
};
response get() { return ++calls, response{200, R"({"error":"busy"})"}; }

int main() { print(anew::retry_outcome(thrice<anew::http_status_classifier<>>{}, get, no_sleep)); }
