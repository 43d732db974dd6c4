// SPDX-License-Identifier: BSL-1.0
// Exceptions are named, and the operation returns error codes.
// ours: requires a classifier that reads the operation's errors
#include <system_error>

#include "anew/anew.hpp"

std::error_code deliver();

int main() { return anew::retry(anew::strategy<anew::retry_on<std::system_error>>{}, deliver) ? 1 : 0; }
