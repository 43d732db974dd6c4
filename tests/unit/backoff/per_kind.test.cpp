// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/backoff/per_kind.hpp"
#include "anew/testing/recording_sleeper.hpp"

#include "driver_support.hpp"

namespace backoff_per_kind_test {
namespace {

using namespace std::chrono_literals;
using anew::call_progress;
using anew::constant_backoff;
using anew::duration;
using anew::error_kind;
using anew::exponential_backoff;
using anew::for_kind;
using anew::on_kind;
using anew::per_kind_backoff;

using mixed = per_kind_backoff<for_kind<error_kind::throttling, exponential_backoff<1s, 20s>>,
                               for_kind<error_kind::timeout, constant_backoff<7s>>, exponential_backoff<50ms, 30s>>;

// Made of as many rules as it has, each of its type.
using first_rule = for_kind<error_kind::throttling, exponential_backoff<1s, 20s>>;
using second_rule = for_kind<error_kind::timeout, constant_backoff<7s>>;
using last_rule = exponential_backoff<50ms, 30s>;
static_assert(std::is_constructible_v<mixed, first_rule, second_rule, last_rule>);
static_assert(!std::is_constructible_v<mixed, first_rule> && !std::is_constructible_v<mixed, int, int, last_rule>);

/// What a call is told after these failures.
call_progress after(std::vector<error_kind> const& kinds) {
  call_progress progress{static_cast<std::uint32_t>(kinds.size()), kinds.back(), {}};
  for (auto kind : kinds) progress.counts.add(kind);
  return progress;
}

TEST(PerKindBackoff, EachNamedKindCountsForItself) {
  mixed const b;
  using enum error_kind;
  EXPECT_EQ(b.delay(after({throttling})), 1s);
  EXPECT_EQ(b.delay(after({transient})), 50ms);
  EXPECT_EQ(b.delay(after({transient, throttling})), 1s);
  EXPECT_EQ(b.delay(after({throttling, throttling})), 2s);
  EXPECT_EQ(b.delay(after({throttling, transient, throttling, transient, throttling})), 4s);
  EXPECT_EQ(b.delay(after({throttling, throttling, throttling, transient})), 50ms);
  EXPECT_EQ(b.delay(after({timeout, throttling, timeout})), 7s);
}

TEST(PerKindBackoff, AllOthersShareACount) {
  mixed const b;
  using enum error_kind;
  EXPECT_EQ(b.delay(after({transient, server})), 100ms);
  EXPECT_EQ(b.delay(after({transient, throttling, server, timeout, client})), 200ms);
  EXPECT_EQ(b.delay(after({client, client, client, server, transient})), 800ms);
}

TEST(PerKindBackoff, AllFiveKindsHaveAPlace) {
  per_kind_backoff<
      for_kind<error_kind::transient, constant_backoff<1s>>, for_kind<error_kind::throttling, constant_backoff<2s>>,
      for_kind<error_kind::timeout, constant_backoff<3s>>, for_kind<error_kind::server, constant_backoff<4s>>,
      for_kind<error_kind::client, constant_backoff<5s>>, anew::no_backoff> const b;
  using enum error_kind;
  EXPECT_EQ(b.delay(after({transient})), 1s);
  EXPECT_EQ(b.delay(after({throttling})), 2s);
  EXPECT_EQ(b.delay(after({timeout})), 3s);
  EXPECT_EQ(b.delay(after({server})), 4s);
  EXPECT_EQ(b.delay(after({client})), 5s);
  EXPECT_EQ(b.cap(), 5s);
}

TEST(PerKindBackoff, TheLargestCapIsTheCap) {
  EXPECT_EQ(mixed{}.cap(), 30s);
  EXPECT_EQ(
      (per_kind_backoff<for_kind<error_kind::server, exponential_backoff<1s, 90s>>, constant_backoff<1s>>{}.cap()),
      90s);
  EXPECT_EQ(per_kind_backoff<constant_backoff<3s>>{}.cap(), 3s);
}

TEST(PerKindBackoff, WithoutKindsItIsTheDefault) {
  EXPECT_EQ(mixed{}.delay(1), 50ms);
  EXPECT_EQ(mixed{}.delay(3), 200ms);
  EXPECT_EQ(per_kind_backoff<constant_backoff<3s>>{}.delay(after({error_kind::server})), 3s);
}

TEST(PerKindBackoff, CountsSaturate) {
  anew::kind_counts counts;
  EXPECT_EQ(counts.of_others(anew::detail::kind_rules<constant_backoff<1s>>::names), 0U);
  counts.add(error_kind::server);
  counts.add(error_kind::client);
  counts.add(error_kind::transient);
  counts.add(error_kind::throttling);
  counts.add(error_kind::timeout);
  EXPECT_EQ(counts.of_others(anew::detail::kind_rules<constant_backoff<1s>>::names), 5U);
  using named = anew::detail::kind_rules<for_kind<error_kind::client, constant_backoff<1s>>, constant_backoff<1s>>;
  EXPECT_EQ(counts.of_others(named::names), 4U);
}

TEST(PerKindBackoff, ValuesOfTheTypeAndOfTheObjectAgree) {
  per_kind_backoff const chosen{on_kind<error_kind::throttling>(exponential_backoff{1s, 20s}),
                                on_kind<error_kind::timeout>(constant_backoff<7s>{}), exponential_backoff{50ms, 30s}};
  EXPECT_EQ(chosen.describe(), "per_kind(throttling=exponential(1s,20s),timeout=constant(7s),exponential(50ms,30s))");
  EXPECT_EQ(mixed{}.describe(), chosen.describe());
  EXPECT_EQ(chosen.cap(), 30s);
  std::vector<error_kind> kinds;
  for (unsigned i = 0; i < 40; ++i) {
    kinds.push_back(static_cast<error_kind>(i * i % 5));
    EXPECT_EQ(chosen.delay(after(kinds)), mixed{}.delay(after(kinds))) << i;
  }
}

TEST(PerKindBackoff, HasNoSizeWhenItsPartsHaveNone) {
  using twice = per_kind_backoff<for_kind<error_kind::throttling, constant_backoff<1s>>,
                                 for_kind<error_kind::timeout, constant_backoff<1s>>, constant_backoff<1s>>;
  static_assert(std::is_empty_v<twice> && sizeof(twice) == 1 && std::is_empty_v<mixed>);
  static_assert(sizeof(anew::strategy<twice>) == 1);
  static_assert(anew::Backoff<mixed>);
}

TEST(PerKindBackoff, UnsoundTypesAreNoPolicies) {
  using one = for_kind<error_kind::timeout, constant_backoff<1s>>;
  static_assert(anew::Composable<per_kind_backoff<one, constant_backoff<1s>>>);
  static_assert(!anew::Composable<per_kind_backoff<one, one, constant_backoff<1s>>>);
  static_assert(!anew::Composable<per_kind_backoff<one>>);
  static_assert(!anew::Composable<per_kind_backoff<>>);
  static_assert(!anew::Composable<per_kind_backoff<constant_backoff<1s>, one>>);
  static_assert(!anew::Composable<per_kind_backoff<constant_backoff<1s>, constant_backoff<1s>>>);
  static_assert(!anew::Composable<per_kind_backoff<one, anew::full_jitter>>);
  static_assert(
      !anew::Composable<per_kind_backoff<for_kind<error_kind::timeout, anew::full_jitter>, anew::no_backoff>>);
}

struct some_error {
  error_kind kind;
  [[nodiscard]] anew::retry_safety is_retry_safe() const { return anew::retry_safety::yes; }
  [[nodiscard]] bool is_throttle() const { return kind == error_kind::throttling; }
  [[nodiscard]] bool is_timeout() const { return kind == error_kind::timeout; }
};
struct result {
  some_error what;
  [[nodiscard]] static bool has_value() { return false; }
  [[nodiscard]] some_error const& error() const { return what; }
};

TEST(PerKindBackoff, IsAskedByTheKindOfTheLastFailure) {
  using enum error_kind;
  anew::strategy<mixed, anew::no_jitter, anew::max_attempts<8>> const strategy;
  std::vector<error_kind> const script{throttling, transient, throttling, timeout,
                                       throttling, transient, timeout,    throttling};
  std::size_t next = 0;
  anew::testing::recording_sleeper sleeper;
  (void)anew::retry(strategy, [&] { return result{{script[next++]}}; }, sleeper);
  EXPECT_EQ(sleeper.delays, (std::vector<duration>{1s, 50ms, 2s, 7s, 4s, 100ms, 7s}));
}

}  // namespace
}  // namespace backoff_per_kind_test
