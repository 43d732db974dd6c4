// SPDX-License-Identifier: BSL-1.0
// section: HTTP / A pause without a unit
// A plain number may count seconds or milliseconds, so the pause would be ignored.
// expect-error: anew::http::classifier requires a 'retry_after' that is a std::chrono duration, a std::optional of
#include <chrono>

#include "anew/http.hpp"

// [fix]
struct response {
  int status = 200;
#ifdef ANEW_REJECT  // wrong
  int retry_after = 0;
#else  // right
  std::chrono::seconds retry_after{};
#endif
};
// [/fix]

int main() {
  anew::http::standard const strategy{};
  return anew::retry(strategy, [] { return response{}; }).status == 200 ? 0 : 1;
}
