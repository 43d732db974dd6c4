// SPDX-License-Identifier: BSL-1.0
// Meant: -1 is an error, as read() has it.
#include <sys/types.h>

#include "given.hpp"

ssize_t receive() { return ++calls, ssize_t{-1}; }

int main() { print(anew::retry_outcome(thrice<anew::retry_all>{}, receive, no_sleep)); }
