// SPDX-License-Identifier: BSL-1.0
// A predicate with state in a strategy that is default-constructed.
// ours: a policy of this strategy needs its values: anew::compose(policies...)
#include <stdexcept>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

struct net_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int ask() { throw net_error{"connection refused"}; }

int main(int argc, char**) {
  auto const is_busy = [argc](net_error const&) { return argc > 1; };
  using client = anew::strategy<anew::retry_if<std::remove_const_t<decltype(is_busy)>>>;
  return anew::retry(client{}, ask);
}
