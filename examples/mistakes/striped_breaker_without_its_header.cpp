// SPDX-License-Identifier: BSL-1.0
// chapter: Numbers

// section: A breaker whose striped form is not included
// The striped form of [`rate_breaker`](/include/anew/policies/gate/rate_breaker.hpp) has a header of its own. Include
// `anew/policies/gate/striped_rate_breaker.hpp`, which includes `anew/policies/quota/striped.hpp` too.
// expect-error: anew::striped<Policy, Stripes> requires 1 <= Stripes <= 64 and a policy that can be counted in stripes
#include "anew/anew.hpp"
#include "anew/policies/gate/rate_breaker.hpp"
#ifdef ANEW_REJECT  // wrong
#include "anew/policies/quota/striped.hpp"
#else  // right
#include "anew/policies/gate/striped_rate_breaker.hpp"
#endif

using guarded = anew::strategy<anew::striped<anew::rate_breaker<>>, anew::retry_all>;

namespace striped_breaker_without_its_header {
void run() {
  guarded const strategy{};
  (void)anew::retry(strategy, [] { return true; });
}
}  // namespace striped_breaker_without_its_header
