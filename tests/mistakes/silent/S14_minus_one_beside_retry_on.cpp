// SPDX-License-Identifier: BSL-1.0
// Meant: -1 is an error.
#include "given.hpp"

int send() { return ++calls, -1; }

int main() { print(anew::retry_outcome(thrice<anew::retry_on<net_error>>{}, send, no_sleep)); }
