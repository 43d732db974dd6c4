// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / A constant that is not static
// The strategy reads the constant from the type, before there is an object.
// expect-error: requires needs_counts, waits_before_refusal, obeys_refusals and needs_deadline to be 'static constexpr bool'
#include <optional>

#include "anew/anew.hpp"

struct obedient {
  using role = anew::roles::hint;
  std::optional<anew::planned_delay> resolve(anew::duration computed, anew::duration asked,
                                             anew::duration /*cap*/) const {
    return anew::planned_delay{asked > computed ? asked : computed, anew::delay_origin::hint};
  }
// [fix]
#ifdef ANEW_REJECT  // wrong
  bool obeys_refusals = true;
#else  // right
  static constexpr bool obeys_refusals = true;
#endif
  // [/fix]
};

int main() {
  anew::retry(anew::strategy<obedient>{}, [] {});
}
