// SPDX-License-Identifier: BSL-1.0
// A run-time duration as a template argument.
// compiler: the value of 'base' is not usable in a constant expression
// clang: is not a constant expression
#include <stdexcept>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

struct net_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int ask() { throw net_error{"connection refused"}; }

int main(int argc, char**) {
  auto const base = std::chrono::milliseconds{argc};
  return anew::retry(anew::compose(anew::constant_backoff<base>{}, anew::retry_on<net_error>{}), ask);
}
