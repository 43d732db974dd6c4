// SPDX-License-Identifier: BSL-1.0
// A lambda as an observer.
// ours: For an observer, write a struct with 'using role = anew::roles::observer'
#include <stdexcept>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

struct net_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int ask() { throw net_error{"connection refused"}; }

int main() {
  int retries = 0;
  auto const client = anew::compose(anew::retry_on<net_error>{}, [&retries](anew::retry_event const&) { ++retries; });
  return anew::retry(client, ask) + retries;
}
