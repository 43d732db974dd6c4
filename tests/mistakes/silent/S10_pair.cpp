// SPDX-License-Identifier: BSL-1.0
// Meant: false first is a failure.
#include "given.hpp"

std::pair<bool, std::string> get() { return ++calls, std::pair{false, std::string{}}; }

int main() { print(anew::retry_outcome(thrice<anew::retry_all>{}, get, no_sleep)); }
