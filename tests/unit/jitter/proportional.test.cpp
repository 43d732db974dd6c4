// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cmath>
#include <cstdint>
#include <ratio>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/jitter/proportional.hpp"
#include "anew/testing/scripted_random.hpp"
#include "anew/testing/seeded_random.hpp"
#include "anew/testing/statistics.hpp"

#include "rejection.hpp"

namespace jitter_proportional_test {
namespace {

using namespace std::chrono_literals;
using anew::delay_bounds;
using anew::duration;
using anew::proportional_jitter;
using anew::rational;

using by_half = proportional_jitter<rational{1, 2}>;
using by_fifth = proportional_jitter<rational{1, 5}>;
static_assert(std::is_empty_v<by_half> && std::is_empty_v<by_half::state_type>);
static_assert(!std::is_default_constructible_v<decltype(proportional_jitter{rational{1, 2}})>);
static_assert(by_half::is_sound && proportional_jitter<rational{0}>::is_sound &&
              proportional_jitter<rational{1}>::is_sound);
static_assert(!proportional_jitter<rational{3, 2}>::is_sound && !proportional_jitter<rational{1, 0}>::is_sound);

template <class J>
duration drawn(J const& jitter, duration ceiling, duration cap, std::uint64_t word) {
  anew::testing::scripted_random random{word};
  typename J::state_type state{};
  return jitter.apply(delay_bounds{.first = 1ns, .ceiling = ceiling, .cap = cap}, state, random);
}

/// The shortest and the longest delay.
template <class J>
std::pair<duration, duration> window(J const& jitter, duration ceiling, duration cap) {
  return {drawn(jitter, ceiling, cap, anew::testing::lowest_word),
          drawn(jitter, ceiling, cap, anew::testing::highest_word)};
}
using pair = std::pair<duration, duration>;

TEST(ProportionalJitter, GoesAFractionDownAndUp) {
  EXPECT_EQ(window(by_half{}, 100ms, 20s), (pair{50ms, 150ms}));
  EXPECT_EQ(window(by_fifth{}, 100ms, 20s), (pair{80ms, 120ms}));
  EXPECT_EQ(drawn(by_fifth{}, 100ms, 20s, anew::testing::middle_word), 100ms);
  EXPECT_EQ(window(proportional_jitter<rational{1}>{}, 100ms, 20s), (pair{0ms, 200ms}));
  EXPECT_EQ(by_half{}.describe(), "proportional_jitter(1/2)");
  EXPECT_EQ(proportional_jitter<rational{1}>{}.describe(), "proportional_jitter(1)");
}

TEST(ProportionalJitter, TheWindowMovesDownBelowTheCapAndKeepsItsWidth) {
  EXPECT_EQ(window(by_fifth{}, 20s, 20s), (pair{12s, 20s}));
  EXPECT_EQ(window(by_fifth{}, 18s, 20s), (pair{12'800ms, 20s}));
  EXPECT_EQ(window(by_half{}, 20s, 20s), (pair{0s, 20s}));
  // Where it begins to move: 15 s and a third of it are the cap.
  proportional_jitter<rational{1, 3}> const by_third;
  EXPECT_EQ(window(by_third, 15s, 20s), (pair{10s, 20s}));
  EXPECT_EQ(window(by_third, 15s + 3ns, 20s), (pair{10s - 2ns, 20s}));
  EXPECT_EQ(window(by_third, 15s - 3ns, 20s), (pair{10s - 2ns, 20s - 4ns}));
  // Below zero there is no room to move to.
  EXPECT_EQ(window(proportional_jitter<rational{3, 4}>{}, 20s, 20s), (pair{0s, 20s}));
}

TEST(ProportionalJitter, ValuesOfTheTypeAndOfTheObjectAgree) {
  proportional_jitter const chosen{rational{1, 5}};
  for (duration const ceiling : {1ns, 7ns, 999ns}) {
    EXPECT_EQ(window(by_fifth{}, ceiling, 1'000ns), window(chosen, ceiling, 1'000ns));
  }
  EXPECT_EQ(chosen.describe(), "proportional_jitter(1/5)");
  EXPECT_EQ((proportional_jitter{rational{1}}.describe()), "proportional_jitter(1)");
  EXPECT_EQ(window(proportional_jitter{rational{2, 4}}, 100ms, 20s), (pair{50ms, 150ms}));
}

TEST(ProportionalJitter, ExtremeBounds) {
  EXPECT_EQ(window(by_half{}, duration::max(), duration::max()), (pair{1ns, duration::max()}));
  EXPECT_EQ(window(proportional_jitter<rational{1}>{}, duration::max(), duration::max()), (pair{0ns, duration::max()}));
  EXPECT_EQ(window(proportional_jitter{rational{~0U, ~0U}}, 5ns, 20ns), (pair{0ns, 10ns}));
  EXPECT_EQ(window(by_half{}, 1ns, 20s), (pair{1ns, 1ns}));   // half of a nanosecond is none
  EXPECT_EQ(window(by_fifth{}, 30s, 20s), (pair{12s, 20s}));  // a ceiling above the cap is the cap
}

TEST(ProportionalJitter, DrawsOneNumberAndNoneWithoutAChoice) {
  anew::testing::scripted_random random{anew::testing::highest_word};
  by_half::state_type state{};
  static_cast<void>(by_half{}.apply({1s, 1s, 20s}, state, random));
  EXPECT_EQ(random.calls(), 1U);
  static_cast<void>(by_half{}.apply({0s, 0s, 20s}, state, random));
  proportional_jitter<rational{0}>::state_type none{};
  EXPECT_EQ((proportional_jitter<rational{0}>{}.apply({1s, 7s, 20s}, none, random)), 7s);
  EXPECT_EQ(random.calls(), 1U);
}

TEST(ProportionalJitter, IsAConstantExpression) {
  static_assert([] {
    auto random = [] { return ~std::uint64_t{0}; };
    by_fifth::state_type state{};
    return by_fifth{}.apply({1s, 10s, 20s}, state, random);
  }() == 12s);
}

TEST(ProportionalJitter, RefusesAFractionOutside) {
  EXPECT_REJECTED((proportional_jitter{rational{3, 2}}),
                  "anew::proportional_jitter: fraction must be between 0 and 1, but is 3/2");
  EXPECT_REJECTED((proportional_jitter{rational{1, 0}}),
                  "anew::proportional_jitter: fraction must be between 0 and 1, but is 1/0");
  EXPECT_REJECTED((proportional_jitter{rational{0, 0}}),
                  "anew::proportional_jitter: fraction must be between 0 and 1, but is 0/0");
  EXPECT_EQ((proportional_jitter{rational{0}}.describe()), "proportional_jitter(0)");
}

struct row {
  duration ceiling;
  double mean, variance, low, high;
};

// Closed form of c * U(1 - f, 1 + f) with f = 0.2, base 50 ms, factor 2, in milliseconds; at the cap of 20 s the same
// window 4 s lower, as wide as the published one that passes the cap.
TEST(ProportionalJitter, HasThePublishedDistribution) {
  constexpr int count = 20'000;
  for (auto const& r :
       {row{50ms, 50, 33.3333, 40, 60}, row{100ms, 100, 133.333, 80, 120}, row{1600ms, 1600, 34133.3, 1280, 1920},
        row{12800ms, 12800, 2.18453e+06, 10240, 15360}, row{20s, 16000, 5.33333e+06, 12000, 20000}}) {
    anew::testing::seeded_random random{5};
    by_fifth::state_type state{};
    std::vector<double> sample;
    for (int i = 0; i < count; ++i) {
      sample.push_back(static_cast<double>(by_fifth{}.apply({50ms, r.ceiling, 20s}, state, random).count()) * 1e-6);
    }
    EXPECT_NEAR(anew::testing::mean(sample), r.mean, 4 * std::sqrt(r.variance / count)) << r.low;
    EXPECT_NEAR(anew::testing::variance(sample) / r.variance, 1.0, 0.05) << r.low;
    EXPECT_LT(anew::testing::ks_distance(sample, anew::testing::uniform_cdf(r.low, r.high)),
              anew::testing::ks_critical(count))
        << r.low;
    EXPECT_LT(anew::testing::largest_frequency(sample), 1e-3) << r.low;
  }
}

}  // namespace
}  // namespace jitter_proportional_test
