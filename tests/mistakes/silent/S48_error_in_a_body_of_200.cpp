// SPDX-License-Identifier: BSL-1.0
// Meant: an error in the body is a failure.
#include "given.hpp"

struct answer : response {
  std::string body;
};
answer get() { return ++calls, answer{{200}, R"({"error":"busy"})"}; }

int main() { print(anew::retry_outcome(thrice<anew::http_status_classifier<>>{}, get, no_sleep)); }
