// SPDX-License-Identifier: BSL-1.0
// Metrics for prometheus-cpp, against a program's own totals.
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/drivers/declarations.hpp"
#include "anew/policies/classifier/error_code.hpp"
#include "anew/policies/gate/adaptive_concurrency.hpp"
#include "anew/policies/gate/circuit_breaker.hpp"
#include "anew/policies/observer/fan_out.hpp"
#include "anew/policies/quota/token_bucket.hpp"
#include "anew/policies/sharing/shared.hpp"
#include "anew/prometheus.hpp"
#include "anew/testing/manual_clock.hpp"

#include "counted_heap.hpp"
#include "rejection.hpp"
#include "together.hpp"

namespace observer_metrics_test {
namespace {

using namespace std::chrono_literals;

struct totals {
  std::map<std::string, double> of;  // the family, and the value of one of its labels
  std::size_t series = 0;
};
totals read(anew::prometheus_families const& from, std::string const& label) {
  totals all;
  for (auto const& family : from.Collect()) {
    for (auto const& metric : family.metric) {
      ++all.series;
      for (auto const& one : metric.label) {
        if (one.name != label) continue;
        all.of[family.name + " " + one.value] +=
            metric.counter.value + metric.gauge.value + static_cast<double>(metric.histogram.sample_count);
      }
    }
  }
  return all;
}

TEST(PrometheusMetrics, CountWhatTheProgramCounts) {
  auto const families = std::make_shared<anew::prometheus_families>();
  auto const s = anew::compose(anew::error_code_classifier{}, anew::no_backoff{}, anew::max_attempts<3>{},
                               anew::fan_out{anew::prometheus_metrics{families, "rest"}});
  unsigned made = 0, attempts = 0, succeeded = 0, failed = 0;
  auto const operation = [&] {  // fails twice of three times
    return ++attempts,
           ++made * 2'654'435'761U % 3U != 0 ? std::make_error_code(std::errc::connection_reset) : std::error_code{};
  };
  unsigned const calls = 10'000;
  for (unsigned i = 0; i != calls; ++i) {
    auto const no_sleep = [](anew::duration /*delay*/) {};
    auto const error = i % 2 == 0 ? anew::retry(s, anew::named(anew::idempotent(operation), "read"), no_sleep)
                                  : anew::retry(s, anew::idempotent(operation), no_sleep);
    ++(error ? failed : succeeded);
  }
  EXPECT_GT(failed, 0U);
  auto const by_reason = read(*families, "reason").of;
  EXPECT_EQ(by_reason.at("anew_calls_total succeeded"), succeeded);
  EXPECT_EQ(by_reason.at("anew_calls_total attempts"), failed);
  auto const by_outcome = read(*families, "outcome").of;
  EXPECT_EQ(by_outcome.at("anew_attempts_total success"), succeeded);
  EXPECT_EQ(by_outcome.at("anew_attempts_total failure"), attempts - succeeded);
  EXPECT_EQ(read(*families, "type").of.at("anew_attempts_total original"), calls);
  auto const by_kind = read(*families, "kind").of;
  EXPECT_EQ(by_kind.at("anew_retries_total transient"), attempts - calls);
  auto const by_operation = read(*families, "operation").of;
  for (auto const* operation_name : {"read", "rest"}) {
    EXPECT_EQ(by_operation.at(std::string{"anew_call_duration_seconds "} + operation_name), calls / 2);
    EXPECT_EQ(by_operation.at(std::string{"anew_calls_in_progress "} + operation_name), 0);
  }
}

TEST(PrometheusMetrics, CountsCallsInProgressAlsoOfThoseThatNobodyFinished) {
  auto const families = std::make_shared<anew::prometheus_families>();
  anew::prometheus_metrics const metrics{families};
  {
    auto const call = metrics.on_call({"read"}, {});
    EXPECT_EQ(read(*families, "operation").of.at("anew_calls_in_progress read"), 1);
  }
  EXPECT_EQ(read(*families, "operation").of.at("anew_calls_in_progress read"), 0);
}

TEST(PrometheusMetrics, CountChanges) {
  auto const families = std::make_shared<anew::prometheus_families>();
  auto const failing = [] { return std::make_error_code(std::errc::connection_reset); };
  auto const guarded = anew::compose(anew::error_code_classifier{}, anew::max_attempts<1>{},
                                     anew::circuit_breaker<1, 1h>{}, anew::prometheus_metrics{families, "guarded"});
  auto const paid =
      anew::compose(anew::error_code_classifier{}, anew::max_attempts<2>{}, anew::no_backoff{},
                    anew::token_bucket<1, anew::retry_costs::all(1)>{}, anew::prometheus_metrics{families, "paid"});
  for (int i = 0; i != 3; ++i) {
    (void)anew::retry(guarded, failing);
    guarded.announce(guarded.gate().close());
    for (int j = 0; j != 3; ++j) (void)anew::retry(paid, anew::idempotent(failing), [](anew::duration /*delay*/) {});
    (void)anew::retry(paid, [] { return std::error_code{}; });
  }
  auto const to = read(*families, "to").of;
  for (auto const* state : {"open", "closed", "empty"}) {
    EXPECT_EQ(to.at(std::string{"anew_policy_changes_total "} + state), 3) << state;
  }
  EXPECT_EQ(to.at("anew_policy_changes_total granting"), 2) << "no retry has asked since";
  for (auto const* state : {"half_open", "free", "slowing"}) {
    EXPECT_EQ(to.at(std::string{"anew_policy_changes_total "} + state), 0) << state;
  }
}

TEST(PrometheusMetrics, CountOnManyThreads) {
  auto const families = std::make_shared<anew::prometheus_families>();
  anew::prometheus_metrics const metrics{families};
  unsigned const threads = 40, calls = 50'000;  // more threads than have a stripe of their own
  support::together(threads, [&](unsigned /*which*/) {
    for (unsigned i = 0; i != calls; ++i) {
      auto call = metrics.on_call({"read"}, {});
      metrics.on_attempt(call, {1, anew::directive::succeed(), true});
    }
  });
  EXPECT_EQ(read(*families, "operation").of.at("anew_calls_in_progress read"), 0);
  EXPECT_EQ(read(*families, "outcome").of.at("anew_attempts_total success"), threads * calls);
}

TEST(PrometheusMetrics, PutACallIntoTheBucketsFromItsDurationOn) {
  auto const families = std::make_shared<anew::prometheus_families>();
  anew::prometheus_metrics const metrics{families};
  for (anew::duration const took : {anew::duration{1ms}, 1ms + 1ns, anew::duration{60s}, 60s + 1ns}) {
    auto call = metrics.on_call({"read"}, {});
    metrics.on_end(call, {1, anew::stop_reason::succeeded}, anew::time_point{took});
  }
  for (auto const& family : families->Collect()) {
    if (family.name != "anew_call_duration_seconds") continue;
    auto const& shown = family.metric.at(0).histogram;
    EXPECT_EQ(shown.sample_count, 4U);
    EXPECT_DOUBLE_EQ(shown.sample_sum, 120.002'000'002);
    std::map<double, std::uint64_t> up_to;
    for (auto const& bucket : shown.bucket) up_to[bucket.upper_bound] = bucket.cumulative_count;
    EXPECT_EQ(up_to, (std::map<double, std::uint64_t>{{0.001, 1},
                                                      {0.005, 2},
                                                      {0.01, 2},
                                                      {0.05, 2},
                                                      {0.1, 2},
                                                      {0.5, 2},
                                                      {1, 2},
                                                      {5, 2},
                                                      {10, 2},
                                                      {60, 3},
                                                      {HUGE_VAL, 4}}));
    return;
  }
  FAIL() << "no such family";
}

TEST(PrometheusMetrics, RefuseToHaveNoFamilies) {
  EXPECT_REJECTED(anew::prometheus_metrics{nullptr},
                  "anew::prometheus_metrics: families must not be null, but is nullptr");
}

TEST(PrometheusMetrics, HaveFewSeriesWhateverTheNamesAre) {
  auto const families = std::make_shared<anew::prometheus_families>();
  anew::prometheus_metrics const metrics{families};
  auto const of_gates = read(*families, "operation").series;
  std::vector<std::string> names;
  for (int i = 0; i != 1'000; ++i) names.push_back("operation " + std::to_string(i));
  (void)metrics.on_call({names.front().c_str()}, {});
  auto const of_one = read(*families, "operation").series - of_gates;
  EXPECT_LT(of_one, 60U);
  for (auto const& name : names) {
    (void)metrics.on_call({name.c_str()}, {});
    anew::prometheus_metrics const with_a_label{families, name};
  }
  EXPECT_EQ(read(*families, "operation").series, (anew::prometheus_families::most_operations + 1) * of_gates +
                                                     (anew::prometheus_families::most_operations + 1) * of_one);
}

TEST(PrometheusMetrics, FindAnOperationWithoutTheHeapOnceItWasCalled) {
  auto const families = std::make_shared<anew::prometheus_families>();
  auto const s = anew::compose(anew::error_code_classifier{}, anew::no_backoff{}, anew::max_attempts<2>{},
                               anew::prometheus_metrics{families, "rest"});
  auto const call = [&s](int failures) {
    auto const operation = [&] {
      return failures-- > 0 ? std::make_error_code(std::errc::connection_reset) : std::error_code{};
    };
    constexpr auto const* name = "a name that is too long to lie inside of a std::string";
    (void)anew::retry(s, anew::named(anew::idempotent(operation), name), [](anew::duration /*delay*/) {});
  };
  call(1);
#if !ANEW_TEST_UNDER_TSAN
  EXPECT_EQ(support::allocations_of([&] { call(0), call(1); }), 0);
#endif
  // A different text at the same address is a different operation.
  char buffer[] = "one";
  (void)s.observer().on_call({buffer}, {});
  buffer[0] = 'a';
  auto const under_way = s.observer().on_call({buffer}, {});
  EXPECT_EQ(read(*families, "operation").of.at("anew_calls_in_progress ane"), 1);
}

TEST(PrometheusGauges, ReadThePoliciesWhenTheyAreScraped) {
  anew::testing::manual_clock const clock;
  auto const s = anew::compose(anew::adaptive_concurrency<8, 10ms>{}, anew::shared<anew::token_bucket<500>>{}, clock);
  anew::prometheus_gauges const gauges{s, "rest"};
  auto const of = [&gauges](std::string_view name) {
    for (auto const& family : gauges.Collect()) {
      if (family.name == name) return family.metric.at(0).gauge.value;
    }
    return -1.0;
  };
  EXPECT_EQ(of("anew_quota_balance"), 500);
  EXPECT_EQ(of("anew_quota_capacity"), 500);
  EXPECT_EQ(of("anew_gate_limit"), 8);
  auto const running = s.gate().try_enter(clock.now());
  EXPECT_EQ(of("anew_gate_attempts"), 1);
  s.gate().on_failure(*running.pass, {}, clock.now());
  EXPECT_EQ(of("anew_gate_limit"), 4);
  EXPECT_TRUE(s.quota().try_acquire({}).has_value());
  EXPECT_EQ(of("anew_quota_balance"), 486);
  EXPECT_EQ(of("anew_gate_open"), -1);
}

TEST(PrometheusGauges, ABreakerIsOpenOrNot) {
  auto const s = anew::compose(anew::circuit_breaker<1, 1h>{});
  anew::prometheus_gauges const gauges{s};
  auto const open = [&gauges] { return gauges.Collect().at(0).metric.at(0).gauge.value; };
  EXPECT_EQ(gauges.Collect().at(0).name, "anew_gate_open");
  EXPECT_EQ(open(), 0);
  (void)s.gate().isolate();
  EXPECT_EQ(open(), 1);
  (void)s.gate().close();
  EXPECT_EQ(open(), 0);
}

}  // namespace
}  // namespace observer_metrics_test
