// SPDX-License-Identifier: BSL-1.0
// The literals of <chrono> are not in scope.
// compiler: unable to find numeric literal operator
// clang: no matching literal operator
// beyond: g++ 6, clang 3, which goes on after each literal
#include <stdexcept>

#include "anew/anew.hpp"

struct net_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int ask() { throw net_error{"connection refused"}; }

int main() {
  return anew::retry(anew::strategy<anew::exponential_backoff<50ms, 1s>, anew::retry_on<net_error>>{}, ask);
}
