// SPDX-License-Identifier: BSL-1.0
// The default classifier over an error code.
#include <system_error>

#include "anew/anew.hpp"

std::error_code deliver();

int main() { return anew::retry(anew::strategy<>{}, deliver) ? 1 : 0; }
