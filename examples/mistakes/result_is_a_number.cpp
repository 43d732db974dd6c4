// SPDX-License-Identifier: BSL-1.0
// section: Calling retry / A result that may mean a failure
// A result that no classifier reads would be a success, even `-1` or a response with status 503. The note names the
// shape, and the member that was found. There are three ways out, in this order:
//
// * a classifier that reads the result: [`retry_while<Predicate>`](/include/anew/classifier/retry_while.hpp) if every
//   value that you do not retry is a success, [`retry_if<Predicate>`](/include/anew/classifier/retry_if.hpp) with a
//   predicate that returns a `directive`, `http_status_classifier<>`, or your own with `classify_result`;
// * [`anew::result_traits<R>`](/include/anew/value/result_traits.hpp) for your own type, once and for all calls;
// * `anew::throws_only(operation)` if the operation fails by exceptions alone and every value is a success.
//
// A signed integer is accepted if the classifier names exceptions (`retry_on<E>`): that already says that failures
// are thrown. [concepts.md](/docs/concepts.md#operation-and-result) has the table of all shapes.
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
  using patient = anew::strategy<anew::retry_while<is_negative>>;
  return anew::retry(patient{}, read_some) > 0 ? 0 : 1;
#endif
  // [/fix]
}
