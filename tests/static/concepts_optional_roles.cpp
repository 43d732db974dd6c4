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

using namespace std::chrono_literals;
namespace roles = anew::roles;
using anew::duration;
using anew::failure;

// Classifier

static_assert(anew::Classifier<anew::testing::least_classifier>);
static_assert(anew::ClassifierOf<anew::testing::least_classifier, int>);
static_assert(!anew::ClassifierOf<anew::testing::least_classifier, std::runtime_error>);

struct classifier_without_role {
  [[nodiscard]] anew::directive classify(int /*error*/) const { return anew::directive::fail(); }
};
struct classifier_as_bool : anew::testing::least_classifier {
  [[nodiscard]] bool classify(int /*error*/) const { return true; }
};
struct classifier_not_const : anew::testing::least_classifier {
  anew::directive classify(int /*error*/) { return anew::directive::fail(); }
};
struct classifier_of_a_mutable_error : anew::testing::least_classifier {
  anew::directive classify(int& /*error*/) const { return anew::directive::fail(); }
};
static_assert(!anew::Classifier<classifier_without_role> && !anew::ClassifierOf<classifier_without_role, int>);
static_assert(!anew::ClassifierOf<classifier_as_bool, int> && !anew::ClassifierOf<classifier_not_const, int>);
static_assert(!anew::ClassifierOf<classifier_of_a_mutable_error, int>);

// Hint

static_assert(anew::Hint<decltype(anew::server_hint{anew::long_hint::clamp})> && anew::Hint<anew::testing::least_hint>);

struct hint_as_duration : anew::testing::least_hint {
  [[nodiscard]] std::optional<duration> resolve(duration computed, duration /*asked*/, duration /*cap*/) const {
    return computed;
  }
};
struct hint_without_cap : anew::testing::least_hint {
  [[nodiscard]] std::optional<anew::planned_delay> resolve(duration /*computed*/, duration /*asked*/) const {
    return {};
  }
};
struct hint_not_const : anew::testing::least_hint {
  std::optional<anew::planned_delay> resolve(duration /*computed*/, duration /*asked*/, duration /*cap*/) { return {}; }
};
static_assert(!anew::Hint<hint_as_duration> && !anew::Hint<hint_without_cap> && !anew::Hint<hint_not_const>);

// Deadline

static_assert(anew::Deadline<anew::testing::least_deadline>);

struct deadline_without_total {
  using role = roles::deadline;
  [[nodiscard]] std::optional<duration> fit(duration delay, duration /*remaining*/) const { return delay; }
};
struct deadline_that_always_fits : anew::testing::least_deadline {
  [[nodiscard]] duration fit(duration delay, duration /*remaining*/) const { return delay; }
};
struct deadline_not_const : anew::testing::least_deadline {
  std::optional<duration> fit(duration delay, duration /*remaining*/) { return delay; }
};
static_assert(!anew::Deadline<deadline_without_total> && !anew::Deadline<deadline_that_always_fits>);
static_assert(!anew::Deadline<deadline_not_const>);

// Attempt timeout

static_assert(anew::AttemptTimeout<anew::attempt_timeout<1s>> &&
              anew::AttemptTimeout<anew::testing::least_attempt_timeout>);

struct attempt_timeout_without_role {
  [[nodiscard]] duration of(duration remaining) const { return remaining; }
};
struct attempt_timeout_in_milliseconds : anew::testing::least_attempt_timeout {
  [[nodiscard]] std::chrono::milliseconds of(duration /*remaining*/) const { return 1s; }
};
struct attempt_timeout_not_const : anew::testing::least_attempt_timeout {
  duration of(duration remaining) { return remaining; }
};
struct attempt_timeout_of_nothing : anew::testing::least_attempt_timeout {
  [[nodiscard]] duration of() const { return 1s; }
};
static_assert(!anew::AttemptTimeout<attempt_timeout_without_role> &&
              !anew::AttemptTimeout<attempt_timeout_in_milliseconds>);
static_assert(!anew::AttemptTimeout<attempt_timeout_not_const> && !anew::AttemptTimeout<attempt_timeout_of_nothing>);
static_assert(!anew::AttemptTimeout<anew::testing::least_deadline> && !anew::Composable<attempt_timeout_of_nothing>);

// Observer

struct hears_attempts {
  using role = roles::observer;
  void on_attempt(anew::attempt_event const& /*e*/) const {}
};
struct hears_retries {
  using role = roles::observer;
  void on_retry(anew::retry_event const& /*e*/) const {}
};
struct hears_nothing {
  using role = roles::observer;
};
struct hears_when_not_const : anew::testing::least_observer {
  void on_end(anew::end_event const& /*e*/) {}
};
struct hears_something_else : anew::testing::least_observer {
  void on_end(int /*e*/) const {}
};
static_assert(anew::Observer<hears_attempts> && anew::Observer<hears_retries>);
static_assert(anew::Observer<anew::testing::least_observer>);
static_assert(!anew::Observer<hears_nothing> && !anew::Observer<hears_when_not_const>);
static_assert(!anew::Observer<hears_something_else>);

// Clock

struct clock_that_jumps : anew::testing::least_clock {
  static constexpr bool is_steady = false;
};
struct clock_that_does_not_say {
  using role = roles::clock;
  [[nodiscard]] anew::time_point now() const { return {}; }
};
struct clock_of_another_epoch : anew::testing::least_clock {
  [[nodiscard]] std::chrono::system_clock::time_point now() const { return {}; }
};
struct clock_not_const : anew::testing::least_clock {
  anew::time_point now() { return {}; }
};
static_assert(anew::Clock<anew::std_clock<std::chrono::steady_clock>> && anew::Clock<anew::testing::manual_clock>);
static_assert(anew::Clock<anew::testing::least_clock>);
static_assert(!anew::Clock<anew::std_clock<std::chrono::system_clock>> && !anew::Clock<std::chrono::steady_clock>);
static_assert(!anew::Clock<clock_that_jumps> && !anew::Clock<clock_that_does_not_say>);
static_assert(!anew::Clock<clock_of_another_epoch> && !anew::Clock<clock_not_const>);

// RetryToken and RetryStrategy

using token = anew::strategy<>::token_type;
static_assert(anew::RetryToken<token> && std::movable<token> && !std::copyable<token>);

using anew::testing::least_token;
struct token_not_const {
  duration delay() { return {}; }
};
struct token_in_seconds {
  [[nodiscard]] std::chrono::seconds delay() const { return {}; }
};
struct token_that_stays : least_token {
  token_that_stays(token_that_stays&&) = delete;
};
static_assert(anew::RetryToken<least_token> && !anew::RetryToken<token_not_const>);
static_assert(!anew::RetryToken<token_in_seconds> && !anew::RetryToken<token_that_stays>);

using anew::testing::least_strategy;
struct strategy_not_const : least_strategy {
  token_type acquire_initial_token() { return {}; }
};
struct strategy_that_does_not_say_why : least_strategy {
  [[nodiscard]] std::optional<token_type> refresh_retry_token(token_type&& t, failure const& /*f*/) const { return t; }
};
struct strategy_of_another_token : least_strategy {
  using token_type = token;
};
struct strategy_without_success : least_strategy {
  void record_success() const {}
};
static_assert(anew::RetryStrategy<least_strategy> && anew::RetryStrategy<anew::detail::ill_formed_strategy>);
static_assert(!anew::RetryStrategy<strategy_not_const> && !anew::RetryStrategy<strategy_that_does_not_say_why>);
static_assert(!anew::RetryStrategy<strategy_of_another_token> && !anew::RetryStrategy<strategy_without_success>);

// RetryInfo and ErrorInfo

struct says {
  [[nodiscard]] anew::retry_safety is_retry_safe() const { return anew::retry_safety::yes; }
  [[nodiscard]] anew::error_fault fault() const { return anew::error_fault::server; }
};
struct says_as_bool {
  [[nodiscard]] bool is_retry_safe() const { return true; }
  [[nodiscard]] bool fault() const { return true; }
};
static_assert(anew::RetryInfo<says> && anew::ErrorInfo<says> && anew::RetryInfo<anew::retry_info>);
static_assert(!anew::RetryInfo<says_as_bool> && !anew::ErrorInfo<says_as_bool> && !anew::RetryInfo<int>);
static_assert(anew::SaysWhetherToRetry<says> && !anew::SaysWhetherToRetry<says_as_bool>);

}  // namespace
