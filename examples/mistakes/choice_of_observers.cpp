// SPDX-License-Identifier: BSL-1.0
// section: Policies chosen at run time / A choice of observers
// An observer may receive any of three events, so no choice forwards to observers; one observer can decide itself.
// expect-error: anew::choice<Role, Policies...> requires a role of a strategy other than observer and history
#include "anew/anew.hpp"
#include "anew/compose/choice.hpp"

struct log_all {
  using role = anew::roles::observer;
  void on_end(anew::end_event const& /*event*/) const {}
};
struct log_nothing : log_all {};

// [fix]
#ifdef ANEW_REJECT  // wrong
using told = anew::choice<anew::roles::observer, log_all, log_nothing>;
#else  // right
using told = log_all;
#endif
// [/fix]

int main() {
  anew::retry(anew::strategy<told>{}, [] {});
}
