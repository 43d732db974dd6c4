// SPDX-License-Identifier: BSL-1.0
// section: HTTP / A class of statuses
// Write `anew::http::any_5xx` for a class of statuses.
// expect-error: anew::http_status_classifier<Statuses...> requires statuses from 100 to 599, or a class of them
#include "anew/anew.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using server_errors = anew::strategy<anew::http_status_classifier<429, 5>>;
#else  // right
using server_errors = anew::strategy<anew::http_status_classifier<429, anew::http::any_5xx>>;
#endif
// [/fix]

int main() {
  return anew::retry(server_errors{}, [] { return 200; }) == 200 ? 0 : 1;
}
