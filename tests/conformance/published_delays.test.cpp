// SPDX-License-Identifier: BSL-1.0
// Delays that other libraries have published, in their documentation or in their own tests, reproduced with ours.
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies/backoff/linear.hpp"
#include "anew/policies/backoff/phased.hpp"
#include "anew/policies/backoff/sequence.hpp"
#include "anew/policies/jitter/cap_after_draw.hpp"
#include "anew/policies/jitter/proportional.hpp"
#include "anew/testing/scripted_random.hpp"

#include "names.hpp"

namespace {

using namespace anew;
using ::testing::ElementsAre;

/// The delays of one call that fails each time, at most `most`.
durations delays_of(auto const& s, std::size_t most) {
  durations delays;
  auto next = s.refresh_retry_token(s.acquire_initial_token(), failure{});
  while (next && delays.size() < most) {
    delays.push_back(next->delay());
    next = s.refresh_retry_token(*std::move(next), failure{});
  }
  return delays;
}

/// The delays of a backoff alone.
durations undrawn(auto const& b, std::uint32_t most) {
  durations delays;
  for (std::uint32_t retry = 1; retry <= most; ++retry) delays.push_back(b.delay(retry));
  return delays;
}

/// The word that stands for a number in [0, 1].
std::uint64_t word_of(double share) { return share >= 1 ? highest_word : static_cast<std::uint64_t>(share * 0x1p64); }

/// The delays of a call for which the random number is always `share`.
template <class... Policies>
durations drawn(double share, std::size_t most) {
  return delays_of(strategy<Policies..., unbounded, scripted_random>{scripted_random{word_of(share)}}, most);
}

double seconds(duration d) { return static_cast<double>(d.count()) * 1e-9; }

// --------------------------------------------------------------------------------------------- cenkalti/backoff (Go)

using cenkalti_backoff = exponential_backoff<500ms, 60s, rational{3, 2}>;
using cenkalti_jitter = proportional_jitter<rational{1, 2}>;

// github.com/cenkalti/backoff, exponential.go: the table in the comment of ExponentialBackOff, for its defaults (500 ms,
// multiplier 1.5, 60 s, randomization factor 0.5). It rounds each row before it computes the next: 1 in 1000.
TEST(CenkaltiBackoff, TheTableOfTheDefaults) {
  struct row {
    double interval, shortest, longest;
  };
  std::vector<row> const table{{0.5, 0.25, 0.75},      {0.75, 0.375, 1.125},   {1.125, 0.562, 1.687},
                               {1.687, 0.8435, 2.53},  {2.53, 1.265, 3.795},   {3.795, 1.897, 5.692},
                               {5.692, 2.846, 8.538},  {8.538, 4.269, 12.807}, {12.807, 6.403, 19.210},
                               {19.210, 9.605, 28.815}};
  auto const intervals = undrawn(cenkalti_backoff{}, 10);
  auto const shortest = drawn<cenkalti_backoff, cenkalti_jitter>(0, 10);
  auto const longest = drawn<cenkalti_backoff, cenkalti_jitter>(1, 10);
  for (std::size_t i = 0; i < table.size(); ++i) {
    EXPECT_NEAR(seconds(intervals[i]) / table[i].interval, 1, 1e-3) << i;
    EXPECT_NEAR(seconds(shortest[i]) / table[i].shortest, 1, 1e-3) << i;
    EXPECT_NEAR(seconds(longest[i]) / table[i].longest, 1, 1e-3) << i;
  }
}

// exponential_test.go, TestBackOff. "MaxInterval caps the RetryInterval and not the randomized interval": there the last
// ones are drawn from 4.5 to 5.5 s, here, where no delay passes the cap, from 4 to 5.
TEST(CenkaltiBackoff, ItsOwnTest) {
  using backoff = exponential_backoff<500ms, 5s>;
  using jitter = proportional_jitter<rational{1, 10}>;
  EXPECT_THAT(undrawn(backoff{}, 7), ElementsAre(500ms, 1s, 2s, 4s, 5s, 5s, 5s));
  EXPECT_THAT((drawn<backoff, jitter>(0, 6)), ElementsAre(450ms, 900ms, 1'800ms, 3'600ms, 4s, 4s));
  EXPECT_THAT((drawn<backoff, jitter>(1, 6)), ElementsAre(550ms, 1'100ms, 2'200ms, 4'400ms, 5s, 5s));
}

// exponential_test.go, TestGetRandomizedInterval: of an interval of 2 and a factor of 0.5, a third each are 1, 2 and 3.
TEST(CenkaltiBackoff, AThirdEach) {
  struct row {
    double random;
    duration interval;
  };
  for (auto const& r : {row{0, 1ns}, {0.33, 1ns}, {0.34, 2ns}, {0.66, 2ns}, {0.67, 3ns}, {0.99, 3ns}}) {
    scripted_random random{word_of(r.random)};
    cenkalti_jitter::state_type state{};
    EXPECT_EQ(cenkalti_jitter{}.apply({.first = 2ns, .ceiling = 2ns, .cap = 60s}, state, random), r.interval);
  }
}

// exponential_test.go, TestBackOffOverflow.
TEST(CenkaltiBackoff, OverflowIsTheMaximum) {
  exponential_backoff const b{duration::max() / 2, duration::max(), rational{21, 10}};
  EXPECT_EQ(b.delay(1), duration::max() / 2);
  EXPECT_EQ(b.delay(2), duration::max());
}

// ------------------------------------------------------------------------------------------------------ Polly 8 (.NET)

// pollydocs.org/strategies/retry, "Defaults": MaxRetryAttempts 3, Delay 2 seconds, BackoffType Constant, no jitter.
TEST(Polly, Defaults) {
  EXPECT_THAT(delays_of(strategy<constant_backoff<2s>, no_jitter, max_attempts<4>>{}, 99), ElementsAre(2s, 2s, 2s));
}

// RetryHelper.cs, with the default delay: linear is (attempt + 1) * delay, exponential 2^attempt * delay, attempt from 0.
TEST(Polly, LinearAndExponential) {
  EXPECT_THAT(undrawn(linear_backoff<2s, duration::max()>{}, 4), ElementsAre(2s, 4s, 6s, 8s));
  EXPECT_THAT(undrawn(exponential_backoff<2s, duration::max()>{}, 4), ElementsAre(2s, 4s, 8s, 16s));
}

// RetryHelperTests.cs: Linear_Ok, Exponential_Ok, MaxDelay_Ok, GetRetryDelay_OverflowWithMaxDelay_ReturnsMaxDelay.
TEST(Polly, ItsOwnTests) {
  EXPECT_THAT(undrawn(linear_backoff<1s, duration::max()>{}, 3), ElementsAre(1s, 2s, 3s));
  EXPECT_THAT(undrawn(exponential_backoff<1s, duration::max()>{}, 3), ElementsAre(1s, 2s, 4s));
  EXPECT_EQ((exponential_backoff<24h, 48h>{}.delay(1001)), 48h);
  EXPECT_EQ((exponential_backoff<24h, duration::max()>{}.delay(1001)), duration::max());
}

using quarter_jitter = proportional_jitter<rational{1, 4}>;

// RetryHelperTests.cs, Constant_Jitter_Ok and Linear_Jitter_Ok: from 25 % below to 25 % above.
TEST(Polly, JitterOfConstantAndLinearDelays) {
  struct row {
    double random, constant, third_of_linear;
  };
  for (auto const& r :
       {row{0.0, 0.75, 2.25}, row{0.4, 0.95, 2.85}, row{0.5, 1.0, 3.0}, row{0.6, 1.05, 3.15}, row{1.0, 1.25, 3.75}}) {
    EXPECT_NEAR(seconds(drawn<linear_backoff<1s, 1h>, quarter_jitter>(r.random, 3)[2]), r.third_of_linear, 2e-9);
    scripted_random random{word_of(r.random)};
    quarter_jitter::state_type state{};
    EXPECT_NEAR(seconds(quarter_jitter{}.apply({.first = 1s, .ceiling = 1s, .cap = 1h}, state, random)), r.constant,
                2e-9);
  }
}

// pollydocs.org/strategies/retry, "Usage", optionsDelayGenerator: at once, after 1 second, then after 5.
TEST(Polly, DelayGenerator) {
  EXPECT_THAT(undrawn(sequence_backoff<0s, 1s, 5s>{}, 5), ElementsAre(0s, 1s, 5s, 5s, 5s));
}

using polly_state = polly_decorrelated_jitter::state_type;
constexpr delay_bounds from_one_second{.first = 1s, .ceiling = 1s, .cap = 24h};

// RetryHelper.cs, the comment of DecorrelatedJitterBackoffV2: "For example: 850ms, 1455ms, 3060ms". The delay grows with
// the random number, so what can be drawn is found by halving.
TEST(Polly, TheExampleOfDecorrelatedDelaysCanBeDrawn) {
  polly_state state{};
  for (duration const wanted : {850ms, 1455ms, 3060ms}) {
    std::uint64_t word = 0;
    for (unsigned bit = 64; bit-- > 11;) {
      auto const candidate = word | (std::uint64_t{1} << bit);
      auto probe = state;
      scripted_random random{candidate};
      if (polly_decorrelated_jitter::apply(from_one_second, probe, random) <= wanted) word = candidate;
    }
    scripted_random random{word};
    EXPECT_NEAR(seconds(polly_decorrelated_jitter::apply(from_one_second, state, random)), seconds(wanted), 1e-6);
  }
}

// The same comment: the delay before try t (from 0) is between 0 and f * 2^(t+1) for t = 0 and 1, later between 0 and
// f * (2^(t+1) - 2^(t-1)).
TEST(Polly, TheRangesOfDecorrelatedDelays) {
  for (int t = 0; t < 16; ++t) {
    polly_state state{};
    scripted_random lowest{lowest_word};
    scripted_random highest{highest_word};
    for (int i = 0; i < t; ++i) static_cast<void>(polly_decorrelated_jitter::apply(from_one_second, state, lowest));
    double const longest = seconds(polly_decorrelated_jitter::apply(from_one_second, state, highest));
    EXPECT_LE(longest, t < 2 ? std::pow(2, t + 1) : std::pow(2, t + 1) - std::pow(2, t - 1)) << t;
    EXPECT_GE(longest, std::pow(2, t)) << t;
  }
}

// RetryHelperTests.cs, GetRetryDelay_Exponential_Does_Not_Exceed_MaxDelay: 2 seconds, at most 30.
TEST(Polly, DecorrelatedDelaysAreClampedToTheirMaximum) {
  for (double const share : {0.0, 0.3, 0.999}) {
    for (auto const delay : drawn<exponential_backoff<2s, 30s>, polly_decorrelated_jitter>(share, 1100)) {
      ASSERT_GE(delay, 0s);
      ASSERT_LE(delay, 30s);
    }
  }
}

// ---------------------------------------------------------------------------------------------------------------- gRPC

// github.com/grpc/grpc, doc/connection-backoff.md: INITIAL_BACKOFF 1 second, MULTIPLIER 1.6, MAX_BACKOFF 120 seconds,
// JITTER 0.2, which is added to or taken from the backoff. (The first is not drawn there.)
TEST(Grpc, ConnectionBackoff) {
  using backoff = exponential_backoff<1s, 120s, rational{8, 5}>;
  using jitter = proportional_jitter<rational{1, 5}>;
  auto const intervals = undrawn(backoff{}, 13);
  EXPECT_THAT(intervals,
              ElementsAre(1s, 1'600ms, 2'560ms, 4'096ms, 6'553'600us, 10'485'760us, 16'777'216us, 26'843'545'600ns,
                          42'949'672'960ns, 68'719'476'736ns, 109'951'162'778ns, 120s, 120s));
  auto const shortest = drawn<backoff, jitter>(0, 10);
  auto const longest = drawn<backoff, jitter>(1, 10);
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_NEAR(seconds(shortest[i]), 0.8 * seconds(intervals[i]), 1e-8) << i;
    EXPECT_NEAR(seconds(longest[i]), 1.2 * seconds(intervals[i]), 1e-8) << i;
  }
}

// github.com/grpc/proposal, A6-client-retries.md, "Retry Policy Capabilities": maxAttempts 4, initialBackoff 0.1s,
// maxBackoff 1s, backoffMultiplier 2. The n-th attempt is at random(0, min(initialBackoff*backoffMultiplier**(n-1),
// maxBackoff)).
TEST(Grpc, TheExampleOfA6) {
  using backoff = exponential_backoff<100ms, 1s>;
  using example = strategy<backoff, full_jitter, max_attempts<4>, scripted_random>;
  EXPECT_THAT(delays_of(example{scripted_random{highest_word}}, 99), ElementsAre(100ms, 200ms, 400ms));
  EXPECT_THAT(delays_of(example{scripted_random{anew::testing::middle_word}}, 99), ElementsAre(50ms, 100ms, 200ms));
  EXPECT_THAT(delays_of(example{scripted_random{lowest_word}}, 99), ElementsAre(0ms, 0ms, 0ms));
  EXPECT_THAT(undrawn(backoff{}, 6), ElementsAre(100ms, 200ms, 400ms, 800ms, 1s, 1s));
}

// The same, as revised: min(initialBackoff*backoffMultiplier**(n-1), maxBackoff) * random(0.8, 1.2).
TEST(Grpc, TheExampleOfA6Revised) {
  using backoff = exponential_backoff<100ms, 1s>;
  using jitter = proportional_jitter<rational{1, 5}>;
  EXPECT_THAT((drawn<backoff, jitter>(0, 3)), ElementsAre(80ms, 160ms, 320ms));
  EXPECT_THAT((drawn<backoff, jitter>(1, 3)), ElementsAre(120ms, 240ms, 480ms));
}

// ------------------------------------------------------------------------------------------------------------- Finagle

// github.com/twitter/finagle, BackoffTest.scala: const, exponential, linear, each without and with a maximum.
TEST(Finagle, ItsOwnTests) {
  constexpr auto no_maximum = duration::max();
  EXPECT_THAT(undrawn(constant_backoff<7ms>{}, 3), ElementsAre(7ms, 7ms, 7ms));
  EXPECT_THAT(undrawn(exponential_backoff<2ms, no_maximum>{}, 5), ElementsAre(2ms, 4ms, 8ms, 16ms, 32ms));
  EXPECT_THAT(undrawn(exponential_backoff<2ms, 15ms>{}, 5), ElementsAre(2ms, 4ms, 8ms, 15ms, 15ms));
  EXPECT_THAT(undrawn(linear_backoff<7ms, no_maximum, 10ms>{}, 5), ElementsAre(7ms, 17ms, 27ms, 37ms, 47ms));
  EXPECT_THAT(undrawn(linear_backoff<9ms, 99ms, 30ms>{}, 5), ElementsAre(9ms, 39ms, 69ms, 99ms, 99ms));
  EXPECT_THAT(undrawn(sequence_backoff<1s, 9s, 3s>{}, 3), ElementsAre(1s, 9s, 3s));  // fromStream
}

// BackoffTest.scala, "concat 2 non empty Backoffs" and "++ as an alias of concat", which ends after eight.
TEST(Finagle, Concatenation) {
  EXPECT_THAT(undrawn(phased_backoff<for_first<1, constant_backoff<1ms>>,
                                     for_first<2, linear_backoff<2ms, duration::max(), 1ms>>, constant_backoff<4ms>>{},
                      6),
              ElementsAre(1ms, 2ms, 3ms, 4ms, 4ms, 4ms));
  using joined = phased_backoff<for_first<3, constant_backoff<1s>>,
                                for_first<2, linear_backoff<2s, duration::max(), 1s>>, constant_backoff<7s>>;
  EXPECT_THAT(delays_of(strategy<joined, no_jitter, max_attempts<9>>{}, 99),
              ElementsAre(1s, 1s, 1s, 2s, 3s, 7s, 7s, 7s));
}

// FailureAccrualFactory.scala, jitteredBackoff = Backoff.equalJittered(5.seconds, 300.seconds): after 5 seconds it draws
// from 5 to 10, 10 to 20 and so on (Backoff.scala, EqualJittered), at most 300.
TEST(Finagle, TheDefaultOfFailureAccrual) {
  using backoff = exponential_backoff<10s, 300s>;
  EXPECT_THAT((drawn<backoff, equal_jitter>(0, 5)), ElementsAre(5s, 10s, 20s, 40s, 80s));
  EXPECT_THAT((drawn<backoff, equal_jitter>(1, 7)), ElementsAre(10s, 20s, 40s, 80s, 160s, 300s, 300s));
}

// Backoff.scala, exponentialJittered: "between 0 and the exponential backoff value", which doubles up to the maximum.
TEST(Finagle, ExponentialJittered) {
  EXPECT_THAT((drawn<exponential_backoff<1s, 5s>, full_jitter>(1, 5)), ElementsAre(1s, 2s, 4s, 5s, 5s));
  EXPECT_THAT((drawn<exponential_backoff<1s, 5s>, full_jitter>(0, 3)), ElementsAre(0s, 0s, 0s));
}

// Backoff.scala, decorrelatedJittered: "between `start` and 3 times the previously selected value, capped at `maximum`".
TEST(Finagle, DecorrelatedJittered) {
  EXPECT_THAT((drawn<exponential_backoff<2s, 32s>, decorrelated_jitter>(1, 4)), ElementsAre(6s, 18s, 32s, 32s));
  EXPECT_THAT((drawn<exponential_backoff<2s, 32s>, decorrelated_jitter>(0, 3)), ElementsAre(2s, 2s, 2s));
}

// User guide, "Clients", Retries: by default requests are retried "immediately (no backoff)".
TEST(Finagle, TheDefaultOfRequeues) {
  EXPECT_THAT(delays_of(strategy<no_backoff, max_attempts<4>>{}, 99), ElementsAre(0s, 0s, 0s));
}

}  // namespace
