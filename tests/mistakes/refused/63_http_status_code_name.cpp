// SPDX-License-Identifier: BSL-1.0
// A response whose status has a name of its own.
// ours: requires
#include <stdexcept>

#include "anew/anew.hpp"

struct response {
  int answer;
};
response get();

using client = anew::strategy<anew::http_status_classifier<>>;

int main() { return anew::retry(client{}, get).answer; }
