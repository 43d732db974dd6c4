// SPDX-License-Identifier: BSL-1.0
// A percentage as a fraction.
// compiler: could not convert '2.5e-1' from 'double' to
// clang: no viable conversion from 'double' to 'rational'
#include <stdexcept>

#include "anew/policies.hpp"

using namespace std::chrono_literals;

struct net_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int ask() { throw net_error{"connection refused"}; }

int main() { return anew::retry(anew::compose(anew::proportional_jitter<0.25>{}, anew::retry_on<net_error>{}), ask); }
