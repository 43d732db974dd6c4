// SPDX-License-Identifier: BSL-1.0
// section: Calling retry / A classifier that cannot read the error
// The notes name the type of the error: that of the result's `error()`, or of `result_traits<R>::error`. The
// predicate must take it, as a const function.
// expect-error: anew::retry(strategy, operation) requires a classifier that reads the operation's errors
// expect-error: Let the predicate of anew::retry_if<Predicate> take the error
// expect-error: retry_if<is_busy>, db_error>
#include "anew/anew.hpp"

enum class http_error { busy = 503, gone = 410 };
enum class db_error { none, busy, corrupt };

struct reply {  // any type with has_value() and error(), such as std::expected
  db_error failure = db_error::none;
  bool has_value() const { return failure == db_error::none; }
  db_error error() const { return failure; }
};

struct is_busy {
// [fix]
#ifdef ANEW_REJECT  // wrong
  bool operator()(http_error error) const { return error == http_error::busy; }
#else  // right
  bool operator()(db_error error) const { return error == db_error::busy; }
#endif
  // [/fix]
};

int main() {
  anew::strategy<anew::retry_if<is_busy>> const when_busy{};
  return anew::retry(when_busy, [] { return reply{}; }).has_value() ? 0 : 1;
}
