// SPDX-License-Identifier: BSL-1.0
// section: Loops of your own / A result that a call_engine cannot read
// A failed result carries an error, and the classifier must read its type. The default classifier believes what an
// error says of itself, and this error says nothing.
// expect-error: call.on_outcome(result) requires a classifier that reads the result's error
// expect-error: classifier_reads_error<
// expect-error: db_error>
#include "anew/anew.hpp"
#include "anew/drive/call_engine.hpp"

enum class db_error { none, busy, corrupt };

struct reply {  // any type with has_value() and error(), such as std::expected
  db_error failure = db_error::none;
  bool has_value() const { return failure == db_error::none; }
  db_error error() const { return failure; }
};

// [fix]
struct is_busy {
  bool operator()(db_error error) const { return error == db_error::busy; }
};
#ifdef ANEW_REJECT  // wrong
using policy = anew::strategy<anew::max_attempts<5>>;
#else  // right
using policy = anew::strategy<anew::max_attempts<5>, anew::retry_if<is_busy>>;
#endif
// [/fix]

int main() {
  policy const strategy{};
  anew::call_engine call{strategy, [] { return reply{}; }};
  if (call.begin() != anew::next_step::attempt) return 1;
  return call.on_outcome(call.start()) == anew::next_step::finished ? 0 : 1;
}
