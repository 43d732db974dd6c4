// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <ratio>
#include <stdexcept>
#include <type_traits>

#include <gtest/gtest.h>

#include "anew/backoff/exponential.hpp"
#include "anew/backoff/headroom.hpp"
#include "anew/hint/jittered.hpp"
#include "anew/jitter/proportional.hpp"
#include "anew/jitter/scaled.hpp"
#include "anew/value/internal/text.hpp"
#include "anew/value/internal/times.hpp"
#include "anew/value/rational.hpp"

namespace value_rational_test {
namespace {

using namespace std::chrono_literals;
using anew::detail::times;
using anew::detail::to_text;
using anew::duration;
using anew::rational;

constexpr auto most = ~std::uint32_t{0};

TEST(Rational, IsAFractionAsOthersWriteIt) {
  static_assert(rational{0.2} == rational{1, 5} && rational{2.0} == rational{2} && rational{1.5F} == rational{3, 2});
  static_assert(rational{0.1F} == rational{1, 10} && rational{0.0} == rational{0} &&
                rational{1e-9}.den == 1'000'000'000);
  static_assert(rational{4294967295.0} == rational{most} && rational{1.0 / 3} == rational{333'333'333, 1'000'000'000});
  static_assert(rational{1e-10} == rational{0} && rational{429496729.25}.den == 10);
  for (double const refused :
       {-0.2, 4294967296.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(rational{refused}.den, 0U) << refused;
    EXPECT_NE(rational{refused}, anew::at_run_time<rational>);
  }
  for (std::uint32_t num = 0; num != 20'000; ++num) {
    EXPECT_EQ(rational{num / 1000.0}, (rational{num, 1000})) << num;
    EXPECT_EQ(rational{static_cast<float>(num) / 100.0F}, (rational{num, 100})) << num;
  }
}

TEST(Rational, IsWrittenSoInPolicies) {
  EXPECT_EQ((anew::exponential_backoff{1s, 60s, 2.0}.describe()), (anew::exponential_backoff{1s, 60s}.describe()));
  EXPECT_EQ((anew::exponential_backoff<1s, 60s, 1.5>{}.describe()),
            (anew::exponential_backoff<1s, 60s, rational{3, 2}>{}.describe()));
  EXPECT_EQ(anew::proportional_jitter<0.1>{}.describe(), (anew::proportional_jitter<rational{1, 10}>{}.describe()));
#if ANEW_EXCEPTIONS
  EXPECT_THROW((anew::exponential_backoff{1s, 60s, -2.0}), std::invalid_argument);
  EXPECT_THROW(anew::proportional_jitter{-0.1}, std::invalid_argument);
#endif
}

TEST(Rational, IsInLowestTerms) {
  static_assert(rational{6, 4}.num == 3 && rational{6, 4}.den == 2);
  static_assert(rational{0, 7} == rational{0} && rational{most, most} == rational{1});
  static_assert(rational{most, most - 1}.num == most && rational{most, most - 1}.den == most - 1);
  std::mt19937 random{2026};
  for (int i = 0; i != 10'000; ++i) {
    auto const num = random() >> (random() % 32);
    auto const den = (random() >> (random() % 32)) | 1U;
    rational const r{static_cast<std::uint32_t>(num), static_cast<std::uint32_t>(den)};
    EXPECT_EQ(std::gcd(r.num, r.den), 1U);
    EXPECT_EQ(std::uint64_t{r.num} * den, num * std::uint64_t{r.den});
  }
}

// Without a denominator it stays as it is written, so that a policy can refuse it.
TEST(Rational, KeepsADenominatorOfZero) {
  static_assert(rational{6, 0}.den == 0);
  static_assert(rational{6, 0} != rational{0, 0});
}

TEST(Rational, IsMadeOfAStdRatio) {
  static_assert(rational{std::ratio<6, 4>{}} == rational{3, 2} && rational{std::ratio<0, 5>{}} == rational{0});
  static_assert(rational{std::ratio<4'294'967'295>{}}.num == most);
  static_assert(std::is_convertible_v<std::ratio<1, 2>, rational>);
}

// A whole number may be a percentage.
TEST(Rational, IsNotMadeOfAWholeNumberByTheWay) {
  static_assert(std::is_convertible_v<double, rational> && !std::is_convertible_v<int, rational>);
}

TEST(Rational, EqualValuesAreEqualPolicies) {
  static_assert(std::is_same_v<anew::exponential_backoff<1s, 9s, rational{6, 4}>,
                               anew::exponential_backoff<1s, 9s, std::ratio<3, 2>{}>>);
  static_assert(
      std::is_same_v<anew::proportional_jitter<rational{20, 100}>, anew::proportional_jitter<rational{1, 5}>>);
  EXPECT_EQ((anew::exponential_backoff{1ms, 2s, rational{6, 4}}.describe()),
            (anew::exponential_backoff{1ms, 2s, rational{3, 2}}.describe()));
  EXPECT_EQ((anew::scaled_jitter{rational{4, 8}, rational{6, 3}}.describe()), "scaled_jitter(1/2,2)");
  EXPECT_EQ((anew::jittered_hint{rational{4, 2}}.describe()), "jittered_hint(2,server_hint(stop))");
}

TEST(Rational, IsWrittenAsAWholeNumberOrWithAStroke) {
  EXPECT_EQ(to_text(rational{6, 4}), "3/2");
  EXPECT_EQ(to_text(rational{4, 2}), "2");
  EXPECT_EQ(to_text(rational{0, 3}), "0");
}

TEST(Rational, TimesRoundsDownAndSaturates) {
  static_assert(times(7ns, rational{1, 2}) == 3ns && times(10ns, rational{13, 10}) == 13ns);
  static_assert(times(duration::max(), rational{1}) == duration::max());
  static_assert(times(duration::max(), rational{most}) == duration::max());
  static_assert(times(duration::max(), rational{1, most}) == duration{2'147'483'648});
}

}  // namespace
}  // namespace value_rational_test
