// SPDX-License-Identifier: BSL-1.0
// Meant: an attempt ends after ten milliseconds.
#include "given.hpp"

bool slow() { return ++calls, false; }

int main() { print(anew::retry_outcome(thrice<anew::retry_all, anew::attempt_timeout<10ms>>{}, slow, no_sleep)); }
