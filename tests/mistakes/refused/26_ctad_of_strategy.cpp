// SPDX-License-Identifier: BSL-1.0
// Policies given to strategy's constructor, as if it deduced them.
#include <stdexcept>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

struct net_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int ask() { throw net_error{"connection refused"}; }

int main() {
  anew::strategy client{anew::max_attempts<3>{}, anew::retry_on<net_error>{}};
  return anew::retry(client, ask);
}
