// SPDX-License-Identifier: BSL-1.0
// A policy whose role is another than its functions.
// ours: requires a Jitter policy to have
#include <stdexcept>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

struct net_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int ask() { throw net_error{"connection refused"}; }

struct mine {
  using role = anew::roles::jitter;
  anew::duration delay(std::uint32_t) const { return 1ms; }
};

using client = anew::strategy<mine, anew::retry_on<net_error>>;

int main() { return anew::retry(client{}, ask); }
