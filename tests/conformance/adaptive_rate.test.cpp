// SPDX-License-Identifier: BSL-1.0
// The client rate limiter against what the AWS SDKs publish of their adaptive mode, beyond the vectors that anew-replay
// asks of it. Each test names its source: the repository whose own test has the numbers. "derived" numbers follow from
// the equations; a simulation of them was compared with all published tables.
#include <chrono>
#include <cmath>

#include <gtest/gtest.h>

#include "anew/policies/pacer/client_rate_limiter.hpp"
#include "anew/policies/pacer/internal/pacing_bucket.hpp"

#include "names.hpp"

namespace {

using anew::client_rate_limiter;
using anew::when_limited;

constexpr double tolerance = 1e-9;
constexpr failure throttled{.kind = error_kind::throttling};

/// Seconds as the tables have them.
time_point at(double seconds) { return time_point{duration{std::llround(seconds * 1e9)}}; }
double seconds(duration d) { return static_cast<double>(d.count()) / 1e9; }

template <class Limiter>
anew::pace ask(Limiter const& limiter, double when) {
  typename Limiter::ticket_type ticket{};
  auto const answer = limiter.ask(ticket, at(when));
  limiter.release(ticket);
  return answer;
}

// smithy-kotlin, smithy-rs, aws-sdk-go-v2, aws-sdk-java-v2, smithy-swift, aws-sdk-cpp, smithy-typescript, smithy-ruby;
// the last five columns are derived.
TEST(AdaptiveRate, EndToEnd) {
  struct {
    double t;
    bool throttled;
    double measured;
    double fill;
    bool enabled;
    double max_capacity, capacity, last_max, calculated;
  } const rows[] = {
      {0.2, false, 0, 0.5, false, 1.0, 0.0, 0.0, 0.003200000000000001},
      {0.4, false, 0, 0.5, false, 1.0, 0.1, 0.0, 0.025600000000000008},
      {0.6, false, 4.8, 0.5, false, 1.0, 0.19999999999999998, 0.0, 0.08639999999999999},
      {0.8, false, 4.8, 0.5, false, 1.0, 0.30000000000000004, 0.0, 0.20480000000000007},
      {1.0, false, 4.16, 0.5, false, 1.0, 0.4, 0.0, 0.4},
      {1.2, false, 4.16, 0.6912, false, 1.0, 0.5, 0.0, 0.6911999999999999},
      {1.4, false, 4.16, 1.0976, false, 1.0975999999999997, 0.6382399999999999, 0.0, 1.0975999999999997},
      {1.6, false, 5.632, 1.6384, false, 1.6384000000000005, 0.8577600000000001, 0.0, 1.6384000000000005},
      {1.8, false, 5.632, 2.3328, false, 2.3328, 1.18544, 0.0, 2.3328},
      {2.0, true, 4.3264, 3.02848, true, 3.0284799999999996, 1.652, 4.3264, 3.0284799999999996},
      {2.2, false, 4.3264, 3.48663917347026, true, 3.48663917347026, 2.257696, 4.3264, 3.48663917347026},
      {2.4, false, 4.3264, 3.821874416040255, true, 3.821874416040255, 2.9550238346940514, 4.3264, 3.821874416040255},
      {2.6, false, 5.66528, 4.053385727709987, true, 4.053385727709987, 3.719398717902103, 4.3264, 4.053385727709987},
      {2.8, false, 5.66528, 4.200373108479454, true, 4.200373108479454, 4.053385727709987, 4.3264, 4.200373108479454},
      {3.0, false, 4.333056, 4.282036558348658, true, 4.282036558348658, 4.200373108479454, 4.3264, 4.282036558348658},
      {3.2, true, 4.333056, 2.99742559084406, true, 2.99742559084406, 2.99742559084406, 4.282036558348658,
       2.99742559084406},
      {3.4, false, 4.333056, 3.4522263943863463, true, 3.4522263943863463, 2.99742559084406, 4.282036558348658,
       3.4522263943863463},
  };
  client_rate_limiter<> const limiter{at(0)};
  client_rate_limiter<> const asks{
      at(0)};  // aws-sdk-java-v2 acquires a permit before each response: the rates are the same
  double last_throttle = 0;
  for (auto const& row : rows) {
    if (row.throttled) {
      limiter.on_failure(throttled, at(row.t));
      last_throttle = row.t;
    } else {
      limiter.on_success(at(row.t));
    }
    EXPECT_NEAR(limiter.measured_rate(), row.measured, tolerance) << row.t;
    EXPECT_NEAR(limiter.fill_rate(), row.fill, tolerance) << row.t;
    EXPECT_EQ(limiter.is_enabled(), row.enabled) << row.t;
    EXPECT_NEAR(limiter.max_capacity(), row.max_capacity, tolerance) << row.t;
    EXPECT_NEAR(limiter.capacity(), row.capacity, tolerance) << row.t;
    EXPECT_NEAR(limiter.last_max_rate(), row.last_max, tolerance) << row.t;
    anew::cubic_rate const cubic{limiter.last_max_rate(), last_throttle};
    EXPECT_NEAR(cubic.success(row.t), row.calculated, tolerance) << row.t;  // at a throttled response beta * last_max

    static_cast<void>(ask(asks, row.t));
    if (row.throttled) {
      asks.on_failure(throttled, at(row.t));
    } else {
      asks.on_success(at(row.t));
    }
    EXPECT_NEAR(asks.fill_rate(), row.fill, tolerance) << row.t;
  }
}

// The fast failure differs in what becomes of attempts, not in the rates.
TEST(AdaptiveRate, EveryModeMeasuresTheSame) {
  client_rate_limiter<> const waits{at(0)};
  client_rate_limiter<when_limited::fail_fast> const fails{at(0)};
  auto const all = [&](auto const& what) {
    what(waits);
    what(fails);
  };
  for (int i = 1; i < 100; ++i) {
    auto const now = i * 0.11;
    all([&](auto const& limiter) {
      static_cast<void>(ask(limiter, now));
      i % 9 == 0 ? limiter.on_failure(throttled, at(now)) : limiter.on_success(at(now));
    });
    ASSERT_EQ(waits.fill_rate(), fails.fill_rate());
    ASSERT_EQ(waits.measured_rate(), fails.measured_rate());
  }
}

TEST(AdaptiveMeasuredRate, TwentyAtOnePerSecond) {
  client_rate_limiter<> const limiter{at(0)};
  for (int i = 1; i <= 20; ++i) limiter.on_success(at(i));
  EXPECT_NEAR(limiter.measured_rate(), 0.99999999999999, tolerance);
}
TEST(AdaptiveMeasuredRate, AfterAGapOfTenSeconds) {
  client_rate_limiter<> const limiter{at(0)};
  for (int i = 2; i <= 8; ++i) limiter.on_success(at(i * 0.5));
  limiter.on_success(at(14));
  EXPECT_NEAR(limiter.measured_rate(), 0.48, 1e-4);
}

// Derived: an idle minute is one sample, so the first response after it cuts the estimate to a fifth, and with it what
// the rate may grow to.
TEST(AdaptiveMeasuredRate, IdleCollapse) {
  client_rate_limiter<> const limiter{at(0)};
  for (int i = 1; i <= 200; ++i) limiter.on_success(at(i * 0.05));  // 20 a second for ten seconds
  limiter.on_failure(throttled, at(10));
  auto const measured = limiter.measured_rate();
  EXPECT_NEAR(measured, 20, 1);
  limiter.on_success(at(70));
  EXPECT_NEAR(limiter.measured_rate(), 0.2 * measured + 0.8 * 2 / 60, tolerance);  // and the throttled one
  EXPECT_NEAR(limiter.fill_rate(), 2 * limiter.measured_rate(), tolerance);
}

// The same ten with their places: tokens come at the same times, and each is told of its own.
TEST(AdaptiveAcquire, TenConcurrentInTheirOrder) {
  client_rate_limiter<> const limiter{at(0)};
  limiter.on_failure(throttled, at(0));
  client_rate_limiter<>::ticket_type tickets[10]{};
  for (auto& ticket : tickets) static_cast<void>(limiter.ask(ticket, at(0.1)));
  EXPECT_NEAR(limiter.capacity(), 0.05, tolerance);
  for (int i = 0; i < 10; ++i) {
    EXPECT_GT(limiter.ask(tickets[i], at(2 * i + 1.9)).wait, 0ns) << i;
    EXPECT_EQ(limiter.ask(tickets[i], at(2 * i + 2)).wait, 0ns) << i;
    EXPECT_NEAR(limiter.capacity(), 0, tolerance);
  }
}

TEST(AdaptiveAcquire, FastFail) {
  client_rate_limiter<when_limited::fail_fast> const limiter{at(0)};
  for (int i = 0; i < 90; ++i) limiter.on_success(at(0));
  limiter.on_failure(throttled, at(5));
  EXPECT_NEAR(limiter.fill_rate(), 10, 0.5);
  EXPECT_FALSE(ask(limiter, 5).refused);  // what came back before the first throttled response
  auto const answer = ask(limiter, 5);
  EXPECT_TRUE(answer.refused);
  EXPECT_NEAR(seconds(answer.wait), 0.1, 0.01);
}

}  // namespace
