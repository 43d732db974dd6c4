// SPDX-License-Identifier: BSL-1.0
// The strategy is forgotten.
// ours: requires a strategy object as its first argument
#include <stdexcept>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

struct net_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int ask() { throw net_error{"connection refused"}; }

int main() { return anew::retry(ask); }
