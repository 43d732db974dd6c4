// SPDX-License-Identifier: BSL-1.0
// chapter: Composing a strategy

// section: A part of a policy without its header
// A policy around others requires their headers too.
// expect-error: requires policies whose headers are included
// expect-error: Include <anew/policies.hpp>
#include "anew/anew.hpp"
#include "anew/policies/classifier/any_of.hpp"
#ifndef ANEW_REJECT
#include "anew/policies/classifier/caused_by.hpp"
#endif

namespace part_header_missing {
#ifdef ANEW_REJECT  // wrong: anew/policies/classifier/caused_by.hpp is not included
using either = anew::strategy<anew::any_of<anew::retry_on<int>, anew::caused_by<anew::retry_on<int>>>>;
#else  // right
using either = anew::strategy<anew::any_of<anew::retry_on<int>, anew::caused_by<anew::retry_on<int>>>>;
#endif

void run() {
  either const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace part_header_missing
