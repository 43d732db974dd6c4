// SPDX-License-Identifier: BSL-1.0
// section: Calling retry / A result that may mean a failure
// An enumeration is usually a status, but no value of it is a failure until you say so.
// expect-error: requires a result whose failures it can tell
// expect-error: no classifier reads this enumeration
#include <stdexcept>

#include "anew/anew.hpp"

enum class state { ready, busy, broken };

state ask() { return state::ready; }

int main() {
// [fix]
#ifdef ANEW_REJECT  // wrong: state::broken would be a success
  using patient = anew::strategy<anew::retry_on<std::runtime_error>>;
  return anew::retry(patient{}, ask) == state::ready ? 0 : 1;
#else  // right: the operation fails by exceptions alone, and says so
  using patient = anew::strategy<anew::retry_on<std::runtime_error>>;
  return anew::retry(patient{}, anew::throws_only(ask)) == state::ready ? 0 : 1;
#endif
  // [/fix]
}
