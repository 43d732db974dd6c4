// SPDX-License-Identifier: BSL-1.0
// A policy without its template arguments.
// compiler: type/value mismatch at argument 1
// clang: requires template arguments
#include <stdexcept>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

struct net_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int ask() { throw net_error{"connection refused"}; }

int main() { return anew::retry(anew::strategy<anew::max_attempts, anew::retry_on<net_error>>{}, ask); }
