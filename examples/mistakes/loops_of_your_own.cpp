// SPDX-License-Identifier: BSL-1.0
// chapter: Loops of your own

#include <stdexcept>
#include <string>

#include "anew/anew.hpp"
#include "anew/drivers/call_engine.hpp"
#include "anew/drivers/retry_machine.hpp"
#include "anew/policies/nesting/nesting_guard.hpp"

// section: A call_engine of a temporary
// An engine refers to its strategy until the call ends, but a temporary is destroyed at the end of its line. Declare
// the strategy first.
// expect-error: anew: it refers to a strategy that you keep
namespace engine_of_a_temporary {
int run() {
  auto const ask = [] { return true; };
#ifdef ANEW_REJECT  // wrong
  anew::call_engine call{anew::strategy<anew::retry_all>{}, ask};
#else  // right
  anew::strategy<anew::retry_all> const strategy{};
  anew::call_engine call{strategy, ask};
#endif
  return call.begin() == anew::next_step::attempt ? 0 : 1;
}
}  // namespace engine_of_a_temporary

// section: A machine of a temporary
// A machine refers to its strategy until the call ends, but a temporary is destroyed at the end of its line. Declare
// the strategy first; calls share it anyway, for its quota.
// expect-error: anew: it refers to a strategy that you keep
namespace machine_of_a_temporary {
int run() {
#ifdef ANEW_REJECT  // wrong
  anew::retry_machine call{anew::strategy<anew::retry_all>{}};
#else  // right
  anew::strategy<anew::retry_all> const strategy{};
  anew::retry_machine call{strategy};
#endif
  return call.begin() == anew::next_step::attempt ? 0 : 1;
}
}  // namespace machine_of_a_temporary

// section: A machine with a nesting_guard
// The guard detects a nested call because the outer call waits for it on the thread's stack. A call by steps returns
// between two steps, so the guard would blame an unrelated call. Give the inner strategy one attempt, or share one
// quota between both: `anew::shared<anew::token_bucket<500>>`.
// expect-error: anew::call_engine and anew::retry_machine require a strategy without nesting_guard
namespace machine_with_nesting_guard {
#ifdef ANEW_REJECT  // wrong
using inner = anew::strategy<anew::retry_all, anew::nesting_guard<>>;
#else  // right
using inner = anew::strategy<anew::retry_all, anew::max_attempts<1>>;  // the outer call does the retrying
#endif

int run() {
  inner const strategy{};
  anew::retry_machine call{strategy};
  return call.begin() == anew::next_step::attempt ? 0 : 1;
}
}  // namespace machine_with_nesting_guard

// section: A machine without a strategy
// A machine takes any strategy that `retry()` takes: `anew::strategy<...>`, or your own type with the same three
// functions. `static_assert(anew::RetryStrategy<your_type>)` names the missing function.
// expect-error: anew::call_engine and anew::retry_machine require a RetryStrategy; this type is not one
namespace machine_of_no_strategy {
int run() {
#ifdef ANEW_REJECT  // wrong
  anew::max_attempts<5> const strategy{};
#else  // right
  anew::strategy<anew::max_attempts<5>> const strategy{};
#endif
  anew::retry_machine call{strategy};
  return call.begin() == anew::next_step::attempt ? 0 : 1;
}
}  // namespace machine_of_no_strategy

// section: A result by steps that may mean a failure
// A machine reads a result as `retry()` does.
// expect-error: call.on_outcome(result) requires a result that it can classify as a success or a failure; this type may mean either
// expect-error: telling::status
namespace machine_result_has_a_status {
struct response {
  unsigned status = 200;
};
struct is_server_error {
  bool operator()(response const& r) const { return r.status >= 500; }
};

#ifdef ANEW_REJECT  // wrong: a 503 would be a success
using patient = anew::strategy<anew::retry_all>;
#else  // right
using patient = anew::strategy<anew::retry_while<is_server_error>>;
#endif

int run() {
  patient const strategy;
  anew::retry_machine call{strategy};
  auto next = call.begin();
  next = call.on_outcome(response{});
  return next == anew::next_step::finished ? 0 : 1;
}
}  // namespace machine_result_has_a_status

// section: A result that a call_engine cannot read
// A failed result carries an error, and the classifier must read its type. The default classifier believes what an
// error says of itself, and this error says nothing.
// expect-error: call.on_outcome(result) requires an error that says whether to retry; this error type does not
// expect-error: db_error>
namespace engine_result_not_read {
enum class db_error { none, busy, corrupt };

struct reply {  // any type with has_value() and error(), such as std::expected
  db_error failure = db_error::none;
  bool has_value() const { return failure == db_error::none; }
  db_error error() const { return failure; }
};

struct is_busy {
  bool operator()(db_error error) const { return error == db_error::busy; }
};
#ifdef ANEW_REJECT  // wrong
using policy = anew::strategy<anew::max_attempts<5>>;
#else  // right
using policy = anew::strategy<anew::max_attempts<5>, anew::retry_if<is_busy>>;
#endif

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
struct is_busy {
  bool operator()(int status) const { return status == 503; }
};
#ifdef ANEW_REJECT  // wrong
using policy = anew::strategy<anew::retry_on<std::runtime_error>>;
#else  // right
using policy = anew::strategy<anew::retry_if<is_busy>>;
#endif

int run() {
  policy const strategy{};
  anew::retry_machine call{strategy};
  auto next = call.begin();
  next = call.on_error(404);
  return next == anew::next_step::finished ? 0 : 1;
}
}  // namespace machine_error_not_read

// section: An operation that a call_engine cannot call
// Capture the operation's arguments by value: the engine may outlive this function.
// expect-error: anew::call_engine and anew::retry_machine require an operation that is callable
namespace engine_operation_with_parameters {
bool send(std::string const& address) { return !address.empty(); }

int run() {
  anew::strategy<anew::retry_all> const strategy{};
  std::string const address = "example.org";
#ifdef ANEW_REJECT  // wrong
  anew::call_engine call{strategy, send};
#else  // right
  anew::call_engine call{strategy, [=] { return send(address); }};
#endif
  if (call.begin() != anew::next_step::attempt) return 1;
  return call.on_outcome(call.start()) == anew::next_step::finished ? 0 : 1;
}
}  // namespace engine_operation_with_parameters
