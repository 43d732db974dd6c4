// SPDX-License-Identifier: BSL-1.0
// section: Calling retry / A predicate that leaves some results undecided
// A predicate that returns a `bool` says which results are retried. Of the others it says nothing, so a code such as -5
// would be a success. Compose `retry_while<Predicate>` if all others are successes, or return a `directive`, which says of
// each value whether it succeeded, failed, or is worth another attempt. Beside a classifier that decides on the others, as
// in `first_of<retry_if<Predicate>, http::classifier<>>`, the predicate is accepted.
// expect-error: says which values to retry, and not which of the others are failures
// expect-error: Compose anew::retry_while<Predicate>
#include "anew/anew.hpp"

int step() { return 0; }  // 0: done; 5: busy; anything else: an error

struct is_busy {
// [fix]
#ifdef ANEW_REJECT  // wrong: the other codes would be successes
  bool operator()(int code) const { return code == 5; }
#else  // right
  anew::directive operator()(int code) const {
    if (code == 0) return anew::directive::succeed();
    return code == 5 ? anew::directive::retry() : anew::directive::fail();
  }
#endif
  // [/fix]
};

int main() { return anew::retry(anew::strategy<anew::retry_if<is_busy>>{}, step); }
