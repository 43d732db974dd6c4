// SPDX-License-Identifier: BSL-1.0
// What derives from std::logic_error is taken for a bug, which the next attempt has too.
#include "given.hpp"

// [dont]
struct net_down : std::logic_error {
  using logic_error::logic_error;
};
// [/dont]

// [do]
struct link_down : std::runtime_error {
  using runtime_error::runtime_error;
};
// [/do]

template <class E>
void send() {
  if (++requests < 3) throw E{"down"};
}

using client = anew::strategy<anew::no_backoff, anew::retry_all>;

int main() {
  print("DON'T", anew::retry_outcome(client{}, send<net_down>));
  requests = 0;
  print("DO", anew::retry_outcome(client{}, send<link_down>));
}
