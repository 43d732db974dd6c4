// SPDX-License-Identifier: BSL-1.0
// section: Calling retry / Half of result_traits
// A specialisation says which results are successes, and what the error of any other is.
// expect-error: anew::result_traits<R> requires 'static bool is_success(R const&)' and 'static E error(R const&)'
#include "anew/anew.hpp"

enum class answer { fine, busy };

template <>
struct anew::result_traits<answer> {
  static bool is_success(answer a) noexcept { return a == answer::fine; }
// [fix]
#ifdef ANEW_REJECT  // wrong: and its error?
#else               // right
  static answer error(answer a) noexcept { return a; }
#endif
  // [/fix]
};

int main() {
  anew::strategy<anew::retry_all> const patient{};
  return anew::retry(patient, [] { return answer::fine; }) == answer::fine ? 0 : 1;
}
