// SPDX-License-Identifier: BSL-1.0
// A run-time number as a template argument.
// compiler: is not a constant expression
// clang: is not a constant expression
#include <stdexcept>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

struct net_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int ask() { throw net_error{"connection refused"}; }

int main(int argc, char**) {
  return anew::retry(anew::compose(anew::max_attempts<argc>{}, anew::retry_on<net_error>{}), ask);
}
