// SPDX-License-Identifier: BSL-1.0
// prints: calls=1 reason=unclassified
// prints: anew::idempotent_only<anew::retry_on<std::runtime_error>>
// Meant: the default strategy retries std::runtime_error.
#include "given.hpp"

void send() { throws(std::runtime_error{"x"}); }

int main() { print(anew::retry_outcome(anew::strategy<>{}, send, no_sleep)); }
