// SPDX-License-Identifier: BSL-1.0
// prints: calls=1 reason=unclassified
// prints: anew::idempotent_only<anew::retry_on<net_error>>
// Meant: retry_on<3> or the like.
#include "given.hpp"

void send() { throws(net_error{"x"}); }

int main() { print(anew::retry_outcome(thrice<anew::retry_on<int>>{}, send, no_sleep)); }
