// SPDX-License-Identifier: BSL-1.0
// The strategy is declared as a function by mistake.
// ours: you passed a function that returns a strategy. Declare an object with braces
#include <stdexcept>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

struct net_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int ask() { throw net_error{"connection refused"}; }

using patient = anew::strategy<anew::exponential_backoff<50ms, 1s>, anew::max_attempts<3>, anew::retry_on<net_error>>;

int main() {
  patient strategy();
  return anew::retry(strategy, ask);
}
