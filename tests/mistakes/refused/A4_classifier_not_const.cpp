// SPDX-License-Identifier: BSL-1.0
// A classifier that is not const.
// ours: requires a classifier that reads the operation's errors
#include <system_error>

#include "anew/anew.hpp"

std::error_code deliver();

struct mine {
  using role = anew::roles::classifier;
  anew::directive classify(std::error_code const&) { return anew::directive::fail(); }
};

using client = anew::strategy<mine>;

int main() { return anew::retry(client{}, deliver) ? 1 : 0; }
