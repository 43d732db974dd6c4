// SPDX-License-Identifier: BSL-1.0
// A percentage as a fraction.
// compiler: type/value mismatch at argument 1
// clang: template argument for template type parameter must be a type
#include <stdexcept>

#include "anew/policies.hpp"

using namespace std::chrono_literals;

struct net_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int ask() { throw net_error{"connection refused"}; }

int main() { return anew::retry(anew::compose(anew::proportional_jitter<0.25>{}, anew::retry_on<net_error>{}), ask); }
