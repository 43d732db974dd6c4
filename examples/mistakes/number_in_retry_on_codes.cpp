// SPDX-License-Identifier: BSL-1.0
// A number does not say of which category it is: 110 is another error on another system.
// expect-error: anew::retry_on_codes<Codes...> requires one error code at least
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
