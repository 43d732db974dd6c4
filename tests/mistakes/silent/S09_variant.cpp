// SPDX-License-Identifier: BSL-1.0
// Meant: an error in the variant is a failure.
#include <variant>

#include "given.hpp"

std::variant<std::string, std::error_code> get() { return ++calls, make_error_code(std::errc::timed_out); }

int main() { print(anew::retry_outcome(thrice<anew::retry_all>{}, get, no_sleep)); }
