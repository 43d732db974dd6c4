// SPDX-License-Identifier: BSL-1.0
// A classifier that returns a bool.
// ours: requires a classifier that reads the operation's errors
#include <system_error>

#include "anew/anew.hpp"

std::error_code deliver();

struct mine {
  using role = anew::roles::classifier;
  bool classify(std::error_code const& e) const { return e == std::errc::timed_out; }
};

using client = anew::strategy<mine>;

int main() { return anew::retry(client{}, deliver) ? 1 : 0; }
