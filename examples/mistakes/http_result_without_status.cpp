// SPDX-License-Identifier: BSL-1.0
// section: HTTP / A result without an HTTP status
// The classifier finds the status of a response [by its name](/docs/how_to/retry_http.md#which-types-are-read). Under
// another name, or in a private member, it needs a trait.
//
// `anew::http::standard` would take every such result for a success. If your operation throws for statuses from 400
// on, name the exceptions.
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
