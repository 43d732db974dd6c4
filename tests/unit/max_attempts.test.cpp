// SPDX-License-Identifier: BSL-1.0
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/max_attempts/attempts_by_kind.hpp"
#include "anew/max_attempts/max_attempts.hpp"
#include "anew/max_attempts/per_kind_attempts.hpp"

namespace max_attempts_test {
namespace {

using anew::call_progress;
using anew::error_kind;
using anew::for_kind;
using anew::max_attempts;
using anew::on_kind;
using anew::per_kind_attempts;
using anew::stop_reason;

/// How many attempts a call makes that never succeeds.
template <class Strategy>
std::uint32_t attempts_of(Strategy const& s) {
  std::uint32_t attempts = 1;
  auto next = s.refresh_retry_token(s.acquire_initial_token(), anew::failure{});
  while (next) {
    ++attempts;
    EXPECT_EQ(next->attempt(), attempts);
    next = s.refresh_retry_token(*std::move(next), anew::failure{});
  }
  EXPECT_EQ(next.reason(), anew::stop_reason::attempts);
  return attempts;
}

template <std::int64_t N>
using limited = anew::strategy<max_attempts<N>, anew::no_backoff>;

TEST(MaxAttempts, NAttemptsAreNCalls) {
  EXPECT_EQ(attempts_of(limited<1>{}), 1U);
  EXPECT_EQ(attempts_of(limited<2>{}), 2U);
  EXPECT_EQ(attempts_of(limited<3>{}), 3U);
  EXPECT_EQ(attempts_of(limited<4>{}), 4U);
  EXPECT_EQ(attempts_of(limited<5>{}), 5U);
  for (int n = 1; n <= 5; ++n) {
    EXPECT_EQ(attempts_of(anew::compose(max_attempts{n}, anew::no_backoff{})), static_cast<std::uint32_t>(n));
  }
  EXPECT_EQ(attempts_of(anew::compose(anew::no_backoff{})), 3U);
  EXPECT_EQ(attempts_of(anew::never{}), 1U);
}

using enum anew::error_kind;

using mixed =
    per_kind_attempts<for_kind<throttling, max_attempts<4>>, for_kind<timeout, max_attempts<1>>, max_attempts<3>>;

// Made of as many rules as it has, each of its type.
static_assert(std::is_constructible_v<mixed, for_kind<throttling, max_attempts<4>>, for_kind<timeout, max_attempts<1>>,
                                      max_attempts<3>>);
static_assert(!std::is_constructible_v<mixed, for_kind<throttling, max_attempts<4>>>);
static_assert(!std::is_constructible_v<mixed, int, int, max_attempts<3>>);

call_progress after(std::vector<error_kind> const& kinds) {
  call_progress progress{static_cast<std::uint32_t>(kinds.size()), kinds.back(), {}};
  for (auto kind : kinds) progress.counts.add(kind);
  return progress;
}

TEST(PerKindAttempts, EachNamedKindCountsForItself) {
  mixed const limit;
  EXPECT_TRUE(limit.permits_another(after({throttling, throttling, throttling})));
  EXPECT_FALSE(limit.permits_another(after({throttling, throttling, throttling, throttling})));
  EXPECT_TRUE(limit.permits_another(after({transient, transient, throttling, throttling, throttling})));
  EXPECT_FALSE(limit.permits_another(after({timeout})));
}

TEST(PerKindAttempts, AllOthersShareACount) {
  mixed const limit;
  EXPECT_TRUE(limit.permits_another(after({throttling, throttling, throttling, transient, server})));
  EXPECT_FALSE(limit.permits_another(after({client, transient, server})));
  EXPECT_FALSE(limit.permits_another(after({transient, throttling, transient, throttling, transient})));
}

TEST(PerKindAttempts, WithoutKindsItIsTheDefault) {
  EXPECT_TRUE(mixed{}.permits_another(2U));
  EXPECT_FALSE(mixed{}.permits_another(3U));
}

TEST(PerKindAttempts, ValuesOfTheTypeAndOfTheObjectAgree) {
  per_kind_attempts const chosen{on_kind<throttling>(max_attempts{4}), on_kind<timeout>(max_attempts<1>{}),
                                 max_attempts{3}};
  EXPECT_EQ(chosen.describe(), "per_kind_attempts(throttling=max_attempts(4),timeout=max_attempts(1),max_attempts(3))");
  EXPECT_EQ(mixed{}.describe(), chosen.describe());
  anew::attempts_by_kind named{max_attempts{3}};
  named.add_for(timeout, max_attempts{1});
  named.add_for(throttling, max_attempts{4});
  EXPECT_EQ(named.describe(), chosen.describe());
  EXPECT_TRUE(anew::attempts_by_kind{anew::unbounded{}}.permits_another(1'000'000));
  std::vector<error_kind> kinds;
  for (unsigned i = 0; i < 40; ++i) {
    kinds.push_back(static_cast<error_kind>(i * i % 5));
    EXPECT_EQ(chosen.permits_another(after(kinds)), mixed{}.permits_another(after(kinds))) << i;
    EXPECT_EQ(named.permits_another(after(kinds)), mixed{}.permits_another(after(kinds))) << i;
    EXPECT_EQ(named.permits_another(i), mixed{}.permits_another(i)) << i;
  }
}

TEST(PerKindAttempts, HasNoSizeWhenItsPartsHaveNone) {
  using twice =
      per_kind_attempts<for_kind<throttling, max_attempts<3>>, for_kind<timeout, max_attempts<3>>, max_attempts<3>>;
  static_assert(std::is_empty_v<twice> && sizeof(twice) == 1);
  static_assert(anew::MaxAttempts<mixed>);
}

TEST(PerKindAttempts, UnsoundTypesAreNoPolicies) {
  using one = for_kind<timeout, max_attempts<2>>;
  static_assert(anew::Composable<per_kind_attempts<one, max_attempts<1>>>);
  static_assert(anew::Composable<per_kind_attempts<one, anew::unbounded>>);
  static_assert(!anew::Composable<per_kind_attempts<one, one, max_attempts<1>>>);
  static_assert(!anew::Composable<per_kind_attempts<one>>);
  static_assert(!anew::Composable<per_kind_attempts<>>);
  static_assert(!anew::Composable<per_kind_attempts<max_attempts<1>, one>>);
  static_assert(!anew::Composable<per_kind_attempts<one, anew::no_backoff>>);
  static_assert(!anew::Composable<per_kind_attempts<for_kind<timeout, anew::no_backoff>, max_attempts<1>>>);
}

struct some_error {
  error_kind kind;
  [[nodiscard]] static anew::retry_safety is_retry_safe() { return anew::retry_safety::yes; }
  [[nodiscard]] bool is_throttle() const { return kind == throttling; }
};
struct result {
  some_error what;
  [[nodiscard]] static bool has_value() { return false; }
  [[nodiscard]] some_error const& error() const { return what; }
};

std::uint32_t attempts_of(std::vector<error_kind> const& script) {
  anew::strategy<mixed, anew::no_backoff> const strategy;
  std::size_t next = 0;
  auto const outcome =
      anew::retry_outcome(strategy, [&] { return result{{script[next++ % script.size()]}}; }, [](anew::duration) {});
  EXPECT_EQ(outcome.reason(), stop_reason::attempts);
  return outcome.attempts();
}

TEST(PerKindAttempts, TheLimitsAddUp) {
  EXPECT_EQ(attempts_of({transient}), 3U);
  EXPECT_EQ(attempts_of({throttling}), 4U);
  EXPECT_EQ(attempts_of({throttling, throttling, throttling, transient, transient, transient}), 6U);
  EXPECT_EQ(attempts_of({throttling, transient}), 6U);  // the third transient is the sixth failure
}

}  // namespace
}  // namespace max_attempts_test
