// SPDX-License-Identifier: BSL-1.0
// A policy's type in the place of its value in compose().
// compiler: expected primary-expression before ',' token
// clang: expected '(' for function-style cast
#include <stdexcept>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

struct net_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int ask() { throw net_error{"connection refused"}; }

int main() { return anew::retry(anew::compose(anew::max_attempts<3>, anew::retry_on<net_error>{}), ask); }
