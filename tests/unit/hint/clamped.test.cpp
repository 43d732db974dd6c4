// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/hint/clamped.hpp"
#include "anew/testing/recording_sleeper.hpp"
#include "anew/testing/scripted_random.hpp"

#include "driver_support.hpp"
#include "rejection.hpp"

namespace hint_clamped_test {
namespace {

using namespace std::chrono_literals;
using anew::clamped_hint;
using anew::delay_origin;
using anew::duration;

template <class Hint>
std::pair<duration, delay_origin> ask(Hint const& hint, duration computed, duration asked, duration cap = 20s) {
  auto const planned = hint.resolve(computed, asked, cap);
  EXPECT_TRUE(planned.has_value());
  return planned ? std::pair{planned->delay, planned->origin} : std::pair{duration{-1}, delay_origin::quota};
}
auto from(delay_origin origin, duration delay) { return std::pair{delay, origin}; }

TEST(ClampedHint, HearsWithinTheWindow) {
  clamped_hint<5s> const hint;
  EXPECT_EQ(ask(hint, 50ms, 1500ms), from(delay_origin::hint, 1500ms));
  EXPECT_EQ(ask(hint, 50ms, 0s), from(delay_origin::backoff, 50ms));
  EXPECT_EQ(ask(hint, 50ms, 50ms), from(delay_origin::backoff, 50ms));
  EXPECT_EQ(ask(hint, 50ms, 50ms + 1ns), from(delay_origin::hint, 50ms + 1ns));
  EXPECT_EQ(ask(hint, 50ms, 5050ms), from(delay_origin::hint, 5050ms));
  EXPECT_EQ(ask(hint, 50ms, 5050ms + 1ns), from(delay_origin::cap, 5050ms));
  EXPECT_EQ(ask(hint, 50ms, 10s), from(delay_origin::cap, 5050ms));
}

TEST(ClampedHint, TheWindowMayEndAboveTheCap) {
  clamped_hint<5s> const hint;
  EXPECT_EQ(ask(hint, 20s, 30s), from(delay_origin::cap, 25s));
  EXPECT_EQ(ask(hint, 20s, 22s), from(delay_origin::hint, 22s));
  EXPECT_EQ(ask(hint, 0s, 4s, 1s), from(delay_origin::hint, 4s));
}

TEST(ClampedHint, SaturatesAtTheEndOfTime) {
  EXPECT_EQ(ask(clamped_hint<5s>{}, duration::max() - 1s, duration::max()), from(delay_origin::hint, duration::max()));
  EXPECT_EQ(ask((clamped_hint{duration::max()}), 2s, duration::max()), from(delay_origin::hint, duration::max()));
}

TEST(ClampedHint, OfNothingHearsNothing) {
  EXPECT_EQ(ask(clamped_hint<0s>{}, 2s, 3s), from(delay_origin::cap, 2s));
  EXPECT_EQ(ask(clamped_hint<0s>{}, 0s, 0s), from(delay_origin::backoff, 0s));
}

TEST(ClampedHint, ValuesOfTheTypeAndOfTheObjectAgree) {
  clamped_hint const chosen{5s};
  for (auto const asked : {0ms, 49ms, 51ms, 5'050ms, 5'051ms, 99'999ms}) {
    EXPECT_EQ(ask(chosen, 50ms, asked), ask(clamped_hint<5s>{}, 50ms, asked));
  }
  EXPECT_EQ(chosen.describe(), "clamped_hint(5s)");
  EXPECT_EQ(clamped_hint<5s>{}.describe(), "clamped_hint(5s)");
  EXPECT_EQ(chosen.overshoot(), 5s);
  EXPECT_EQ(clamped_hint<>{}.overshoot(), 5s);
  EXPECT_EQ((clamped_hint{0s}.overshoot()), 0s);
}

TEST(ClampedHint, IsAnEmptyPolicyUnlessItHasAValue) {
  static_assert(anew::Hint<clamped_hint<5s>> && std::is_empty_v<clamped_hint<5s>>);
  static_assert(anew::Composable<clamped_hint<0s>> && !anew::Composable<clamped_hint<-1ns>>);
  static_assert(sizeof(clamped_hint{5s}) == sizeof(duration));
}

TEST(ClampedHint, RefusesANegativeOvershoot) {
  EXPECT_REJECTED((clamped_hint{-1ns}), "anew::clamped_hint: overshoot must not be negative, but is -1ns");
  EXPECT_REJECTED((clamped_hint{std::chrono::duration<double>{std::numeric_limits<double>::quiet_NaN()}}),
                  "anew::clamped_hint: overshoot must not be negative, but is -9223372036854775808ns");
}

struct busy {
  duration asked;
  [[nodiscard]] static anew::retry_safety is_retry_safe() { return anew::retry_safety::yes; }
  [[nodiscard]] std::optional<duration> retry_after() const { return asked; }
};
struct result {
  busy what;
  [[nodiscard]] static bool has_value() { return false; }
  [[nodiscard]] busy const& error() const { return what; }
};

TEST(ClampedHint, IsRelativeToTheDelayAfterJitter) {
  // Drawn to the middle of [0, 8 s]: the window is 4 s to 9 s.
  using anew::testing::scripted_random;
  anew::strategy<anew::constant_backoff<8s>, clamped_hint<5s>, scripted_random> const strategy{scripted_random{}};
  anew::testing::recording_sleeper sleeper;
  (void)anew::retry(strategy, [] { return result{{60s}}; }, sleeper);
  EXPECT_EQ(sleeper.delays, (std::vector<duration>{9s, 9s}));
  EXPECT_EQ(strategy.random_source().calls(), 2U);
}

}  // namespace
}  // namespace hint_clamped_test
