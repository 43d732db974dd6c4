// SPDX-License-Identifier: BSL-1.0
// Meant: an error first is a failure.
#include <tuple>

#include "given.hpp"

std::tuple<std::error_code, std::string> get() {
  return ++calls, std::tuple{make_error_code(std::errc::timed_out), ""};
}

int main() { print(anew::retry_outcome(thrice<anew::retry_all>{}, get, no_sleep)); }
