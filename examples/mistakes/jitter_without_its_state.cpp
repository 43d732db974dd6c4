// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / Jitter policy
// A jitter with memory is passed its state: the state of one call lives in the token, not in the policy.
// expect-error: Jitter policy with a 'state_type'
// expect-error: apply(anew::delay_bounds const& bounds, state_type& state, R& random) const
#include "anew/anew.hpp"

struct never_shorter {
  using role = anew::roles::jitter;
  struct state_type {
    anew::duration last{};
  };
// [fix]
#ifdef ANEW_REJECT  // wrong
  anew::duration apply(anew::delay_bounds const& bounds, auto& random) const {
    state_type state;
#else  // right
  anew::duration apply(anew::delay_bounds const& bounds, state_type& state, auto& random) const {
#endif
    // [/fix]
    anew::duration const drawn = bounds.ceiling / (1 + random() % 2);
    if (drawn > state.last) state.last = drawn;
    return state.last;
  }
};

int main() {
  anew::retry(anew::strategy<never_shorter>{}, [] {});
}
