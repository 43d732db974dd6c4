// SPDX-License-Identifier: BSL-1.0
// A lambda that returns two types.
// compiler: inconsistent types 'int' and 'double' deduced for lambda return type
// clang: must match previous return type 'int'
#include <stdexcept>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

struct net_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int ask() { throw net_error{"connection refused"}; }

using patient = anew::strategy<anew::exponential_backoff<50ms, 1s>, anew::max_attempts<3>, anew::retry_on<net_error>>;

int main() {
  anew::retry(patient{}, [] {
    if (ask() > 0) return 1;
    return 2.5;
  });
}
