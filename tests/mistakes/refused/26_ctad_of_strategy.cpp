// SPDX-License-Identifier: BSL-1.0
// Policies given to strategy's constructor, as if it deduced them.
// compiler: missing template arguments before
// clang: requires template arguments; argument deduction only allowed for class templates
#include <stdexcept>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

struct net_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int ask() { throw net_error{"connection refused"}; }

int main() { return anew::retry(anew::strategy{anew::max_attempts<3>{}, anew::retry_on<net_error>{}}, ask); }
