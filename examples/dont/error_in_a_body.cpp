// SPDX-License-Identifier: BSL-1.0
// A response with status 200 may carry an error in its body.
#include "given.hpp"

struct response {
  int code;
  std::string body;
  [[nodiscard]] int status() const { return code; }
};
response get() { return ++requests < 3 ? response{200, R"({"error":"busy"})"} : response{200, "hello"}; }

// [dont]
using by_status = anew::strategy<anew::no_backoff, anew::http_status_classifier<>>;
// [/dont]

// [do]
struct status_and_body {
  using role = anew::roles::classifier;

  // Asked about each response, also about those that are well.
  [[nodiscard]] static anew::directive classify_result(response const& r) {
    if (r.body.find("\"busy\"") != std::string::npos) return anew::directive::retry({anew::error_kind::throttling});
    return anew::http_status_classifier<>::classify_result(r);
  }
};
using by_both = anew::strategy<anew::no_backoff, status_and_body>;
// [/do]

int main() {
  print("DON'T", anew::retry_outcome(by_status{}, get));
  requests = 0;
  print("DO", anew::retry_outcome(by_both{}, get));
}
