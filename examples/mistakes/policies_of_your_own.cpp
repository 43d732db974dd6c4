// SPDX-License-Identifier: BSL-1.0
// chapter: Policies of your own

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <ratio>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "anew/anew.hpp"
#include "anew/policies.hpp"
#include "anew/policies/observer/timeline.hpp"
#include "anew/policies/quota/token_bucket.hpp"
#include "anew/poll.hpp"
#include "anew/presets/grpc.hpp"
#include "anew/presets/step_functions.hpp"
#include "anew/virtual.hpp"

using namespace std::chrono_literals;

// section: A beginning without its call
// An observer with a `call_type` gets the object of the call first, in `on_begin`, `on_error`, `on_attempt`, `on_retry` and
// `on_end`. Without a `call_type` there is no `on_begin` and no `on_error`.
// expect-error: requires an Observer's 'on_begin' to be 'void on_begin(call_type&, std::uint32_t number) const'
namespace observer_begins_without_its_call {
struct numbers {
  using role = anew::roles::observer;
  using call_type = std::uint32_t;
  call_type on_call(anew::call_event const& /*event*/) const { return 0; }
#ifdef ANEW_REJECT  // wrong
  void on_begin(std::uint32_t number) const { std::printf("attempt %u begins\n", number); }
#else  // right
  void on_begin(call_type& last, std::uint32_t number) const { last = number; }
#endif
};

void run() {
  anew::retry(anew::strategy<numbers>{}, [] {});
}
}  // namespace observer_begins_without_its_call

// section: A call_type without on_call
// `on_call` makes the object of each call, which can be moved.
// expect-error: requires an Observer with a 'call_type' to have 'call_type on_call(anew::call_event const&) const'
namespace observer_makes_no_call {
struct numbers {
  using role = anew::roles::observer;
  using call_type = int;
#ifdef ANEW_REJECT  // wrong
  call_type on_begin(anew::call_event const& /*event*/) const { return 0; }
#else  // right
  call_type on_call(anew::call_event const& /*event*/) const { return 0; }
#endif
  void on_end(call_type& number, anew::end_event const& /*event*/) const { ++number; }
};

void run() {
  anew::retry(anew::strategy<numbers>{}, [] {});
}
}  // namespace observer_makes_no_call

// section: A call_type without room behind the interface
// A `retry_strategy` does not know the type, so the caller has room for 64 bytes.
// expect-error: anew::observed_call requires an observer's call_type of at most 64 bytes
namespace observer_keeps_too_much {
struct texts {
  using role = anew::roles::observer;
#ifdef ANEW_REJECT  // wrong
  struct call_type {
    char text[100];
  };
  call_type on_call(anew::call_event const& /*event*/) const { return {}; }
#else  // right
  using call_type = std::unique_ptr<std::string>;
  call_type on_call(anew::call_event const& /*event*/) const { return std::make_unique<std::string>(); }
#endif
};

void run() {
  anew::virtual_strategy<anew::strategy<texts>> const strategy;
  anew::retry(anew::strategy_view{strategy}, [] {});
}
}  // namespace observer_keeps_too_much

// section: A cap that is not const
// Without a cap, a jitter may draw beyond the number that you meant. A data member named `cap` is refused too: call
// it `cap_`, and add the function.
// expect-error: requires a Backoff's 'cap' to be 'anew::duration cap() const'
namespace cap_not_const {
struct steps {
  using role = anew::roles::backoff;
  anew::duration delay(std::uint32_t retry) const { return retry * 50ms; }
#ifdef ANEW_REJECT  // wrong
  anew::duration cap() { return 1s; }
#else  // right
  anew::duration cap() const { return 1s; }
#endif
};

void run() {
  anew::retry(anew::strategy<steps>{}, [] {});
}
}  // namespace cap_not_const

// section: A clock that is not steady
// Declare `static constexpr bool is_steady = true;` for a clock that never goes back. A wall clock does.
// expect-error: Clock policy to be steady
// expect-error: std::chrono::steady_clock
namespace unsteady_clock {
#ifdef ANEW_REJECT  // wrong
using time_source = anew::std_clock<std::chrono::system_clock>;
#else  // right
using time_source = anew::std_clock<std::chrono::steady_clock>;
#endif

void run() {
  anew::retry(anew::strategy<anew::deadline<10s>, anew::max_attempts<5>, time_source>{}, [] {});
}
}  // namespace unsteady_clock

// section: A constant that is not static
// The strategy reads the constant from the type, before there is an object.
// expect-error: requires needs_counts, waits_before_refusal, obeys_refusals and needs_deadline to be 'static constexpr bool'
namespace constant_not_static {
struct obedient {
  using role = anew::roles::hint;
  std::optional<anew::planned_delay> resolve(anew::duration computed, anew::duration asked,
                                             anew::duration /*cap*/) const {
    return anew::planned_delay{asked > computed ? asked : computed, anew::delay_origin::hint};
  }
#ifdef ANEW_REJECT  // wrong
  bool obeys_refusals = true;
#else  // right
  static constexpr bool obeys_refusals = true;
#endif
};

void run() {
  anew::retry(anew::strategy<obedient>{}, [] {});
}
}  // namespace constant_not_static

// section: A delay by kind that is not const
// The same applies to `permits_another(anew::call_progress const&)` of a MaxAttempts.
// expect-error: requires a Backoff's 'delay' to be 'anew::duration delay(anew::call_progress const&) const'
namespace delay_by_kind_not_const {
struct by_kind {
  using role = anew::roles::backoff;
  anew::duration delay(std::uint32_t retry) const { return retry * 50ms; }
#ifdef ANEW_REJECT  // wrong
  anew::duration delay(anew::call_progress const& call) { return call.counts.of(anew::error_kind::throttling) * 1s; }
#else  // right
  anew::duration delay(anew::call_progress const& call) const {
    return call.counts.of(anew::error_kind::throttling) * 1s;
  }
#endif
};

void run() {
  anew::retry(anew::strategy<by_kind>{}, [] {});
}
}  // namespace delay_by_kind_not_const

// section: A description that is not a string
// Any type that converts to `std::string` works; `std::string_view` does not.
// expect-error: requires a policy's 'describe' to be 'std::string describe() const'
namespace describe_not_a_string {
struct four_attempts {
  using role = anew::roles::max_attempts;
  bool permits_another(std::uint32_t made) const { return made < 4; }
#ifdef ANEW_REJECT  // wrong
  std::string_view describe() const { return "four_attempts"; }
#else  // right
  std::string describe() const { return "four_attempts"; }
#endif
};

void run() {
  anew::retry(anew::strategy<four_attempts>{}, [] {});
}
}  // namespace describe_not_a_string

// section: A failure function that cannot be called
// The same applies to `on_attempt_failed`, `wait`, `settle`, `on_call`, `on_call_end` and `try_acquire` with the time.
// expect-error: requires a Quota's 'on_failure' to be 'void on_failure(permit_type) const'
namespace quota_hears_no_failure {
class at_most_ten {
 public:
  using role = anew::roles::quota;
  using permit_type = bool;  // false: nothing held
  std::optional<bool> try_acquire(anew::failure const& /*why*/) const {
    if (out_.fetch_add(1) < 10) return true;
    release(true);
    return std::nullopt;
  }
  void on_success(bool held) const { release(held); }
#ifdef ANEW_REJECT  // wrong
  void on_failure(bool held, anew::failure const& /*why*/) const { release(held); }
#else  // right
  void on_failure(bool held) const { release(held); }
#endif
  void release(bool held) const {
    if (held) out_.fetch_sub(1);
  }

 private:
  mutable std::atomic<int> out_{0};
};

void run() {
  static anew::strategy<at_most_ten> const strategy;
  anew::retry(strategy, [] {});
}
}  // namespace quota_hears_no_failure

// section: A failure that says nothing
// You passed an error to `refresh_retry_token` of an `anew::retry_strategy`, and its type says neither whether it may
// be retried nor whose fault it was. Pass an `anew::failure`, or specialise `anew::retry_traits<E>` once and for all.
// Exceptions need not say anything: the strategy's classifier reads them.
// expect-error: anew::retry_strategy::refresh_retry_token(token, error) requires
namespace refresh_by_an_error_that_says_nothing {
enum class status { busy };

int run() {
  anew::virtual_strategy<anew::strategy<>> const strategy;
  auto token = strategy.try_acquire_initial_token();
#ifdef ANEW_REJECT  // wrong
  auto const next = strategy.try_refresh_retry_token(*std::move(token), status::busy);
#else  // right
  auto const next = strategy.try_refresh_retry_token(*std::move(token), anew::failure{anew::error_kind::throttling});
#endif
  return next ? 0 : 1;
}
}  // namespace refresh_by_an_error_that_says_nothing

// section: A fan_out of something else
// A function does not say which events it wants. Write a class with `on_attempt`, `on_retry` or `on_end` as a const
// function.
// expect-error: anew::fan_out<Observers...> requires observers only
namespace fan_out_of_a_function {
struct say_end {
  using role = anew::roles::observer;
  void on_end(anew::end_event const& event) const { std::printf("%s\n", to_string(event.reason)); }
};

struct count_retries {
  using role = anew::roles::observer;
  unsigned* count;
  void on_retry(anew::retry_event const& /*event*/) const { ++*count; }
};

void run() {
  unsigned retries = 0;
#ifdef ANEW_REJECT  // wrong
  auto const strategy = anew::compose(anew::fan_out{say_end{}, [&](anew::retry_event const&) { ++retries; }});
#else  // right
  auto const strategy = anew::compose(anew::fan_out{say_end{}, count_retries{&retries}});
#endif
  anew::retry(strategy, [] {});
}
}  // namespace fan_out_of_a_function

// section: A fan_out without observers
// To observe nothing, omit the policy.
// expect-error: anew::fan_out<Observers...> requires at least one observer
namespace fan_out_of_nobody {
#ifdef ANEW_REJECT  // wrong
using unheard = anew::strategy<anew::fan_out<>>;
#else  // right
using unheard = anew::strategy<>;
#endif

void run() {
  anew::retry(unheard{}, [] {});
}
}  // namespace fan_out_of_nobody

// section: A first wait below zero
// To poll at once, omit `wait_first`.
// expect-error: anew::wait_first<Strategy, Delay> requires Delay >= 0
namespace negative_first_wait {
#ifdef ANEW_REJECT  // wrong
using waiter = anew::wait_first<anew::strategy<>, -100ms>;
#else  // right
using waiter = anew::wait_first<anew::strategy<>, 100ms>;
#endif

int run() {
  auto const told =
      anew::poll(waiter{}, [] { return true; }, anew::success_when([](bool b) { return b; }), [](anew::duration) {});
  return told.succeeded() ? 0 : 1;
}
}  // namespace negative_first_wait

// section: A function of a gate that cannot be called
// The same applies to `try_enter` with the time of the first question and random numbers, and to `on_failure` with random numbers.
// expect-error: requires a Gate's 'would_refuse' to be 'bool would_refuse(anew::time_point then) const'
namespace gate_foresees_nothing {
struct maintenance {
  using role = anew::roles::gate;
  using pass_type = bool;  // false: nothing held
  anew::admission<bool> try_enter(anew::time_point now) const {
    return now < begins ? anew::admission<bool>::admit(true) : anew::admission<bool>::refuse();
  }
  void on_success(bool /*pass*/, anew::time_point /*now*/) const {}
  void on_failure(bool /*pass*/, anew::failure const& /*why*/, anew::time_point /*now*/) const {}
  void release(bool /*pass*/) const {}
#ifdef ANEW_REJECT  // wrong
  bool would_refuse(anew::duration until) const { return anew::time_point{until} >= begins; }
#else  // right
  bool would_refuse(anew::time_point then) const { return then >= begins; }
#endif
  anew::time_point begins = anew::time_point::max();
};

void run() {
  anew::retry(anew::strategy<maintenance>{}, [] {});
}
}  // namespace gate_foresees_nothing

// section: A function of an error that is not const
// The same applies to `is_timeout`, `retry_after` and `fault`, and to the static functions of
// `anew::retry_traits<E>`. They are checked for error values at the call, and for exceptions that a classifier names.
// expect-error: anew requires an error's functions to be 'bool is_throttle() const'
// expect-error: is_throttle_is_callable<
namespace error_function_not_const {
struct busy {
  anew::retry_safety is_retry_safe() const { return anew::retry_safety::yes; }
#ifdef ANEW_REJECT  // wrong
  bool is_throttle() { return true; }
#else  // right
  bool is_throttle() const { return true; }
#endif
};

struct reply {
  bool has_value() const { return true; }
  busy error() const { return {}; }
};

int run() {
  return anew::retry(anew::strategy<>{}, [] { return reply{}; }).has_value() ? 0 : 1;
}
}  // namespace error_function_not_const

// section: A function of an observer that is not const
// The same applies to `on_attempt` and `on_end`. The functions of an observer are optional, so one that cannot be
// called would be ignored. If your class has constrained functions of these names, as a wrapper does, or uses a name
// for something else, declare `static constexpr bool forwards_members = true`: then its members are not checked.
// expect-error: requires an Observer's 'on_retry' to be 'void on_retry(anew::retry_event const&) const'
namespace observer_function_not_const {
static std::atomic<unsigned> retries{0};

struct metrics {
  using role = anew::roles::observer;
  void on_end(anew::end_event const& /*event*/) const {}
#ifdef ANEW_REJECT  // wrong
  void on_retry(anew::retry_event const& /*event*/) { ++retries; }
#else  // right
  void on_retry(anew::retry_event const& /*event*/) const { ++retries; }
#endif
};

void run() {
  anew::retry(anew::strategy<metrics>{}, [] {});
}
}  // namespace observer_function_not_const

// section: A gRPC retry policy of one attempt
// gRPC's proposal A6 refuses such a policy. To make one attempt, use `anew::never`. More than five attempts are
// treated as five.
// expect-error: anew::grpc::retry_policy<MaxAttempts> requires MaxAttempts >= 2
namespace grpc_single_attempt {
#ifdef ANEW_REJECT  // wrong
using client = anew::grpc::retry_policy<1>;
#else  // right
using client = anew::grpc::retry_policy<2>;
#endif

int run() {
  static client const strategy;
  auto const code = anew::retry(strategy, [] { return anew::grpc::status_code::ok; });
  return static_cast<int>(code);
}
}  // namespace grpc_single_attempt

// section: A hint that shortens the delay
// `Overshoot` is by how much a hint may lengthen the computed delay; a hint never shortens it. With `0s` hints are
// ignored.
// expect-error: anew::clamped_hint<Overshoot> requires Overshoot >= 0
namespace negative_overshoot {
#ifdef ANEW_REJECT  // wrong
using hints = anew::clamped_hint<-5s>;
#else  // right
using hints = anew::clamped_hint<5s>;
#endif

void run() {
  anew::retry(anew::strategy<hints>{}, [] {});
}
}  // namespace negative_overshoot

// section: A margin beyond the wait
// The whole wait comes first, the margin at its end second.
// expect-error: anew::poll_deadline<Total, Margin> requires 0 <= Margin <= Total
namespace margin_beyond_max_wait {
#ifdef ANEW_REJECT  // wrong
using within = anew::poll_deadline<2s, 300s>;
#else  // right
using within = anew::poll_deadline<300s, 2s>;
#endif

void run() {
  anew::retry(anew::strategy<within, anew::unbounded>{}, [] {});
}
}  // namespace margin_beyond_max_wait

// section: A poll_deadline of zero
// Zero does not mean "no limit". Omit the policy to wait without a limit.
// expect-error: anew::poll_deadline<Total> requires Total > 0
namespace max_wait_of_zero {
#ifdef ANEW_REJECT  // wrong
using within = anew::poll_deadline<0s>;
#else  // right
using within = anew::poll_deadline<300s>;
#endif

void run() {
  anew::retry(anew::strategy<within, anew::unbounded>{}, [] {});
}
}  // namespace max_wait_of_zero

// section: A name that is nearly right
// Other libraries have other names for the same functions. A policy that has the right name too may have both. The near
// names are in [members.hpp](/include/anew/roles/internal/members.hpp).
// expect-error: your policy has a public function with nearly the name of one
// expect-error: on_retries
namespace observer_name_nearly_right {
struct log {
  using role = anew::roles::observer;
  void on_end(anew::end_event const& event) const { std::printf("%u attempts\n", unsigned{event.attempts}); }
#ifdef ANEW_REJECT  // wrong
  void on_retries(anew::retry_event const& event) const { std::printf("attempt %u\n", unsigned{event.attempt}); }
#else  // right
  void on_retry(anew::retry_event const& event) const { std::printf("attempt %u\n", unsigned{event.attempt}); }
#endif
};

void run() {
  anew::retry(anew::strategy<log>{}, [] {});
}
}  // namespace observer_name_nearly_right

// section: A pace of zero
// An attempt takes one token. If the bucket has no room for a token, or never receives one, it would wait for ever.
// To end calls instead of letting them wait, use `when_limited::fail_fast`.
// expect-error: anew::client_rate_limiter<Then, Constants> requires min_fill_rate > 0 and min_capacity >= 1
namespace rate_of_nothing {
#ifdef ANEW_REJECT  // wrong
constexpr anew::rate_limiter_constants numbers{.min_fill_rate = 0};
#else  // right
constexpr anew::rate_limiter_constants numbers{.min_fill_rate = 0.1};
#endif

void run() {
  anew::strategy<anew::client_rate_limiter<anew::when_limited::wait, numbers>> const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace rate_of_nothing

// section: A queue without room
// `longest_queue` limits how many attempts wait, and `longest_wait` how many seconds each of them waits in all. An
// attempt beyond a limit is refused. To refuse every attempt that would have to wait, use `when_limited::fail_fast`.
// expect-error: anew::client_rate_limiter<Then, Constants> requires longest_queue >= 1 and longest_wait > 0
// expect-error: Use anew::when_limited::fail_fast
namespace rate_queue_of_nobody {
#ifdef ANEW_REJECT  // wrong
using limiter = anew::client_rate_limiter<anew::when_limited::wait, anew::rate_limiter_constants{.longest_queue = 0}>;
#else  // right
using limiter = anew::client_rate_limiter<anew::when_limited::fail_fast>;
#endif

void run() {
  anew::strategy<limiter> const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace rate_queue_of_nobody

// section: A rate that is never measured
// `smooth` is the weight of the latest half second in the measured rate. With 0 the rate never changes; with 1 only
// the last half second counts.
// expect-error: anew::client_rate_limiter<Then, Constants> requires 0 < smooth <= 1
namespace rate_never_measured {
#ifdef ANEW_REJECT  // wrong
constexpr anew::rate_limiter_constants numbers{.smooth = 0};
#else  // right
constexpr anew::rate_limiter_constants numbers{.smooth = 0.5};
#endif

void run() {
  anew::strategy<anew::client_rate_limiter<anew::when_limited::wait, numbers>> const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace rate_never_measured

// section: A rate that never falls
// A throttled response multiplies the rate by `beta`, so it lies between 0 and 1; with 1, throttling has no effect.
// `scale` is how fast the rate grows back. The published values are 0.7 and 0.4.
// expect-error: anew::client_rate_limiter<Then, Constants> requires 0 < beta < 1 and scale > 0
namespace rate_that_never_falls {
#ifdef ANEW_REJECT  // wrong
constexpr anew::rate_limiter_constants numbers{.beta = 1};
#else  // right
constexpr anew::rate_limiter_constants numbers{.beta = 0.9};
#endif

void run() {
  anew::strategy<anew::client_rate_limiter<anew::when_limited::wait, numbers>> const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace rate_that_never_falls

// section: A registry as a policy
// `at(key)` locks the registry: compose a strategy once per key, and keep it.
// expect-error: you passed a partitioned<Key, Policy>, which keeps one for each key
namespace partitioned_as_a_policy {
void run() {
  anew::partitioned<std::string, anew::token_bucket<>> hosts{100};
#ifdef ANEW_REJECT  // wrong
  auto const strategy = anew::compose(anew::no_backoff{}, hosts);
#else  // right
  auto const strategy = anew::compose(anew::no_backoff{}, hosts.at("example.org"));
#endif
  anew::retry(strategy, [] {});
}
}  // namespace partitioned_as_a_policy

// section: A silent function inside a fan_out
// A policy inside `fan_out`, `shared`, `partitioned` or `long_poll` must satisfy the same checks as alone.
// expect-error: requires an Observer's 'on_retry' to be 'void on_retry(anew::retry_event const&) const'
namespace observer_in_a_fan_out_not_const {
struct metrics {
  using role = anew::roles::observer;
  void on_end(anew::end_event const& /*event*/) const {}
};

struct log {
  using role = anew::roles::observer;
  void on_end(anew::end_event const& event) const { std::printf("%u attempts\n", unsigned{event.attempts}); }
#ifdef ANEW_REJECT  // wrong
  void on_retry(anew::retry_event const& event) { std::printf("attempt %u\n", unsigned{event.attempt}); }
#else  // right
  void on_retry(anew::retry_event const& event) const { std::printf("attempt %u\n", unsigned{event.attempt}); }
#endif
};

void run() {
  anew::retry(anew::strategy<anew::fan_out<metrics, log>>{}, [] {});
}
}  // namespace observer_in_a_fan_out_not_const

// section: A sink that cannot be called
// The sink is a part of the strategy, which is const and shared by threads: keep the state that it changes outside
// it. A `mutable` lambda changes itself.
// expect-error: anew::timeline and anew::json_lines require a sink that is callable as 'sink(std::string_view)
namespace sink_that_changes {
void run() {
#ifdef ANEW_REJECT  // wrong
  anew::timeline const lines{[n = 0](std::string_view line) mutable { std::printf("%d %s\n", ++n, line.data()); }};
#else  // right
  int n = 0;
  anew::timeline const lines{[&n](std::string_view line) { std::printf("%d %s\n", ++n, line.data()); }};
#endif
  anew::retry(anew::compose(lines), [] {});
}
}  // namespace sink_that_changes

// section: A type that is never thrown
// `retry_on<E*>` would catch `throw new E`, and not `throw E{}`. A pointer to text and a number may be named:
// `retry_on<char const*>` catches `throw "text"`. For exceptions that are thrown by pointer on purpose there is
// `retry_if<Predicate, E*>`.
// expect-error: anew::retry_on<Exceptions...> requires the types that are thrown
namespace exception_by_reference {
#ifdef ANEW_REJECT  // wrong
using on_error = anew::retry_on<std::runtime_error&>;
#else  // right
using on_error = anew::retry_on<std::runtime_error>;
#endif

void run() {
  anew::retry(anew::strategy<on_error>{}, [] {});
}
}  // namespace exception_by_reference

// section: A view as the key of a partition
// The registry keeps its keys as long as it lives. A pointer to an object is fine as a key: it identifies the object.
// expect-error: anew::partitioned<Key, Policy> requires a key that owns its value
namespace partitioned_by_a_view {
#ifdef ANEW_REJECT  // wrong
using buckets = anew::partitioned<std::string_view, anew::token_bucket<>>;
#else  // right
using buckets = anew::partitioned<std::string, anew::token_bucket<>>;
#endif

void run() {
  buckets hosts{100};
  anew::retry(anew::compose(hosts.at("example.org")), [] {});
}
}  // namespace partitioned_by_a_view

// section: Acceptors without a success
// A result that no acceptor judges means "not ready". State which result you wait for; `success_on_result()` accepts
// any.
// expect-error: anew::poll(strategy, operation, acceptors) requires at least one acceptor that can report success
namespace poll_without_success {
int run() {
  auto const job_state = [] { return 0; };
  auto const no_sleep = [](anew::duration) {};
  auto const is_failed = [](int state) { return state < 0; };
#ifdef ANEW_REJECT  // wrong
  auto const accept = anew::failure_when(is_failed);
#else  // right
  auto const accept =
      anew::acceptors{anew::failure_when(is_failed), anew::success_when([](int state) { return state == 0; })};
#endif
  auto const told = anew::poll(anew::strategy<>{}, job_state, accept, no_sleep);
  return told.succeeded() ? 0 : 1;
}
}  // namespace poll_without_success

// section: An acceptor that is never asked
// The predicate takes neither the operation's result (or the value in it) nor its error, so it would never be called.
// Correct its parameter, a value or a const reference, and make it callable as const. A predicate on exceptions names
// their type in its parameter; one with an `auto` parameter is only called with error values.
// expect-error: anew::poll(strategy, operation, acceptors) requires acceptors that take the operation's result or
namespace acceptor_never_asked {
int run() {
  auto const job_state = [] { return std::string{"DONE"}; };
  auto const no_sleep = [](anew::duration) {};
#ifdef ANEW_REJECT  // wrong
  auto const is_done = [](int state) { return state == 0; };
#else  // right
  auto const is_done = [](std::string const& state) { return state == "DONE"; };
#endif
  auto const told = anew::poll(anew::strategy<>{}, job_state, anew::success_when(is_done), no_sleep);
  return told.succeeded() ? 0 : 1;
}
}  // namespace acceptor_never_asked

// section: A listener that is never called
// Listeners are called as const, before each wait. A pointer to the last result has the type of the whole result.
// expect-error: anew::on_progress(tell) requires a function that is called as const, with
namespace listener_never_called {
int run() {
  int told = 0;
#ifdef ANEW_REJECT  // wrong
  auto const tells = anew::on_progress([&told, looks = 0](anew::poll_progress const&) mutable { told = ++looks; });
#else  // right
  auto const tells = anew::on_progress([&told](anew::poll_progress const&) { ++told; });
#endif
  auto const is_done = anew::success_when([](int state) { return state == 0; });
  (void)anew::poll(anew::strategy<>{}, [] { return 0; }, anew::acceptors{is_done, tells}, [](anew::duration) {});
  return told;
}
}  // namespace listener_never_called

// section: An address as the key of a partition
// Two literals with equal texts need not have one address, and two buffers never have.
// expect-error: anew::partitioned<Key, Policy> requires a key that owns its value
namespace partitioned_by_an_address {
#ifdef ANEW_REJECT  // wrong
using buckets = anew::partitioned<char const*, anew::token_bucket<>>;
#else  // right
using buckets = anew::partitioned<std::string, anew::token_bucket<>>;
#endif

void run() {
  buckets hosts{100};
  anew::retry(anew::compose(hosts.at("example.org")), [] {});
}
}  // namespace partitioned_by_an_address

// section: An observer of another event
// Each function has an event of its own: `attempt_event`, `retry_event`, `end_event`.
// expect-error: requires an Observer's 'on_end' to be 'void on_end(anew::end_event const&) const'
namespace observer_of_another_event {
struct log {
  using role = anew::roles::observer;
  void on_retry(anew::retry_event const& event) const { std::printf("attempt %u\n", unsigned{event.attempt}); }
#ifdef ANEW_REJECT  // wrong
  void on_end(anew::attempt_event const& event) const { std::printf("%u attempts\n", unsigned{event.attempt}); }
#else  // right
  void on_end(anew::end_event const& event) const { std::printf("%u attempts\n", unsigned{event.attempts}); }
#endif
};

void run() {
  anew::retry(anew::strategy<log>{}, [] {});
}
}  // namespace observer_of_another_event

// section: Backoff policy
// Every delay of the library is an anew::duration, so that nothing is rounded on the way.
// expect-error: requires a Backoff policy to have
// expect-error: anew::duration delay(std::uint32_t retry) const
namespace backoff_in_milliseconds {
struct linear {
  using role = anew::roles::backoff;
#ifdef ANEW_REJECT  // wrong
  std::chrono::milliseconds delay(std::uint32_t retry) const { return retry * std::chrono::milliseconds{50}; }
#else  // right
  anew::duration delay(std::uint32_t retry) const { return retry * std::chrono::milliseconds{50}; }
#endif
};

void run() {
  anew::retry(anew::strategy<linear>{}, [] {});
}
}  // namespace backoff_in_milliseconds

// section: Backoff policy
// Many calls and threads share a strategy, so its policies are asked through const.
// expect-error: requires a Backoff policy to have
// expect-error: anew::duration delay(std::uint32_t retry) const
namespace backoff_not_const {
struct linear {
  using role = anew::roles::backoff;
#ifdef ANEW_REJECT  // wrong
  anew::duration delay(std::uint32_t retry) { return retry * std::chrono::milliseconds{50}; }
#else  // right
  anew::duration delay(std::uint32_t retry) const { return retry * std::chrono::milliseconds{50}; }
#endif
};

void run() {
  anew::retry(anew::strategy<linear>{}, [] {});
}
}  // namespace backoff_not_const

// section: Clock policy
// `anew::time_point` is the steady clock's, in nanoseconds; a clock of your own counts from any point it likes.
// expect-error: Clock policy to have 'anew::time_point now() const'
namespace clock_in_its_own_time {
struct ticks {
  using role = anew::roles::clock;
  static constexpr bool is_steady = true;
#ifdef ANEW_REJECT  // wrong
  std::chrono::milliseconds now() const { return std::chrono::milliseconds{7}; }
#else  // right
  anew::time_point now() const { return anew::time_point{std::chrono::milliseconds{7}}; }
#endif
};

void run() {
  anew::retry(anew::strategy<ticks>{}, [] {});
}
}  // namespace clock_in_its_own_time

// section: Deadline policy
// `fit` returns the delay to wait, or nothing when the call is to end.
// expect-error: Deadline policy
// expect-error: fit(anew::duration delay, anew::duration remaining) const
namespace deadline_without_fit {
struct within_a_second {
  using role = anew::roles::deadline;
  anew::duration total() const { return std::chrono::seconds{1}; }
#ifdef ANEW_REJECT  // wrong
  bool fit(anew::duration delay, anew::duration remaining) const { return delay < remaining; }
#else  // right
  std::optional<anew::duration> fit(anew::duration delay, anew::duration remaining) const {
    return delay < remaining ? std::optional{delay} : std::nullopt;
  }
#endif
};

void run() {
  anew::retry(anew::strategy<within_a_second, anew::unbounded>{}, [] {});
}
}  // namespace deadline_without_fit

// section: Gate policy
// `release` frees the place of an attempt that was never made, or whose result is unknown.
// expect-error: Gate policy
// expect-error: release(pass_type) const
namespace gate_without_release {
class one_at_a_time {
 public:
  using role = anew::roles::gate;
  using pass_type = bool;
  anew::admission<bool> try_enter(anew::time_point /*now*/) const {
    return taken_.exchange(true) ? anew::admission<bool>::refuse() : anew::admission<bool>::admit(true);
  }
  void on_success(bool held, anew::time_point /*now*/) const { give_back(held); }
  void on_failure(bool held, anew::failure const& /*what*/, anew::time_point /*now*/) const { give_back(held); }
#ifdef ANEW_REJECT  // wrong
  void cancel(bool held) const { give_back(held); }
#else  // right
  void release(bool held) const { give_back(held); }
#endif

 private:
  void give_back(bool held) const {
    if (held) taken_ = false;
  }
  mutable std::atomic<bool> taken_ = false;
};

void run() {
  anew::strategy<one_at_a_time> const guarded{};
  anew::retry(guarded, [] {});
}
}  // namespace gate_without_release

// section: A gate that tells its changes in another type
// The strategy tells its observer a `gate_change`. Anything else would be lost.
// expect-error: which return nothing or an anew::gate_change
namespace gate_with_another_change {
struct always_open {
  using role = anew::roles::gate;
  using pass_type = int;
#ifdef ANEW_REJECT  // wrong
  using change = anew::policy_change;
#else  // right
  using change = anew::gate_change;
#endif
  static anew::admission<int> try_enter(anew::time_point /*now*/) { return anew::admission<int>::admit(1); }
  static change on_success(int /*pass*/, anew::time_point /*now*/) { return anew::gate_change{}; }
  static change on_failure(int /*pass*/, anew::failure const& /*what*/, anew::time_point /*now*/) {
    return anew::gate_change{};
  }
  static void release(int /*pass*/) {}
};

void run() {
  anew::retry(anew::strategy<always_open>{}, [] {}, [](anew::duration) {});
}
}  // namespace gate_with_another_change

// section: Headroom out of range
// Fraction is a fraction of the cap: `rational{1, 5}` permits 20 percent above it.
// expect-error: anew::raised_cap_backoff<B, Fraction> requires 0 <= Fraction <= 1
namespace headroom_above_one {
#ifdef ANEW_REJECT  // wrong
using roomy = anew::raised_cap_backoff<anew::exponential_backoff<100ms, 1s>, anew::rational{20}>;
#else  // right
using roomy = anew::raised_cap_backoff<anew::exponential_backoff<100ms, 1s>, anew::rational{1, 5}>;
#endif

void run() {
  anew::retry(anew::strategy<roomy>{}, [] {});
}
}  // namespace headroom_above_one

// section: Hint policy
// `resolve` weighs the server's hint against the computed delay and the cap.
// expect-error: Hint policy
// expect-error: anew::duration cap) const
namespace hint_without_cap {
struct obey {
  using role = anew::roles::hint;
#ifdef ANEW_REJECT  // wrong
  std::optional<anew::planned_delay> resolve(anew::duration computed, anew::duration asked) const {
    anew::duration const cap = asked;
#else  // right
  std::optional<anew::planned_delay> resolve(anew::duration computed, anew::duration asked, anew::duration cap) const {
#endif
    if (asked > cap) return std::nullopt;
    return anew::planned_delay{asked > computed ? asked : computed, anew::delay_origin::hint};
  }
};

void run() {
  anew::retry(anew::strategy<obey>{}, [] {});
}
}  // namespace hint_without_cap

// section: A Hint's answer to a delay that was not understood
// `not_understood` is optional. Where you have it, it returns the delay and its origin.
// expect-error: requires a Hint's 'not_understood'
// expect-error: anew::duration cap) const
namespace hint_for_the_unread {
struct careful {
  using role = anew::roles::hint;
  std::optional<anew::planned_delay> resolve(anew::duration computed, anew::duration asked,
                                             anew::duration /*cap*/) const {
    return anew::planned_delay{asked > computed ? asked : computed, anew::delay_origin::hint};
  }
#ifdef ANEW_REJECT  // wrong
  anew::duration not_understood(anew::duration /*computed*/, anew::duration cap) const { return cap; }
#else  // right
  anew::planned_delay not_understood(anew::duration /*computed*/, anew::duration cap) const {
    return {cap, anew::delay_origin::cap};
  }
#endif
};

void run() {
  anew::retry(anew::strategy<careful>{}, [] {});
}
}  // namespace hint_for_the_unread

// section: History policy
// `add` is called with the error if the result carries one, and without it while an exception is handled.
// expect-error: History policy
// expect-error: anew::history<N>
namespace history_without_errors {
struct how_many_failures {
  using role = anew::roles::history;
  template <class Error>
  struct log {
    void add(std::uint32_t /*attempt*/, anew::failure const& /*what*/) { ++count; }
#ifdef ANEW_REJECT  // wrong
    void add(Error const& /*error*/) { ++count; }
#else  // right
    void add(std::uint32_t attempt, anew::failure const& what, Error const& /*error*/) { add(attempt, what); }
#endif
    int count = 0;
  };
};

void run() {
  anew::retry(anew::strategy<how_many_failures>{}, [] {});
}
}  // namespace history_without_errors

// section: Jitter policy
// A jitter with memory is passed its state: the state of one call lives in the token, not in the policy.
// expect-error: Jitter policy with a 'state_type'
// expect-error: apply(anew::delay_bounds const& bounds, state_type& state, R& random) const
namespace jitter_without_its_state {
struct never_shorter {
  using role = anew::roles::jitter;
  struct state_type {
    anew::duration last{};
  };
#ifdef ANEW_REJECT  // wrong
  anew::duration apply(anew::delay_bounds const& bounds, auto& random) const {
    state_type state;
#else  // right
  anew::duration apply(anew::delay_bounds const& bounds, state_type& state, auto& random) const {
#endif
    anew::duration const drawn = bounds.ceiling / (1 + random() % 2);
    if (drawn > state.last) state.last = drawn;
    return state.last;
  }
};

void run() {
  anew::retry(anew::strategy<never_shorter>{}, [] {});
}
}  // namespace jitter_without_its_state

// section: Jitter policy
// Each call begins with `state_type{}`, and a hedge may copy it.
// expect-error: state_type that is default-constructible and copyable
namespace jitter_state_needs_a_value {
struct never_shorter {
  using role = anew::roles::jitter;
  struct state_type {
#ifdef ANEW_REJECT  // wrong
    explicit state_type(anew::duration first) : last{first} {}
    anew::duration last;
#else  // right
    anew::duration last{};
#endif
  };
  anew::duration apply(anew::delay_bounds const& bounds, state_type& state, auto& random) const {
    anew::duration const drawn = bounds.ceiling / (1 + random() % 2);
    if (drawn > state.last) state.last = drawn;
    return state.last;
  }
};

void run() {
  anew::retry(anew::strategy<never_shorter>{}, [] {});
}
}  // namespace jitter_state_needs_a_value

// section: Jitter policy
// A jitter with memory has a nested `state_type` and is passed a state; it stores nothing itself.
// expect-error: Jitter policy
// expect-error: apply(anew::duration ceiling, R& random) const
namespace jitter_without_random {
struct upper_half {
  using role = anew::roles::jitter;
#ifdef ANEW_REJECT  // wrong
  anew::duration apply(anew::duration ceiling) const { return ceiling / 2; }
#else  // right
  anew::duration apply(anew::duration ceiling, auto& random) const { return ceiling / (1 + random() % 2); }
#endif
};

void run() {
  anew::retry(anew::strategy<upper_half>{}, [] {});
}
}  // namespace jitter_without_random

// section: Longest pushback below zero
// `pushback_hint<>` permits a minute; `pushback_hint<0s>` only retries at once.
// expect-error: anew::pushback_hint<Longest> requires Longest >= 0
namespace negative_longest_pushback {
#ifdef ANEW_REJECT  // wrong
using obedient = anew::pushback_hint<-1s>;
#else  // right
using obedient = anew::pushback_hint<1s>;
#endif

void run() {
  anew::retry(anew::strategy<obedient>{}, [] {});
}
}  // namespace negative_longest_pushback

// section: MaxAttempts policy
// `permits_another` answers one question: may another attempt follow?
// expect-error: MaxAttempts policy
// expect-error: bool permits_another(std::uint32_t made) const
namespace attempts_not_permitted_by_bool {
struct seven {
  using role = anew::roles::max_attempts;
#ifdef ANEW_REJECT  // wrong
  std::uint32_t value() const { return 7; }
#else  // right
  bool permits_another(std::uint32_t made) const { return made < 7; }
#endif
};

void run() {
  anew::retry(anew::strategy<seven>{}, [] {});
}
}  // namespace attempts_not_permitted_by_bool

// section: Negative retries of a Step Functions task
// MaxAttempts of the States Language counts retries: `retrier<1s, 3>` makes four attempts.
// expect-error: anew::step_functions::retrier<Interval, MaxAttempts> requires MaxAttempts >= 0
namespace negative_retries {
#ifdef ANEW_REJECT  // wrong
using task = anew::step_functions::retrier<1s, -1>;
#else  // right
using task = anew::step_functions::retrier<1s, 0>;
#endif

void run() {
  anew::retry(task{}, [] {});
}
}  // namespace negative_retries

// section: Nesting policy
// If a nested call may not retry, the guard names the reason.
// expect-error: Nesting policy
// expect-error: anew::nesting_guard
namespace nesting_without_refusal {
struct always_alone {
  using role = anew::roles::nesting;
  using permit_type = anew::no_permit;
#ifndef ANEW_REJECT  // right; without it wrong
  static constexpr anew::stop_reason refusal = anew::stop_reason::nested;
#endif
  struct scope {};
  template <class Quota>
  scope enter(Quota const& /*outer*/) const {
    return {};
  }
  bool is_nested() const { return false; }
  std::optional<anew::no_permit> try_acquire(anew::failure const& /*what*/) const { return std::nullopt; }
  void on_success(anew::no_permit /*held*/) const {}
  void on_failure(anew::no_permit /*held*/) const {}
  void release(anew::no_permit /*held*/) const {}
};

void run() {
  anew::retry(anew::strategy<always_alone>{}, [] {});
}
}  // namespace nesting_without_refusal

// section: Observer policy
// An observer has at least one of the four functions. With a misspelt function it would never be called.
// expect-error: requires an Observer policy to have at least one of
// expect-error: on_retry(anew::retry_event const&) const
namespace observer_hears_nothing {
struct log_retries {
  using role = anew::roles::observer;
#ifdef ANEW_REJECT  // wrong
  void onRetry(anew::retry_event const& event) const { std::printf("attempt %u\n", unsigned{event.attempt}); }
#else  // right
  void on_retry(anew::retry_event const& event) const { std::printf("attempt %u\n", unsigned{event.attempt}); }
#endif
};

void run() {
  anew::retry(anew::strategy<log_retries>{}, [] {});
}
}  // namespace observer_hears_nothing

// section: OK among the codes to retry
// Name the codes of temporary failures: `grpc::codes(grpc::status_code::unavailable)`. With an empty set nothing is
// retried; use `anew::never` for that.
// expect-error: anew::grpc::status_classifier<Codes> requires one code at least, and not OK
namespace grpc_retries_ok {
#ifdef ANEW_REJECT  // wrong
using codes = anew::grpc::status_classifier<anew::grpc::codes(anew::grpc::status_code::ok)>;
#else  // right
using codes = anew::grpc::status_classifier<anew::grpc::codes(anew::grpc::status_code::unavailable)>;
#endif

int run() {
  auto const code = anew::retry(anew::strategy<codes>{}, [] { return anew::grpc::status_code::ok; });
  return static_cast<int>(code);
}
}  // namespace grpc_retries_ok

// section: Pacer policy
// `release` gives back the turn of an attempt that waited and will not be made.
// expect-error: Pacer policy
// expect-error: release(ticket_type) const
namespace pacer_without_release {
class ten_at_a_time {
 public:
  using role = anew::roles::pacer;
  using ticket_type = int;
  anew::pace ask(int& ticket, anew::time_point /*now*/) const {
    if (ticket == 0) ticket = ++queued_;
    if (ticket > 10) return {.wait = std::chrono::milliseconds{10}};
    give_back(ticket);
    return {};
  }
  void on_success(anew::time_point /*now*/) const {}
  void on_failure(anew::failure const& /*what*/, anew::time_point /*now*/) const {}
#ifdef ANEW_REJECT  // wrong
  void cancel(int ticket) const { give_back(ticket); }
#else  // right
  void release(int ticket) const { give_back(ticket); }
#endif

 private:
  void give_back(int& ticket) const {
    --queued_;
    ticket = 0;
  }
  mutable std::atomic<int> queued_ = 0;
};

void run() {
  anew::strategy<ten_at_a_time> const paced{};
  anew::retry(paced, [] {});
}
}  // namespace pacer_without_release

// section: Quota policy
// `release` takes back what was charged for a retry that was never made: the sleep was cancelled, or the deadline
// refused it.
// expect-error: Quota policy
// expect-error: release(permit_type) const
namespace quota_without_release {
class at_once {
 public:
  using role = anew::roles::quota;
  using permit_type = bool;
  std::optional<bool> try_acquire(anew::failure const& /*what*/) const {
    return taken_.exchange(true) ? std::nullopt : std::optional{true};
  }
  void on_success(bool held) const { give_back(held); }
  void on_failure(bool held) const { give_back(held); }
#ifdef ANEW_REJECT  // wrong
  void cancel(bool held) const { give_back(held); }
#else  // right
  void release(bool held) const { give_back(held); }
#endif

 private:
  void give_back(bool held) const {
    if (held) taken_ = false;
  }
  mutable std::atomic<bool> taken_ = false;
};

void run() {
  anew::strategy<at_once> const one_retry_at_a_time{};
  anew::retry(one_retry_at_a_time, [] {});
}
}  // namespace quota_without_release

// section: Random source
// Keep the state of a random source in an atomic, or per thread.
// expect-error: random source
// expect-error: std::uint64_t operator()() const
namespace random_source_not_const {
struct always_half {
  using role = anew::roles::random_source;
#ifdef ANEW_REJECT  // wrong
  std::uint64_t operator()() { return std::uint64_t{1} << 63; }
#else  // right
  std::uint64_t operator()() const { return std::uint64_t{1} << 63; }
#endif
};

void run() {
  anew::retry(anew::strategy<always_half>{}, [] {});
}
}  // namespace random_source_not_const

// section: Reset policy
// The time that an attempt ran is an `anew::duration`, in nanoseconds.
// expect-error: Reset policy
// expect-error: starts_over(anew::duration ran) const
namespace reset_in_seconds {
struct after_a_minute {
  using role = anew::roles::reset;
#ifdef ANEW_REJECT  // wrong
  bool starts_over(int seconds) const { return seconds >= 60; }
#else  // right
  bool starts_over(anew::duration ran) const { return ran >= std::chrono::minutes{1}; }
#endif
};

void run() {
  anew::retry(anew::strategy<after_a_minute>{}, [] {});
}
}  // namespace reset_in_seconds

// section: Scaled jitter below zero
// Both arguments are factors of the delay: `rational{4, 5}` is 0.8. For plus or minus a percentage use
// `proportional_jitter`.
// expect-error: anew::rational requires a numerator and a denominator between 0 and 4294967295
namespace scale_below_zero {
#ifdef ANEW_REJECT  // wrong
using spread = anew::scaled_jitter<std::ratio<-1, 5>{}, anew::rational{6, 5}>;
#else  // right
using spread = anew::scaled_jitter<anew::rational{4, 5}, anew::rational{6, 5}>;
#endif

void run() {
  anew::retry(anew::strategy<spread>{}, [] {});
}
}  // namespace scale_below_zero

// section: Swapped factors of a jitter
// The lower factor comes first, the higher factor second.
// expect-error: anew::scaled_jitter<Low, High> requires Low <= High
namespace scales_exchanged {
#ifdef ANEW_REJECT  // wrong
using spread = anew::scaled_jitter<anew::rational{13, 10}, anew::rational{4, 5}>;
#else  // right
using spread = anew::scaled_jitter<anew::rational{4, 5}, anew::rational{13, 10}>;
#endif

void run() {
  anew::retry(anew::strategy<spread>{}, [] {});
}
}  // namespace scales_exchanged

// section: A permit that holds nothing
// The permit `{}` means that nothing is held, and an empty class has no other value: `release` would never be called, and
// the quota would be spent for good after a few cancelled retries. Let the permit say what it holds.
// expect-error: requires a Quota policy whose permit_type says what a retry holds
namespace quota_permit_is_empty {
class at_once {
 public:
  using role = anew::roles::quota;
#ifdef ANEW_REJECT  // wrong
  struct permit_type {
    explicit permit_type(bool = false) {}
    bool operator==(permit_type const&) const = default;
  };
#else  // right
  using permit_type = bool;  // false: nothing
#endif
  std::optional<permit_type> try_acquire(anew::failure const& /*what*/) const {
    return taken_.exchange(true) ? std::nullopt : std::optional{permit_type{true}};
  }
  void on_success(permit_type held) const { give_back(held); }
  void on_failure(permit_type held) const { give_back(held); }
  void release(permit_type held) const { give_back(held); }

 private:
  void give_back(permit_type held) const {
    if (held != permit_type{}) taken_ = false;
  }
  mutable std::atomic<bool> taken_ = false;
};

void run() {
  anew::strategy<at_once> const one_retry_at_a_time{};
  anew::retry(one_retry_at_a_time, [] {});
}
}  // namespace quota_permit_is_empty

// section: A pushback of another type
// `retry_pushback()` returns a `grpc::pushback`, a duration, or a `std::optional` of one; a negative one forbids the retry.
// A number has no unit, and would be ignored.
// expect-error: anew::grpc::status_classifier requires a 'retry_pushback() const'
struct call_status {
  int number = 0;
  long pushback_ms = 0;
  [[nodiscard]] bool ok() const { return number == 0; }
  [[nodiscard]] int error_code() const { return number; }
#ifdef ANEW_REJECT  // wrong
  [[nodiscard]] long retry_pushback() const { return pushback_ms; }
#else  // right
  [[nodiscard]] std::optional<std::chrono::milliseconds> retry_pushback() const {
    return std::chrono::milliseconds{pushback_ms};
  }
#endif
};

template <>
struct anew::result_traits<call_status> : anew::grpc::status_result {};

namespace grpc_pushback_of_another_type {
int run() {
  anew::strategy<anew::grpc::status_classifier<>> const patient{};
  return anew::retry(patient, [] { return call_status{}; }).number;
}
}  // namespace grpc_pushback_of_another_type
