// SPDX-License-Identifier: BSL-1.0
// A response that says nothing that the HTTP classifier reads.
// ours: requires
#include <stdexcept>

#include "anew/anew.hpp"

struct response {
  int http_result;
};
response get();

using client = anew::strategy<anew::http_status_classifier<>>;

int main() { return anew::retry(client{}, get).http_result; }
