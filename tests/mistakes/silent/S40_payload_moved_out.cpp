// SPDX-License-Identifier: BSL-1.0
// Meant: each attempt sends the payload.
#include <memory>

#include "given.hpp"

bool send(std::unique_ptr<std::string> body) {
  std::printf("attempt %d sends %s\n", ++calls, body ? body->c_str() : "nothing");
  return false;
}

int main() {
  auto body = std::make_unique<std::string>("payload");
  print(anew::retry_outcome(thrice<anew::retry_all>{}, [&] { return send(std::move(body)); }, no_sleep));
}
