// SPDX-License-Identifier: BSL-1.0
// section: HTTP / Exceptions in place of statuses
// The first argument classifies statuses; exceptions follow it.
// expect-error: anew::http::classifier<Statuses, Exceptions...> requires a classifier of HTTP statuses as its first
// expect-error: Did you mean anew::http::statuses_and<Exceptions...>?
#include <stdexcept>

#include "anew/http.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using for_http = anew::with<anew::http::standard, anew::http::classifier<std::runtime_error>>;
#else  // right
using for_http = anew::with<anew::http::standard, anew::http::statuses_and<std::runtime_error>>;
#endif
// [/fix]

int main() {
  for_http const strategy{};
  return anew::retry(strategy, [] { return 200; }) == 200 ? 0 : 1;
}
