// SPDX-License-Identifier: BSL-1.0
// section: Calling retry / A result that may mean a failure
// `ok()` looks like an answer, but anew does not guess.
// expect-error: anew::retry(strategy, operation) requires a result whose failures it can tell; this class
// expect-error: specialise anew::result_traits<R>
#include "anew/anew.hpp"

struct status {
  int code = 0;
  bool ok() const { return code == 0; }
};

// [fix]
#ifdef ANEW_REJECT  // wrong: nothing says how to read a status
#else               // right
template <>
struct anew::result_traits<status> {
  static bool is_success(status const& s) noexcept { return s.ok(); }
  static int error(status const& s) noexcept { return s.code; }
};
#endif
// [/fix]

int main() {
  return anew::retry(anew::strategy<anew::retry_all>{}, [] { return status{}; }).code;
}
