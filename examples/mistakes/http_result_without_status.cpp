// SPDX-License-Identifier: BSL-1.0
// section: HTTP / A result without an HTTP status
// The classifier finds the status of a response [by its name](/docs/how_to/retry_http.md#which-types-are-read). A
// status with another name, or in a private member, needs a trait.
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
