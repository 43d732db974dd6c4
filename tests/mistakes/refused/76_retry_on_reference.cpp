// SPDX-License-Identifier: BSL-1.0
// A reference as a type of exception.
// ours: anew
#include <stdexcept>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

struct net_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int ask() { throw net_error{"connection refused"}; }

int main() { return anew::retry(anew::strategy<anew::retry_on<net_error const&>>{}, ask); }
