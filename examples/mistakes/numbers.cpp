// SPDX-License-Identifier: BSL-1.0
// chapter: Numbers

#include <chrono>
#include <cstdint>
#include <optional>
#include <ratio>

#include "anew/anew.hpp"
#include "anew/policies.hpp"
#include "anew/policies/quota/striped.hpp"

using namespace std::chrono_literals;

// section: A breaker that is never open
// `OpenFor` is the time for which an open breaker refuses attempts. For no breaker, omit the policy.
// expect-error: anew::circuit_breaker<Failures, OpenFor> requires OpenFor > 0
namespace breaker_open_for_zero {
#ifdef ANEW_REJECT  // wrong
using gate = anew::circuit_breaker<5, 0s>;
#else  // right
using gate = anew::circuit_breaker<5, 30s>;
#endif

void run() {
  anew::strategy<gate> const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace breaker_open_for_zero

// section: A breaker that nothing opens or closes
// A breaker opens after a number of failures and closes after a number of successful probes. Both must be at least
// one. For no breaker, omit the policy.
// expect-error: anew::circuit_breaker<Failures, OpenFor, Probes> requires 1 <= Failures <= 4294967295
namespace breaker_of_no_failures {
#ifdef ANEW_REJECT  // wrong
using gate = anew::circuit_breaker<0, 30s>;
#else  // right
using gate = anew::circuit_breaker<5, 30s>;
#endif

void run() {
  anew::strategy<gate> const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace breaker_of_no_failures

// section: A wrong number in the backoff for one kind of error
// `exponential_backoff` takes the first delay, then the cap. A policy that wraps it reports its wrong numbers too.
// expect-error: anew::exponential_backoff<Base, Cap> requires Cap >= Base
namespace backoff_for_a_kind_with_wrong_numbers {
#ifdef ANEW_REJECT  // wrong
using inner = anew::exponential_backoff<21s, 1s>;
#else  // right
using inner = anew::exponential_backoff<1s, 20s>;
#endif
using policy = anew::by_kind_backoff<anew::for_kind<anew::error_kind::throttling, inner>, anew::no_backoff>;

void run() {
  anew::strategy<policy> const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace backoff_for_a_kind_with_wrong_numbers

// section: A wrong number in the backoff of a cool-down
// The pause of a `cool_down` grows from the first delay to the cap, so the cap must not be shorter.
// expect-error: anew::exponential_backoff<Base, Cap> requires Cap >= Base
namespace cool_down_with_wrong_numbers {
#ifdef ANEW_REJECT  // wrong
using inner = anew::exponential_backoff<22s, 1s>;
#else  // right
using inner = anew::exponential_backoff<1s, 20s>;
#endif
using policy = anew::cool_down<inner>;

void run() {
  anew::strategy<policy> const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace cool_down_with_wrong_numbers

// section: A wrong number in a backoff after an immediate retry
// `immediate_first` adds a retry without a delay, and requires a valid backoff for the others.
// expect-error: anew::exponential_backoff<Base, Cap> requires Cap >= Base
namespace immediate_first_with_wrong_numbers {
#ifdef ANEW_REJECT  // wrong
using inner = anew::exponential_backoff<23s, 1s>;
#else  // right
using inner = anew::exponential_backoff<1s, 20s>;
#endif
using policy = anew::immediate_first<inner>;

void run() {
  anew::strategy<policy> const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace immediate_first_with_wrong_numbers

// section: A bucket that pays for no retry
// Capacity counts tokens, and a retry after a transient error costs 14 of them by default. Multiply the number of
// retries that you want to permit in a row by that cost. To never retry, use `anew::token_bucket<0>` or
// `anew::never`.
// expect-error: anew::token_bucket<Capacity> requires Capacity = 0 or at least the cost of one retry
namespace bucket_below_one_retry {
#ifdef ANEW_REJECT  // wrong
using ten_retries = anew::strategy<anew::token_bucket<10>>;
#else  // right
using ten_retries = anew::strategy<anew::token_bucket<140>>;
#endif

void run() {
  ten_retries const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace bucket_below_one_retry

// section: A cool-down that ignores too much
// The third argument is the number of consecutive failures that cause no cool-down.
// expect-error: anew::cool_down<Backoff, Then, Ignored> requires 0 <= Ignored <= 1000
namespace cool_down_ignores_less_than_none {
#ifdef ANEW_REJECT  // wrong
using gate = anew::cool_down<anew::constant_backoff<1s>, anew::when_cooling::wait, -1>;
#else  // right
using gate = anew::cool_down<anew::constant_backoff<1s>, anew::when_cooling::wait, 0>;
#endif

void run() {
  anew::strategy<gate> const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace cool_down_ignores_less_than_none

// section: A cool-down without a backoff
// The first argument is the backoff that computes the cool-down from the number of consecutive failures.
// expect-error: anew::cool_down<Backoff> requires a Backoff, which computes
namespace cool_down_by_a_jitter {
#ifdef ANEW_REJECT  // wrong
using gate = anew::cool_down<anew::full_jitter>;
#else  // right
using gate = anew::cool_down<anew::exponential_backoff<1s, 60s>>;
#endif

void run() {
  anew::strategy<gate> const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace cool_down_by_a_jitter

// section: A cool-down by the kinds of errors
// A cool-down counts the consecutive failures of a destination, whatever their kinds.
// expect-error: anew::cool_down<Backoff> requires a Backoff that depends on the number of failures alone
namespace cool_down_by_kinds {
using when_throttled = anew::exponential_backoff<1s, 60s>;
#ifdef ANEW_REJECT  // wrong
using gate = anew::cool_down<anew::by_kind_backoff<anew::for_kind<anew::error_kind::throttling, when_throttled>,
                                                   anew::exponential_backoff<50ms, 20s>>>;
#else  // right
using gate = anew::cool_down<when_throttled>;
#endif

void run() {
  anew::strategy<gate> const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace cool_down_by_kinds

// section: A cool-down without a wait
// The fourth argument bounds how long an attempt waits in all; an attempt that would wait longer is refused. To
// refuse every attempt while the destination cools down, use `when_cooling::refuse`. To let attempts wait without a
// bound, omit the argument.
// expect-error: anew::cool_down<Backoff, Then, Ignored, LongestWait> requires LongestWait > 0
// expect-error: Use anew::when_cooling::refuse
namespace cool_down_waits_for_no_time {
#ifdef ANEW_REJECT  // wrong
using gate = anew::cool_down<anew::constant_backoff<1s>, anew::when_cooling::wait, 0, 0s>;
#else  // right
using gate = anew::cool_down<anew::constant_backoff<1s>, anew::when_cooling::refuse>;
#endif

void run() {
  anew::strategy<gate> const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace cool_down_waits_for_no_time

// section: A Fibonacci base of zero
// Base comes first, cap second. Every delay is a sum of bases.
// expect-error: anew::fibonacci_backoff<Base, Cap> requires 0 < Base <= Cap
namespace fibonacci_base_zero {
#ifdef ANEW_REJECT  // wrong
using patient = anew::strategy<anew::fibonacci_backoff<0ms, 10s>>;
#else  // right
using patient = anew::strategy<anew::fibonacci_backoff<100ms, 10s>>;
#endif

void run() {
  anew::retry(patient{}, [] {});
}
}  // namespace fibonacci_base_zero

// section: A fraction above one
// The fraction is added to and subtracted from the delay: `rational{1, 5}` is plus or minus 20 percent.
// expect-error: anew::proportional_jitter<Fraction> requires 0 <= Fraction <= 1
namespace percentage_as_fraction {
#ifdef ANEW_REJECT  // wrong
using spread = anew::strategy<anew::proportional_jitter<anew::rational{20}>>;
#else  // right
using spread = anew::strategy<anew::proportional_jitter<anew::rational{20, 100}>>;
#endif

void run() {
  anew::retry(spread{}, [] {});
}
}  // namespace percentage_as_fraction

// section: A fraction without a denominator
// A fraction of a token has a denominator.
// expect-error: anew::refund::fraction(num, den) requires den > 0
namespace refund_of_no_parts {
#ifdef ANEW_REJECT  // wrong
using budget = anew::token_bucket<500, anew::retry_costs{}, anew::refund::fraction(1, 0)>;
#else  // right
using budget = anew::token_bucket<500, anew::retry_costs{}, anew::refund::fraction(1, 10)>;
#endif

void run() {
  anew::strategy<budget> const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace refund_of_no_parts

// section: A hint that is jittered twice
// The inner policy must answer the same each time it is asked. To spread more, use a larger fraction.
// expect-error: anew::jittered_hint<Fraction, Inner> requires an inner Hint policy without jitter of its own
namespace hint_jittered_twice {
#ifdef ANEW_REJECT  // wrong
using hints = anew::jittered_hint<anew::rational{1, 2}, anew::jittered_hint<>>;
#else  // right
using hints = anew::jittered_hint<anew::rational{1, 2}, anew::server_hint<>>;
#endif

void run() {
  anew::retry(anew::strategy<hints>{}, [] {});
}
}  // namespace hint_jittered_twice

// section: A hint that is spread downwards
// A client that returns earlier than the server asked is refused again. The wait is spread between the hint and `1 +
// Fraction` times the hint.
// expect-error: anew::jittered_hint<Fraction> requires Fraction > 0
namespace hint_spread_downwards {
#ifdef ANEW_REJECT  // wrong
using hints = anew::jittered_hint<anew::rational{0}>;
#else  // right
using hints = anew::jittered_hint<anew::rational{1, 2}>;
#endif

void run() {
  anew::retry(anew::strategy<hints>{}, [] {});
}
}  // namespace hint_spread_downwards

// section: A history of zero failures
// The failures are kept inside the outcome, so their number is a part of its type. Omit the policy to keep no
// failures.
// expect-error: anew::history<N> requires 1 <= N <= 65536
namespace history_of_nothing {
#ifdef ANEW_REJECT  // wrong
using log = anew::history<0>;
#else  // right
using log = anew::history<3>;
#endif

void run() {
  anew::strategy<log> const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace history_of_nothing

// section: A linear base out of range
// Base comes first, cap second. A base of zero retries at once and grows by its step: `linear_backoff<0ms, 10s,
// 100ms>`.
// expect-error: anew::linear_backoff<Base, Cap, Step> requires 0 <= Base <= Cap
namespace linear_cap_below_base {
#ifdef ANEW_REJECT  // wrong
using patient = anew::strategy<anew::linear_backoff<10s, 100ms>>;
#else  // right
using patient = anew::strategy<anew::linear_backoff<100ms, 10s>>;
#endif

void run() {
  anew::retry(patient{}, [] {});
}
}  // namespace linear_cap_below_base

// section: A negative delay in a sequence
// The delays may go up and down, but not below zero. The types in the message have them in nanoseconds.
// expect-error: anew::sequence_backoff<Delays...> requires delays >= 0
namespace sequence_with_a_negative_delay {
#ifdef ANEW_REJECT  // wrong
using listed = anew::strategy<anew::sequence_backoff<10ms, -50ms, 1s>>;
#else  // right
using listed = anew::strategy<anew::sequence_backoff<10ms, 50ms, 1s>>;
#endif

void run() {
  anew::retry(listed{}, [] {});
}
}  // namespace sequence_with_a_negative_delay

// section: A negative floor
// The floor is the least delay before jitter. A negative floor has no effect.
// expect-error: anew::at_least_backoff<B, Min> requires Min >= 0
namespace negative_floor {
#ifdef ANEW_REJECT  // wrong
using unhurried = anew::strategy<anew::at_least_backoff<anew::exponential_backoff<>, -100ms>>;
#else  // right
using unhurried = anew::strategy<anew::at_least_backoff<anew::exponential_backoff<>, 100ms>>;
#endif

void run() {
  anew::retry(unhurried{}, [] {});
}
}  // namespace negative_floor

// section: A permit that cannot be lent
// A nested call of another type stores the permit in 8 bytes. Make the permit a number, or use
// `when_nested::collapse`.
// expect-error: anew::nesting_guard<when_nested::share_quota> requires a quota whose 'permit_type' is trivially
namespace nested_permit_too_large {
struct numbered_quota {
  using role = anew::roles::quota;
#ifdef ANEW_REJECT  // wrong
  struct permit_type {
    std::uint64_t number = 0;
    std::uint64_t weight = 0;
    friend bool operator==(permit_type const&, permit_type const&) = default;
  };
#else  // right
  using permit_type = std::uint64_t;
#endif
  [[nodiscard]] std::optional<permit_type> try_acquire(anew::failure const&) const { return permit_type{}; }
  void on_success(permit_type const&) const {}
  void release(permit_type const&) const {}
};

void run() {
  anew::strategy<numbered_quota, anew::nesting_guard<anew::when_nested::share_quota>> const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace nested_permit_too_large

// section: A phase of no retries
// A phase counts retries, not attempts.
// expect-error: anew::for_first<N, B> requires 1 <= N <= 4294967295
namespace phase_of_no_retries {
#ifdef ANEW_REJECT  // wrong
using hurried = anew::strategy<anew::phased_backoff<anew::for_first<0, anew::no_backoff>, anew::exponential_backoff<>>>;
#else  // right
using hurried = anew::strategy<anew::phased_backoff<anew::for_first<1, anew::no_backoff>, anew::exponential_backoff<>>>;
#endif

void run() {
  anew::retry(hurried{}, [] {});
}
}  // namespace phase_of_no_retries

// section: A policy that has no stripes
// `anew::striped<Policy>` counts the calls of many threads apart, which works for quotas whose counts can be added up
// later: [`token_bucket`](/include/anew/policies/quota/token_bucket.hpp), [`retry_budget`](/include/anew/policies/quota/retry_budget.hpp)
// and [`concurrency_budget`](/include/anew/policies/quota/concurrency_budget.hpp); and for
// [`rate_breaker`](/include/anew/policies/gate/rate_breaker.hpp) if you include `anew/policies/gate/striped_rate_breaker.hpp`. The
// striped forms of `client_throttle` and `client_rate_limiter` have headers of their own too. Any other policy counts in one
// place.
// expect-error: anew::striped<Policy, Stripes> requires 1 <= Stripes <= 64 and a policy that can be counted in stripes
namespace striped_without_a_form {
#ifdef ANEW_REJECT  // wrong
using throttled = anew::strategy<anew::striped<anew::retry_throttle<10, anew::rational{1, 10}>>>;
#else  // right
using throttled = anew::strategy<anew::striped<anew::token_bucket<500>>>;
#endif

void run() {
  throttled const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace striped_without_a_form

// section: A quota that needs the time
// A nested call has no clock for a quota that is refilled by time. `anew::token_bucket` is refilled by successes.
// expect-error: anew::nesting_guard<when_nested::share_quota> requires a quota with 'try_acquire(anew::failure
namespace nested_quota_needs_the_time {
struct hourly_quota {
  using role = anew::roles::quota;
  using permit_type = int;
#ifdef ANEW_REJECT  // wrong
  [[nodiscard]] std::optional<int> try_acquire(anew::failure const&, anew::time_point) const { return 1; }
#else  // right
  [[nodiscard]] std::optional<int> try_acquire(anew::failure const&) const { return 1; }
#endif
  void on_success(int) const {}
  void release(int) const {}
};

void run() {
  anew::strategy<hourly_quota, anew::nesting_guard<anew::when_nested::share_quota>> const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace nested_quota_needs_the_time

// section: A rate above a hundred percent
// The rate is in percent, between 1 and 100.
// expect-error: anew::rate_breaker<Percent, ...> requires 1 <= Percent <= 100
namespace rate_above_a_hundred {
#ifdef ANEW_REJECT  // wrong
using gate = anew::rate_breaker<500>;
#else  // right
using gate = anew::rate_breaker<50>;
#endif

void run() {
  anew::strategy<gate> const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace rate_above_a_hundred

// section: A reset after zero
// State how long an attempt must have run to count as a success. For attempts without a limit, use `anew::unbounded`.
// expect-error: anew::reset_after<Stable> requires Stable > 0
namespace reset_after_zero {
#ifdef ANEW_REJECT  // wrong
using reset = anew::reset_after<0s>;
#else  // right
using reset = anew::reset_after<30s>;
#endif

void run() {
  anew::strategy<reset> const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace reset_after_zero

// section: A step of zero
// The step defaults to the base. For equal delays use `constant_backoff`.
// expect-error: anew::linear_backoff<Base, Cap, Step> requires Step > 0
namespace linear_step_of_zero {
#ifdef ANEW_REJECT  // wrong
using steady = anew::strategy<anew::linear_backoff<100ms, 10s, 0ms>>;
#else  // right
using steady = anew::strategy<anew::constant_backoff<100ms>>;
#endif

void run() {
  anew::retry(steady{}, [] {});
}
}  // namespace linear_step_of_zero

// section: A volume of zero
// Below a minimum volume a rate is meaningless. Use at least one attempt, and at least one probe.
// expect-error: anew::rate_breaker<Percent, Window, MinVolume, OpenFor, Probes> requires 1 <= MinVolume <= 32767
namespace volume_of_zero {
#ifdef ANEW_REJECT  // wrong
using gate = anew::rate_breaker<50, 10s, 0>;
#else  // right
using gate = anew::rate_breaker<50, 10s, 20>;
#endif

void run() {
  anew::strategy<gate> const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace volume_of_zero

// section: A window of zero
// The window is at least 250 ms, and `OpenFor` is above zero.
// expect-error: anew::rate_breaker<Percent, Window, MinVolume, OpenFor> requires Window >= 250ms and OpenFor > 0
namespace window_of_zero {
#ifdef ANEW_REJECT  // wrong
using gate = anew::rate_breaker<50, 0s>;
#else  // right
using gate = anew::rate_breaker<50, 10s>;
#endif

void run() {
  anew::strategy<gate> const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace window_of_zero

// section: An empty sequence
// Further retries repeat the last delay of the list, so there must be at least one. To retry at once, use
// `anew::no_backoff`.
// expect-error: anew::sequence_backoff<Delays...> requires at least one delay
namespace sequence_of_nothing {
#ifdef ANEW_REJECT  // wrong
using listed = anew::strategy<anew::sequence_backoff<>>;
#else  // right
using listed = anew::strategy<anew::sequence_backoff<10ms, 50ms, 1s>>;
#endif

void run() {
  anew::retry(listed{}, [] {});
}
}  // namespace sequence_of_nothing

// section: Attempts
// -1 does not mean "for ever"; `anew::unbounded` does.
// expect-error: anew::max_attempts<N> requires 1 <= N <= 4294967295
namespace negative_attempts {
#ifdef ANEW_REJECT  // wrong
using forever = anew::strategy<anew::max_attempts<-1>>;
#else  // right
using forever = anew::strategy<anew::unbounded>;
#endif

void run() {
  anew::retry(forever{}, [] {});
}
}  // namespace negative_attempts

// section: Attempts
// Attempts are counted in 32 bits.
// expect-error: anew::max_attempts<N> requires 1 <= N <= 4294967295
namespace too_many_attempts {
#ifdef ANEW_REJECT  // wrong
using forever = anew::strategy<anew::max_attempts<10'000'000'000>>;
#else  // right
using forever = anew::strategy<anew::unbounded>;
#endif

void run() {
  anew::retry(forever{}, [] {});
}
}  // namespace too_many_attempts

// section: Attempts
// N counts attempts, not retries, and the first attempt is always made. To never retry, use `max_attempts<1>` or
// `anew::never`. Neither 0 nor -1 nor a very large number means "for ever"; `anew::unbounded` does.
// expect-error: anew::max_attempts<N> requires 1 <= N <= 4294967295
namespace zero_attempts {
#ifdef ANEW_REJECT  // wrong
using once = anew::strategy<anew::max_attempts<0>>;
#else  // right
using once = anew::strategy<anew::max_attempts<1>>;
#endif

void run() {
  anew::retry(once{}, [] {});
}
}  // namespace zero_attempts

// section: Base of zero
// Zero times any factor is zero. To retry at once, use `anew::no_backoff`.
// expect-error: anew::exponential_backoff<Base, Cap> requires Base > 0
namespace base_zero {
#ifdef ANEW_REJECT  // wrong
using at_once = anew::strategy<anew::exponential_backoff<0ms, 20s>>;
#else  // right
using at_once = anew::strategy<anew::no_backoff>;
#endif

void run() {
  anew::retry(at_once{}, [] {});
}
}  // namespace base_zero

// section: Budget of more than ten retries a call
// 20 allows one retry for five calls, 100 one for each.
// expect-error: anew::retry_budget<Percent> requires 0 <= Percent <= 1000
namespace percent_beyond_1000 {
#ifdef ANEW_REJECT  // wrong
using budget = anew::retry_budget<2000>;
#else  // right
using budget = anew::retry_budget<20>;
#endif

void run() {
  anew::strategy<budget> const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace percent_beyond_1000

// section: Cap below base
// A wrong strategy is explained once, where it is composed, however often you use it.
// expect-error: anew::exponential_backoff<Base, Cap> requires Cap >= Base
namespace alias_used_often {
#ifdef ANEW_REJECT  // wrong
using polite = anew::strategy<anew::exponential_backoff<20s, 100ms>, anew::retry_all>;
#else  // right
using polite = anew::strategy<anew::exponential_backoff<100ms, 20s>, anew::retry_all>;
#endif

using patient = anew::with<polite, anew::max_attempts<8>>;
static_assert(anew::RetryStrategy<polite>);

int use_of_result() {
  auto const number = anew::retry(polite{}, [] { return 41U; });
  return static_cast<int>(number) + 1;
}

bool use_of_outcome() {
  polite const strategy;
  auto ended = anew::retry_outcome(strategy, [](anew::attempt& a) { return a.number(); });
  return ended.succeeded() && ended.attempts() == 1 && ended.result() == 1;
}

bool use_of_its_classifier() {
  return anew::retry(polite{}, [] { return true; });
}

int run() {
  anew::retry(patient{}, [] {});
  return use_of_outcome() && use_of_its_classifier() ? use_of_result() : 1;
}
}  // namespace alias_used_often

// section: Cap below base
// The cap would cut the first delay already. The two are usually swapped.
// expect-error: anew::exponential_backoff<Base, Cap> requires Cap >= Base
namespace cap_below_base {
#ifdef ANEW_REJECT  // wrong
using polite = anew::strategy<anew::exponential_backoff<30s, 100ms>>;
#else  // right
using polite = anew::strategy<anew::exponential_backoff<100ms, 30s>>;
#endif

void run() {
  anew::retry(polite{}, [] {});
}
}  // namespace cap_below_base

// section: Capacity out of range
// -1 does not mean "without limit"; that is `anew::unlimited_quota`, which is also what a strategy without a quota
// has.
// expect-error: anew::token_bucket<Capacity> requires 0 <= Capacity <= 4294967295
namespace capacity_out_of_range {
#ifdef ANEW_REJECT  // wrong
using generous = anew::strategy<anew::token_bucket<-1>>;
#else  // right
using generous = anew::strategy<anew::unlimited_quota>;
#endif

void run() {
  generous const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace capacity_out_of_range

// section: Clamp without a reserve
// A delay that is clamped to the deadline leaves no time for the attempt after it. Name the time that a useful
// attempt takes, or use `at_deadline::last_try`.
// expect-error: anew::deadline<Total, at_deadline::clamp, Reserve> requires Reserve > 0
namespace clamp_without_reserve {
#ifdef ANEW_REJECT  // wrong
using within = anew::deadline<2s, anew::at_deadline::clamp>;
#else  // right
using within = anew::deadline<2s, anew::at_deadline::clamp, 200ms>;
#endif

void run() {
  anew::retry(anew::strategy<within, anew::unbounded>{}, [] {});
}
}  // namespace clamp_without_reserve

// section: Concurrency budget beyond all calls
// At 100 every call in flight may retry.
// expect-error: anew::concurrency_budget<Percent> requires 0 <= Percent <= 100
namespace percent_beyond_100 {
#ifdef ANEW_REJECT  // wrong
using budget = anew::concurrency_budget<200>;
#else  // right
using budget = anew::concurrency_budget<20>;
#endif

void run() {
  anew::strategy<budget> const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace percent_beyond_100

// section: Deadline of zero
// Zero does not mean "no deadline". Omit the policy.
// expect-error: anew::deadline<Total> requires Total > 0
namespace deadline_of_zero {
#ifdef ANEW_REJECT  // wrong
using patient = anew::strategy<anew::deadline<0s>, anew::max_attempts<8>>;
#else  // right
using patient = anew::strategy<anew::max_attempts<8>>;
#endif

void run() {
  anew::retry(patient{}, [] {});
}
}  // namespace deadline_of_zero

// section: Factor below one
// The factor is an `anew::rational`: 1.5 is `rational{3, 2}`, numerator first.
// expect-error: anew::exponential_backoff<Base, Cap, Factor> requires Factor >= 1
namespace factor_below_one {
#ifdef ANEW_REJECT  // wrong
using polite = anew::strategy<anew::exponential_backoff<100ms, 20s, anew::rational{2, 3}>>;
#else  // right
using polite = anew::strategy<anew::exponential_backoff<100ms, 20s, anew::rational{3, 2}>>;
#endif

void run() {
  anew::retry(polite{}, [] {});
}
}  // namespace factor_below_one

// section: Floor of a budget out of range
// Use 0 for no floor: then a client with few calls makes few retries.
// expect-error: anew::retry_budget<Percent, PerSecond> requires 0 <= PerSecond <= 100000
namespace floor_out_of_range {
#ifdef ANEW_REJECT  // wrong
using budget = anew::retry_budget<20, -1>;
#else  // right
using budget = anew::retry_budget<20, 0>;
#endif

void run() {
  anew::strategy<budget> const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace floor_out_of_range

// section: Kinds of errors inside a backoff
// A backoff with `delay(anew::call_progress const&)` depends on the kind of error, which a wrapped backoff is not
// told. Swap the two: a rule of `counted_by_kind_backoff` may be a sum, a floor or phases.
// expect-error: requires an inner Backoff that depends on the retry number alone
namespace kinds_inside_a_sum {
struct by_kind {
  using role = anew::roles::backoff;
  [[nodiscard]] anew::duration delay(std::uint32_t /*retry*/) const { return 1s; }
  [[nodiscard]] anew::duration delay(anew::call_progress const& progress) const {
    return progress.kind == anew::error_kind::throttling ? 10s : 1s;
  }
};

#ifdef ANEW_REJECT  // wrong
using patient = anew::strategy<anew::sum_backoff<by_kind, anew::constant_backoff<1s>>>;
#else  // right
using patient = anew::strategy<by_kind>;
#endif

void run() {
  anew::retry(patient{}, [] {});
}
}  // namespace kinds_inside_a_sum

// section: Least number of retries out of range
// Use 0 for no minimum: then a client with few calls in flight does not retry.
// expect-error: anew::concurrency_budget<Percent, Least> requires 0 <= Least <= 4294967295
namespace least_out_of_range {
#ifdef ANEW_REJECT  // wrong
using budget = anew::concurrency_budget<20, -1>;
#else  // right
using budget = anew::concurrency_budget<20, 0>;
#endif

void run() {
  anew::strategy<budget> const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace least_out_of_range

// section: Multiple of the accepted requests below one
// A server that accepts everything would be sent less and less.
// expect-error: anew::client_throttle<K> requires 1 <= K <= 1000
namespace throttle_below_one {
#ifdef ANEW_REJECT  // wrong
using gate = anew::client_throttle<anew::rational{1, 2}>;
#else  // right
using gate = anew::client_throttle<anew::rational{2}>;
#endif

void run() {
  anew::strategy<gate> const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace throttle_below_one

// section: Negative delay
// To retry at once, use `anew::no_backoff`.
// expect-error: anew::constant_backoff<Delay> requires Delay >= 0
namespace negative_delay {
#ifdef ANEW_REJECT  // wrong
using at_once = anew::strategy<anew::constant_backoff<-1ms>>;
#else  // right
using at_once = anew::strategy<anew::no_backoff>;
#endif

void run() {
  anew::retry(at_once{}, [] {});
}
}  // namespace negative_delay

// section: Negative longest hint
// Omit it, and a server may ask for a wait of up to 60 s.
// expect-error: anew::server_hint<Then, Longest> requires Longest >= 0
namespace negative_longest_hint {
#ifdef ANEW_REJECT  // wrong
using hints = anew::server_hint<anew::long_hint::clamp, -5s>;
#else  // right
using hints = anew::server_hint<anew::long_hint::clamp, 5s>;
#endif

void run() {
  anew::retry(anew::strategy<hints>{}, [] {});
}
}  // namespace negative_longest_hint

// section: No rule for the other kinds
// The last argument is a plain policy: the default for all kinds without a rule.
// expect-error: anew::counted_by_kind_backoff, by_kind_backoff and max_attempts_by_kind require for_kind<Kind, Policy>... and a
namespace kind_chosen_without_default {
#ifdef ANEW_REJECT  // wrong
using waits = anew::by_kind_backoff<anew::for_kind<anew::error_kind::throttling, anew::exponential_backoff<1s, 20s>>>;
#else  // right
using waits = anew::by_kind_backoff<anew::for_kind<anew::error_kind::throttling, anew::exponential_backoff<1s, 20s>>,
                                    anew::exponential_backoff<50ms, 20s>>;
#endif

void run() {
  anew::strategy<waits> const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace kind_chosen_without_default

// section: No rule for the other kinds
// The last argument is a plain policy: the default for all kinds without a rule.
// expect-error: anew::counted_by_kind_backoff, by_kind_backoff and max_attempts_by_kind require for_kind<Kind, Policy>... and a
namespace kind_without_default {
#ifdef ANEW_REJECT  // wrong
using waits = anew::counted_by_kind_backoff<anew::for_kind<anew::error_kind::throttling, anew::constant_backoff<5s>>>;
#else  // right
using waits = anew::counted_by_kind_backoff<anew::for_kind<anew::error_kind::throttling, anew::constant_backoff<5s>>,
                                            anew::constant_backoff<1s>>;
#endif

void run() {
  anew::strategy<waits> const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace kind_without_default

// section: No rule for the other kinds
// The last argument is a plain policy: the default for all kinds without a rule.
// expect-error: anew::counted_by_kind_backoff, by_kind_backoff and max_attempts_by_kind require for_kind<Kind, Policy>... and a
namespace limit_without_default {
#ifdef ANEW_REJECT  // wrong
using limit = anew::max_attempts_by_kind<anew::for_kind<anew::error_kind::throttling, anew::max_attempts<8>>>;
#else  // right
using limit = anew::max_attempts_by_kind<anew::for_kind<anew::error_kind::throttling, anew::max_attempts<8>>,
                                         anew::max_attempts<3>>;
#endif

void run() {
  anew::strategy<limit> const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace limit_without_default

// section: Not a backoff inside
// `sum_backoff`, `at_least_backoff` and the like combine backoffs. Compose a jitter as a policy of the strategy.
// expect-error: a backoff that wraps another requires an inner Backoff;
namespace jitter_in_a_sum {
#ifdef ANEW_REJECT  // wrong
using spread = anew::strategy<anew::sum_backoff<anew::constant_backoff<1s>, anew::full_jitter>>;
#else  // right
using spread =
    anew::strategy<anew::sum_backoff<anew::constant_backoff<1s>, anew::exponential_backoff<>>, anew::full_jitter>;
#endif

void run() {
  anew::retry(spread{}, [] {});
}
}  // namespace jitter_in_a_sum

// section: Parts of a token that are too small
// A bucket that refunds fractions counts in parts of a token, in 32 bits.
// expect-error: requires Capacity * den <= 4294967295
namespace refund_of_too_small_parts {
#ifdef ANEW_REJECT  // wrong
using budget = anew::token_bucket<500, anew::retry_costs{}, anew::refund::fraction(1, 1'000'000'000)>;
#else  // right
using budget = anew::token_bucket<500, anew::retry_costs{}, anew::refund::fraction(1, 1'000'000)>;
#endif

void run() {
  anew::strategy<budget> const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace refund_of_too_small_parts

// section: Phases without an end
// A call may make more retries than the phases have, so the last policy has no `for_first`. All policies before it
// have one, or the policies after them would never be used.
// expect-error: anew::phased_backoff<Phases...> requires anew::for_first<N, B> for every phase except the last,
namespace phase_comes_last {
#ifdef ANEW_REJECT  // wrong
using hurried = anew::strategy<anew::phased_backoff<anew::for_first<3, anew::constant_backoff<10ms>>>>;
#else  // right
using hurried =
    anew::strategy<anew::phased_backoff<anew::for_first<3, anew::constant_backoff<10ms>>, anew::exponential_backoff<>>>;
#endif

void run() {
  anew::retry(hurried{}, [] {});
}
}  // namespace phase_comes_last

// section: Refill beyond 146 years
// `Capacity * Per`, and `Longest`, are kept in 63 bits of nanoseconds, half of which hold the current time.
// expect-error: anew::refilling_bucket<Capacity, Per> requires an empty bucket to be full within 146 years
namespace refill_beyond_a_life {
#ifdef ANEW_REJECT  // wrong
using budget = anew::refilling_bucket<4'000'000'000, 24h>;
#else  // right
using budget = anew::refilling_bucket<4000, 24h>;
#endif

void run() {
  anew::strategy<budget> const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace refill_beyond_a_life

// section: Refill beyond 32 bits
// -1 does not mean "without limit"; that is `anew::unlimited_quota`.
// expect-error: anew::refilling_bucket<Capacity, Per> requires 0 <= Capacity <= 4294967295
namespace refill_capacity_out_of_range {
#ifdef ANEW_REJECT  // wrong
using budget = anew::refilling_bucket<-1, 100ms>;
#else  // right
using budget = anew::unlimited_quota;
#endif

void run() {
  anew::strategy<budget> const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace refill_capacity_out_of_range

// section: Refill for retries that cost nothing
// Give each kind of error a cost of at least 1.
// expect-error: anew::refilling_bucket<..., Costs> requires every cost to be above zero
namespace refill_costs_nothing {
#ifdef ANEW_REJECT  // wrong
constexpr anew::retry_costs costs{.throttling = 0};
using budget = anew::refilling_bucket<10, 100ms, anew::when_empty::refuse, 0s, costs>;
#else  // right
constexpr anew::retry_costs costs{.throttling = 1};
using budget = anew::refilling_bucket<10, 100ms, anew::when_empty::refuse, 0s, costs>;
#endif

void run() {
  anew::strategy<budget> const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace refill_costs_nothing

// section: Refill in zero time
// `Per` is the time after which one token comes back: 100ms permits ten retries a second.
// expect-error: anew::refilling_bucket<Capacity, Per> requires Per > 0
namespace refill_in_no_time {
#ifdef ANEW_REJECT  // wrong
using budget = anew::refilling_bucket<10, 0ms>;
#else  // right
using budget = anew::refilling_bucket<10, 100ms>;
#endif

void run() {
  anew::strategy<budget> const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace refill_in_no_time

// section: Reserve as long as the call
// No attempt starts with less time left than the reserve, so no retry could be made.
// expect-error: anew::deadline<Total, Then, Reserve> requires 0 <= Reserve < Total
namespace reserve_not_below_total {
#ifdef ANEW_REJECT  // wrong
using within = anew::deadline<2s, anew::at_deadline::stop, 2s>;
#else  // right
using within = anew::deadline<2s, anew::at_deadline::stop, 200ms>;
#endif

void run() {
  anew::retry(anew::strategy<within, anew::unbounded>{}, [] {});
}
}  // namespace reserve_not_below_total

// section: Reserve without a wait
// With `when_empty::reserve` a retry waits until the tokens it borrowed have come back, at most `Longest`. With
// `when_empty::refuse` nothing is borrowed, so `Longest` has no meaning.
// expect-error: anew::refilling_bucket<Capacity, Per, Then, Longest> requires Longest > 0 with when_empty::reserve,
namespace reserve_without_a_wait {
#ifdef ANEW_REJECT  // wrong
using budget = anew::refilling_bucket<10, 100ms, anew::when_empty::reserve>;
#else  // right
using budget = anew::refilling_bucket<10, 100ms, anew::when_empty::reserve, 1s>;
#endif

void run() {
  anew::strategy<budget> const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace reserve_without_a_wait

// section: Retries that cost nothing
// A kind of error may cost nothing: retries after it are not limited. To limit nothing at all, use
// `anew::unlimited_quota`.
// expect-error: anew::token_bucket<Capacity, Costs> requires at least one cost above zero
namespace zero_cost {
#ifdef ANEW_REJECT  // wrong
using budget = anew::token_bucket<500, anew::retry_costs::all(0)>;
#else  // right
using budget = anew::token_bucket<500, anew::retry_costs{.throttling = 0}>;  // all but these are limited
#endif

void run() {
  anew::strategy<budget> const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace zero_cost

// section: Sharing a policy without state
// Calls share the state of a quota or a gate. A backoff only has numbers: compose a copy of it in each strategy.
// expect-error: anew::shared<Policy> and anew::partitioned<Key, Policy> require a quota, a gate or a pacer
namespace shared_backoff {
#ifdef ANEW_REJECT  // wrong
using budget = anew::shared<anew::exponential_backoff<>>;
#else  // right
using budget = anew::shared<anew::token_bucket<>>;
#endif

void run() {
  anew::strategy<budget> const strategy{budget{}};
  anew::retry(strategy, [] {});
}
}  // namespace shared_backoff

// section: Throttle that successes do not refill
// `rational{1, 10}` is a ratio of 0.1: ten successes refill what one failure took.
// expect-error: anew::retry_throttle<MaxTokens, Ratio> requires 1/1000 <= Ratio <= 1000
namespace throttle_never_refilled {
#ifdef ANEW_REJECT  // wrong
using budget = anew::retry_throttle<10, anew::rational{0}>;
#else  // right
using budget = anew::retry_throttle<10, anew::rational{1, 10}>;
#endif

void run() {
  anew::strategy<budget> const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace throttle_never_refilled

// section: Throttle without tokens
// The bounds are those of gRPC's service config. To never retry, use `anew::max_attempts<1>`.
// expect-error: anew::retry_throttle<MaxTokens> requires 1 <= MaxTokens <= 1000
namespace throttle_tokens_out_of_range {
#ifdef ANEW_REJECT  // wrong
using budget = anew::retry_throttle<0>;
#else  // right
using budget = anew::retry_throttle<10>;
#endif

void run() {
  anew::strategy<budget> const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace throttle_tokens_out_of_range

// section: Two rules for one kind
// One of the two rules would never be used. Remove it.
// expect-error: anew::counted_by_kind_backoff, by_kind_backoff and max_attempts_by_kind require each kind at most once
namespace kind_chosen_twice {
#ifdef ANEW_REJECT  // wrong
using busy = anew::for_kind<anew::error_kind::throttling, anew::exponential_backoff<1s, 20s>>;
using waits = anew::by_kind_backoff<busy, busy, anew::exponential_backoff<50ms, 20s>>;
#else  // right
using busy = anew::for_kind<anew::error_kind::throttling, anew::exponential_backoff<1s, 20s>>;
using waits = anew::by_kind_backoff<busy, anew::exponential_backoff<50ms, 20s>>;
#endif

void run() {
  anew::strategy<waits> const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace kind_chosen_twice

// section: Two rules for one kind
// One of the two rules would never be used. Remove it.
// expect-error: anew::counted_by_kind_backoff, by_kind_backoff and max_attempts_by_kind require each kind at most once
namespace kind_limited_twice {
#ifdef ANEW_REJECT  // wrong
using busy = anew::for_kind<anew::error_kind::throttling, anew::max_attempts<8>>;
using limit = anew::max_attempts_by_kind<busy, busy, anew::max_attempts<3>>;
#else  // right
using busy = anew::for_kind<anew::error_kind::throttling, anew::max_attempts<8>>;
using limit = anew::max_attempts_by_kind<busy, anew::max_attempts<3>>;
#endif

void run() {
  anew::strategy<limit> const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace kind_limited_twice

// section: Two rules for one kind
// One of the two rules would never be used. Remove it.
// expect-error: anew::counted_by_kind_backoff, by_kind_backoff and max_attempts_by_kind require each kind at most once
namespace kind_waits_twice {
#ifdef ANEW_REJECT  // wrong
using busy = anew::for_kind<anew::error_kind::throttling, anew::constant_backoff<5s>>;
using waits = anew::counted_by_kind_backoff<busy, busy, anew::constant_backoff<1s>>;
#else  // right
using busy = anew::for_kind<anew::error_kind::throttling, anew::constant_backoff<5s>>;
using waits = anew::counted_by_kind_backoff<busy, anew::constant_backoff<1s>>;
#endif

void run() {
  anew::strategy<waits> const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace kind_waits_twice

// section: Window of a budget out of range
// The window is the time for which a call counts. A shorter window sees too few calls; with a longer one, old
// successes pay for an outage.
// expect-error: anew::retry_budget<Percent, PerSecond, Window> requires 1s <= Window <= 60s
namespace window_out_of_range {
#ifdef ANEW_REJECT  // wrong
using budget = anew::retry_budget<20, 10, 100ms>;
#else  // right
using budget = anew::retry_budget<20, 10, 10s>;
#endif

void run() {
  anew::strategy<budget> const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace window_out_of_range

// section: Window of a throttle out of range
// A shorter window sees too few requests to estimate from; with a longer one the throttle notices too late that the server
// recovered.
// expect-error: anew::client_throttle<K, Window> requires 1s <= Window <= 1h
namespace throttle_window_out_of_range {
#ifdef ANEW_REJECT  // wrong
using gate = anew::client_throttle<anew::rational{2}, 100ms>;
#else  // right
using gate = anew::client_throttle<anew::rational{2}, 10s>;
#endif

void run() {
  anew::strategy<gate> const strategy{};
  anew::retry(strategy, [] {});
}
}  // namespace throttle_window_out_of_range
