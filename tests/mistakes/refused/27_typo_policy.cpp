// SPDX-License-Identifier: BSL-1.0
// A misspelt policy.
// compiler: 'exponental_backoff' is not a member of 'anew'
// clang: did you mean 'exponential_backoff'
// beyond: g++ 5, which goes on after a name that it does not know
#include <stdexcept>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

struct net_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int ask() { throw net_error{"connection refused"}; }

int main() { return anew::retry(anew::strategy<anew::exponental_backoff<50ms, 1s>, anew::retry_on<net_error>>{}, ask); }
