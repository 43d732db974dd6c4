// SPDX-License-Identifier: BSL-1.0
// section: Loops of your own / A result by steps that may mean either
// As in `retry()`, a pointer or a type with `ok()` is not guessed at. Specialise `anew::result_traits`, or report the
// meaning.
// expect-error: call.on_outcome(result) requires a result that says whether it is a success
#include "anew/anew.hpp"
#include "anew/drive/retry_machine.hpp"

int main(int argc, char** argv) {
  anew::strategy<anew::retry_all> const strategy{};
  anew::retry_machine call{strategy};
  auto next = call.begin();
  char const* const answer = argv[argc - 1];
// [fix]
#ifdef ANEW_REJECT  // wrong
  next = call.on_outcome(answer);
#else  // right
  next = call.on_outcome(answer != nullptr);
#endif
  // [/fix]
  return next == anew::next_step::finished ? 0 : 1;
}
