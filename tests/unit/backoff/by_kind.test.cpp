// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/backoff/by_kind.hpp"
#include "anew/backoff/per_kind.hpp"
#include "anew/testing/recording_sleeper.hpp"
#include "anew/testing/scripted_random.hpp"

#include "driver_support.hpp"

namespace backoff_by_kind_test {
namespace {

using namespace std::chrono_literals;
using anew::by_kind_backoff;
using anew::call_progress;
using anew::constant_backoff;
using anew::duration;
using anew::error_kind;
using anew::exponential_backoff;
using anew::for_kind;
using anew::on_kind;

using mixed =
    by_kind_backoff<for_kind<error_kind::throttling, exponential_backoff<1s, 20s>>,
                    for_kind<error_kind::timeout, exponential_backoff<3ms, 1s>>, exponential_backoff<50ms, 30s>>;

/// After so many attempts, the last of which failed so. What failed before has no say.
call_progress after(std::uint32_t attempts, error_kind kind) { return {attempts, kind, {}}; }

TEST(ByKindBackoff, TheKindChoosesAndTheCallCounts) {
  mixed const b;
  using enum error_kind;
  EXPECT_EQ(b.delay(after(1, throttling)), 1s);
  EXPECT_EQ(b.delay(after(3, throttling)), 4s);
  EXPECT_EQ(b.delay(after(1, transient)), 50ms);
  EXPECT_EQ(b.delay(after(2, server)), 100ms);
  EXPECT_EQ(b.delay(after(4, client)), 400ms);
  EXPECT_EQ(b.delay(after(2, timeout)), 6ms);
  EXPECT_EQ(b.delay(after(9, timeout)), 768ms);
  EXPECT_EQ(b.delay(after(6, throttling)), 20s);
  EXPECT_EQ(b.delay(after(~std::uint32_t{0}, transient)), 30s);
}

TEST(ByKindBackoff, WhatItCountsIsNotCountedByKind) {
  mixed const b;
  auto progress = after(3, error_kind::throttling);
  for (int i = 0; i < 9; ++i) progress.counts.add(error_kind::throttling);
  EXPECT_EQ(b.delay(progress), 4s);
}

TEST(ByKindBackoff, TheLargestCapIsTheCap) {
  EXPECT_EQ(mixed{}.cap(), 30s);
  EXPECT_EQ((by_kind_backoff<for_kind<error_kind::server, exponential_backoff<1s, 90s>>, constant_backoff<1s>>{}.cap()),
            90s);
}

TEST(ByKindBackoff, WithoutKindsItIsTheDefault) {
  EXPECT_EQ(mixed{}.delay(1), 50ms);
  EXPECT_EQ(mixed{}.delay(3), 200ms);
  EXPECT_EQ(by_kind_backoff<constant_backoff<3s>>{}.delay(after(2, error_kind::server)), 3s);
}

TEST(ByKindBackoff, ValuesOfTheTypeAndOfTheObjectAgree) {
  by_kind_backoff const chosen{on_kind<error_kind::throttling>(exponential_backoff{1s, 20s}),
                               on_kind<error_kind::timeout>(exponential_backoff{3ms, 1s}),
                               exponential_backoff{50ms, 30s}};
  EXPECT_EQ(chosen.describe(),
            "by_kind(throttling=exponential(1s,20s),timeout=exponential(3ms,1s),exponential(50ms,30s))");
  EXPECT_EQ(mixed{}.describe(), chosen.describe());
  for (std::uint32_t i = 1; i < 40; ++i) {
    auto const now = after(i, static_cast<error_kind>(i * i % 5));
    EXPECT_EQ(chosen.delay(now), mixed{}.delay(now)) << i;
  }
}

TEST(ByKindBackoff, HasNoSizeWhenItsPartsHaveNone) {
  static_assert(std::is_empty_v<mixed> && sizeof(anew::strategy<mixed>) == 1 && anew::Backoff<mixed>);
  using first_rule = for_kind<error_kind::timeout, constant_backoff<1s>>;
  using one = by_kind_backoff<first_rule, constant_backoff<1s>>;
  static_assert(std::is_constructible_v<one, first_rule, constant_backoff<1s>>);
  static_assert(!std::is_constructible_v<one, first_rule> && !std::is_constructible_v<one, int, constant_backoff<1s>>);
}

TEST(ByKindBackoff, UnsoundTypesAreNoPolicies) {
  using one = for_kind<error_kind::timeout, constant_backoff<1s>>;
  static_assert(anew::Composable<by_kind_backoff<one, constant_backoff<1s>>>);
  static_assert(!anew::Composable<by_kind_backoff<one, one, constant_backoff<1s>>>);
  static_assert(!anew::Composable<by_kind_backoff<one>>);
  static_assert(!anew::Composable<by_kind_backoff<>>);
  static_assert(!anew::Composable<by_kind_backoff<constant_backoff<1s>, one>>);
  static_assert(!anew::Composable<by_kind_backoff<one, anew::full_jitter>>);
}

struct some_error {
  error_kind kind;
  [[nodiscard]] static anew::retry_safety is_retry_safe() { return anew::retry_safety::yes; }
  [[nodiscard]] bool is_throttle() const { return kind == error_kind::throttling; }
  [[nodiscard]] bool is_timeout() const { return kind == error_kind::timeout; }
};
struct result {
  some_error what;
  [[nodiscard]] static bool has_value() { return false; }
  [[nodiscard]] some_error const& error() const { return what; }
};

TEST(ByKindBackoff, IsAskedByTheKindOfTheLastFailure) {
  using enum error_kind;
  anew::strategy<mixed, anew::no_jitter, anew::max_attempts<7>> const strategy;
  std::vector<error_kind> const script{transient, throttling, transient, timeout, throttling, throttling, transient};
  std::size_t next = 0;
  anew::testing::recording_sleeper sleeper;
  (void)anew::retry(strategy, [&] { return result{{script[next++]}}; }, sleeper);
  EXPECT_EQ(sleeper.delays, (std::vector<duration>{50ms, 2s, 200ms, 24ms, 16s, 20s}));
}

TEST(ByKindBackoff, AJitterThatRemembersGrowsFromTheFirstDelayOfTheKind) {
  using per_kind =
      anew::per_kind_backoff<anew::for_kind<anew::error_kind::throttling, anew::exponential_backoff<1s, 20s>>,
                             anew::exponential_backoff<50ms, 20s>>;
  using by_kind =
      anew::by_kind_backoff<anew::for_kind<anew::error_kind::throttling, anew::exponential_backoff<1s, 20s>>,
                            anew::exponential_backoff<50ms, 20s>>;
  auto const least_of = [](auto const& s, anew::error_kind kind) {
    return s.refresh_retry_token(s.acquire_initial_token(), anew::failure{kind})->delay();
  };
  anew::testing::scripted_random const lowest{0};
  auto const one = anew::compose(by_kind{}, anew::decorrelated_jitter{}, lowest);
  EXPECT_EQ(least_of(one, anew::error_kind::throttling), 1s);
  EXPECT_EQ(least_of(one, anew::error_kind::transient), 50ms);
  auto const other = anew::compose(per_kind{}, anew::decorrelated_jitter{}, lowest);
  EXPECT_EQ(least_of(other, anew::error_kind::throttling), 1s);
  EXPECT_EQ(least_of(other, anew::error_kind::transient), 50ms);
}

}  // namespace
}  // namespace backoff_by_kind_test
