// SPDX-License-Identifier: BSL-1.0
// chapter: Calling retry

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <variant>

#include "anew/anew.hpp"
#include "anew/bridges/coroutine/task.hpp"
#include "anew/drivers/in_transaction.hpp"
#include "anew/drivers/spinning_sleeper.hpp"
#include "anew/policies.hpp"
#include "anew/policies/classifier/error_code.hpp"
#include "anew/poll.hpp"
#include "anew/smithy_kotlin.hpp"
#include "anew/virtual.hpp"

using namespace std::chrono_literals;

// section: A call without a strategy
// The same applies to `anew::retry<patient>(ask)`: the strategy is an argument, because it may hold state that calls
// share.
// expect-error: anew::retry(strategy, operation) requires a strategy object as its first argument
namespace strategy_forgotten {
int ask() { return 42; }

using patient = anew::strategy<anew::retry_while<decltype([](int answer) { return answer < 0; })>>;

int run() {
#ifdef ANEW_REJECT  // wrong
  return anew::retry(ask) == 42 ? 0 : 1;
#else  // right
  return anew::retry(patient{}, ask) == 42 ? 0 : 1;
#endif
}
}  // namespace strategy_forgotten

// section: A call without an operation
// The strategy does not know what to call.
// expect-error: requires an operation after the strategy
namespace operation_forgotten {
void ask() {}

using patient = anew::strategy<anew::retry_all>;

void run() {
#ifdef ANEW_REJECT  // wrong
  anew::retry(patient{});
#else  // right
  anew::retry(patient{}, ask);
#endif
}
}  // namespace operation_forgotten

// section: A classifier that cannot read the error
// Many calls and threads share a predicate, so it is called through const.
// expect-error: anew::retry(strategy, operation) requires a classifier that reads the operation's errors
// expect-error: as a const function
namespace predicate_not_const {
struct is_refused {
#ifdef ANEW_REJECT  // wrong
  bool operator()(std::error_code const& error) { return error == std::errc::connection_refused; }
#else  // right
  bool operator()(std::error_code const& error) const { return error == std::errc::connection_refused; }
#endif
};

int run() {
  anew::strategy<anew::retry_if<is_refused>> const when_refused{};
  return anew::retry(when_refused, [] { return std::error_code{}; }).value();
}
}  // namespace predicate_not_const

// section: A classifier that cannot read the error
// The notes name the type of the error: that of the result's `error()`, or of `result_traits<R>::error`. The
// predicate must take it, as a const function.
// expect-error: anew::retry(strategy, operation) requires a classifier that reads the operation's errors
// expect-error: Let the predicate of anew::retry_if<Predicate> take the error
// expect-error: retry_if<is_busy>, db_error>
namespace predicate_on_another_error {
enum class http_error { busy = 503, gone = 410 };
enum class db_error { none, busy, corrupt };

struct reply {  // any type with has_value() and error(), such as std::expected
  db_error failure = db_error::none;
  bool has_value() const { return failure == db_error::none; }
  db_error error() const { return failure; }
};

struct is_busy {
#ifdef ANEW_REJECT  // wrong
  bool operator()(http_error error) const { return error == http_error::busy; }
#else  // right
  bool operator()(db_error error) const { return error == db_error::busy; }
#endif
};

int run() {
  anew::strategy<anew::retry_if<is_busy>> const when_busy{};
  return anew::retry(when_busy, [] { return reply{}; }).has_value() ? 0 : 1;
}
}  // namespace predicate_on_another_error

// section: A classifier that is not asked about results
// A `classify_result` for results of *another* type is not a mistake: one strategy serves many calls.
// expect-error: anew::retry(strategy, operation) requires 'anew::directive classify_result(R const&) const' of a
namespace classify_result_not_const {
struct page {
  std::string text;
};

struct no_empty_page {
  using role = anew::roles::classifier;
#ifdef ANEW_REJECT  // wrong
  anew::directive classify_result(page const& p) { return verdict(p); }
#else  // right
  anew::directive classify_result(page const& p) const { return verdict(p); }
#endif
  static anew::directive verdict(page const& p) {
    return p.text.empty() ? anew::directive::retry(anew::error_kind::transient) : anew::directive::succeed();
  }
};

int run() {
  return anew::retry(anew::strategy<no_empty_page>{}, [] { return page{"welcome"}; }).text.empty() ? 1 : 0;
}
}  // namespace classify_result_not_const

// section: A failure without a reason
// The default classifier retries only errors that say that they may be retried. Compose the classifier that decides.
// expect-error: anew::retry(strategy, operation) requires an error that says whether to retry; a bool or an optional
// expect-error: anew::retry_all
namespace bool_says_nothing {
#ifdef ANEW_REJECT  // wrong
using polite = anew::strategy<anew::max_attempts<5>>;
#else  // right
using polite = anew::strategy<anew::max_attempts<5>, anew::retry_all>;
#endif

int run() {
  return anew::retry(polite{}, [] { return true; }) ? 0 : 1;
}
}  // namespace bool_says_nothing

// section: A function as a strategy
// `patient strategy();` declares a function. Compilers warn of it where they see it.
// expect-error: anew::retry(strategy, operation) requires a RetryStrategy; this type is not one
// expect-error: nor a function that returns one
namespace strategy_is_a_function {
using patient = anew::strategy<anew::retry_all>;

#ifdef ANEW_REJECT  // wrong
patient client();
#else  // right
patient const client{};
#endif

void run() {
  anew::retry(client, [] {});
}
}  // namespace strategy_is_a_function

// section: A pointer to a strategy
// A call takes its strategy by reference. Dereference the pointer.
// expect-error: anew::retry(strategy, operation) requires a RetryStrategy; this type is not one
// expect-error: not a pointer to one
namespace strategy_by_pointer {
void run() {
  anew::strategy<> const own;
  auto const* const strategy = &own;
#ifdef ANEW_REJECT  // wrong
  anew::retry(strategy, [] {});
#else  // right
  anew::retry(*strategy, [] {});
#endif
}
}  // namespace strategy_by_pointer

// section: A predicate of anything
// A predicate with an `auto` parameter would take every result, successes included, and sees no exceptions, because
// it names none. Name the exceptions after it, or the type of the result in its parameter: `[](response const& r) {
// return r.status == 503; }`. A generic predicate still reads error values.
// expect-error: requires a predicate that names the type of the result
// expect-error: anew::retry_if<Predicate, E>
namespace predicate_of_anything {
#ifdef ANEW_REJECT  // wrong
using when_broken = anew::retry_if<decltype([](auto const& /*error*/) { return true; })>;
#else  // right
using when_broken = anew::retry_if<decltype([](auto const& /*error*/) { return true; }), std::system_error>;
#endif

void run() {
  anew::retry(anew::strategy<when_broken>{}, []() -> unsigned { return 512; });
}
}  // namespace predicate_of_anything

// section: A type for a predicate
// `retry_if` and `retry_while` take what is called with the error or the result, not the type of either.
// expect-error: anew::retry_if<Predicate> and anew::retry_while<Predicate> require a predicate
namespace predicate_is_a_type {
#ifdef ANEW_REJECT  // wrong
using patient = anew::strategy<anew::retry_if<int>>;
#else  // right
using patient = anew::strategy<anew::retry_while<decltype([](int answer) { return answer < 0; })>>;
#endif

int run() {
  return anew::retry(patient{}, [] { return 42; });
}
}  // namespace predicate_is_a_type

// section: A result that cannot be moved
// A result moves from the attempt to the caller. Return a movable value, or a pointer to one that is not.
// expect-error: anew::retry(strategy, operation) requires a result that can be moved
// expect-error: Return a value
struct session {
  std::mutex guard;
  int id = 1;
};

template <>
struct anew::result_traits<std::unique_ptr<session>> : anew::plain_result {};

namespace result_cannot_be_moved {
int run() {
  using patient = anew::strategy<anew::retry_all>;
#ifdef ANEW_REJECT  // wrong
  return anew::retry(patient{}, [] { return session{}; }).id == 1 ? 0 : 1;
#else  // right
  return anew::retry(patient{}, [] { return std::make_unique<session>(); })->id == 1 ? 0 : 1;
#endif
}
}  // namespace result_cannot_be_moved

// section: A result that cannot be moved
// `poll()` keeps the last result in what it returns.
// expect-error: anew::poll(strategy, operation, acceptors) requires a result that can be moved
namespace poll_of_a_fixed_result {
struct job {
  job() = default;
  job(job const&) = delete;
  bool is_done = true;
};

job look() { return {}; }

int run() {
  auto const accept = anew::success_when([](bool is_done) { return is_done; });
#ifdef ANEW_REJECT  // wrong
  auto const told = anew::poll(anew::strategy<>{}, look, accept);
#else  // right
  auto const told = anew::poll(anew::strategy<>{}, [] { return look().is_done; }, accept);
#endif
  return told.reason() == anew::stop_reason::succeeded ? 0 : 1;
}
}  // namespace poll_of_a_fixed_result

// section: A result that is not there yet
// Acceptors read a finished result, and a future is not finished. Wait for it in the operation, or poll with `co_await`
// (`anew/coroutine.hpp`) or `async_poll` (`anew/asio.hpp`).
// expect-error: anew::poll(strategy, operation, acceptors) requires a finished result
// expect-error: anew::async_retry() or anew::async_poll() of <anew/asio.hpp>
namespace poll_of_a_future {
std::future<int> ask() {
  return std::async(std::launch::deferred, [] { return 1; });
}

int run() {
  auto const accept = anew::success_when([](auto const& state) { return state == 1; });
#ifdef ANEW_REJECT  // wrong
  auto const told = anew::poll(anew::strategy<>{}, ask, accept);
#else  // right
  auto const told = anew::poll(anew::strategy<>{}, [] { return ask().get(); }, accept);
#endif
  return told.reason() == anew::stop_reason::succeeded ? 0 : 1;
}
}  // namespace poll_of_a_future

// section: A result that is not there yet
// The block of the Kotlin retryer has only started its work: the future would count as a success.
// expect-error: retry(policy, block) requires a block whose result is finished
namespace block_returns_a_future {
std::future<int> ask() {
  return std::async(std::launch::deferred, [] { return 42; });
}

int run() {
  anew::smithy_kotlin::standard_retry_strategy const strategy{};
  anew::smithy_kotlin::standard_retry_policy const policy{};
#ifdef ANEW_REJECT  // wrong
  return strategy.retry(policy, ask).get() == 42 ? 0 : 1;
#else  // right
  return strategy.retry(policy, [] { return ask().get(); }) == 42 ? 0 : 1;
#endif
}
}  // namespace block_returns_a_future

// section: A result that nothing reads
// The standard policy of the Kotlin retryer reads exceptions alone, so every error code would be a success.
// expect-error: retry(policy, block) requires a policy that reads a result which may be a failure
namespace block_returns_a_code {
std::error_code ask() { return {}; }

int run() {
  anew::smithy_kotlin::standard_retry_strategy const strategy{};
  anew::smithy_kotlin::standard_retry_policy const policy{};
#ifdef ANEW_REJECT  // wrong
  return strategy.retry(policy, ask) == std::error_code{} ? 0 : 1;
#else  // right
  strategy.retry(policy, [] {
    if (auto const error = ask()) throw std::system_error{error};
  });
  return 0;
#endif
}
}  // namespace block_returns_a_code

// section: A result that is not there yet
// A callable that is returned has not been called: nothing has failed yet.
// expect-error: anew::retry(strategy, operation) requires a finished result
// expect-error: a callable that nothing has called. Wait for it or call it first
namespace result_is_a_callable {
std::function<int()> request() {
  return [] { return 42; };
}

int run() {
  using patient = anew::strategy<anew::retry_on<std::runtime_error>>;
#ifdef ANEW_REJECT  // wrong
  return anew::retry(patient{}, request)() == 42 ? 0 : 1;
#else  // right
  return anew::retry(patient{}, [] { return request()(); }) == 42 ? 0 : 1;
#endif
}
}  // namespace result_is_a_callable

// section: A result that is not there yet
// The operation has only started its work when it returns, so it never fails, and the call would end after one
// attempt as a success. Wait for the result inside the operation, or use a `retry` that waits: `anew/coroutine.hpp`
// awaits any library's awaitables, and `anew/asio.hpp` takes Asio's operations.
// expect-error: anew::retry(strategy, operation) requires a finished result
// expect-error: include <anew/coroutine.hpp>, pass a sleep and co_await the call
namespace result_is_a_future {
std::future<int> ask() {
  return std::async(std::launch::deferred, [] { return 42; });
}

int run() {
  using patient = anew::strategy<anew::retry_on<std::runtime_error>>;
#ifdef ANEW_REJECT  // wrong
  return anew::retry(patient{}, ask).get() == 42 ? 0 : 1;
#else  // right
  return anew::retry(patient{}, [] { return ask().get(); }) == 42 ? 0 : 1;
#endif
}
}  // namespace result_is_a_future

// section: A result that may mean a failure
// A member named status, code, ok or error tells of failure: a 503 would come back as a success.
// expect-error: anew::retry(strategy, operation) requires a result that it can classify as a success or a failure; this type may mean either
// expect-error: shape::member
// expect-error: telling::status
namespace result_has_a_status {
struct response {
  unsigned status = 200;
  std::string body;
};

response get() { return {}; }

struct is_server_error {
  bool operator()(response const& r) const { return r.status >= 500; }
};

#ifdef ANEW_REJECT  // wrong: exceptions alone are read
using patient = anew::strategy<anew::retry_on<std::runtime_error>>;
#else  // right: the status is read, too
using patient = anew::strategy<anew::any_of<anew::retry_on<std::runtime_error>, anew::retry_while<is_server_error>>>;
#endif

int run() { return anew::retry(patient{}, get).status == 200 ? 0 : 1; }
}  // namespace result_has_a_status

// section: A result that may mean a failure
// A result that no classifier reads would be a success, even `-1` or a response with status 503. The note names the
// shape, and the member that was found. There are three ways out, in this order:
//
// * a classifier that reads the result: [`retry_while<Predicate>`](/include/anew/policies/classifier/retry_if.hpp) if every
//   value that you do not retry is a success, [`retry_if<Predicate>`](/include/anew/policies/classifier/retry_if.hpp) with a
//   predicate that returns a `directive`, `http_status_classifier<>`, or your own with `classify_result`;
// * [`anew::result_traits<R>`](/include/anew/base/result_traits.hpp) for your own type, once and for all calls;
// * `anew::throws_only(operation)` if the operation fails by exceptions alone and every value is a success.
//
// A signed integer is accepted if the classifier names exceptions (`retry_on<E>`): that already says that failures
// are thrown. [concepts.md](/docs/concepts.md#operation-and-result) has the table of all shapes.
// expect-error: anew::retry(strategy, operation) requires a result that it can classify as a success or a failure; this type may mean either
// expect-error: shape::number
namespace result_is_a_number {
int read_some() { return 512; }

int run() {
#ifdef ANEW_REJECT  // wrong: -1 would be a success
  using patient = anew::strategy<anew::retry_all>;
  return anew::retry(patient{}, read_some) > 0 ? 0 : 1;
#else  // right: the classifier reads the number
  struct is_negative {
    bool operator()(int bytes) const { return bytes < 0; }
  };
  using patient = anew::strategy<anew::retry_while<is_negative>>;
  return anew::retry(patient{}, read_some) > 0 ? 0 : 1;
#endif
}
}  // namespace result_is_a_number

// section: A result that may mean a failure
// An enumeration is usually a status, but no value of it is a failure until you say so.
// expect-error: anew::retry(strategy, operation) requires a result that it can classify as a success or a failure; this type may mean either
// expect-error: shape::enumeration
namespace result_is_an_enumeration {
enum class state { ready, busy, broken };

state ask() { return state::ready; }

int run() {
#ifdef ANEW_REJECT  // wrong: state::broken would be a success
  using patient = anew::strategy<anew::retry_on<std::runtime_error>>;
  return anew::retry(patient{}, ask) == state::ready ? 0 : 1;
#else  // right: the operation fails by exceptions alone, and says so
  using patient = anew::strategy<anew::retry_on<std::runtime_error>>;
  return anew::retry(patient{}, anew::throws_only(ask)) == state::ready ? 0 : 1;
#endif
}
}  // namespace result_is_an_enumeration

// section: A result that may mean a failure
// `ok()` looks like an answer, but anew does not guess.
// expect-error: anew::retry(strategy, operation) requires a result that it can classify as a success or a failure; this type may mean either
// expect-error: specialise anew::result_traits<R>
// expect-error: telling::code
struct status {
  int code = 0;
  bool ok() const { return code == 0; }
};

#ifdef ANEW_REJECT  // wrong: nothing says how to read a status
#else               // right
template <>
struct anew::result_traits<status> {
  static bool is_success(status const& s) noexcept { return s.ok(); }
  static int error(status const& s) noexcept { return s.code; }
};
#endif

namespace result_with_ok {
int run() {
  return anew::retry(anew::strategy<anew::retry_all>{}, [] { return status{}; }).code;
}
}  // namespace result_with_ok

// section: A sleeper that cannot be called
// `anew::duration` is nanoseconds and does not convert implicitly to a coarser unit. Take `anew::duration` and
// convert inside, where the rounding shows.
// expect-error: anew::retry(strategy, operation) requires a sleeper that is callable as sleeper(anew::duration)
namespace sleeper_in_milliseconds {
void run() {
#ifdef ANEW_REJECT  // wrong
  auto const sleeper = [](std::chrono::milliseconds delay) { std::this_thread::sleep_for(delay); };
#else  // right
  auto const sleeper = [](anew::duration delay) { std::this_thread::sleep_for(delay); };
#endif
  anew::retry(anew::strategy<>{}, [] {}, sleeper);
}
}  // namespace sleeper_in_milliseconds

// section: A sleeper that returns an awaitable
// Without `co_await` there would be no delay at all. Pass a sleeper that blocks, or return an awaitable from the
// operation too and await the call with `anew/coroutine.hpp`.
// expect-error: anew::retry(strategy, operation) requires a sleeper that has waited when it returns
// expect-error: Include <anew/coroutine.hpp>
namespace sleeper_is_awaited {
anew::task<> timer(anew::duration /*delay*/) { co_return; }

void run() {
  using patient = anew::strategy<anew::retry_all>;
#ifdef ANEW_REJECT  // wrong: the timer is not awaited
  anew::retry(patient{}, [] {}, timer);
#else  // right: a sleeper that blocks
  anew::retry(patient{}, [] {}, anew::blocking_sleeper{});
#endif
  static_cast<void>(&timer);
}
}  // namespace sleeper_is_awaited

// section: A stop source in place of a token
// A `std::stop_source` knows whether a stop was requested, but callbacks cannot be registered with it, so the call
// would notice the stop only after its wait.
// expect-error: anew::retry(strategy, operation) requires a stop token; you passed a stop source
// expect-error: Pass source.get_token()
namespace stop_source_as_token {
int run() {
  std::stop_source source;
#ifdef ANEW_REJECT  // wrong
  return anew::retry(anew::strategy<anew::retry_all>{}, [] { return true; }, source) ? 0 : 1;
#else  // right
  return anew::retry(anew::strategy<anew::retry_all>{}, [] { return true; }, source.get_token()) ? 0 : 1;
#endif
}
}  // namespace stop_source_as_token

// section: A strategy of your own that is incomplete
// Your own strategy has a token with `anew::duration delay() const`, answers with the token for the next attempt or with
// an `anew::stop_reason`, and is told of successes too, so that it can refund a quota. Write
// `static_assert(anew::RetryStrategy<your_strategy>);` next to the class: then the compiler names the function and the
// line.
// expect-error: anew::retry(strategy, operation) requires a RetryStrategy; this type is not one
namespace strategy_answers_with_bool {
struct token {
  int attempts = 1;
  anew::duration delay() const { return std::chrono::milliseconds{attempts == 1 ? 0 : 10}; }
};

struct twice {
  using token_type = token;
  token acquire_initial_token() const { return {}; }
#ifdef ANEW_REJECT  // wrong
  bool refresh_retry_token(token&& used, anew::failure const& /*what*/) const { return used.attempts < 2; }
#else  // right
  anew::refreshed<token> refresh_retry_token(token&& used, anew::failure const& /*what*/) const {
    if (used.attempts < 2) return token{used.attempts + 1};
    return anew::stop_reason::attempts;
  }
#endif
  void record_success(token&& /*used*/) const {}
};

void run() {
  anew::retry(twice{}, [] {});
}
}  // namespace strategy_answers_with_bool

// section: A temporary strategy with shared state
// A breaker in a temporary never opens: each call has a new one.
// expect-error: anew::poll(strategy, operation, acceptors) requires a strategy that outlives the call
namespace poll_by_a_temporary {
using guarded = anew::strategy<anew::circuit_breaker<>, anew::max_attempts<3>>;

int run() {
  auto const job_state = [] { return 1; };
  auto const accept = anew::success_when([](int state) { return state == 1; });
#ifdef ANEW_REJECT  // wrong
  auto const told = anew::poll(guarded{}, job_state, accept);
#else  // right
  static guarded const strategy;
  auto const told = anew::poll(strategy, job_state, accept);
#endif
  return told.reason() == anew::stop_reason::succeeded ? 0 : 1;
}
}  // namespace poll_by_a_temporary

// section: A temporary strategy with shared state
// A token bucket that is made for one call is always full, and a circuit breaker that is made for one call never
// opens. The note names the policy. Declare the strategy once, next to the client that uses it, or hold the policy in
// [`anew::shared<Policy>`](/docs/how_to/share_a_quota.md). A strategy without its own quota, gate or pacer may be a
// temporary.
// expect-error: anew::retry(strategy, operation) requires a strategy that outlives the call
// expect-error: token_bucket<280
namespace strategy_is_a_temporary {
using bucketed = anew::strategy<anew::token_bucket<280>, anew::retry_all>;

void run() {
#ifdef ANEW_REJECT  // wrong: a new bucket for each call
  anew::retry(bucketed{}, [] {});
#else  // right: one for all calls
  static bucketed const strategy;
  anew::retry(strategy, [] {});
#endif
}
}  // namespace strategy_is_a_temporary

// section: An attempt timeout that the operation ignores
// On Asio an attempt timeout cancels the attempt. A blocking operation must ask for the limit and pass it on, as the
// timeout of its socket or its request.
// expect-error: anew::retry(strategy, operation) requires an operation that takes its attempt when an attempt timeout is composed
namespace attempt_timeout_unheard {
using limited = anew::strategy<anew::attempt_timeout<200ms>, anew::retry_all>;

struct request {
  anew::duration timeout{1s};
  bool send() const { return timeout > anew::duration::zero(); }
};

int run() {
#ifdef ANEW_REJECT  // wrong: no operation is told the composed limit
  return anew::retry(limited{}, [] { return request{}.send(); }) ? 0 : 1;
#else  // right
  return anew::retry(limited{}, [](anew::attempt& self) { return request{self.limit()}.send(); }) ? 0 : 1;
#endif
}
}  // namespace attempt_timeout_unheard

// section: An error that says nothing
// The default classifier believes what an error says of itself. Say it once per type, with `anew::retry_traits` or as
// members of the error; or decide per strategy, with a classifier.
// expect-error: anew::retry(strategy, operation) requires an error that says whether to retry
// expect-error: Specialise anew::retry_traits<E>
// expect-error: error_says_whether_to_retry<db_error>
enum class db_error { none, busy, corrupt };

struct reply {  // any type with has_value() and error(), such as std::expected
  db_error failure = db_error::none;
  bool has_value() const { return failure == db_error::none; }
  db_error error() const { return failure; }
};

#ifdef ANEW_REJECT  // wrong: nothing says which db_error may be retried
#else               // right
template <>
struct anew::retry_traits<db_error> {
  static anew::retry_safety is_retry_safe(db_error error) {
    return error == db_error::busy ? anew::retry_safety::yes : anew::retry_safety::no;
  }
};
#endif

namespace error_says_nothing {
int run() {
  return anew::retry(anew::strategy<>{}, [] { return reply{}; }).has_value() ? 0 : 1;
}
}  // namespace error_says_nothing

// section: An operation that cannot be called
// An attempt cannot be copied: take it by reference, in a declared operation as in any other.
// expect-error: anew::retry(strategy, operation) requires an operation that is callable as operation(anew::attempt&)
// expect-error: Take the attempt by reference
namespace declared_operation_takes_a_copy {
int run() {
#ifdef ANEW_REJECT  // wrong
  auto const fetch = [](anew::attempt self) { return self.number(); };
#else  // right
  auto const fetch = [](anew::attempt& self) { return self.number(); };
#endif
  unsigned const number = anew::retry(anew::strategy<>{}, anew::idempotent(fetch));
  return number == 1U ? 0 : 1;
}
}  // namespace declared_operation_takes_a_copy

// section: An operation that cannot be called
// Capture the operation's arguments in a lambda.
// expect-error: anew::retry(strategy, operation) requires an operation that is callable
namespace operation_with_parameters {
std::size_t fetch(std::string const& address) { return address.size(); }

int run() {
#ifdef ANEW_REJECT  // wrong
  std::size_t const size = anew::retry(anew::strategy<>{}, fetch);
#else  // right
  std::size_t const size = anew::retry(anew::strategy<>{}, [] { return fetch("example.org"); });
#endif
  return size == 0 ? 1 : 0;
}
}  // namespace operation_with_parameters

// section: No way to fail
// This call would never retry. Name the exceptions after the predicate, or with `anew::retry_on`. A predicate on the
// value is possible too: `retry_if<Predicate>` retries the values for which it is true. Without exceptions
// (`-fno-exceptions`) return a type that carries an error.
// expect-error: anew::retry(strategy, operation) requires a way to fail; the operation returns a plain value, so it can only fail by an exception
// expect-error: Compose anew::retry_on<E>
namespace plain_result_without_exceptions {
struct is_timeout {
  bool operator()(std::errc error) const { return error == std::errc::timed_out; }
  bool operator()(std::system_error const& error) const { return error.code() == std::errc::timed_out; }
};

#ifdef ANEW_REJECT  // wrong
using on_timeout = anew::strategy<anew::retry_if<is_timeout>>;
#else  // right
using on_timeout = anew::strategy<anew::retry_if<is_timeout, std::system_error>>;
#endif

struct answer {
  int value = 0;
};

int run() {
  return anew::retry(on_timeout{}, [] { return answer{}; }).value;
}
}  // namespace plain_result_without_exceptions

// section: Not a stop token
// `std::stop_token` is a stop token, and so is any type with these two functions.
// expect-error: anew::retry(strategy, operation) requires a stop token as its last argument
// expect-error: Did you swap it with the sleeper?
namespace stop_token_before_sleeper {
struct shutdown {  // std::stop_token is one too
  std::atomic<bool> const* wanted;
  bool stop_requested() const { return *wanted; }
  static bool stop_possible() { return true; }
};

void run() {
  std::atomic<bool> wanted{false};
  anew::spinning_sleeper sleeper;
  shutdown const stop{&wanted};
#ifdef ANEW_REJECT  // wrong
  anew::retry(anew::strategy<>{}, [] {}, stop, sleeper);
#else  // right
  anew::retry(anew::strategy<>{}, [] {}, sleeper, stop);
#endif
}
}  // namespace stop_token_before_sleeper

// section: Not a strategy
// The first argument is a strategy object. A policy alone is not a strategy.
// expect-error: anew::retry(strategy, operation) requires a RetryStrategy; this type is not one
namespace not_a_strategy {
void run() {
#ifdef ANEW_REJECT  // wrong
  anew::retry(anew::max_attempts<5>{}, [] {});
#else  // right
  anew::retry(anew::strategy<anew::max_attempts<5>>{}, [] {});
#endif
}
}  // namespace not_a_strategy

// section: Not a strategy
// The strategy is the first argument.
// expect-error: anew::retry(strategy, operation) requires the strategy before the operation
namespace operation_comes_second {
int run() {
  auto const fetch = [] { return 200U; };
#ifdef ANEW_REJECT  // wrong
  unsigned const status = anew::retry(fetch, anew::strategy<>{});
#else  // right
  unsigned const status = anew::retry(anew::strategy<>{}, fetch);
#endif
  return status == 200U ? 0 : 1;
}
}  // namespace operation_comes_second

// section: `retry_after()` without a unit
// Return any `<chrono>` duration, or `std::nullopt` for an error without a hint.
// expect-error: 'std::optional<std::chrono::seconds> retry_after() const', with any duration
// expect-error: retry_after_is_callable<
namespace retry_after_in_seconds {
struct busy : std::runtime_error {
  using std::runtime_error::runtime_error;
  [[nodiscard]] static anew::retry_safety is_retry_safe() { return anew::retry_safety::yes; }
#ifdef ANEW_REJECT  // wrong
  [[nodiscard]] static int retry_after() { return 2; }
#else  // right
  [[nodiscard]] static std::chrono::seconds retry_after() { return std::chrono::seconds{2}; }
#endif
};

void run() {
  anew::retry(anew::strategy<anew::retry_on<busy>>{}, [] {});
}
}  // namespace retry_after_in_seconds

// section: The name of several functions
// C++ cannot deduce the type of an overloaded name. A lambda selects a function by its arguments.
// expect-error: you passed the name of several overloaded functions
namespace operation_is_an_overload_set {
void fetch() {}
void fetch(int /*id*/) {}

using patient = anew::strategy<anew::retry_all>;

void run() {
#ifdef ANEW_REJECT  // wrong
  anew::retry(patient{}, fetch);
#else  // right
  anew::retry(patient{}, [] { fetch(); });
#endif
}
}  // namespace operation_is_an_overload_set

// section: An operation that can be called once
// The operation moves away what it sends, so it is callable only as an rvalue, and a second attempt would have nothing to
// send. Declare that it cannot run twice, or keep the body and send a copy or a view of it.
// expect-error: anew::retry(strategy, operation) requires an operation that can be called again; this operation
namespace operation_gives_itself_away {
std::size_t send(std::string body) { return body.size(); }

struct upload {
  std::string body;
  std::size_t operator()() && { return send(std::move(body)); }
};

std::size_t run() {
#ifdef ANEW_REJECT  // wrong
  return anew::retry(anew::strategy<>{}, upload{"picture"});
#else  // right
  return anew::retry(anew::strategy<>{}, anew::one_shot(upload{"picture"}));
#endif
}
}  // namespace operation_gives_itself_away

// section: An expected that throws only
// `throws_only` says that every result is a success. An expected carries an error, which would count as a success too.
// expect-error: anew::throws_only(operation) requires an operation whose results carry no error
namespace throws_only_of_an_expected {
struct answer {
  std::error_code held{};
  bool has_value() const { return !held; }
  std::error_code const& error() const { return held; }
};

int run() {
  anew::strategy<anew::error_code_classifier> const strategy{};
#ifdef ANEW_REJECT  // wrong
  auto const got = anew::retry(strategy, anew::throws_only([] { return answer{}; }));
#else  // right
  auto const got = anew::retry(strategy, [] { return answer{}; });
#endif
  return got.has_value() ? 0 : 1;
}
}  // namespace throws_only_of_an_expected

// section: A predicate that leaves some results undecided
// A predicate that returns a `bool` says which results are retried. Of the others it says nothing, so a code such as -5
// would be a success. Compose `retry_while<Predicate>` if all others are successes, or return a `directive`, which says of
// each value whether it succeeded, failed, or is worth another attempt. Beside a classifier that decides on the others, as
// in `first_of<retry_if<Predicate>, http::classifier<>>`, the predicate is accepted.
// expect-error: anew::retry(strategy, operation) requires a result that it can classify as a success or a failure; the predicate
// expect-error: Compose anew::retry_while<Predicate>
namespace predicate_leaves_results_undecided {
int step() { return 0; }  // 0: done; 5: busy; anything else: an error

struct is_busy {
#ifdef ANEW_REJECT  // wrong: the other codes would be successes
  bool operator()(int code) const { return code == 5; }
#else  // right
  anew::directive operator()(int code) const {
    if (code == 0) return anew::directive::succeed();
    return code == 5 ? anew::directive::retry() : anew::directive::fail();
  }
#endif
};

int run() { return anew::retry(anew::strategy<anew::retry_if<is_busy>>{}, step); }
}  // namespace predicate_leaves_results_undecided

// section: Half of result_traits
// A specialisation says which results are successes, and what the error of any other is.
// expect-error: anew::result_traits<R> requires 'static bool is_success(R const&)' and 'static E error(R const&)'
enum class half_read { fine, busy };

template <>
struct anew::result_traits<half_read> {
  static bool is_success(half_read a) noexcept { return a == half_read::fine; }
#ifdef ANEW_REJECT  // wrong: and its error?
#else               // right
  static half_read error(half_read a) noexcept { return a; }
#endif
};

namespace result_traits_without_error {
int run() {
  anew::strategy<anew::retry_all> const patient{};
  return anew::retry(patient, [] { return half_read::fine; }) == half_read::fine ? 0 : 1;
}
}  // namespace result_traits_without_error

// section: A strategy behind the virtual interface
// `retry()` sees the tokens of its strategy. An `anew::retry_strategy`, or what a `std::unique_ptr` of one points to, is
// passed through `anew::strategy_view`.
// expect-error: anew::retry(strategy, operation) requires a RetryStrategy; you passed an anew::retry_strategy
// expect-error: Pass anew::strategy_view{strategy}
namespace retry_strategy_without_a_view {
void run() {
  std::unique_ptr<anew::retry_strategy> const strategy =
      std::make_unique<anew::virtual_strategy<anew::strategy<anew::retry_all>>>();
#ifdef ANEW_REJECT  // wrong
  anew::retry(*strategy, [] {});
#else  // right
  anew::retry(anew::strategy_view{*strategy}, [] {});
#endif
}
}  // namespace retry_strategy_without_a_view

// section: A transaction whose body returns a number
// `in_transaction` commits where the body succeeded, and a signed number does not say whether it did. Return a result that does,
// throw, or declare that the body only throws.
// expect-error: anew::in_transaction(begin, body, commit, rollback) requires parts whose results tell whether they failed
// expect-error: write anew::throws_only(body)
namespace transaction_of_a_number {
void step() {}
int insert() { return 1; }

void run() {
  anew::strategy<> const strategy{};
#ifdef ANEW_REJECT  // wrong: is 1 a failure?
  anew::retry(strategy, anew::in_transaction(step, insert, step, step));
#else  // right
  (void)anew::retry(strategy, anew::in_transaction(step, anew::throws_only(insert), step, step));
#endif
}
}  // namespace transaction_of_a_number

// section: A transaction whose begin returns what nothing reads
// The declaration of the body holds for the whole call: what a failed begin returned would be a success.
// expect-error: anew::in_transaction(begin, body, commit, rollback) requires a begin and a commit that return void and throw
// expect-error: Let begin and commit throw
namespace transaction_that_only_throws {
void step() {}
int insert() { return 1; }
#ifdef ANEW_REJECT  // wrong: false says that there is no transaction
bool begin() { return false; }
#else  // right: begin throws
void begin() {}
#endif

void run() {
  anew::strategy<> const strategy{};
  (void)anew::retry(strategy, anew::in_transaction(begin, anew::throws_only(insert), step, step));
}
}  // namespace transaction_that_only_throws

// section: A commit whose failure is not a result of the body
// The call returns the body's result, or the failed one of `begin` or `commit`, so these convert to it.
// expect-error: anew::in_transaction(begin, body, commit, rollback) requires results of begin and commit that convert
// expect-error: Let all three return one type, with anew::sqlite and anew::postgres their result, or let begin and commit throw
namespace transaction_of_two_results {
void step() {}
std::error_code commit() { return {}; }

void run() {
  anew::strategy<anew::error_code_classifier> const strategy{};
#ifdef ANEW_REJECT  // wrong: no error code is an optional
  (void)anew::retry(strategy, anew::in_transaction(step, [] { return std::optional<int>{7}; }, commit, step));
#else  // right
  (void)anew::retry(strategy, anew::in_transaction(step, [] { return std::error_code{}; }, commit, step));
#endif
}
}  // namespace transaction_of_two_results
