// SPDX-License-Identifier: BSL-1.0
// Meant: the default strategy retries something.
#include "given.hpp"

int send() { return ++calls, -1; }

int main() { print(anew::retry_outcome(anew::strategy<>{}, send, no_sleep)); }
