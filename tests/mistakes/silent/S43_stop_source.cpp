// SPDX-License-Identifier: BSL-1.0
// Meant: the source stops the call, as its token does.
#include <stop_token>

#include "given.hpp"

bool fails() { return ++calls, false; }

int main() {
  std::stop_source stop;
  print(anew::retry_outcome(thrice<anew::retry_all>{}, fails, stop));
}
