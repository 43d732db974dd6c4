// SPDX-License-Identifier: BSL-1.0
// A backoff that changes itself.
// ours: requires a Backoff policy to have
#include <stdexcept>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

struct net_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int ask() { throw net_error{"connection refused"}; }

struct mine {
  using role = anew::roles::backoff;
  anew::duration delay(std::uint32_t) { return last *= 2; }
  anew::duration last = 1ms;
};

using client = anew::strategy<mine, anew::retry_on<net_error>>;

int main() { return anew::retry(client{}, ask); }
