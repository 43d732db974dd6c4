// SPDX-License-Identifier: BSL-1.0
// A classifier of exceptions that does not list what it catches.
// ours: anew::retry(strategy, operation) requires
#include <stdexcept>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

struct net_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int ask() { throw net_error{"connection refused"}; }

struct mine {
  using role = anew::roles::classifier;
  anew::directive classify(net_error const&) const { return anew::directive::fail(); }
};

using client = anew::strategy<mine>;

int main() { return anew::retry(client{}, ask); }
