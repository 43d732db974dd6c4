// SPDX-License-Identifier: BSL-1.0
// section: HTTP / A result without an HTTP status
// `anew::http::standard` would treat every such result as a success. If your operation throws for statuses from 400
// on, name the exceptions.
// expect-error: anew::http::classifier requires a result with an HTTP status
// expect-error: anew::with<anew::http::standard, anew::http::statuses_and<E>>
#include <stdexcept>
#include <string>

#include "anew/http.hpp"

struct http_error : std::runtime_error {
  using runtime_error::runtime_error;
  int status = 503;
};
std::string body() { return "hello"; }  // throws http_error

// [fix]
#ifdef ANEW_REJECT  // wrong
using for_http = anew::http::standard;
#else  // right
using for_http = anew::with<anew::http::standard, anew::http::statuses_and<http_error>>;
#endif
// [/fix]

int main() {
  for_http const strategy{};
  return anew::retry(strategy, body).empty() ? 1 : 0;
}
