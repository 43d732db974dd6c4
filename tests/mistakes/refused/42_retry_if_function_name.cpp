// SPDX-License-Identifier: BSL-1.0
// The name of a function as the predicate's type.
#include <stdexcept>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

struct net_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int ask() { throw net_error{"connection refused"}; }

bool is_busy(net_error const&) { return true; }

using client = anew::strategy<anew::retry_if<is_busy>>;

int main() { return anew::retry(client{}, ask); }
