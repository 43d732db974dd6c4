// SPDX-License-Identifier: BSL-1.0
// section: Classifiers and exceptions / A number instead of an error code
// A number means different errors in different categories and on different systems. Name the condition, or register
// your own enumeration with `std::is_error_code_enum`.
// expect-error: anew::retry_on_codes<Codes...> requires at least one error code, each from an error enumeration
#include <system_error>

#include "anew/anew.hpp"
#include "anew/classifier/retry_on_codes.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using on_failure = anew::retry_on_codes<110>;
#else  // right
using on_failure = anew::retry_on_codes<std::errc::timed_out>;
#endif
// [/fix]

int main() {
  anew::retry(anew::strategy<on_failure>{}, [] {});
}
