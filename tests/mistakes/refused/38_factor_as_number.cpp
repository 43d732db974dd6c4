// SPDX-License-Identifier: BSL-1.0
// A factor as a number.
// compiler: could not convert '3' from 'int' to
// clang: no viable conversion from 'int' to 'rational'
#include <stdexcept>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

struct net_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int ask() { throw net_error{"connection refused"}; }

int main() {
  return anew::retry(anew::compose(anew::exponential_backoff<50ms, 1s, 3>{}, anew::retry_on<net_error>{}), ask);
}
