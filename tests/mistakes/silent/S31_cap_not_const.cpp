// SPDX-License-Identifier: BSL-1.0
// Meant: no delay is longer than cap() says.
#include <cstdint>

#include "given.hpp"

struct table {
  using role = anew::roles::backoff;
  [[nodiscard]] anew::duration delay(std::uint32_t) const { return 50ms; }
  [[nodiscard]] anew::duration cap() { return 1ms; }
};
bool fails() { return ++calls, false; }
using client = anew::strategy<table, anew::no_jitter, anew::retry_all, anew::max_attempts<2>>;

int main() { print(anew::retry_outcome(client{}, fails, tell)); }
