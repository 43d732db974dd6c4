// SPDX-License-Identifier: BSL-1.0
// Meant: ten retries. One costs 14 tokens.
#include "given.hpp"

bool fails() { return ++calls, false; }

int main() { print(anew::retry_outcome(thrice<anew::retry_all, anew::token_bucket<10>>{}, fails, no_sleep)); }
