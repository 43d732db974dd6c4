// SPDX-License-Identifier: BSL-1.0
// A classifier of statuses finds none in the result.
// expect-error: anew::http_status_classifier requires a result with an HTTP status
// expect-error: Specialise anew::http_traits<R> with 'static int status(R const&)'
#include "anew/anew.hpp"

struct reply {
  int number = 200;
};

// [fix]
#ifndef ANEW_REJECT  // right; without it, it is wrong
template <>
struct anew::http_traits<reply> {
  static int status(reply const& r) { return r.number; }
};
#endif
// [/fix]

int main() {
  anew::strategy<anew::http_status_classifier<>> const strategy{};
  return anew::retry(strategy, [] { return reply{}; }).number;
}
