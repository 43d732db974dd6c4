// SPDX-License-Identifier: BSL-1.0
// The operation takes the attempt by value.
// ours: requires an operation that takes its attempt by reference
#include <stdexcept>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

struct net_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int ask() { throw net_error{"connection refused"}; }

using patient = anew::strategy<anew::exponential_backoff<50ms, 1s>, anew::max_attempts<3>, anew::retry_on<net_error>>;

int main() {
  return anew::retry(patient{}, [](anew::attempt a) { return static_cast<int>(a.number()); });
}
