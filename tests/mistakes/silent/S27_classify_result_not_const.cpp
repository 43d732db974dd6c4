// SPDX-License-Identifier: BSL-1.0
// Meant: the classifier reads the response.
#include "given.hpp"

struct response {
  int number;
};
struct reads_responses {
  using role = anew::roles::classifier;
  using catches = anew::catch_list<net_error>;
  [[nodiscard]] anew::directive classify(net_error const&) const { return anew::directive::retry(anew::failure{}); }
  [[nodiscard]] anew::directive classify_result(response const& r) {
    return r.number < 400 ? anew::directive::succeed() : anew::directive::retry(anew::failure{});
  }
};
response get() { return ++calls, response{503}; }

int main() { print(anew::retry_outcome(thrice<reads_responses>{}, get, no_sleep)); }
