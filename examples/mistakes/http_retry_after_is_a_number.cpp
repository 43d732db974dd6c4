// SPDX-License-Identifier: BSL-1.0
// A number of what?
// expect-error: anew::http::classifier requires a 'retry_after' with a unit
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
  return anew::retry(anew::http::standard{}, [] { return response{}; }).status == 200 ? 0 : 1;
}
