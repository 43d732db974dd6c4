// SPDX-License-Identifier: BSL-1.0
// The default classifier over an error code.
// ours: requires an error that says whether to retry
#include <system_error>

#include "anew/anew.hpp"

std::error_code deliver();

int main() { return anew::retry(anew::strategy<>{}, deliver) ? 1 : 0; }
