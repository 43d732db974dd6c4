// SPDX-License-Identifier: BSL-1.0
// A strategy with a bucket is passed by value.
// ours: two copies would be two budgets: pass a reference, or use anew::shared
#include <stdexcept>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

struct net_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int ask() { throw net_error{"connection refused"}; }

using client = anew::strategy<anew::token_bucket<500>, anew::retry_on<net_error>>;

int fetch(client strategy) { return anew::retry(strategy, ask); }

int main() {
  client const strategy{};
  return fetch(strategy);
}
