// SPDX-License-Identifier: BSL-1.0
// Integers in the place of durations.
// ours: Write 100ms or 5s
#include <stdexcept>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

struct net_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int ask() { throw net_error{"connection refused"}; }

int main() {
  return anew::retry(anew::strategy<anew::exponential_backoff<100, 5000>, anew::retry_on<net_error>>{}, ask);
}
