// SPDX-License-Identifier: BSL-1.0
// section: Limits of attempts / Attempt timeout of zero
// Zero does not mean "no timeout". Omit the policy for attempts without a limit.
// expect-error: anew::attempt_timeout<Limit> requires Limit > 0
#include <chrono>

#include "anew/anew.hpp"
#include "anew/attempt_timeout/attempt_timeout.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using patient = anew::strategy<anew::attempt_timeout<0s>, anew::max_attempts<8>>;
#else  // right
using patient = anew::strategy<anew::max_attempts<8>>;
#endif
// [/fix]

int main() {
  anew::retry(patient{}, [](anew::attempt&) {});
}
