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
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/base/random_source.hpp"
#include "anew/policies/backoff/at_least.hpp"
#include "anew/policies/backoff/by_kind.hpp"
#include "anew/policies/backoff/constant.hpp"
#include "anew/policies/backoff/exponential.hpp"
#include "anew/policies/backoff/immediate_first.hpp"
#include "anew/policies/backoff/nested.hpp"
#include "anew/policies/backoff/phased.hpp"
#include "anew/policies/backoff/sequence.hpp"
#include "anew/policies/backoff/sum.hpp"
#include "anew/policies/jitter/cap_after_draw.hpp"
#include "anew/policies/jitter/full.hpp"
#include "anew/policies/jitter/proportional.hpp"
#include "anew/policies/limits/max_attempts.hpp"
#include "anew/roles/backoff.hpp"
#include "anew/strategy/strategy.hpp"
#include "anew/testing/archetypes.hpp"
#include "anew/testing/scripted_random.hpp"

#include "names.hpp"

namespace backoff_test {
namespace {

using namespace anew;
using detail::uint128;

/// base * num^power / den^power to the nearest nanosecond, by exact integer arithmetic; zero when that has no room.
std::int64_t exact(std::int64_t base, std::uint32_t num, std::uint32_t den, std::uint32_t power) {
  uint128 numerator = static_cast<std::uint64_t>(base);
  uint128 denominator = 1;
  for (std::uint32_t i = 0; i < power; ++i) {
    if (numerator > ~uint128{0} / num / 2 || denominator > ~uint128{0} / den / 2) return 0;
    numerator = numerator * num;
    denominator = denominator * den;
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
      auto const ratio = detail::make_scaled(num, den);
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
    auto const a = detail::splitmix(bits++) | std::uint64_t{1} << 63U;
    auto const b = detail::splitmix(bits++) | std::uint64_t{1} << 63U;
    auto exact_product = uint128{a} * b;
    std::int64_t exponent = 128 + 3 - 5;
    if ((exact_product >> 127U) == 0) {
      exact_product <<= 1U;
      --exponent;
    }
    auto const product = detail::multiply({uint128{a} << 64U, 3}, {uint128{b} << 64U, -5});
    EXPECT_EQ(product.exponent, exponent);
    EXPECT_EQ(product.mantissa, exact_product) << a << " * " << b;
  }
}

// (2^128 - 1)^2 = 2^256 - 2^129 + 1: every carry is one.
TEST(Scaled, AProductOfAllOnesCarries) {
  auto const product = detail::multiply({~uint128{0}, 0}, {~uint128{0}, 0});
  EXPECT_EQ(product.mantissa, ~uint128{0} - 1);
  EXPECT_EQ(product.exponent, 128);
}

TEST(Scaled, TheEndsOfTheRangeAreConstantExpressions) {
  using detail::scale_by_power;
  constexpr duration half{std::int64_t{1} << 62U};
  static_assert(scale_by_power(0ns, 1s, 3, 2, 0) == 0ns && scale_by_power(0ns, 1s, 3, 2, 5) == 0ns);
  static_assert(scale_by_power(0ns, 0ns, 3, 2, 5) == 0ns && scale_by_power(5ns, 0ns, 3, 2, 5) == 0ns);
  static_assert(scale_by_power(half, duration::max(), 3, 1, 1) == duration::max());
  static_assert(scale_by_power(half, duration::max(), 3, 2, 1) == half / 2 * 3);
  static_assert(scale_by_power(half, duration::max(), 2, 1, 1) == duration::max());
  static_assert(scale_by_power(1ns, duration::max(), 4'294'967'295, 1, ~0U) == duration::max());
}

/// The delays of a call after each of these failures.
durations delays_of(auto const& s, std::vector<error_kind> const& failures) {
  durations delays;
  auto token = s.acquire_initial_token();
  for (auto const kind : failures) {
    auto next = s.refresh_retry_token(std::move(token), failure{kind});
    delays.push_back(next->delay());
    token = *std::move(next);
  }
  return delays;
}

TEST(HeadroomBackoff, LetsAJitterGoAboveTheInnerCap) {
  using outer = raised_cap_backoff<exponential_backoff<100ms, 1s>, rational{1, 5}>;
  auto const fifth_of = [](auto word) {
    auto const s = compose(outer{}, proportional_jitter<rational{1, 5}>{}, unbounded{}, scripted_random{word});
    return delays_of(s, std::vector(5, error_kind::transient)).back();
  };
  EXPECT_EQ(fifth_of(highest_word), 1200ms);
  EXPECT_EQ(fifth_of(lowest_word), 800ms);
}

static_assert(sizeof(immediate_first<immediate_first<constant_backoff<1s>>>) == 1);
static_assert(sizeof(immediate_first{constant_backoff{1s}}) == sizeof(duration));

// A jitter that grows by itself would stay at zero for ever if it began there.
template <class Jitter, class Backoff = exponential_backoff<50ms, 20s>>
void begins_with_the_second_retry(int retries_before = 1) {
  scripted_random const random{highest_word};
  auto const s = compose(immediate_first<Backoff>{}, Jitter{}, unbounded{}, random);
  auto next = s.refresh_retry_token(s.acquire_initial_token(), failure{});
  for (int i = 1; i < retries_before; ++i) next = s.refresh_retry_token(*std::move(next), failure{});
  EXPECT_EQ(next->delay(), 0ns);
  EXPECT_EQ(random.calls(), 0U) << "there was nothing to draw";
  next = s.refresh_retry_token(*std::move(next), failure{});
  EXPECT_GE(next->delay(), 50ms - 1ns);
  auto const second = next->delay();
  next = s.refresh_retry_token(*std::move(next), failure{});
  EXPECT_GT(next->delay(), second);
}

TEST(ImmediateFirst, JittersThatGrowByThemselvesBeginAfterIt) {
  begins_with_the_second_retry<decorrelated_jitter>();
  begins_with_the_second_retry<cap_after_draw_jitter>();
  begins_with_the_second_retry<polly_decorrelated_jitter>();
  begins_with_the_second_retry<proportional_jitter<rational{1, 2}>>();
  using twice = immediate_first<immediate_first<exponential_backoff<50ms, 20s>>>;
  begins_with_the_second_retry<decorrelated_jitter, twice>(3);
  begins_with_the_second_retry<cap_after_draw_jitter, twice>(3);
  begins_with_the_second_retry<polly_decorrelated_jitter, twice>(3);
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
  is_ten_thousand_and_fifty(sequence_backoff{10ms, 1000ms, 50ms});
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
  durations many;
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

// Made of nothing only when both are; of backoffs alone.
using at_run_time = decltype(constant_backoff{1s});
static_assert(std::is_default_constructible_v<sum_backoff<constant_backoff<1s>, constant_backoff<1s>>>);
static_assert(!std::is_default_constructible_v<sum_backoff<at_run_time, constant_backoff<1s>>>);
static_assert(!std::is_default_constructible_v<sum_backoff<constant_backoff<1s>, at_run_time>>);
static_assert(sizeof(sum_backoff{constant_backoff<1s>{}, constant_backoff{1s}}) == sizeof(duration));
static_assert(sizeof(sum_backoff{sum_backoff{constant_backoff<1s>{}, constant_backoff{1s}}, constant_backoff<1s>{}}) ==
              sizeof(duration));
static_assert(!std::is_default_constructible_v<decltype(sum_backoff{constant_backoff{1s}, constant_backoff<1s>{}})>);
template <class B>
concept SaysSomething = requires(B const& b) { b.describe(); };

TEST(SumBackoff, OfAPolicyWithoutCapAndWordsHasNoneEither) {
  sum_backoff const b{anew::testing::least_backoff{}, constant_backoff<1s>{}};
  EXPECT_EQ(b.delay(3), 1003ms);
  EXPECT_EQ(b.cap(), duration::max());
  static_assert(!SaysSomething<decltype(b)> && SaysSomething<sum_backoff<no_backoff, no_backoff>>);
}

using quick = constant_backoff<10ms>;
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
static_assert(!phased_backoff<for_first<4294967296, quick>, quick>::is_sound);
static_assert(!phased_backoff<for_first<1, int>, quick>::is_sound &&
              !phased_backoff<for_first<1, quick>, int>::is_sound);
static_assert(!phased_backoff<for_first<1, constant_backoff<-1s>>, quick>::is_sound);

using of_the_last_kind =
    by_kind_backoff<for_kind<error_kind::throttling, exponential_backoff<1s, 20s>>,
                    for_kind<error_kind::timeout, exponential_backoff<3ms, 1s>>, exponential_backoff<50ms, 30s>>;

/// What a call is told after these failures.
call_progress after(std::vector<error_kind> const& kinds) {
  call_progress progress{static_cast<std::uint32_t>(kinds.size()), kinds.back(), {}};
  for (auto kind : kinds) progress.counts.add(kind);
  return progress;
}

// The kind of the last failure chooses; by_kind goes on with the count of the call.
TEST(ByKindBackoff, TheKindChoosesAndTheCallCounts) {
  of_the_last_kind const b;
  auto const s = compose(b, no_jitter{}, unbounded{});
  using enum error_kind;
  EXPECT_EQ(delays_of(s, {transient, throttling, transient, timeout, throttling, throttling, client, server}),
            (durations{50ms, 2s, 200ms, 24ms, 16s, 20s, 3200ms, 6400ms}));
  EXPECT_EQ(delays_of(s, {throttling, timeout}), (durations{1s, 6ms}));
  EXPECT_EQ(b.delay({~std::uint32_t{0}, transient, {}}), 30s);
}

using of_every_kind =
    counted_by_kind_backoff<for_kind<error_kind::throttling, exponential_backoff<1s, 20s>>,
                            for_kind<error_kind::timeout, constant_backoff<7s>>, exponential_backoff<50ms, 30s>>;

TEST(PerKindBackoff, EachNamedKindCountsForItselfAndAllOthersShareACount) {
  of_every_kind const b;
  auto const s = compose(b, no_jitter{}, unbounded{});
  using enum error_kind;
  EXPECT_EQ(delays_of(s, {throttling, transient, throttling, timeout, throttling, server, timeout, client, throttling}),
            (durations{1s, 50ms, 2s, 7s, 4s, 100ms, 7s, 200ms, 8s}));
  EXPECT_EQ(b.delay(after({client, client, client, server, transient})), 800ms);
}

TEST(PerKindBackoff, AllFiveKindsHaveAPlace) {
  counted_by_kind_backoff<
      for_kind<error_kind::transient, constant_backoff<1s>>, for_kind<error_kind::throttling, constant_backoff<2s>>,
      for_kind<error_kind::timeout, constant_backoff<3s>>, for_kind<error_kind::server, constant_backoff<4s>>,
      for_kind<error_kind::client, constant_backoff<5s>>, no_backoff> const b;
  using enum error_kind;
  auto const s = compose(b, no_jitter{}, unbounded{});
  EXPECT_EQ(delays_of(s, {transient, throttling, timeout, server, client}), (durations{1s, 2s, 3s, 4s, 5s}));
  EXPECT_EQ(b.cap(), 5s);
}

template <template <class...> class ByKind>
struct rules {
  using throttled = for_kind<error_kind::throttling, exponential_backoff<1s, 20s>>;
  using timed_out = for_kind<error_kind::timeout, exponential_backoff<3ms, 1s>>;
  using other = exponential_backoff<50ms, 30s>;
  using all = ByKind<throttled, timed_out, other>;
  using one = for_kind<error_kind::timeout, constant_backoff<1s>>;

  // Made of as many rules as it has, each of its type, and of no size when they have none.
  static_assert(std::is_constructible_v<all, throttled, timed_out, other> && !std::is_constructible_v<all, throttled>);
  static_assert(!std::is_constructible_v<all, int, int, other>);
  static_assert(std::is_empty_v<all> && sizeof(strategy<all>) == 1 && anew::Backoff<all>);
  static_assert(sizeof(ByKind<for_kind<error_kind::throttling, constant_backoff<1s>>, one, constant_backoff<1s>>) == 1);

  static_assert(Composable<ByKind<one, constant_backoff<1s>>> && !Composable<ByKind<one, one, constant_backoff<1s>>>);
  static_assert(!Composable<ByKind<one>> && !Composable<ByKind<>> && !Composable<ByKind<constant_backoff<1s>, one>>);
  static_assert(!Composable<ByKind<constant_backoff<1s>, constant_backoff<1s>>>);
  static_assert(!Composable<ByKind<one, full_jitter>>);
  static_assert(!Composable<ByKind<for_kind<error_kind::timeout, full_jitter>, no_backoff>>);

  static void agree(std::string const& word) {
    EXPECT_EQ(all{}.cap(), 30s) << "the largest";
    EXPECT_EQ((ByKind<for_kind<error_kind::server, exponential_backoff<1s, 90s>>, constant_backoff<1s>>{}.cap()), 90s);
    EXPECT_EQ(all{}.delay(1), 50ms) << "without kinds it is the default";
    EXPECT_EQ(all{}.delay(3), 200ms);
    EXPECT_EQ(ByKind<constant_backoff<3s>>{}.delay(after({error_kind::server})), 3s);
    EXPECT_EQ(ByKind<constant_backoff<3s>>{}.cap(), 3s);

    ByKind const chosen{on_kind<error_kind::throttling>(exponential_backoff{1s, 20s}),
                        on_kind<error_kind::timeout>(exponential_backoff{3ms, 1s}), exponential_backoff{50ms, 30s}};
    EXPECT_EQ(chosen.describe(),
              word + "(throttling=exponential(1s,20s),timeout=exponential(3ms,1s),exponential(50ms,30s))");
    EXPECT_EQ(all{}.describe(), chosen.describe());
    EXPECT_EQ(chosen.cap(), 30s);
    std::vector<error_kind> kinds;
    for (unsigned i = 0; i < 40; ++i) {
      kinds.push_back(static_cast<error_kind>(i * i % 5));
      EXPECT_EQ(chosen.delay(after(kinds)), all{}.delay(after(kinds))) << i;
    }

    // A jitter that remembers grows from the first delay of the kind.
    auto const least = compose(all{}, decorrelated_jitter{}, scripted_random{0});
    for (auto const& [kind, first] : {std::pair{error_kind::throttling, duration{1s}}, {error_kind::transient, 50ms}}) {
      EXPECT_EQ(least.refresh_retry_token(least.acquire_initial_token(), failure{kind})->delay(), first);
    }
  }
};

TEST(PerKindBackoff, AgreesWithByKindOnAllButTheCounts) {
  rules<by_kind_backoff>::agree("by_kind");
  rules<counted_by_kind_backoff>::agree("counted_by_kind");
}

TEST(PerKindBackoff, CountsSaturate) {
  kind_counts counts;
  EXPECT_EQ(counts.of_others(detail::kind_rules<constant_backoff<1s>>::names), 0U);
  counts.add(error_kind::server);
  counts.add(error_kind::client);
  counts.add(error_kind::transient);
  counts.add(error_kind::throttling);
  counts.add(error_kind::timeout);
  EXPECT_EQ(counts.of_others(detail::kind_rules<constant_backoff<1s>>::names), 5U);
  using named = detail::kind_rules<for_kind<error_kind::client, constant_backoff<1s>>, constant_backoff<1s>>;
  EXPECT_EQ(counts.of_others(named::names), 4U);
}

#if defined(__cpp_exceptions)
TEST(NestedBackoff, RefusesWhatItCannotHold) {
  auto const inner = nested_backoff{constant_backoff{1ms}};
  nested_backoff::phases phases;  // and two more: 16
  for (std::uint32_t n = 1; n != 15; ++n) phases.emplace_back(n, inner);
  auto const full = nested_backoff::phased(phases, inner);
  EXPECT_EQ(full.delay(1 + 2 + 14), 1ms);
  phases.emplace_back(1, inner);
  EXPECT_THROW((void)nested_backoff::phased(phases, inner), std::invalid_argument);
  EXPECT_THROW((void)nested_backoff::sum(full, inner), std::invalid_argument);
  using kinds = nested_backoff::kinds;
  auto const by = nested_backoff::by_kind(kinds{{error_kind::timeout, constant_backoff{2ms}}}, inner);
  EXPECT_EQ(by.delay(1), 1ms);
  EXPECT_THROW((void)nested_backoff::by_kind(kinds{{error_kind::timeout, inner}, {error_kind::timeout, inner}}, inner),
               std::invalid_argument);
  EXPECT_THROW((void)nested_backoff::at_least(by, 1s), std::invalid_argument);
  EXPECT_THROW((void)nested_backoff::phased({{0, inner}}, inner), std::invalid_argument);
  EXPECT_THROW((void)nested_backoff::phased({}, by), std::invalid_argument);
  using wrapper = nested_backoff (*)(nested_backoff const&);
  for (auto const around : {wrapper{[](nested_backoff const& b) { return nested_backoff::at_least(b, 1ms); }},
                            wrapper{[](nested_backoff const& b) { return nested_backoff::immediate_first(b); }},
                            wrapper{[](nested_backoff const& b) { return nested_backoff::raised_cap(b, {1, 5}); }}}) {
    auto nested = inner;
    for (int parts = 1; parts != 16; ++parts) nested = around(nested);
    EXPECT_THROW((void)around(nested), std::invalid_argument);
  }
}
#endif

TEST(NestedBackoff, KeepsThePhasesOfAPart) {
  auto const phases = nested_backoff::phased({{2, constant_backoff{5ms}}}, constant_backoff{1ms});
  auto const whole = nested_backoff::at_least(phases, 3ms);
  EXPECT_EQ(whole.delay(2), 5ms);
  EXPECT_EQ(whole.delay(3), 3ms);
}

}  // namespace
}  // namespace backoff_test
