// SPDX-License-Identifier: BSL-1.0
// section: Calling retry / An expected that throws only
// `throws_only` says that every result is a success. An expected carries an error, which would count as a success too.
// expect-error: anew::throws_only(operation) requires an operation whose results carry no error
#include <system_error>

#include "anew/anew.hpp"
#include "anew/classifier/error_code.hpp"

struct answer {
  std::error_code held{};
  bool has_value() const { return !held; }
  std::error_code const& error() const { return held; }
};

int main() {
  anew::strategy<anew::error_code_classifier> const strategy{};
// [fix]
#ifdef ANEW_REJECT  // wrong
  auto const got = anew::retry(strategy, anew::throws_only([] { return answer{}; }));
#else  // right
  auto const got = anew::retry(strategy, [] { return answer{}; });
#endif
  // [/fix]
  return got.has_value() ? 0 : 1;
}
