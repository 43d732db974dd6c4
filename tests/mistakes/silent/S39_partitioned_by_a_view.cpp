// SPDX-License-Identifier: BSL-1.0
// Meant: the key is kept.
#include <string_view>

#include "given.hpp"

using budgets = anew::partitioned<std::string_view, anew::token_bucket<70>>;

int main() {
  budgets hosts{100};
  auto const lease = hosts.at("a.example");
  static_cast<void>(lease);
}
