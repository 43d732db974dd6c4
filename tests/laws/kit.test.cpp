// SPDX-License-Identifier: BSL-1.0
// The laws of the kit, over every shipped model, what the kit itself ships, and the archetypes.
#include <chrono>
#include <cstdint>
#include <limits>
#include <string>
#include <system_error>
#include <tuple>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies/backoff/at_least.hpp"
#include "anew/policies/backoff/by_kind.hpp"
#include "anew/policies/backoff/counted_by_kind.hpp"
#include "anew/policies/backoff/fibonacci.hpp"
#include "anew/policies/backoff/immediate_first.hpp"
#include "anew/policies/backoff/linear.hpp"
#include "anew/policies/backoff/nested.hpp"
#include "anew/policies/backoff/phased.hpp"
#include "anew/policies/backoff/raised_cap.hpp"
#include "anew/policies/backoff/sequence.hpp"
#include "anew/policies/backoff/sum.hpp"
#include "anew/policies/classifier/any_of.hpp"
#include "anew/policies/classifier/first_of.hpp"
#include "anew/policies/classifier/http_statuses.hpp"
#include "anew/policies/classifier/idempotent_only.hpp"
#include "anew/policies/classifier/not.hpp"
#include "anew/policies/gate/circuit_breaker.hpp"
#include "anew/policies/gate/client_throttle.hpp"
#include "anew/policies/gate/cool_down.hpp"
#include "anew/policies/gate/rate_breaker.hpp"
#include "anew/policies/gate/striped_rate_breaker.hpp"
#include "anew/policies/hint/clamped.hpp"
#include "anew/policies/hint/jittered.hpp"
#include "anew/policies/jitter/cap_after_draw.hpp"
#include "anew/policies/jitter/from_first.hpp"
#include "anew/policies/jitter/polly_decorrelated.hpp"
#include "anew/policies/jitter/proportional.hpp"
#include "anew/policies/jitter/scaled.hpp"
#include "anew/policies/limits/max_attempts_by_kind.hpp"
#include "anew/policies/limits/max_attempts_by_kind_at_run_time.hpp"
#include "anew/policies/limits/poll_deadline.hpp"
#include "anew/policies/limits/reset_after.hpp"
#include "anew/policies/quota/concurrency_budget.hpp"
#include "anew/policies/quota/long_poll.hpp"
#include "anew/policies/quota/refilling_bucket.hpp"
#include "anew/policies/quota/retry_budget.hpp"
#include "anew/policies/quota/retry_throttle.hpp"
#include "anew/policies/quota/striped.hpp"
#include "anew/policies/sources/seeded_source.hpp"
#include "anew/presets/aws/standard.hpp"
#include "anew/process.hpp"
#include "anew/testing.hpp"
#include "anew/testing/laws.hpp"

#include "process_support.hpp"

namespace {

using namespace std::chrono_literals;
using namespace anew::testing;
using anew::at_least_backoff;
using anew::constant_backoff;
using anew::duration;
using anew::exponential_backoff;
using anew::fibonacci_backoff;
using anew::for_first;
using anew::immediate_first;
using anew::linear_backoff;
using anew::phased_backoff;
using anew::sequence_backoff;
using anew::sum_backoff;

constexpr auto longest = duration::max();
constexpr std::int64_t most_retries = 4294967295;

struct constant_of_a_second {
  static auto make() { return anew::constant_backoff{1s}; }
};
struct exponential_of_values {
  static auto make() { return exponential_backoff{7ns, 1h, anew::rational{1001, 1000}}; }
};
struct exponential_to_the_longest {
  static auto make() { return exponential_backoff{1ns, longest, anew::rational{3, 2}}; }
};
struct nested_of_values {
  static auto make() {
    using anew::nested_backoff;
    return nested_backoff::sum(nested_backoff::at_least(linear_backoff{1s, 9s}, 2s),
                               nested_backoff::immediate_first(constant_backoff{50ms}));
  }
};
using backoffs = ::testing::Types<
    anew::no_backoff, constant_backoff<0ns>, constant_backoff<1ns>, constant_backoff<longest>, exponential_backoff<>,
    exponential_backoff<1ns, 1ns>, exponential_backoff<1ns, longest>, exponential_backoff<longest, longest>,
    exponential_backoff<3s, 60s, anew::rational{3, 2}>, exponential_backoff<1ns, longest, anew::rational{1}>,
    exponential_backoff<1ns, longest, anew::rational{1001, 1000}>,
    exponential_backoff<1ns, longest, anew::rational{4294967295}>,
    exponential_backoff<1ns, longest, anew::rational{~std::uint32_t{0}}>,
    exponential_backoff<1ns, longest, anew::rational{4294967295, 4294967294}>, constant_of_a_second,
    exponential_of_values, exponential_to_the_longest, least_backoff, linear_backoff<100ms, 10s>,
    linear_backoff<0ns, 0ns, 1ns>, linear_backoff<1ns, longest>, linear_backoff<longest, longest>,
    linear_backoff<0ns, longest, longest>, fibonacci_backoff<100ms, 10s>, fibonacci_backoff<1ns, 1ns>,
    fibonacci_backoff<1ns, longest>, fibonacci_backoff<longest, longest>, sequence_backoff<10ms, 50ms, 1s>,
    sequence_backoff<longest>, sum_backoff<exponential_backoff<1ns, longest>, constant_backoff<longest>>,
    sum_backoff<least_backoff, linear_backoff<1ns, 1s>>, at_least_backoff<exponential_backoff<1ns, 1s>, 2s>,
    at_least_backoff<fibonacci_backoff<1ns, longest>, 1s>, immediate_first<exponential_backoff<>>,
    immediate_first<least_backoff>, phased_backoff<for_first<3, anew::no_backoff>, exponential_backoff<>>,
    anew::raised_cap_backoff<exponential_backoff<>, anew::rational{1, 5}>,
    anew::raised_cap_backoff<constant_backoff<longest>, anew::rational{1}>, nested_of_values>;
INSTANTIATE_TYPED_TEST_SUITE_P(Shipped, BackoffLaws, backoffs);
INSTANTIATE_TYPED_TEST_SUITE_P(Shipped, GrowingBackoffLaws, backoffs);

using when_throttled = anew::for_kind<anew::error_kind::throttling, exponential_backoff<1s, 20s>>;
using throttling_apart = anew::counted_by_kind_backoff<when_throttled, exponential_backoff<50ms, 20s>>;
using throttling_from_afar = anew::by_kind_backoff<when_throttled, exponential_backoff<50ms, 20s>>;
using backoffs_that_may_fall = ::testing::Types<
    sequence_backoff<1s, 0s>, sequence_backoff<longest, 1ns, longest, 0ns>,
    phased_backoff<for_first<3, exponential_backoff<>>, exponential_backoff<>>,
    phased_backoff<for_first<most_retries, linear_backoff<1ns, longest>>, anew::no_backoff>,
    phased_backoff<for_first<most_retries - 1, constant_backoff<longest>>, for_first<1, anew::no_backoff>,
                   least_backoff>,
    sum_backoff<sequence_backoff<1s, 0s>, phased_backoff<for_first<1, constant_backoff<longest>>, anew::no_backoff>>,
    at_least_backoff<sequence_backoff<3s, 1s>, 2s>, immediate_first<sequence_backoff<3s, 1s>>, throttling_apart,
    throttling_from_afar>;
INSTANTIATE_TYPED_TEST_SUITE_P(Falling, BackoffLaws, backoffs_that_may_fall);

using half_up_or_down = anew::proportional_jitter<anew::rational{1, 2}>;
using a_fifth_up_or_down = anew::proportional_jitter<anew::rational{1, 5}>;
using all_up_or_down = anew::proportional_jitter<anew::rational{1}>;
using as_azure = anew::scaled_jitter<anew::rational{4, 5}, anew::rational{13, 10}>;
using from_nothing_to_twice = anew::scaled_jitter<anew::rational{0}, anew::rational{2}>;
// Two of them are lumps at the cap, as their comments say: they are not among those that spread.
using jitters = ::testing::Types<anew::no_jitter, anew::full_jitter, anew::equal_jitter, anew::decorrelated_jitter,
                                 a_fifth_up_or_down, half_up_or_down, all_up_or_down, as_azure, from_nothing_to_twice,
                                 anew::cap_after_draw_jitter, anew::from_first_jitter, anew::polly_decorrelated_jitter,
                                 least_jitter, least_remembering_jitter>;
INSTANTIATE_TYPED_TEST_SUITE_P(Shipped, JitterLaws, jitters);
using spreading = ::testing::Types<anew::full_jitter, anew::equal_jitter, anew::decorrelated_jitter, a_fifth_up_or_down,
                                   half_up_or_down, all_up_or_down, as_azure, from_nothing_to_twice, least_jitter,
                                   least_remembering_jitter>;
INSTANTIATE_TYPED_TEST_SUITE_P(Shipped, SpreadingJitterLaws, spreading);

struct bucket_of_values {
  static auto make() { return anew::token_bucket{1'000, anew::retry_costs{.transient = 1, .timeout = 999}}; }
};
struct bucket_of_processes {
  static auto make() { return support::of_no_other_process<anew::process::token_bucket>(100); }
};
struct budget_of_processes {
  static auto make() { return support::of_no_other_process<anew::process::retry_budget>(20, 10, 10s); }
};
struct concurrency_of_processes {
  static auto make() { return support::of_no_other_process<anew::process::concurrency_budget>(20, 3); }
};
using quotas = ::testing::Types<anew::unlimited_quota, anew::token_bucket<>, anew::token_bucket<0>,
                                anew::token_bucket<100>, bucket_of_values, anew::refilling_bucket<100, 100ms>,
                                anew::refilling_bucket<100, 100ms, anew::when_empty::reserve, 1s>, anew::retry_budget<>,
                                anew::retry_budget<100, 0>, anew::concurrency_budget<>, anew::retry_throttle<>,
                                anew::long_poll<anew::token_bucket<100>>, anew::striped<anew::token_bucket<100>>,
                                anew::striped<anew::retry_budget<>>, anew::striped<anew::retry_budget<100, 0>>,
                                anew::striped<anew::concurrency_budget<>>, bucket_of_processes, budget_of_processes,
                                concurrency_of_processes, audited_quota, least_quota>;
INSTANTIATE_TYPED_TEST_SUITE_P(Shipped, QuotaLaws, quotas);

struct by_number {
  static auto make() {
    return anew::retry_if{[](int error) { return error > 400; }};
  }
};
struct by_text {
  static auto make() {
    return anew::retry_if{[](std::string const& error) { return error == "busy"; }};
  }
  static auto errors() { return std::tuple{std::string{"busy"}, std::string{"gone"}}; }
};
using classifiers = ::testing::Types<anew::retry_info_classifier, anew::retry_all, anew::retry_on<std::system_error>,
                                     anew::http_status_classifier<>, anew::http_status_classifier<418>,
                                     anew::http_statuses, by_number, by_text, least_classifier>;
INSTANTIATE_TYPED_TEST_SUITE_P(Shipped, ClassifierLaws, classifiers);

struct attempts_of_values {
  static auto make() { return anew::max_attempts{70'000}; }
};
struct limits_by_kind {
  static auto make() {
    anew::max_attempts_by_kind_at_run_time most{anew::max_attempts{3}};
    most.add_for(anew::error_kind::throttling, anew::max_attempts{8});
    most.add_for(anew::error_kind::timeout, anew::unbounded{});
    return most;
  }
};
using throttling_limited_apart =
    anew::max_attempts_by_kind<anew::for_kind<anew::error_kind::throttling, anew::max_attempts<8>>,
                               anew::max_attempts<3>>;
using limits =
    ::testing::Types<anew::max_attempts<1>, anew::max_attempts<3>, anew::max_attempts<4294967295>, anew::unbounded,
                     attempts_of_values, limits_by_kind, throttling_limited_apart, least_max_attempts>;
INSTANTIATE_TYPED_TEST_SUITE_P(Shipped, MaxAttemptsLaws, limits);

// A hint may lengthen the delay by five seconds, whatever the cap.
struct overshooting : anew::clamped_hint<5s> {
  static duration longest(duration computed, duration) { return anew::detail::saturating_add(computed, duration{5s}); }
};
struct hint_of_values {
  static auto make() { return anew::server_hint{anew::long_hint::ignore}; }
};
using hints =
    ::testing::Types<anew::server_hint<>, anew::server_hint<anew::long_hint::clamp>,
                     anew::server_hint<anew::long_hint::ignore>, anew::server_hint<anew::long_hint::clamp, 1h>,
                     overshooting, hint_of_values, anew::jittered_hint<>,
                     anew::jittered_hint<anew::rational{1, 2}, anew::server_hint<anew::long_hint::clamp>>, least_hint>;
INSTANTIATE_TYPED_TEST_SUITE_P(Shipped, HintLaws, hints);

struct deadline_of_values {
  static auto make() { return anew::deadline{10s, anew::at_deadline::clamp, 3s}; }
};
using deadlines = ::testing::Types<
    anew::deadline<1ns>, anew::deadline<10s>, anew::deadline<longest>, anew::deadline<10s, anew::at_deadline::stop, 1s>,
    anew::deadline<10s, anew::at_deadline::clamp, 1s>, anew::deadline<10s, anew::at_deadline::last_try>,
    deadline_of_values, anew::poll_deadline<10s>, least_deadline>;
INSTANTIATE_TYPED_TEST_SUITE_P(Shipped, DeadlineLaws, deadlines);

using gates = ::testing::Types<anew::circuit_breaker<>, anew::circuit_breaker<1, 1h, 20>, anew::rate_breaker<>,
                               anew::striped<anew::rate_breaker<>>, anew::client_throttle<>,
                               anew::client_throttle<anew::rational{1}, 1s>, anew::cool_down<>, least_gate>;
INSTANTIATE_TYPED_TEST_SUITE_P(Shipped, GateLaws, gates);

using resets = ::testing::Types<anew::reset_after<30s>, anew::reset_after<1ns>, least_reset>;
INSTANTIATE_TYPED_TEST_SUITE_P(Shipped, ResetLaws, resets);

using clocks = ::testing::Types<anew::std_clock<std::chrono::steady_clock>, manual_clock, least_clock>;
INSTANTIATE_TYPED_TEST_SUITE_P(Shipped, ClockLaws, clocks);

struct generator_of_a_seed {
  static auto make() { return anew::generator{1, 2}; }
};
using random_sources =
    ::testing::Types<anew::thread_random, generator_of_a_seed, seeded_random, anew::seeded_source, least_random_source>;
INSTANTIATE_TYPED_TEST_SUITE_P(Shipped, RandomSourceLaws, random_sources);

using strategies = ::testing::Types<
    anew::strategy<>, anew::never, anew::aws::standard,
    anew::strategy<anew::decorrelated_jitter, anew::token_bucket<50>>,
    anew::strategy<anew::deadline<5s>, anew::unbounded, manual_clock, anew::server_hint<anew::long_hint::clamp>>,
    anew::strategy<least_backoff, least_jitter, least_quota, least_classifier, least_max_attempts, least_hint,
                   least_deadline, least_observer, least_clock, least_random_source>,
    least_strategy>;
INSTANTIATE_TYPED_TEST_SUITE_P(Shipped, StrategyLaws, strategies);

}  // namespace
