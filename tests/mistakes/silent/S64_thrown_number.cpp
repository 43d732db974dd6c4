// SPDX-License-Identifier: BSL-1.0
// prints: calls=1 reason=unclassified
// prints: anew::idempotent_only<anew::retry_on<int>>
// Meant: retry_on<std::exception> catches whatever is thrown.
#include "given.hpp"

void send() { throws(42); }

int main() { print(anew::retry_outcome(thrice<anew::retry_on<std::exception>>{}, send, no_sleep)); }
