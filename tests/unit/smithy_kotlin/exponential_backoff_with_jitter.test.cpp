// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <functional>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "anew/smithy_kotlin/exponential_backoff_with_jitter.hpp"
#include "anew/testing/advancing_sleeper.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/scripted_random.hpp"

namespace smithy_kotlin_exponential_backoff_with_jitter_test {
namespace {

using namespace std::chrono_literals;
using namespace anew::smithy_kotlin;
using anew::duration;
using anew::testing::highest_word;
using anew::testing::lowest_word;
using anew::testing::scripted_random;
using options = exponential_backoff_with_jitter_options;

backoff_request after(std::uint32_t attempt, retry_error_type reason = retry_error_type::server_side,
                      std::optional<duration> hint = std::nullopt) {
  return {attempt, reason, hint, {}};
}
exponential_backoff_with_jitter with(options const& o, scripted_random random = {highest_word}) {
  return exponential_backoff_with_jitter{o, system_time(), random};
}
options without_jitter(options o = {}) {
  o.jitter = {0, 1};
  return o;
}

TEST(ExponentialBackoffWithJitter, TheNumbersOf2026) {
  auto const delayer = with(without_jitter());
  duration const expected[] = {50ms, 100ms, 200ms, 400ms, 800ms, 1600ms, 3200ms, 6400ms, 12'800ms, 20s, 20s};
  std::uint32_t attempt = 0;
  for (auto const delay : expected) EXPECT_EQ(delayer.delay(after(++attempt)), delay) << attempt;
  EXPECT_EQ(delayer.delay(after(~std::uint32_t{0})), 20s);
}

TEST(ExponentialBackoffWithJitter, ThrottlingHasABaseOfItsOwn) {
  auto const delayer = with(without_jitter());
  EXPECT_EQ(delayer.delay(after(1, retry_error_type::throttling)), 1s);
  EXPECT_EQ(delayer.delay(after(2, retry_error_type::throttling)), 2s);
  EXPECT_EQ(delayer.delay(after(6, retry_error_type::throttling)), 20s);
  for (auto const other : {retry_error_type::client_side, retry_error_type::timeout, retry_error_type::transient}) {
    EXPECT_EQ(delayer.delay(after(2, other)), 100ms);
  }
  options small{};
  small.max_backoff = 200ms;
  EXPECT_EQ(with(without_jitter(small)).delay(after(1, retry_error_type::throttling)), 200ms);
  options none{};
  none.throttling_base_delay.reset();
  EXPECT_EQ(with(without_jitter(none)).delay(after(1, retry_error_type::throttling)), 50ms);
}

TEST(ExponentialBackoffWithJitter, TheNumbersBefore) {
  auto const delayer = with(without_jitter(options::before_2026()));
  EXPECT_EQ(delayer.delay(after(1)), 10ms);
  EXPECT_EQ(delayer.delay(after(2)), 15ms);
  EXPECT_EQ(delayer.delay(after(3)), 22'500us);
  EXPECT_EQ(delayer.delay(after(1, retry_error_type::throttling)), 10ms);
  EXPECT_EQ(delayer.delay(after(1, retry_error_type::throttling, 5s)), 10ms);
  EXPECT_EQ(delayer.delay(after(100)), 20s);
}

TEST(ExponentialBackoffWithJitter, JitterTakesAShareAway) {
  options o{};
  EXPECT_EQ(with(o, {lowest_word}).delay(after(1)), 0ms);
  EXPECT_EQ(with(o, {highest_word}).delay(after(1)), 50ms);
  o.jitter = {1, 4};
  EXPECT_EQ(with(o, {lowest_word}).delay(after(2)), 75ms);
  EXPECT_EQ(with(o, {highest_word}).delay(after(2)), 100ms);
  // The cap comes before the draw: a delay at the cap is spread as any other.
  EXPECT_EQ(with(o, {lowest_word}).delay(after(50)), 15s);
  o.jitter = {0, 1};
  scripted_random const unused{lowest_word};
  EXPECT_EQ(with(o, unused).delay(after(1)), 50ms);
  EXPECT_EQ(unused.calls(), 0U);
}

TEST(ExponentialBackoffWithJitter, HintsAreHeardWithinAWindow) {
  auto const delayer = with(options{});
  EXPECT_EQ(delayer.delay(after(1, retry_error_type::server_side, 0ms)), 50ms);
  EXPECT_EQ(delayer.delay(after(1, retry_error_type::server_side, 1500ms)), 1500ms);
  EXPECT_EQ(delayer.delay(after(1, retry_error_type::server_side, 10s)), 5050ms);
  EXPECT_EQ(delayer.delay(after(10, retry_error_type::server_side, 30s)), 25s);
  EXPECT_EQ(delayer.delay(after(1, retry_error_type::throttling, 9s)), 6s);
  options o{};
  o.retry_after_max_overshoot = 1s;
  EXPECT_EQ(with(o).delay(after(1, retry_error_type::server_side, 10s)), 1050ms);
}

TEST(ExponentialBackoffWithJitter, SleepsByItsTimeSource) {
  anew::testing::manual_clock const clock;
  anew::testing::advancing_sleeper sleep{clock};
  exponential_backoff_with_jitter const delayer{without_jitter(), make_time_source(clock, std::ref(sleep))};
  backoff_delayer const& abstract = delayer;
  for (std::uint32_t attempt = 1; attempt <= 3; ++attempt) abstract.backoff(attempt);
  EXPECT_EQ(sleep.delays, (std::vector<duration>{50ms, 100ms, 200ms}));
}

TEST(ExponentialBackoffWithJitter, TheThreadsOwnRandomNumbersByDefault) {
  exponential_backoff_with_jitter const delayer{};
  for (int n = 0; n < 100; ++n) {
    EXPECT_LE(delayer.delay(after(1)), 50ms);
    EXPECT_GE(delayer.delay(after(1)), 0ms);
  }
  EXPECT_NE(delayer.delay(after(30)), delayer.delay(after(30)));
}

TEST(ExponentialBackoffWithJitter, RefusesNonsense) {
  EXPECT_THROW(with(options{}).backoff(0), std::invalid_argument);
  auto const refused = [](auto change) {
    options o{};
    change(o);
    EXPECT_THROW(with(o), std::invalid_argument);
  };
  refused([](options& o) { o.initial_delay = 0s; });
  refused([](options& o) { o.max_backoff = 49ms; });
  refused([](options& o) { o.scale_factor = {1, 2}; });
  refused([](options& o) { o.scale_factor = {1, 0}; });
  refused([](options& o) { o.jitter = {3, 2}; });
  refused([](options& o) { o.jitter = {0, 0}; });
  refused([](options& o) { o.throttling_base_delay = 0s; });
  refused([](options& o) { o.retry_after_max_overshoot = -1ns; });
}

}  // namespace
}  // namespace smithy_kotlin_exponential_backoff_with_jitter_test
