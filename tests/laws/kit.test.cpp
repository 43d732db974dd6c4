// SPDX-License-Identifier: BSL-1.0
// The laws of the kit, over every shipped model, what the kit itself ships, and the archetypes. Under ThreadSanitizer
// only those in which threads share a state.
#include <array>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <tuple>
#include <utility>

#include <gtest/gtest.h>

#include "anew/policies.hpp"
#include "anew/policies/backoff/nested.hpp"
#include "anew/policies/gate/striped_client_throttle.hpp"
#include "anew/policies/gate/striped_rate_breaker.hpp"
#include "anew/policies/limits/max_attempts_by_kind.hpp"
#include "anew/policies/quota/striped.hpp"
#include "anew/presets/aws/standard.hpp"
#include "anew/process.hpp"
#include "anew/testing.hpp"
#include "anew/testing/laws.hpp"

#include "examples.hpp"
#include "names.hpp"
#include "process_support.hpp"

namespace {

using namespace anew;
using namespace anew::testing;

constexpr auto longest = duration::max();

// Of values, by what makes them.

// clang-format off: it would put each on three lines
struct constant_of_a_second { static auto make() { return constant_backoff{1s}; } };
struct exponential_of_values { static auto make() { return exponential_backoff{7ns, 1h, rational{1001, 1000}}; } };
struct exponential_to_the_longest { static auto make() { return exponential_backoff{1ns, longest, rational{3, 2}}; } };
struct bucket_of_values {
  static auto make() { return token_bucket{1'000, retry_costs{.transient = 1, .timeout = 999}}; }
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
struct attempts_of_values { static auto make() { return max_attempts{70'000}; } };
struct hint_of_values { static auto make() { return server_hint{long_hint::ignore}; } };
struct deadline_of_values { static auto make() { return deadline{10s, at_deadline::clamp, 3s}; } };
struct generator_of_a_seed { static auto make() { return generator{1, 2}; } };
// clang-format on

#ifndef ANEW_TEST_THREADS_ALONE
constexpr std::int64_t most_retries = 4294967295;

struct nested_of_values {
  static auto make() {
    return nested_backoff::sum(nested_backoff::at_least(linear_backoff{1s, 9s}, 2s),
                               nested_backoff::immediate_first(constant_backoff{50ms}));
  }
};
// Numbers at the edges; the examples of the words have the others.
template <class... More>
using backoffs = ::testing::Types<
    constant_backoff<0ns>, constant_backoff<1ns>, constant_backoff<longest>, exponential_backoff<1ns, 1ns>,
    exponential_backoff<1ns, longest>, exponential_backoff<longest, longest>,
    exponential_backoff<3s, 60s, rational{3, 2}>, exponential_backoff<1ns, longest, rational{1}>,
    exponential_backoff<1ns, longest, rational{1001, 1000}>, exponential_backoff<1ns, longest, rational{4294967295}>,
    exponential_backoff<1ns, longest, rational{~std::uint32_t{0}}>,
    exponential_backoff<1ns, longest, rational{4294967295, 4294967294}>, constant_of_a_second, exponential_of_values,
    exponential_to_the_longest, least_backoff, linear_backoff<0ns, 0ns, 1ns>, linear_backoff<1ns, longest>,
    linear_backoff<longest, longest>, linear_backoff<0ns, longest, longest>, fibonacci_backoff<1ns, 1ns>,
    fibonacci_backoff<1ns, longest>, fibonacci_backoff<longest, longest>, sequence_backoff<longest>,
    sum_backoff<exponential_backoff<1ns, longest>, constant_backoff<longest>>,
    sum_backoff<least_backoff, linear_backoff<1ns, 1s>>, at_least_backoff<fibonacci_backoff<1ns, longest>, 1s>,
    immediate_first<least_backoff>, raised_cap_backoff<constant_backoff<longest>, rational{1}>, nested_of_values,
    More...>;
using every_backoff = support::examples<backoff_words>::in<backoffs>;
INSTANTIATE_TYPED_TEST_SUITE_P(Shipped, BackoffLaws, every_backoff);
INSTANTIATE_TYPED_TEST_SUITE_P(Shipped, GrowingBackoffLaws, every_backoff);

using backoffs_that_may_fall = ::testing::Types<
    sequence_backoff<1s, 0s>, sequence_backoff<longest, 1ns, longest, 0ns>,
    phased_backoff<for_first<3, exponential_backoff<>>, exponential_backoff<>>,
    phased_backoff<for_first<most_retries, linear_backoff<1ns, longest>>, no_backoff>,
    phased_backoff<for_first<most_retries - 1, constant_backoff<longest>>, for_first<1, no_backoff>, least_backoff>,
    sum_backoff<sequence_backoff<1s, 0s>, phased_backoff<for_first<1, constant_backoff<longest>>, no_backoff>>,
    at_least_backoff<sequence_backoff<3s, 1s>, 2s>, immediate_first<sequence_backoff<3s, 1s>>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Falling, BackoffLaws, backoffs_that_may_fall);

using half_up_or_down = proportional_jitter<rational{1, 2}>;
using all_up_or_down = proportional_jitter<rational{1}>;
using from_nothing_to_twice = scaled_jitter<rational{0}, rational{2}>;
template <class... More>
using jitters = ::testing::Types<half_up_or_down, all_up_or_down, from_nothing_to_twice, least_jitter,
                                 least_remembering_jitter, More...>;
using every_jitter = support::examples<jitter_words>;
INSTANTIATE_TYPED_TEST_SUITE_P(Shipped, JitterLaws, every_jitter::in<jitters>);
// The last two of these are lumps at the cap, as their comments say.
using spreading = every_jitter::but<no_jitter, cap_after_draw_jitter, polly_decorrelated_jitter>;
INSTANTIATE_TYPED_TEST_SUITE_P(Shipped, SpreadingJitterLaws, spreading::in<jitters>);
#endif

/// Its permits are numbers, each of which may come back once.
struct numbered_permits {
  using role = roles::quota;
  using permit_type = unsigned;
  [[nodiscard]] std::optional<unsigned> try_acquire(failure const& /*what*/) const {
    std::lock_guard const lock{mutex};
    return out.size() == 2 ? std::nullopt : std::optional{*out.insert(++last).first};
  }
  void on_success(unsigned permit) const { release(permit); }
  void on_failure(unsigned permit) const { release(permit); }
  void release(unsigned permit) const {
    std::lock_guard const lock{mutex};
    out.erase(permit);
  }
  mutable std::mutex mutex;
  mutable std::set<unsigned> out;
  mutable unsigned last = 0;
};
using quotas = support::examples<quota_words>::in<
    ::testing::Types, token_bucket<>, token_bucket<0>, bucket_of_values, retry_budget<100, 0>,
    striped<token_bucket<100>>, striped<retry_budget<>>, striped<concurrency_budget<>>, striped<retry_budget<100, 0>>,
    bucket_of_processes, budget_of_processes, concurrency_of_processes, audited_quota, least_quota, numbered_permits>;
INSTANTIATE_TYPED_TEST_SUITE_P(Shipped, QuotaLaws, quotas);

using clocks = ::testing::Types<anew::std_clock<std::chrono::steady_clock>, manual_clock, least_clock>;
INSTANTIATE_TYPED_TEST_SUITE_P(Shipped, ClockLaws, clocks);

#ifndef ANEW_TEST_THREADS_ALONE
struct by_number {
  static auto make() {
    return retry_if{[](int error) { return error > 400; }};
  }
};
struct by_text {
  static auto make() {
    return retry_if{[](std::string const& error) { return error == "busy"; }};
  }
  static auto errors() { return std::tuple{std::string{"busy"}, std::string{"gone"}}; }
};
using classifiers =
    ::testing::Types<retry_info_classifier, retry_all, retry_on<std::system_error>, http_status_classifier<>,
                     http_status_classifier<418>, http_statuses, by_number, by_text, least_classifier>;
INSTANTIATE_TYPED_TEST_SUITE_P(Shipped, ClassifierLaws, classifiers);

struct limits_by_kind {
  static auto make() {
    using limit = max_attempts_by_kind_at_run_time::limit;
    std::array<std::pair<error_kind, limit>, 2> const named{
        {{error_kind::timeout, unbounded{}}, {error_kind::throttling, max_attempts{8}}}};
    return max_attempts_by_kind_at_run_time{named, max_attempts{3}};
  }
};
using limits = support::examples<limit_words>::in<::testing::Types, max_attempts<1>, max_attempts<4294967295>,
                                                  attempts_of_values, limits_by_kind, least_max_attempts>;
INSTANTIATE_TYPED_TEST_SUITE_P(Shipped, MaxAttemptsLaws, limits);

// A hint may lengthen the delay by five seconds, whatever the cap.
struct overshooting : clamped_hint<5s> {
  static duration longest(duration computed, duration) { return detail::saturating_add(computed, duration{5s}); }
};
// pushback_hint may shorten the wait, and clamped_hint says in `overshooting` how far it may exceed the cap.
using within_the_cap =
    support::examples<hint_words>::but<pushback_hint<>, clamped_hint<>, jittered_hint<rational{1, 2}, pushback_hint<>>,
                                       jittered_hint<rational{1, 2}, clamped_hint<>>>;
using hints = within_the_cap::in<::testing::Types, server_hint<long_hint::clamp>, server_hint<long_hint::ignore>,
                                 server_hint<long_hint::clamp, 1h>, overshooting, hint_of_values,
                                 jittered_hint<rational{1, 2}, server_hint<long_hint::clamp>>, least_hint>;
INSTANTIATE_TYPED_TEST_SUITE_P(Shipped, HintLaws, hints);

using deadlines =
    support::examples<deadline_words>::in<::testing::Types, deadline<1ns>, deadline<longest>,
                                          deadline<10s, at_deadline::stop, 1s>, deadline<10s, at_deadline::clamp, 1s>,
                                          deadline<10s, at_deadline::last_try>, deadline_of_values, least_deadline>;
INSTANTIATE_TYPED_TEST_SUITE_P(Shipped, DeadlineLaws, deadlines);

using gates =
    support::examples<gate_words>::in<::testing::Types, circuit_breaker<1, 1h, 20>, striped<rate_breaker<>>,
                                      client_throttle<rational{1}, 1s>, striped<client_throttle<>>, least_gate>;
INSTANTIATE_TYPED_TEST_SUITE_P(Shipped, GateLaws, gates);

using resets = support::examples<reset_words>::in<::testing::Types, reset_after<1ns>, least_reset>;
INSTANTIATE_TYPED_TEST_SUITE_P(Shipped, ResetLaws, resets);

using random_sources =
    ::testing::Types<thread_random, generator_of_a_seed, seeded_random, anew::seeded_source, least_random_source>;
INSTANTIATE_TYPED_TEST_SUITE_P(Shipped, RandomSourceLaws, random_sources);

using strategies =
    ::testing::Types<strategy<>, never, aws::standard, strategy<decorrelated_jitter, token_bucket<50>>,
                     strategy<deadline<5s>, unbounded, manual_clock, server_hint<long_hint::clamp>>,
                     strategy<least_backoff, least_jitter, least_quota, least_classifier, least_max_attempts,
                              least_hint, least_deadline, least_observer, least_clock, least_random_source>,
                     least_strategy>;
INSTANTIATE_TYPED_TEST_SUITE_P(Shipped, StrategyLaws, strategies);
#endif

}  // namespace
