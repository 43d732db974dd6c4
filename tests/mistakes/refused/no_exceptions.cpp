// SPDX-License-Identifier: BSL-1.0
// options: -fno-exceptions
#include <string>

#include "anew/anew.hpp"

// section: A plain result, and exceptions are switched off
// expect-error: without exceptions, return a type that carries an error
namespace no_exceptions {
std::string page();

int run() { return anew::retry(anew::strategy<>{}, page).empty() ? 1 : 0; }
}  // namespace no_exceptions
