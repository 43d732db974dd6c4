// SPDX-License-Identifier: BSL-1.0
// chapter: Composing a strategy

// section: A policy without its header
// `anew/anew.hpp` has the policies that most programs need. The table of [policies](/docs/reference/policies.md)
// names each one's header.
// expect-error: requires policies whose headers are included
// expect-error: Include <anew/policies.hpp>
#include "anew/anew.hpp"
#ifndef ANEW_REJECT
#include "anew/policies.hpp"
#endif

namespace policy_header_missing {
#ifdef ANEW_REJECT  // wrong: anew/policies.hpp is not included
using guarded = anew::strategy<anew::circuit_breaker<>, anew::retry_all>;
#else  // right
using guarded = anew::strategy<anew::circuit_breaker<>, anew::retry_all>;
#endif

void run() {
  guarded const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace policy_header_missing
