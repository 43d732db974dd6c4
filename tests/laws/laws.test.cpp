// SPDX-License-Identifier: BSL-1.0
// Laws 1 and 2, of delays whose numbers are known at run time, and through a strategy; and the published distributions.
// The laws of each policy are in kit.test.cpp.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies/backoff/at_least.hpp"
#include "anew/policies/backoff/immediate_first.hpp"
#include "anew/policies/backoff/linear.hpp"
#include "anew/policies/backoff/phased.hpp"
#include "anew/policies/backoff/sequence.hpp"
#include "anew/policies/backoff/sum.hpp"
#include "anew/policies/jitter/cap_after_draw.hpp"
#include "anew/policies/jitter/proportional.hpp"
#include "anew/testing/archetypes.hpp"
#include "anew/testing/laws/delays.hpp"
#include "anew/testing/scripted_random.hpp"
#include "anew/testing/statistics.hpp"

#include "names.hpp"

namespace {

namespace laws = anew::testing::laws;
using namespace anew;

void obeys_the_laws_of_backoffs(auto const& b) { ASSERT_TRUE(laws::delays_are_within_the_cap(b)); }

void grows_within_its_cap(auto const& b) {
  obeys_the_laws_of_backoffs(b);
  ASSERT_TRUE(laws::delays_do_not_decrease(b));
}

constexpr auto longest = duration::max();

std::vector<duration> extreme_values() {
  return {1ns, 2ns, 3ns, 999'999'937ns, 50ms, 20s, duration{(std::int64_t{1} << 53U) + 1}, longest - 1ns, longest};
}

TEST(BackoffLawsAtRunTime, HoldForExtremeValues) {
  constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
  for (duration const base : extreme_values()) {
    grows_within_its_cap(constant_backoff{base});
    for (duration const cap : extreme_values()) {
      if (cap < base) continue;
      grows_within_its_cap(exponential_backoff{base, cap});
      for (rational const f :
           {rational{1}, {3, 2}, {1001, 1000}, {2, 1}, {10, 1}, {most, 1}, {most, most}, {most, most - 1}}) {
        grows_within_its_cap(exponential_backoff{base, cap, f});
      }
      grows_within_its_cap(fibonacci_backoff{base, cap});
      for (duration const step : extreme_values()) grows_within_its_cap(linear_backoff{base, cap, step});
    }
  }
}

TEST(BackoffLawsAtRunTime, HoldForBackoffsMadeOfOthers) {
  for (duration const one : extreme_values()) {
    for (duration const other : extreme_values()) {
      obeys_the_laws_of_backoffs(sequence_backoff{one, other});
      grows_within_its_cap(sum_backoff{constant_backoff{one}, exponential_backoff{1ns, other}});
      grows_within_its_cap(at_least_backoff{exponential_backoff{1ns, one}, other});
      grows_within_its_cap(immediate_first{fibonacci_backoff{1ns, one}});
      obeys_the_laws_of_backoffs(phased_backoff{for_first{2, constant_backoff{one}},
                                                for_first{~0U, linear_backoff{1ns, other}}, constant_backoff{other}});
    }
  }
}

TEST(BackoffLawsAtRunTime, TheCapIsReachedInTheEnd) {
  for (rational const f : {rational{3, 2}, {1001, 1000}, {2, 1}, {10, 1}, {4294967295, 1}}) {
    EXPECT_EQ((exponential_backoff{1ns, 20s, f}.delay(100'000)), 20s);
    EXPECT_EQ((exponential_backoff{1ns, longest, f}.delay(~0U)), longest);
  }
  EXPECT_EQ((fibonacci_backoff{1ns, longest}.delay(~0U)), longest);
  EXPECT_EQ((linear_backoff{1ns, 4'294'967'295ns}.delay(~0U)), 4'294'967'295ns);
  // (1 + 1/n)^n is e, for the smallest growth that can be written.
  exponential_backoff const slow{1s, 20s, rational{4294967295, 4294967294}};
  EXPECT_NEAR(static_cast<double>(slow.delay(4294967295).count()), 2.718281828e9, 2);
}

template <class Jitter>
class StrategyWithJitter : public ::testing::Test {};
using by_fifth = anew::proportional_jitter<anew::rational{1, 5}>;
using by_half = anew::proportional_jitter<anew::rational{1, 2}>;
using by_all = anew::proportional_jitter<anew::rational{1}>;
using jitters = ::testing::Types<no_jitter, full_jitter, equal_jitter, decorrelated_jitter, by_fifth, by_half, by_all,
                                 cap_after_draw_jitter, polly_decorrelated_jitter, anew::testing::least_jitter,
                                 anew::testing::least_remembering_jitter>;
TYPED_TEST_SUITE(StrategyWithJitter, jitters);

TYPED_TEST(StrategyWithJitter, NeitherJitterNorRoundingPassesTheCapNorAHintItsBound) {
  for (std::uint64_t const word : {lowest_word, anew::testing::middle_word, highest_word}) {
    for (auto const then : {long_hint::stop, long_hint::clamp, long_hint::ignore}) {
      auto const s = compose(TypeParam{}, exponential_backoff{333ns, 9'999ns, rational{7, 3}},
                             server_hint{then, 20'000ns}, unbounded{}, scripted_random{word});
      for (duration const hint : {0ns, 1ns, 9'998ns, 9'999ns, 10'000ns, 20'000ns, 20'001ns, longest}) {
        bool const is_obeyed = hint <= 20'000ns;
        auto next = s.refresh_retry_token(s.acquire_initial_token(), failure{.hint = hint});
        for (int retry = 1; retry < 30 && next; ++retry) {
          ASSERT_GE(next->delay(), 0ns);
          ASSERT_TRUE(next->delay() >= hint || !is_obeyed);
          ASSERT_LE(next->delay(), is_obeyed                  ? std::max(duration{9'999ns}, hint)
                                   : then == long_hint::clamp ? duration{20'000ns}
                                                              : duration{9'999ns});
          next = s.refresh_retry_token(*std::move(next), failure{.hint = hint});
        }
        EXPECT_EQ(next.has_value(), then != long_hint::stop || is_obeyed);
      }
    }
  }
}

constexpr int sample_size = 20'000;

struct published_row {
  std::uint32_t retry;
  double mean, variance, low, high;
};

/// One delay in milliseconds, of base 50 ms and cap 20 s.
template <class Jitter>
double drawn_of(duration ceiling, anew::testing::seeded_random const& random) {
  auto const in_ms = [](duration d) { return static_cast<double>(d.count()) * 1e-6; };
  if constexpr (requires { Jitter::apply(ceiling, random); })
    return in_ms(Jitter::apply(ceiling, random));
  else {
    typename Jitter::state_type state{};
    return in_ms(Jitter{}.apply({50ms, ceiling, 20s}, state, random));
  }
}

template <class Jitter>
void has_the_published_distribution(std::vector<published_row> const& rows) {
  exponential_backoff<50ms, 20s> const b;
  for (auto const& row : rows) {
    anew::testing::seeded_random const random{row.retry};
    std::vector<double> sample;
    for (int i = 0; i < sample_size; ++i) sample.push_back(drawn_of<Jitter>(b.delay(row.retry), random));
    EXPECT_NEAR(anew::testing::mean(sample), row.mean, 4 * std::sqrt(row.variance / sample_size)) << row.retry;
    EXPECT_NEAR(anew::testing::variance(sample) / row.variance, 1.0, 0.05) << row.retry;
    EXPECT_LT(anew::testing::ks_distance(sample, anew::testing::uniform_cdf(row.low, row.high)),
              anew::testing::ks_critical(sample_size))
        << row.retry;
    EXPECT_LT(anew::testing::largest_frequency(sample), 1e-3) << row.retry;
  }
}

// Published closed forms for base 50 ms, cap 20 s, factor 2, in milliseconds: U(0, c) and c/2 + U(0, c/2).
TEST(PublishedDistributions, FullJitter) {
  has_the_published_distribution<full_jitter>({{1, 25, 208.333, 0, 50},
                                               {2, 50, 833.333, 0, 100},
                                               {6, 800, 213333, 0, 1600},
                                               {9, 6400, 1.36533e+07, 0, 12800},
                                               {10, 10000, 3.33333e+07, 0, 20000},
                                               {13, 10000, 3.33333e+07, 0, 20000}});
}
TEST(PublishedDistributions, EqualJitter) {
  has_the_published_distribution<equal_jitter>({{1, 37.5, 52.0833, 25, 50},
                                                {2, 75, 208.333, 50, 100},
                                                {6, 1200, 53333.3, 800, 1600},
                                                {9, 9600, 3.41333e+06, 6400, 12800},
                                                {10, 15000, 8.33333e+06, 10000, 20000},
                                                {13, 15000, 8.33333e+06, 10000, 20000}});
}

// c * U(0.8, 1.2); at the cap the same window 4 s lower, as wide as the published one that passes the cap.
TEST(PublishedDistributions, ProportionalJitter) {
  has_the_published_distribution<by_fifth>({{1, 50, 33.3333, 40, 60},
                                            {2, 100, 133.333, 80, 120},
                                            {6, 1600, 34133.3, 1280, 1920},
                                            {9, 12800, 2.18453e+06, 10240, 15360},
                                            {10, 16000, 5.33333e+06, 12000, 20000}});
}

/// The n-th delays of `sample_size` calls with decorrelated jitter, in milliseconds.
std::vector<double> decorrelated_delays(delay_bounds const& bounds, int n, duration previous = 0ns) {
  anew::testing::seeded_random const random{17};
  std::vector<double> sample;
  for (int call = 0; call < sample_size; ++call) {
    decorrelated_jitter::state_type state{.previous = previous};
    for (int i = 1; i < n; ++i) static_cast<void>(decorrelated_jitter::apply(bounds, state, random));
    sample.push_back(static_cast<double>(decorrelated_jitter::apply(bounds, state, random).count()) * 1e-6);
  }
  return sample;
}

// The first delay of base 5 ms is U(5, 15), of mean 10 and variance 8.33333; a delay after a long one is U(base, cap).
TEST(PublishedDistributions, DecorrelatedJitter) {
  auto const first = decorrelated_delays({5ms, 5ms, 2s}, 1);
  EXPECT_NEAR(anew::testing::mean(first), 10, 4 * std::sqrt(8.33333 / sample_size));
  EXPECT_NEAR(anew::testing::variance(first) / 8.33333, 1.0, 0.05);
  EXPECT_LT(anew::testing::ks_distance(first, anew::testing::uniform_cdf(5, 15)),
            anew::testing::ks_critical(sample_size));
  for (duration const previous : {duration{7ms}, duration{20ms}}) {
    auto const saturated = decorrelated_delays({1ms, 20ms, 20ms}, 1, previous);
    EXPECT_LT(anew::testing::ks_distance(saturated, anew::testing::uniform_cdf(1, 20)),
              anew::testing::ks_critical(sample_size));
    EXPECT_GE(*std::min_element(saturated.begin(), saturated.end()), 1);
    EXPECT_LE(*std::max_element(saturated.begin(), saturated.end()), 20);
  }
}

// Published closed form: without a cap the n-th delay of sleep = U(base, 3 * previous), previous = base at first, has
// mean base * (2 * 1.5^n - 1).
TEST(PublishedDistributions, DecorrelatedJitterWithoutACap) {
  for (int n = 1; n <= 6; ++n) {
    auto const sample = decorrelated_delays({5ms, longest, longest}, n);
    double const deviation = std::sqrt(anew::testing::variance(sample) / sample_size);
    EXPECT_NEAR(anew::testing::mean(sample), 5 * (2 * std::pow(1.5, n) - 1), 4 * deviation) << n;
  }
}

// Published numerical solutions, where the cap bounds the draw: mean, variance and median of the n-th; of the second not
// the median.
TEST(PublishedDistributions, DecorrelatedJitterAtTheCap) {
  struct row {
    duration base, cap;
    int n;
    double mean, variance, median;
  };
  for (auto const& r : {row{1ms, 20ms, 2, 3.5, 3.0833, 3.1691}, row{1ms, 20ms, 3, 5.6784, 15.4668, 4.5648},
                        row{1ms, 20ms, 5, 7.8811, 27.2524, 6.6305}, row{1ms, 20ms, 10, 8.3698, 28.6681, 7.2860},
                        row{1ms, 20ms, 30, 8.3765, 28.6843, 7.2955}, row{50ms, 20s, 5, 709.4897, 687363.7294, 0},
                        row{50ms, 20s, 8, 2154.1918, 10764312.0942, 0}, row{50ms, 20s, 12, 3815.4540, 23094791.0582, 0},
                        row{50ms, 20s, 30, 5097.9118, 29454690.4973, 0}}) {
    auto sample = decorrelated_delays({r.base, r.cap, r.cap}, r.n);
    EXPECT_NEAR(anew::testing::mean(sample), r.mean, 4 * std::sqrt(r.variance / sample_size)) << r.n;
    EXPECT_NEAR(anew::testing::variance(sample) / r.variance, 1.0, r.median == 0 ? 0.1 : 0.05) << r.n;
    EXPECT_LT(anew::testing::largest_frequency(sample), 1e-3) << r.n;
    if (r.median == 0) continue;
    std::nth_element(sample.begin(), sample.begin() + sample_size / 2, sample.end());
    EXPECT_NEAR(sample[sample_size / 2] / r.median, 1.0, 0.05) << r.n;
  }
}

TEST(PublishedDistributions, WithoutJitterThereIsOneValue) {
  anew::testing::seeded_random const random{1};
  EXPECT_EQ(no_jitter::apply(exponential_backoff<50ms, 20s>{}.delay(9), random), 12'800ms);
  EXPECT_EQ(no_jitter::apply(exponential_backoff<50ms, 20s>{}.delay(13), random), 20s);
}

}  // namespace
