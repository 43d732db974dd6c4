// SPDX-License-Identifier: BSL-1.0
// The core knows the names of the catalogue, not what they do: the header is included with the policy.
// expect-error: requires policies whose headers are included
// expect-error: Include <anew/policies.hpp>
#include "anew/anew.hpp"
#ifndef ANEW_REJECT
#include "anew/policies.hpp"
#endif

// [fix]
#ifdef ANEW_REJECT  // wrong: anew/policies.hpp is not included
using guarded = anew::strategy<anew::circuit_breaker<>, anew::retry_all>;
#else  // right
using guarded = anew::strategy<anew::circuit_breaker<>, anew::retry_all>;
#endif
// [/fix]

int main() {
  guarded const strategy{};
  anew::retry(strategy, [] {});
}
