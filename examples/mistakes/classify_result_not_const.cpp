// SPDX-License-Identifier: BSL-1.0
// A classifier that cannot be asked about the result would take a 503 for a success.
// expect-error: requires 'anew::directive classify_result(R const&) const' of a classifier
#include "anew/anew.hpp"

struct response {
  unsigned code;
};

struct by_code {
  using role = anew::roles::classifier;
// [fix]
#ifdef ANEW_REJECT  // wrong
  anew::directive classify_result(response const& r){
#else  // right
  anew::directive classify_result(response const& r) const {
#endif
      // [/fix]
      return r.code < 500 ? anew::directive::succeed() : anew::directive::retry(anew::error_kind::server);
}
}
;

int main() {
  anew::retry(anew::strategy<by_code>{}, [] { return response{200}; });
}
