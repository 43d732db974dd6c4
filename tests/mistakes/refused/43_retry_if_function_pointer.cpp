// SPDX-License-Identifier: BSL-1.0
// The address of a function as the predicate's type.
// compiler: type/value mismatch at argument 1
// clang: template argument for template type parameter must be a type
#include <stdexcept>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

struct net_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int ask() { throw net_error{"connection refused"}; }

bool is_busy(net_error const&) { return true; }

int main() { return anew::retry(anew::compose(anew::retry_if<&is_busy>{}), ask); }
