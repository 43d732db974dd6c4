// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / Hint policy
// `resolve` weighs the server's hint against the computed delay and the cap.
// expect-error: Hint policy
// expect-error: anew::duration cap) const
#include <optional>

#include "anew/anew.hpp"

struct obey {
  using role = anew::roles::hint;
// [fix]
#ifdef ANEW_REJECT  // wrong
  std::optional<anew::planned_delay> resolve(anew::duration computed, anew::duration asked) const {
    anew::duration const cap = asked;
#else  // right
  std::optional<anew::planned_delay> resolve(anew::duration computed, anew::duration asked, anew::duration cap) const {
#endif
    // [/fix]
    if (asked > cap) return std::nullopt;
    return anew::planned_delay{asked > computed ? asked : computed, anew::delay_origin::hint};
  }
};

int main() {
  anew::retry(anew::strategy<obey>{}, [] {});
}
