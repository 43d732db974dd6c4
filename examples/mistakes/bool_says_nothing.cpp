// SPDX-License-Identifier: BSL-1.0
// section: Calling retry / A failure without a reason
// The default classifier retries only errors that say that they may be retried. Compose the classifier that decides.
// expect-error: requires an error that says whether to retry; a bool or an optional
// expect-error: anew::retry_all
#include "anew/anew.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using polite = anew::strategy<anew::max_attempts<5>>;
#else  // right
using polite = anew::strategy<anew::max_attempts<5>, anew::retry_all>;
#endif
// [/fix]

int main() {
  return anew::retry(polite{}, [] { return true; }) ? 0 : 1;
}
