// SPDX-License-Identifier: BSL-1.0
// The published tables of the cubic functions: smithy-kotlin, smithy-rs, aws-sdk-go-v2, smithy-java, smithy-swift and
// aws-sdk-cpp test themselves with them; 8 and 10 as maxima of the window and the throttled rates stand in botocore.
#include <gtest/gtest.h>

#include "anew/pacer/internal/cubic_rate.hpp"

namespace pacer_cubic_rate_test {
namespace {

using anew::cubic_rate;

constexpr double tolerance = 1e-9;

struct row {
  double at;
  double expected;
};

TEST(CubicRate, GrowsAfterASuccess) {
  cubic_rate const cubic{.last_max_rate = 10, .last_throttle_time = 5};
  for (auto const& [at, expected] :
       {row{5, 7.0}, row{6, 9.64893600966}, row{7, 10.000030849917364}, row{8, 10.453284520772092},
        row{9, 13.408697022224185}, row{10, 21.26626835427364}, row{11, 36.425998516920465}}) {
    EXPECT_NEAR(cubic.success(at), expected, tolerance) << at;
    EXPECT_EQ(cubic.success(at), cubic.success(at, cubic_rate::time_window(10))) << at;
  }
}

TEST(CubicRate, FallsFromTheRateThatWasThrottledAndRemembersThat) {
  struct {
    double at;
    bool throttled;
    double expected;
  } const rows[] = {
      {5, false, 7.0},
      {6, false, 9.64893600966},
      {7, true, 6.754255206761999},
      {8, true, 4.727978644733399},
      {9, false, 6.606547753887045},
      {10, false, 6.763279816944947},
      {11, false, 7.598174833907107},
      {12, false, 11.511232804773524},
  };
  cubic_rate cubic{.last_max_rate = 10, .last_throttle_time = 5};
  double rate = 0;
  for (auto const& [at, throttled, expected] : rows) {
    auto const before = rate;
    rate = throttled ? cubic.throttle(rate, at) : cubic.success(at);
    EXPECT_NEAR(rate, expected, tolerance) << at;
    if (!throttled) continue;
    EXPECT_EQ(cubic.last_max_rate, before);  // before it fell
    EXPECT_EQ(cubic.last_throttle_time, at);
  }
}

TEST(CubicRate, TheWindowIsTheTimeBackToTheMaximum) {
  for (auto const& [maximum, expected] :
       {row{0, 0.0}, row{0.5, 0.7211247851537043}, row{1, 0.9085602964160698}, row{5, 1.5536162529769295},
        row{8, 1.8171205928321397}, row{10, 1.9574338205844317}, row{20, 2.4662120743304703},
        row{100, 4.217163326508746}, row{1000, 9.085602964160698}}) {
    auto const window = cubic_rate::time_window(maximum);
    EXPECT_NEAR(window, expected, tolerance) << maximum;
    cubic_rate const cubic{.last_max_rate = maximum, .last_throttle_time = 3};
    EXPECT_NEAR(cubic.success(3 + window), maximum, tolerance);
    EXPECT_NEAR(cubic.success(3), cubic.throttle(maximum), 1e-9 * (1 + maximum));
  }
}

TEST(CubicRate, AThrottledResponseLeavesBetaOfTheRate) {
  EXPECT_NEAR(cubic_rate{}.throttle(10), 7.0, tolerance);
  EXPECT_NEAR(cubic_rate{}.throttle(8), 5.6, tolerance);
  cubic_rate steeper{.constants = {.beta = 0.6}};
  EXPECT_NEAR(steeper.throttle(10, 3), 6.0, tolerance);
  EXPECT_NEAR(steeper.success(3), 5.999999999999999, tolerance);
}

TEST(CubicRate, EachNumberActs) {
  EXPECT_NEAR(cubic_rate::time_window(8, {.beta = 0.9}), 1.2599210498948732, tolerance);  // cbrt(8*0.1/0.4)
  EXPECT_NEAR(cubic_rate::time_window(8, {.scale = 2.4}), 1.0, tolerance);
  cubic_rate const steep{.last_max_rate = 0, .last_throttle_time = 1, .constants = {.scale = 2}};
  EXPECT_NEAR(steep.success(3), 16, tolerance);
}

}  // namespace
}  // namespace pacer_cubic_rate_test
