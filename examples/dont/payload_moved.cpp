// SPDX-License-Identifier: BSL-1.0
// What the first attempt moves out is gone for the second.
#include <memory>
#include <utility>

#include "given.hpp"

bool consume(std::unique_ptr<std::string> const body) {
  std::printf("  sent %s\n", body ? body->c_str() : "nothing");
  return ++requests == 2;
}
bool send(std::string const& body) {
  std::printf("  sent %s\n", body.c_str());
  return ++requests == 2;
}

using client = anew::strategy<anew::no_backoff, anew::retry_all>;

int main() {
  {
    // [dont]
    auto body = std::make_unique<std::string>("payload");
    auto const outcome = anew::retry_outcome(client{}, [&] { return consume(std::move(body)); });
    // [/dont]
    print("DON'T", outcome);
  }
  requests = 0;
  {
    // [do]
    std::string const body = "payload";  // const: an attempt cannot use it up
    auto const outcome = anew::retry_outcome(client{}, [&] { return send(body); });
    // [/do]
    print("DO", outcome);
  }
  requests = 0;
  {
    // [one_shot]
    auto body = std::make_unique<std::string>("payload");  // what uses it up says so, and runs once
    auto const outcome = anew::retry_outcome(client{}, anew::one_shot([&] { return consume(std::move(body)); }));
    // [/one_shot]
    print("DO", outcome);
  }
}
