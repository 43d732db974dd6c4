// SPDX-License-Identifier: BSL-1.0
// Meant: three retries.
#include "given.hpp"

bool fails() { return ++calls, false; }

int main() { print(anew::retry_outcome(thrice<anew::retry_all, anew::token_bucket<3>>{}, fails, no_sleep)); }
