// SPDX-License-Identifier: BSL-1.0
// The same for classifiers, hints, deadlines, limits of attempts, observers and clocks; then for tokens and strategies.
#include <chrono>
#include <concepts>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>

#include "anew/anew.hpp"
#include "anew/policies/limits/attempt_timeout.hpp"
#include "anew/testing/archetypes.hpp"
#include "anew/testing/manual_clock.hpp"

namespace {

using namespace anew;
using namespace anew::testing;
using namespace std::chrono_literals;

// clang-format off: it would put each model on three lines

// Classifier

static_assert(Classifier<least_classifier>);
static_assert(ClassifierOf<least_classifier, int>);
static_assert(!ClassifierOf<least_classifier, std::runtime_error>);

struct classifier_without_role { directive classify(int) const { return directive::fail(); } };
struct classifier_as_bool : least_classifier { bool classify(int) const { return true; } };
struct classifier_not_const : least_classifier { directive classify(int) { return directive::fail(); } };
struct classifier_of_a_mutable_error : least_classifier {
  directive classify(int&) const { return directive::fail(); }
};
static_assert(!Classifier<classifier_without_role> && !ClassifierOf<classifier_without_role, int>);
static_assert(!ClassifierOf<classifier_as_bool, int> && !ClassifierOf<classifier_not_const, int>);
static_assert(!ClassifierOf<classifier_of_a_mutable_error, int>);

// Hint

static_assert(Hint<decltype(server_hint{long_hint::clamp})> && Hint<least_hint>);

struct hint_as_duration : least_hint {
  std::optional<duration> resolve(duration computed, duration, duration) const { return computed; }
};
struct hint_without_cap : least_hint { std::optional<planned_delay> resolve(duration, duration) const { return {}; } };
struct hint_not_const : least_hint {
  std::optional<planned_delay> resolve(duration, duration, duration) { return {}; }
};
static_assert(!Hint<hint_as_duration> && !Hint<hint_without_cap> && !Hint<hint_not_const>);

// Deadline

static_assert(Deadline<least_deadline>);

struct deadline_without_total {
  using role = roles::deadline;
  std::optional<duration> fit(duration delay, duration) const { return delay; }
};
struct deadline_that_always_fits : least_deadline { duration fit(duration delay, duration) const { return delay; } };
struct deadline_not_const : least_deadline { std::optional<duration> fit(duration delay, duration) { return delay; } };
static_assert(!Deadline<deadline_without_total> && !Deadline<deadline_that_always_fits>);
static_assert(!Deadline<deadline_not_const>);

// Attempt timeout

static_assert(AttemptTimeout<attempt_timeout<1s>> && AttemptTimeout<least_attempt_timeout>);

struct attempt_timeout_without_role { duration of(duration remaining) const { return remaining; } };
struct attempt_timeout_in_milliseconds : least_attempt_timeout {
  std::chrono::milliseconds of(duration) const { return 1s; }
};
struct attempt_timeout_not_const : least_attempt_timeout { duration of(duration remaining) { return remaining; } };
struct attempt_timeout_of_nothing : least_attempt_timeout { duration of() const { return 1s; } };
static_assert(!AttemptTimeout<attempt_timeout_without_role> && !AttemptTimeout<attempt_timeout_in_milliseconds>);
static_assert(!AttemptTimeout<attempt_timeout_not_const> && !AttemptTimeout<attempt_timeout_of_nothing>);
static_assert(!AttemptTimeout<least_deadline> && !Composable<attempt_timeout_of_nothing>);

// Observer

struct hears_attempts { using role = roles::observer; void on_attempt(attempt_event const&) const {} };
struct hears_retries { using role = roles::observer; void on_retry(retry_event const&) const {} };
struct hears_nothing { using role = roles::observer; };
struct hears_when_not_const : least_observer { void on_end(end_event const&) {} };
struct hears_something_else : least_observer { void on_end(int) const {} };
static_assert(Observer<hears_attempts> && Observer<hears_retries>);
static_assert(Observer<least_observer>);
static_assert(!Observer<hears_nothing> && !Observer<hears_when_not_const>);
static_assert(!Observer<hears_something_else>);

// Clock

struct clock_that_jumps : least_clock { static constexpr bool is_steady = false; };
struct clock_that_does_not_say { using role = roles::clock; time_point now() const { return {}; } };
struct clock_of_another_epoch : least_clock { std::chrono::system_clock::time_point now() const { return {}; } };
struct clock_not_const : least_clock { time_point now() { return {}; } };
static_assert(Clock<std_clock<std::chrono::steady_clock>> && Clock<manual_clock>);
static_assert(Clock<least_clock>);
static_assert(!Clock<std_clock<std::chrono::system_clock>> && !Clock<std::chrono::steady_clock>);
static_assert(!Clock<clock_that_jumps> && !Clock<clock_that_does_not_say>);
static_assert(!Clock<clock_of_another_epoch> && !Clock<clock_not_const>);

// RetryToken and RetryStrategy

using token = strategy<>::token_type;
static_assert(RetryToken<token> && std::movable<token> && !std::copyable<token>);

struct token_not_const { duration delay() { return {}; } };
struct token_in_seconds { std::chrono::seconds delay() const { return {}; } };
struct token_that_stays : least_token { token_that_stays(token_that_stays&&) = delete; };
static_assert(RetryToken<least_token> && !RetryToken<token_not_const>);
static_assert(!RetryToken<token_in_seconds> && !RetryToken<token_that_stays>);

struct strategy_not_const : least_strategy { token_type acquire_initial_token() { return {}; } };
struct strategy_that_does_not_say_why : least_strategy {
  std::optional<token_type> refresh_retry_token(token_type&& t, failure const&) const { return t; }
};
struct strategy_of_another_token : least_strategy { using token_type = token; };
struct strategy_without_success : least_strategy { void record_success() const {} };
static_assert(RetryStrategy<least_strategy> && RetryStrategy<detail::ill_formed_strategy>);
static_assert(!RetryStrategy<strategy_not_const> && !RetryStrategy<strategy_that_does_not_say_why>);
static_assert(!RetryStrategy<strategy_of_another_token> && !RetryStrategy<strategy_without_success>);

// RetryInfo and ErrorInfo

struct says {
  retry_safety is_retry_safe() const { return retry_safety::yes; }
  error_fault fault() const { return error_fault::server; }
};
struct says_as_bool { bool is_retry_safe() const { return true; } bool fault() const { return true; } };
static_assert(RetryInfo<says> && ErrorInfo<says> && RetryInfo<retry_info>);
static_assert(!RetryInfo<says_as_bool> && !ErrorInfo<says_as_bool> && !RetryInfo<int>);
static_assert(SaysWhetherToRetry<says> && !SaysWhetherToRetry<says_as_bool>);

// Each name that is nearly one of retry_traits is found alone.
#define IS_NEAR(name) struct near_##name { static void name() {} }; static_assert(detail::HasANearName<near_##name>)
IS_NEAR(is_throttling);
IS_NEAR(is_throttled);
IS_NEAR(throttle);
IS_NEAR(is_timed_out);
IS_NEAR(is_time_out);
IS_NEAR(timeout);
IS_NEAR(retry_delay);
IS_NEAR(is_retryable);
#undef IS_NEAR
static_assert(!detail::HasANearName<says>);

// clang-format on

}  // namespace
