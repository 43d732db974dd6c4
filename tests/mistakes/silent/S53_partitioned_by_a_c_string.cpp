// SPDX-License-Identifier: BSL-1.0
// Meant: equal texts are one key.
#include "given.hpp"

using budgets = anew::partitioned<char const*, anew::token_bucket<70>>;

int main() {
  budgets hosts{100};
  auto const lease = hosts.at("a.example");
  static_cast<void>(lease);
}
