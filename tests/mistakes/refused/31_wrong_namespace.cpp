// SPDX-License-Identifier: BSL-1.0
// A policy looked for in the namespace of its role.
// compiler: 'backoff' is not a member of 'anew'
// clang: no member named 'backoff' in namespace 'anew'
// beyond: g++ 2, clang 5, which go on after a name that they do not know
#include <stdexcept>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

struct net_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int ask() { throw net_error{"connection refused"}; }

int main() {
  return anew::retry(anew::strategy<anew::backoff::exponential<50ms, 1s>, anew::retry_on<net_error>>{}, ask);
}
