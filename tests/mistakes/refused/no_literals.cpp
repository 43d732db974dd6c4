// SPDX-License-Identifier: BSL-1.0
#include <stdexcept>

#include "anew/anew.hpp"

struct net_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int ask() { throw net_error{"connection refused"}; }

// section: The literals of <chrono> are not in scope
// g++: unable to find numeric literal operator
// clang: no matching literal operator
// beyond: g++ 6, clang 3, which goes on after each literal
namespace missing_chrono_literals {
int run() { return anew::retry(anew::strategy<anew::exponential_backoff<50ms, 1s>, anew::retry_on<net_error>>{}, ask); }
}  // namespace missing_chrono_literals
