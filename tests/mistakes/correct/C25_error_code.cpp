// SPDX-License-Identifier: BSL-1.0
// prints: no error after 3 calls
#include "given.hpp"

std::error_code send() { return ++calls < 3 ? make_error_code(std::errc::timed_out) : std::error_code{}; }
int main() {
  auto const error = anew::retry(thrice<anew::error_code_classifier>{}, anew::idempotent(send), no_sleep);
  tell_all(error ? "an error" : "no error");
}
