// SPDX-License-Identifier: BSL-1.0
// A policy of the catalogue, and only the core is included.
// ours: Include <anew/policies.hpp>
#include <stdexcept>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

struct net_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int ask() { throw net_error{"connection refused"}; }

int main() { return anew::retry(anew::strategy<anew::circuit_breaker<>, anew::retry_on<net_error>>{}, ask); }
