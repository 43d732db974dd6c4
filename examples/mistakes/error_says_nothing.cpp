// SPDX-License-Identifier: BSL-1.0
// section: Calling retry / An error that says nothing
// The default classifier believes what an error says of itself. Say it once per type, with `anew::retry_traits` or as
// members of the error; or decide per strategy, with a classifier.
// expect-error: anew::retry(strategy, operation) requires an error that says whether to retry
// expect-error: Specialise anew::retry_traits<E>
// expect-error: error_says_whether_to_retry<db_error>
#include "anew/anew.hpp"

enum class db_error { none, busy, corrupt };

struct reply {  // any type with has_value() and error(), such as std::expected
  db_error failure = db_error::none;
  bool has_value() const { return failure == db_error::none; }
  db_error error() const { return failure; }
};

// [fix]
#ifdef ANEW_REJECT  // wrong: nothing says which db_error may be retried
#else               // right
template <>
struct anew::retry_traits<db_error> {
  static anew::retry_safety is_retry_safe(db_error error) {
    return error == db_error::busy ? anew::retry_safety::yes : anew::retry_safety::no;
  }
};
#endif
// [/fix]

int main() {
  return anew::retry(anew::strategy<>{}, [] { return reply{}; }).has_value() ? 0 : 1;
}
