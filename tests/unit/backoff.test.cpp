// SPDX-License-Identifier: BSL-1.0
#include <cfloat>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <list>
#include <ratio>
#include <sstream>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/backoff/by_kind.hpp"
#include "anew/backoff/constant.hpp"
#include "anew/backoff/exponential.hpp"
#include "anew/backoff/headroom.hpp"
#include "anew/backoff/immediate_first.hpp"
#include "anew/backoff/no_backoff.hpp"
#include "anew/backoff/per_kind.hpp"
#include "anew/backoff/phased.hpp"
#include "anew/backoff/sequence.hpp"
#include "anew/backoff/sum.hpp"
#include "anew/compose/strategy.hpp"
#include "anew/concept/backoff.hpp"
#include "anew/jitter/cap_after_draw.hpp"
#include "anew/jitter/no_jitter.hpp"
#include "anew/jitter/polly_decorrelated.hpp"
#include "anew/jitter/proportional.hpp"
#include "anew/max_attempts/max_attempts.hpp"
#include "anew/testing/recording_sleeper.hpp"
#include "anew/testing/scripted_random.hpp"
#include "anew/value/generator.hpp"

#include "driver_support.hpp"

namespace backoff_test {
namespace {

using namespace std::chrono_literals;
using anew::by_kind_backoff;
using anew::call_progress;
using anew::constant_backoff;
using anew::detail::uint128;
using anew::duration;
using anew::error_kind;
using anew::exponential_backoff;
using anew::for_first;
using anew::for_kind;
using anew::immediate_first;
using anew::on_kind;
using anew::per_kind_backoff;
using anew::phased_backoff;
using anew::rational;
using anew::sequence_backoff;
using anew::sum_backoff;

using seconds_double = std::chrono::duration<double>;

TEST(ExponentialBackoff, TheShiftAndTheMultiplicationAgree) {
  for (std::int64_t base : {1LL, 3LL, 999'999'937LL, 50'000'000LL}) {
    exponential_backoff const shifted{duration{base}, duration::max()};
    exponential_backoff const multiplied{duration{base}, duration::max(), rational{4, 2}};
    for (std::uint32_t retry = 1; retry < 70; ++retry) EXPECT_EQ(shifted.delay(retry), multiplied.delay(retry));
  }
}

/// base * num^power / den^power to the nearest nanosecond, by exact integer arithmetic; zero when that has no room.
std::int64_t exact(std::int64_t base, std::uint32_t num, std::uint32_t den, std::uint32_t power) {
  uint128 numerator = static_cast<std::uint64_t>(base);
  uint128 denominator = 1;
  for (std::uint32_t i = 0; i < power; ++i) {
    if (numerator > ~uint128{0} / num / 2 || denominator > ~uint128{0} / den / 2) return 0;
    numerator *= num;
    denominator *= den;
  }
  uint128 const rounded = (numerator + denominator / 2) / denominator;
  return rounded > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max() / 1024)
             ? 0
             : static_cast<std::int64_t>(rounded);
}

TEST(ExponentialBackoff, IsRoundedToTheNearestNanosecond) {
  int compared = 0;
  for (std::int64_t base : {1LL, 7LL, 1'000LL, 50'000'000LL, 3'000'000'000LL}) {
    for (rational const f :
         {rational{3, 2}, rational{4, 3}, rational{5}, rational{10}, rational{1001, 1000}, rational{17, 10}}) {
      exponential_backoff const b{duration{base}, duration::max(), f};
      for (std::uint32_t power = 0; power < 40; ++power) {
        auto const expected = exact(base, f.num, f.den, power);
        if (expected == 0) continue;
        EXPECT_EQ(b.delay(power + 1).count(), expected) << base << " * (" << f.num << "/" << f.den << ")^" << power;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 500);
}

// 292 years in steps of a thousandth: 43,000 multiplications if they were made one by one.
TEST(ExponentialBackoff, ASlowGrowthStaysExactToTheEnd) {
  exponential_backoff const b{1s, duration::max(), rational{1001, 1000}};
  for (std::uint32_t retry : {100U, 1'000U, 10'000U, 20'000U}) {
    long double const expected = 1e9L * std::pow(1.001L, static_cast<long double>(retry - 1));
    long double const distance = static_cast<long double>(b.delay(retry).count()) - expected;
    EXPECT_LE(std::abs(distance), 0.5L + (LDBL_MANT_DIG == 64 ? 1e-14L : 1e-11L) * expected) << retry;
  }
  EXPECT_EQ(b.delay(50'000), duration::max());
}

// Values are of the type, all of them, or of the object.
TEST(ExponentialBackoff, IsMadeOfAllItsValuesOrOfNone) {
  using anew::run_time;
  using std::chrono::seconds;
  constexpr auto by_value = anew::at_run_time<rational>;
  static_assert(!std::is_default_constructible_v<exponential_backoff<1s, run_time>>);
  static_assert(!std::is_default_constructible_v<exponential_backoff<run_time, 1s>>);
  static_assert(!std::is_default_constructible_v<exponential_backoff<1s, 2s, by_value>>);
  static_assert(!std::is_constructible_v<exponential_backoff<1s, run_time>, seconds, seconds>);
  static_assert(!std::is_constructible_v<exponential_backoff<run_time, 1s>, seconds, seconds>);
  static_assert(!std::is_constructible_v<exponential_backoff<1s, 2s>, seconds, seconds>);
  static_assert(!std::is_constructible_v<exponential_backoff<run_time, run_time, by_value>, seconds, seconds>);
  static_assert(!std::is_constructible_v<exponential_backoff<1s, run_time, by_value>, seconds, seconds, rational>);
  static_assert(!std::is_constructible_v<exponential_backoff<run_time, 1s, by_value>, seconds, seconds, rational>);
  static_assert(!std::is_constructible_v<exponential_backoff<run_time, run_time>, seconds, seconds, rational>);
}

// The parts of the multiplication, by other arithmetic. Of the whole: tests/laws/rounding.depth.cpp.
TEST(Scaled, ARatioTimesItsDenominatorIsAlmostTheNumerator) {
  for (std::uint64_t num : {1ULL, 2ULL, 3ULL, 5ULL, 17ULL, 1001ULL, 4'294'967'295ULL, 9'223'372'036'854'775'807ULL}) {
    for (std::uint64_t den : {1ULL, 2ULL, 3ULL, 7ULL, 10ULL, 1000ULL, 4'294'967'295ULL}) {
      auto const ratio = anew::detail::make_scaled(num, den);
      ASSERT_NE(ratio.mantissa >> 127U, 0U);
      // With the upper 64 bits alone: mantissa <= num / den * 2^-exponent < mantissa + 1, where that has room.
      auto const down = -ratio.exponent - 64;
      if (down < 0 || down > 126 || (uint128{num} << down) >> down != num) continue;
      EXPECT_EQ(ratio.mantissa >> 64U, (uint128{num} << down) / den) << num << "/" << den;
    }
  }
}

TEST(Scaled, AProductOfNumbersOf64BitsIsExact) {
  std::uint64_t bits = 1;
  for (int i = 0; i < 2000; ++i) {
    auto const a = anew::detail::splitmix(bits++) | std::uint64_t{1} << 63U;
    auto const b = anew::detail::splitmix(bits++) | std::uint64_t{1} << 63U;
    auto exact_product = uint128{a} * b;
    std::int64_t exponent = 128 + 3 - 5;
    if ((exact_product >> 127U) == 0) {
      exact_product <<= 1U;
      --exponent;
    }
    auto const product = anew::detail::multiply({uint128{a} << 64U, 3}, {uint128{b} << 64U, -5});
    EXPECT_EQ(product.exponent, exponent);
    EXPECT_EQ(product.mantissa, exact_product) << a << " * " << b;
  }
}

// (2^128 - 1)^2 = 2^256 - 2^129 + 1: every carry is one.
TEST(Scaled, AProductOfAllOnesCarries) {
  auto const product = anew::detail::multiply({~uint128{0}, 0}, {~uint128{0}, 0});
  EXPECT_EQ(product.mantissa, ~uint128{0} - 1);
  EXPECT_EQ(product.exponent, 128);
}

TEST(Scaled, TheEndsOfTheRangeAreConstantExpressions) {
  using anew::detail::scale_by_power;
  constexpr duration half{std::int64_t{1} << 62U};
  static_assert(scale_by_power(0ns, 1s, 3, 2, 0) == 0ns && scale_by_power(0ns, 1s, 3, 2, 5) == 0ns);
  static_assert(scale_by_power(0ns, 0ns, 3, 2, 5) == 0ns && scale_by_power(5ns, 0ns, 3, 2, 5) == 0ns);
  static_assert(scale_by_power(half, duration::max(), 3, 1, 1) == duration::max());
  static_assert(scale_by_power(half, duration::max(), 3, 2, 1) == half / 2 * 3);
  static_assert(scale_by_power(half, duration::max(), 2, 1, 1) == duration::max());
  static_assert(scale_by_power(1ns, duration::max(), 4'294'967'295, 1, ~0U) == duration::max());
}

using inner = anew::exponential_backoff<100ms, 1s>;
using outer = anew::headroom_backoff<inner, rational{1, 5}>;

TEST(HeadroomBackoff, LetsAJitterGoAboveTheInnerCap) {
  using words = anew::testing::scripted_random;
  using random_strategy =
      anew::strategy<outer, anew::proportional_jitter<rational{1, 5}>, words, anew::max_attempts<9>>;
  random_strategy const highest{words{anew::testing::highest_word}};
  random_strategy const lowest{words{anew::testing::lowest_word}};
  auto high = highest.acquire_initial_token();
  auto low = lowest.acquire_initial_token();
  for (int retry = 1; retry != 6; ++retry) {
    high = *highest.refresh_retry_token(std::move(high), anew::failure{});
    low = *lowest.refresh_retry_token(std::move(low), anew::failure{});
  }
  EXPECT_EQ(high.delay(), 1200ms);
  EXPECT_EQ(low.delay(), 800ms);
}

static_assert(sizeof(immediate_first<exponential_backoff<1s, 1s>>) == 1);
static_assert(sizeof(immediate_first<immediate_first<constant_backoff<1s>>>) == 1);
static_assert(sizeof(immediate_first{constant_backoff{1s}}) == sizeof(duration));
static_assert(!immediate_first<constant_backoff<-1s>>::is_sound && immediate_first<constant_backoff<1s>>::is_sound);

// A jitter that grows by itself would stay at zero for ever if it began there.
template <class Jitter>
void begins_with_the_second_retry() {
  anew::testing::scripted_random const random{anew::testing::highest_word};
  auto const s = anew::compose(immediate_first<exponential_backoff<50ms, 20s>>{}, Jitter{}, anew::unbounded{}, random);
  auto next = s.refresh_retry_token(s.acquire_initial_token(), anew::failure{});
  EXPECT_EQ(next->delay(), 0ns);
  EXPECT_EQ(random.calls(), 0U) << "there was nothing to draw";
  next = s.refresh_retry_token(*std::move(next), anew::failure{});
  EXPECT_GE(next->delay(), 50ms - 1ns);
  auto const second = next->delay();
  next = s.refresh_retry_token(*std::move(next), anew::failure{});
  EXPECT_GT(next->delay(), second);
}

TEST(ImmediateFirst, JittersThatGrowByThemselvesBeginAfterIt) {
  begins_with_the_second_retry<anew::decorrelated_jitter>();
  begins_with_the_second_retry<anew::cap_after_draw_jitter>();
  begins_with_the_second_retry<anew::polly_decorrelated_jitter>();
  begins_with_the_second_retry<anew::proportional_jitter<anew::rational{1, 2}>>();
}

/// A range that can be traversed once: delays in milliseconds, from a text.
struct once {
  std::istringstream text;
  struct iterator {
    std::istream* from;
    std::chrono::milliseconds operator*() const {
      long ticks = 0;
      *from >> ticks;
      return std::chrono::milliseconds{ticks};
    }
    iterator& operator++() { return *this; }
    bool operator!=(std::default_sentinel_t /*end*/) const { return (*from >> std::ws).good(); }
  };
  iterator begin() { return {&text}; }
  static std::default_sentinel_t end() { return {}; }
};

using chosen_sequence = sequence_backoff<anew::run_time>;
using seconds_double = std::chrono::duration<double>;

static_assert(anew::Backoff<sequence_backoff<1s, 2s>> && anew::Backoff<chosen_sequence>);
static_assert(!std::is_constructible_v<chosen_sequence, std::vector<int>> &&
              !std::is_constructible_v<chosen_sequence, int>);

void is_ten_thousand_and_fifty(chosen_sequence const& b) {
  EXPECT_EQ(b.delay(0), 10ms);
  EXPECT_EQ(b.delay(1), 10ms);
  EXPECT_EQ(b.delay(2), 1s);
  for (std::uint32_t retry : {3U, 4U, 1000U, ~0U}) EXPECT_EQ(b.delay(retry), 50ms);
  EXPECT_EQ(b.cap(), 1s);
  EXPECT_EQ(b.describe(), "sequence(10ms,1s,50ms)");
}

TEST(SequenceBackoff, IsMadeFromValuesAndFromAnyRange) {
  is_ten_thousand_and_fifty(sequence_backoff{10ms, 1s, 50ms});
  is_ten_thousand_and_fifty(sequence_backoff{seconds_double{0.01}, 1s, 50ms});
  is_ten_thousand_and_fifty(sequence_backoff{10ms, 1000ms, 50ms});  // of one type: an initializer list
  is_ten_thousand_and_fifty(sequence_backoff({10ms, 1000ms, 50ms}));
  std::initializer_list<std::chrono::milliseconds> const list{10ms, 1s, 50ms};
  is_ten_thousand_and_fifty(sequence_backoff{list});
  std::vector<std::chrono::milliseconds> const vector{10ms, 1s, 50ms};
  is_ten_thousand_and_fifty(sequence_backoff{vector});
  is_ten_thousand_and_fifty(sequence_backoff{std::list<duration>{10ms, 1s, 50ms}});
  duration array[] = {10ms, 1s, 50ms};
  is_ten_thousand_and_fifty(sequence_backoff{array});
  is_ten_thousand_and_fifty(sequence_backoff{once{std::istringstream{"10 1000 50"}}});
}

TEST(SequenceBackoff, KeepsItsOwnDelays) {
  std::vector<duration> many;
  for (int i = 1; i <= 1000; ++i) many.emplace_back(i);
  sequence_backoff const b{many};
  many.assign(1000, 7h);
  for (std::uint32_t retry = 1; retry <= 1000; ++retry) ASSERT_EQ(b.delay(retry), duration{retry});
  EXPECT_EQ(b.delay(1001), 1000ns);
  EXPECT_EQ(b.cap(), 1000ns);
}

TEST(SequenceBackoff, IsCopiedMovedAndAssigned) {
  sequence_backoff b{10ms, 1s, 50ms};
  sequence_backoff const copy{b};
  is_ten_thousand_and_fifty(copy);
  sequence_backoff other{1s};
  other = b;
  is_ten_thousand_and_fifty(other);
  is_ten_thousand_and_fifty(b);
  other = sequence_backoff{2s};
  EXPECT_EQ(other.delay(5), 2s);
  auto& same = other;
  other = same;
  EXPECT_EQ(other.delay(5), 2s);
  sequence_backoff const moved{std::move(b)};
  is_ten_thousand_and_fifty(moved);
  EXPECT_EQ(b.delay(1), 0ns);  // NOLINT(bugprone-use-after-move): says what it says
  static_assert(std::is_nothrow_move_constructible_v<chosen_sequence>);
}

/// Without a cap, without words, and made at run time only.
struct seconds_backoff {
  using role = anew::roles::backoff;
  explicit seconds_backoff(int each) : each_{each} {}
  [[nodiscard]] anew::duration delay(std::uint32_t retry) const {
    return std::chrono::seconds{each_ * static_cast<int>(retry)};
  }
  int each_;
};

template <class B>
inline constexpr bool is_one_byte = sizeof(B) == 1 && std::is_empty_v<B>;

// Of equal policies too, however deep.
// Made of nothing only when both are; of backoffs alone.
using at_run_time = decltype(constant_backoff{1s});
static_assert(std::is_default_constructible_v<sum_backoff<constant_backoff<1s>, constant_backoff<1s>>>);
static_assert(!std::is_default_constructible_v<sum_backoff<at_run_time, constant_backoff<1s>>>);
static_assert(!std::is_default_constructible_v<sum_backoff<constant_backoff<1s>, at_run_time>>);
static_assert(is_one_byte<sum_backoff<constant_backoff<1s>, constant_backoff<1s>>>);
static_assert(is_one_byte<sum_backoff<sum_backoff<constant_backoff<1s>, constant_backoff<1s>>, constant_backoff<1s>>>);
static_assert(sizeof(sum_backoff{constant_backoff<1s>{}, constant_backoff{1s}}) == sizeof(duration));
static_assert(sizeof(sum_backoff{sum_backoff{constant_backoff<1s>{}, constant_backoff{1s}}, constant_backoff<1s>{}}) ==
              sizeof(duration));
static_assert(!std::is_default_constructible_v<decltype(sum_backoff{constant_backoff{1s}, constant_backoff<1s>{}})>);
template <class B>
concept SaysSomething = requires(B const& b) { b.describe(); };

TEST(SumBackoff, OfAPolicyWithoutCapAndWordsHasNoneEither) {
  sum_backoff const b{seconds_backoff{2}, constant_backoff<1s>{}};
  EXPECT_EQ(b.delay(3), 7s);
  EXPECT_EQ(b.cap(), duration::max());
  static_assert(!SaysSomething<decltype(b)> && SaysSomething<sum_backoff<anew::no_backoff, anew::no_backoff>>);
}

using quick = constant_backoff<10ms>;
static_assert(sizeof(phased_backoff<for_first<3, quick>, for_first<3, quick>, quick>) == 1);
static_assert(sizeof(phased_backoff<for_first<3, quick>, phased_backoff<for_first<3, quick>, quick>>) == 1);
static_assert(sizeof(phased_backoff{for_first{3, quick{}}, constant_backoff{1s}}) <= 16);
static_assert(!anew::Backoff<for_first<3, quick>>);
static_assert(!std::is_default_constructible_v<decltype(phased_backoff{for_first{3, quick{}}, quick{}})>);

// What cannot be a list of phases, beside what can.
static_assert(phased_backoff<quick>::is_sound && phased_backoff<for_first<1, quick>, quick>::is_sound);
static_assert(!phased_backoff<>::is_sound && !phased_backoff<for_first<1, quick>>::is_sound);
static_assert(!phased_backoff<quick, quick>::is_sound && !phased_backoff<quick, for_first<1, quick>>::is_sound);
static_assert(!phased_backoff<for_first<1, quick>, quick, quick>::is_sound);
static_assert(!phased_backoff<for_first<0, quick>, quick>::is_sound);
static_assert(phased_backoff<for_first<4294967295, quick>, quick>::is_sound);
static_assert(!phased_backoff<for_first<4294967296, quick>, quick>::is_sound);
static_assert(!phased_backoff<for_first<1, int>, quick>::is_sound &&
              !phased_backoff<for_first<1, quick>, int>::is_sound);
static_assert(!phased_backoff<for_first<1, constant_backoff<-1s>>, quick>::is_sound);

using of_the_last_kind =
    by_kind_backoff<for_kind<error_kind::throttling, exponential_backoff<1s, 20s>>,
                    for_kind<error_kind::timeout, exponential_backoff<3ms, 1s>>, exponential_backoff<50ms, 30s>>;

/// After so many attempts, the last of which failed so. What failed before has no say.
call_progress after(std::uint32_t attempts, error_kind kind) { return {attempts, kind, {}}; }

TEST(ByKindBackoff, TheKindChoosesAndTheCallCounts) {
  of_the_last_kind const b;
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
  of_the_last_kind const b;
  auto progress = after(3, error_kind::throttling);
  for (int i = 0; i < 9; ++i) progress.counts.add(error_kind::throttling);
  EXPECT_EQ(b.delay(progress), 4s);
}

TEST(ByKindBackoff, TheLargestCapIsTheCap) {
  EXPECT_EQ(of_the_last_kind{}.cap(), 30s);
  EXPECT_EQ((by_kind_backoff<for_kind<error_kind::server, exponential_backoff<1s, 90s>>, constant_backoff<1s>>{}.cap()),
            90s);
}

TEST(ByKindBackoff, WithoutKindsItIsTheDefault) {
  EXPECT_EQ(of_the_last_kind{}.delay(1), 50ms);
  EXPECT_EQ(of_the_last_kind{}.delay(3), 200ms);
  EXPECT_EQ(by_kind_backoff<constant_backoff<3s>>{}.delay(after(2, error_kind::server)), 3s);
}

TEST(ByKindBackoff, ValuesOfTheTypeAndOfTheObjectAgree) {
  by_kind_backoff const chosen{on_kind<error_kind::throttling>(exponential_backoff{1s, 20s}),
                               on_kind<error_kind::timeout>(exponential_backoff{3ms, 1s}),
                               exponential_backoff{50ms, 30s}};
  EXPECT_EQ(chosen.describe(),
            "by_kind(throttling=exponential(1s,20s),timeout=exponential(3ms,1s),exponential(50ms,30s))");
  EXPECT_EQ(of_the_last_kind{}.describe(), chosen.describe());
  for (std::uint32_t i = 1; i < 40; ++i) {
    auto const now = after(i, static_cast<error_kind>(i * i % 5));
    EXPECT_EQ(chosen.delay(now), of_the_last_kind{}.delay(now)) << i;
  }
}

TEST(ByKindBackoff, HasNoSizeWhenItsPartsHaveNone) {
  static_assert(std::is_empty_v<of_the_last_kind> && sizeof(anew::strategy<of_the_last_kind>) == 1 &&
                anew::Backoff<of_the_last_kind>);
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
  anew::strategy<of_the_last_kind, anew::no_jitter, anew::max_attempts<7>> const strategy;
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

using of_every_kind =
    per_kind_backoff<for_kind<error_kind::throttling, exponential_backoff<1s, 20s>>,
                     for_kind<error_kind::timeout, constant_backoff<7s>>, exponential_backoff<50ms, 30s>>;

// Made of as many rules as it has, each of its type.
using first_rule = for_kind<error_kind::throttling, exponential_backoff<1s, 20s>>;
using second_rule = for_kind<error_kind::timeout, constant_backoff<7s>>;
using last_rule = exponential_backoff<50ms, 30s>;
static_assert(std::is_constructible_v<of_every_kind, first_rule, second_rule, last_rule>);
static_assert(!std::is_constructible_v<of_every_kind, first_rule> &&
              !std::is_constructible_v<of_every_kind, int, int, last_rule>);

/// What a call is told after these failures.
call_progress after(std::vector<error_kind> const& kinds) {
  call_progress progress{static_cast<std::uint32_t>(kinds.size()), kinds.back(), {}};
  for (auto kind : kinds) progress.counts.add(kind);
  return progress;
}

TEST(PerKindBackoff, EachNamedKindCountsForItself) {
  of_every_kind const b;
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
  of_every_kind const b;
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
  EXPECT_EQ(of_every_kind{}.cap(), 30s);
  EXPECT_EQ(
      (per_kind_backoff<for_kind<error_kind::server, exponential_backoff<1s, 90s>>, constant_backoff<1s>>{}.cap()),
      90s);
  EXPECT_EQ(per_kind_backoff<constant_backoff<3s>>{}.cap(), 3s);
}

TEST(PerKindBackoff, WithoutKindsItIsTheDefault) {
  EXPECT_EQ(of_every_kind{}.delay(1), 50ms);
  EXPECT_EQ(of_every_kind{}.delay(3), 200ms);
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
  EXPECT_EQ(of_every_kind{}.describe(), chosen.describe());
  EXPECT_EQ(chosen.cap(), 30s);
  std::vector<error_kind> kinds;
  for (unsigned i = 0; i < 40; ++i) {
    kinds.push_back(static_cast<error_kind>(i * i % 5));
    EXPECT_EQ(chosen.delay(after(kinds)), of_every_kind{}.delay(after(kinds))) << i;
  }
}

TEST(PerKindBackoff, HasNoSizeWhenItsPartsHaveNone) {
  using twice = per_kind_backoff<for_kind<error_kind::throttling, constant_backoff<1s>>,
                                 for_kind<error_kind::timeout, constant_backoff<1s>>, constant_backoff<1s>>;
  static_assert(std::is_empty_v<twice> && sizeof(twice) == 1 && std::is_empty_v<of_every_kind>);
  static_assert(sizeof(anew::strategy<twice>) == 1);
  static_assert(anew::Backoff<of_every_kind>);
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

TEST(PerKindBackoff, IsAskedByTheKindOfTheLastFailure) {
  using enum error_kind;
  anew::strategy<of_every_kind, anew::no_jitter, anew::max_attempts<8>> const strategy;
  std::vector<error_kind> const script{throttling, transient, throttling, timeout,
                                       throttling, transient, timeout,    throttling};
  std::size_t next = 0;
  anew::testing::recording_sleeper sleeper;
  (void)anew::retry(strategy, [&] { return result{{script[next++]}}; }, sleeper);
  EXPECT_EQ(sleeper.delays, (std::vector<duration>{1s, 50ms, 2s, 7s, 4s, 100ms, 7s}));
}

}  // namespace
}  // namespace backoff_test
