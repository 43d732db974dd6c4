// SPDX-License-Identifier: BSL-1.0
// A signed integer may be a count, or an error such as -1: under a classifier of all errors nothing says which.
// expect-error: requires a result whose failures it can tell
// expect-error: a count or an error such as -1
#include "anew/anew.hpp"

int read_some() { return 512; }

int main() {
// [fix]
#ifdef ANEW_REJECT  // wrong: -1 would be a success
  using patient = anew::strategy<anew::retry_all>;
  return anew::retry(patient{}, read_some) > 0 ? 0 : 1;
#else  // right: the classifier reads the number
  struct is_negative {
    bool operator()(int bytes) const { return bytes < 0; }
  };
  using patient = anew::strategy<anew::retry_if<is_negative>>;
  return anew::retry(patient{}, read_some) > 0 ? 0 : 1;
#endif
  // [/fix]
}
