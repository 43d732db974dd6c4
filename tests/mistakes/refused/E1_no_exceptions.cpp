// SPDX-License-Identifier: BSL-1.0
// A plain result, and exceptions are switched off.
// ours: exceptions are disabled
// options: -fno-exceptions
#include <string>

#include "anew/anew.hpp"

std::string page();

int main() { return anew::retry(anew::strategy<>{}, page).empty() ? 1 : 0; }
