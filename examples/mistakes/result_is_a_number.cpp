// SPDX-License-Identifier: BSL-1.0
// section: Calling retry / A result that may mean a failure
// Every result that nobody reads would be a success, `-1` and a response with status 503 too. The note names the
// shape, and the member that was found. There are three ways out, in this order:
//
// * a classifier that reads the result: [`retry_if<Predicate>`](/include/anew/classifier/retry_if.hpp),
//   `http_status_classifier<>`, or one of your own with `classify_result`;
// * [`anew::result_traits<R>`](/include/anew/value/result_traits.hpp) for a type of yours, once and for all calls;
// * `anew::throws_only(operation)` where the operation fails by exceptions alone and every value is a success.
//
// A signed integer is accepted where the classifier names exceptions (`retry_on<E>`): there you have said that
// failures are thrown. The table of all shapes is in [concepts.md](/docs/concepts.md#operation-and-result).
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
