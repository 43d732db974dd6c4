// SPDX-License-Identifier: BSL-1.0
// A classifier that cannot be asked about the result would take a 503 for a success.
// expect-error: requires a classify_result that can be called as it is
#include "anew/anew.hpp"

struct response {
  unsigned code;
};

struct by_code {
  using role = anew::roles::classifier;
  static anew::directive read(unsigned code) {
    return code < 500 ? anew::directive::succeed() : anew::directive::retry(anew::error_kind::server);
  }
// [fix]
#ifdef ANEW_REJECT  // wrong
  anew::directive classify_result(response const& r) { return read(r.code); }
#else  // right
  anew::directive classify_result(response const& r) const { return read(r.code); }
#endif
  // [/fix]
};

int main() {
  anew::retry(anew::strategy<by_code>{}, [] { return response{200}; });
}
