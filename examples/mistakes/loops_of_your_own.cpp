// SPDX-License-Identifier: BSL-1.0
// chapter: Loops of your own

#include <stdexcept>
#include <string>

#include "anew/anew.hpp"
#include "anew/call/call_engine.hpp"
#include "anew/call/retry_machine.hpp"
#include "anew/policies/nesting/nesting_guard.hpp"

// section: A call_engine of a temporary
// An engine refers to its strategy until the call ends, but a temporary is destroyed at the end of its line. Declare
// the strategy first.
// expect-error: anew: it refers to a strategy that you keep
namespace engine_of_a_temporary {
int run() {
  auto const ask = [] { return true; };
// [engine_of_a_temporary]
#ifdef ANEW_REJECT  // wrong
  anew::call_engine call{anew::strategy<anew::retry_all>{}, ask};
#else  // right
  anew::strategy<anew::retry_all> const strategy{};
  anew::call_engine call{strategy, ask};
#endif
  // [/engine_of_a_temporary]
  return call.begin() == anew::next_step::attempt ? 0 : 1;
}
}  // namespace engine_of_a_temporary

// section: A machine of a temporary
// A machine refers to its strategy until the call ends, but a temporary is destroyed at the end of its line. Declare
// the strategy first; calls share it anyway, for its quota.
// expect-error: anew: it refers to a strategy that you keep
namespace machine_of_a_temporary {
int run() {
// [machine_of_a_temporary]
#ifdef ANEW_REJECT  // wrong
  anew::retry_machine call{anew::strategy<anew::retry_all>{}};
#else  // right
  anew::strategy<anew::retry_all> const strategy{};
  anew::retry_machine call{strategy};
#endif
  // [/machine_of_a_temporary]
  return call.begin() == anew::next_step::attempt ? 0 : 1;
}
}  // namespace machine_of_a_temporary

// section: A machine with a nesting_guard
// The guard detects a nested call because the outer call waits for it on the thread's stack. A call by steps returns
// between two steps, so the guard would blame an unrelated call. Give the inner strategy one attempt, or share one
// quota between both: `anew::shared<anew::token_bucket<500>>`.
// expect-error: anew::call_engine and anew::retry_machine require a strategy without nesting_guard
namespace machine_with_nesting_guard {
// [machine_with_nesting_guard]
#ifdef ANEW_REJECT  // wrong
using inner = anew::strategy<anew::retry_all, anew::nesting_guard<>>;
#else  // right
using inner = anew::strategy<anew::retry_all, anew::max_attempts<1>>;  // the outer call does the retrying
#endif
// [/machine_with_nesting_guard]

int run() {
  inner const strategy{};
  anew::retry_machine call{strategy};
  return call.begin() == anew::next_step::attempt ? 0 : 1;
}
}  // namespace machine_with_nesting_guard

// section: A machine without a strategy
// A machine takes any strategy that `retry()` takes: `anew::strategy<...>`, or your own type with the same three
// functions. `static_assert(anew::RetryStrategy<your_type>)` names the missing function.
// expect-error: anew::call_engine and anew::retry_machine require a RetryStrategy
namespace machine_of_no_strategy {
int run() {
// [machine_of_no_strategy]
#ifdef ANEW_REJECT  // wrong
  anew::max_attempts<5> const strategy{};
#else  // right
  anew::strategy<anew::max_attempts<5>> const strategy{};
#endif
  // [/machine_of_no_strategy]
  anew::retry_machine call{strategy};
  return call.begin() == anew::next_step::attempt ? 0 : 1;
}
}  // namespace machine_of_no_strategy

// section: A result by steps that may mean a failure
// A machine reads a result as `retry()` does.
// expect-error: call.on_outcome(result) requires a result that it can classify as a success or a failure
// expect-error: telling::status
namespace machine_result_has_a_status {
struct response {
  unsigned status = 200;
};
struct is_server_error {
  bool operator()(response const& r) const { return r.status >= 500; }
};

// [machine_result_has_a_status]
#ifdef ANEW_REJECT  // wrong: a 503 would be a success
using patient = anew::strategy<anew::retry_all>;
#else  // right
using patient = anew::strategy<anew::retry_while<is_server_error>>;
#endif
// [/machine_result_has_a_status]

int run() {
  patient const strategy;
  anew::retry_machine call{strategy};
  auto next = call.begin();
  next = call.on_outcome(response{});
  return next == anew::next_step::finished ? 0 : 1;
}
}  // namespace machine_result_has_a_status

// section: A result by steps that may mean either
// As in `retry()`, a pointer or a type with `ok()` is not guessed at. Specialise `anew::result_traits`, or report the
// meaning.
// expect-error: call.on_outcome(result) requires a result that says whether it is a success
namespace machine_result_may_mean_either {
int run(int argc, char** argv) {
  anew::strategy<anew::retry_all> const strategy{};
  anew::retry_machine call{strategy};
  auto next = call.begin();
  char const* const answer = argv[argc - 1];
// [machine_result_may_mean_either]
#ifdef ANEW_REJECT  // wrong
  next = call.on_outcome(answer);
#else  // right
  next = call.on_outcome(answer != nullptr);
#endif
  // [/machine_result_may_mean_either]
  return next == anew::next_step::finished ? 0 : 1;
}
}  // namespace machine_result_may_mean_either

// section: A result by steps that the classifier does not read
// A failed result carries an error, and the classifier must read its type. A classifier of exceptions does not read
// error values.
// expect-error: call.on_outcome(result) requires a classifier that reads the result's error
namespace machine_result_not_read {
// [machine_result_not_read]
#ifdef ANEW_REJECT  // wrong
using policy = anew::strategy<anew::max_attempts<5>>;
#else  // right
using policy = anew::strategy<anew::max_attempts<5>, anew::retry_all>;
#endif
// [/machine_result_not_read]

int run() {
  policy const strategy{};
  anew::retry_machine call{strategy};
  auto next = call.begin();
  next = call.on_outcome(true);
  return next == anew::next_step::finished ? 0 : 1;
}
}  // namespace machine_result_not_read

// section: A result that a call_engine cannot read
// A failed result carries an error, and the classifier must read its type. The default classifier believes what an
// error says of itself, and this error says nothing.
// expect-error: call.on_outcome(result) requires a classifier that reads the result's error
// expect-error: classifier_reads_error<
// expect-error: db_error>
namespace engine_result_not_read {
enum class db_error { none, busy, corrupt };

struct reply {  // any type with has_value() and error(), such as std::expected
  db_error failure = db_error::none;
  bool has_value() const { return failure == db_error::none; }
  db_error error() const { return failure; }
};

// [engine_result_not_read]
struct is_busy {
  bool operator()(db_error error) const { return error == db_error::busy; }
};
#ifdef ANEW_REJECT  // wrong
using policy = anew::strategy<anew::max_attempts<5>>;
#else  // right
using policy = anew::strategy<anew::max_attempts<5>, anew::retry_if<is_busy>>;
#endif
// [/engine_result_not_read]

int run() {
  policy const strategy{};
  anew::call_engine call{strategy, [] { return reply{}; }};
  if (call.begin() != anew::next_step::attempt) return 1;
  return call.on_outcome(call.start()) == anew::next_step::finished ? 0 : 1;
}
}  // namespace engine_result_not_read

// section: An error by steps that the classifier does not read
// `retry_on<E>` reads exceptions. For an error value compose a classifier that reads values of its type.
// expect-error: call.on_error(error) requires a classifier that reads this type
namespace machine_error_not_read {
// [machine_error_not_read]
struct is_busy {
  bool operator()(int status) const { return status == 503; }
};
#ifdef ANEW_REJECT  // wrong
using policy = anew::strategy<anew::retry_on<std::runtime_error>>;
#else  // right
using policy = anew::strategy<anew::retry_if<is_busy>>;
#endif
// [/machine_error_not_read]

int run() {
  policy const strategy{};
  anew::retry_machine call{strategy};
  auto next = call.begin();
  next = call.on_error(404);
  return next == anew::next_step::finished ? 0 : 1;
}
}  // namespace machine_error_not_read

// section: An operation of a call_engine that takes its attempt by value
// An attempt cannot be copied: take it by reference. It lives in the engine until the next attempt starts.
// expect-error: anew::call_engine{strategy, operation} requires an operation that takes its attempt by reference
namespace engine_operation_takes_a_copy {
int run() {
  anew::strategy<anew::retry_all> const strategy{};
// [engine_operation_takes_a_copy]
#ifdef ANEW_REJECT  // wrong
  anew::call_engine call{strategy, [](anew::attempt self) { return self.number(); }};
#else  // right
  anew::call_engine call{strategy, [](anew::attempt& self) { return self.number(); }};
#endif
  // [/engine_operation_takes_a_copy]
  return call.begin() == anew::next_step::attempt ? 0 : 1;
}
}  // namespace engine_operation_takes_a_copy

// section: An operation that a call_engine cannot call
// Capture the operation's arguments by value: the engine may outlive this function.
// expect-error: anew::call_engine{strategy, operation} requires an operation that you can call
namespace engine_operation_with_parameters {
bool send(std::string const& address) { return !address.empty(); }

int run() {
  anew::strategy<anew::retry_all> const strategy{};
  std::string const address = "example.org";
// [engine_operation_with_parameters]
#ifdef ANEW_REJECT  // wrong
  anew::call_engine call{strategy, send};
#else  // right
  anew::call_engine call{strategy, [=] { return send(address); }};
#endif
  // [/engine_operation_with_parameters]
  if (call.begin() != anew::next_step::attempt) return 1;
  return call.on_outcome(call.start()) == anew::next_step::finished ? 0 : 1;
}
}  // namespace engine_operation_with_parameters
