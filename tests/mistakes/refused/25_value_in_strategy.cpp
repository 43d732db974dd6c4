// SPDX-License-Identifier: BSL-1.0
// A policy's value in the place of its type.
// compiler: type/value mismatch at argument 1
// clang: template argument for template type parameter must be a type
#include <stdexcept>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

struct net_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int ask() { throw net_error{"connection refused"}; }

int main() { return anew::retry(anew::strategy<anew::max_attempts<3>{}, anew::retry_on<net_error>>{}, ask); }
