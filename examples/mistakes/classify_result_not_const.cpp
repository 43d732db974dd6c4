// SPDX-License-Identifier: BSL-1.0
// section: Calling retry / A classifier that is not asked about results
// A `classify_result` for results of *another* type is not a mistake: one strategy serves many calls.
// expect-error: anew::retry(strategy, operation) requires 'anew::directive classify_result(R const&) const' of a
#include <string>

#include "anew/anew.hpp"

struct page {
  std::string text;
};

struct no_empty_page {
  using role = anew::roles::classifier;
// [fix]
#ifdef ANEW_REJECT  // wrong
  anew::directive classify_result(page const& p) { return verdict(p); }
#else  // right
  anew::directive classify_result(page const& p) const { return verdict(p); }
#endif
  // [/fix]
  static anew::directive verdict(page const& p) {
    return p.text.empty() ? anew::directive::retry(anew::error_kind::transient) : anew::directive::succeed();
  }
};

int main() {
  return anew::retry(anew::strategy<no_empty_page>{}, [] { return page{"welcome"}; }).text.empty() ? 1 : 0;
}
