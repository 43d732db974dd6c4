// SPDX-License-Identifier: BSL-1.0
// Numbers in the place of policies in compose().
// ours: Did you mean anew::max_attempts{3}, or anew::constant_backoff{100ms}
#include <stdexcept>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

struct net_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int ask() { throw net_error{"connection refused"}; }

int main() { return anew::retry(anew::compose(3, 100ms), ask); }
