// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <limits>
#include <ratio>

#include <gtest/gtest.h>

#include "anew/base/duration.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/run_time.hpp"

#include "names.hpp"

namespace value_duration_test {
namespace {

using anew::detail::saturate, anew::detail::saturating_add, anew::detail::saturating_subtract;

using seconds_double = std::chrono::duration<double>;
using seconds_float = std::chrono::duration<float>;
using seconds_long_double = std::chrono::duration<long double>;
using picoseconds = std::chrono::duration<std::int64_t, std::pico>;
using years_of_64_bits = std::chrono::duration<std::int64_t, std::ratio<31'556'952>>;
constexpr auto most = std::numeric_limits<std::int64_t>::max();
constexpr auto least = std::numeric_limits<std::int64_t>::min();

TEST(Saturate, ConvertsWhatFits) {
  EXPECT_EQ(saturate(0s), 0ns);
  EXPECT_EQ(saturate(1s), 1'000'000'000ns);
  EXPECT_EQ(saturate(-3ms), -3'000'000ns);
  EXPECT_EQ(saturate(std::chrono::hours{24}), 86'400s);
  EXPECT_EQ(saturate(duration::max()), duration::max());
  EXPECT_EQ(saturate(duration::min()), duration::min());
}

TEST(Saturate, CoarseUnitsStopAtTheEndsOfTheRange) {
  EXPECT_EQ(saturate(std::chrono::seconds{9'223'372'036}), duration{9'223'372'036'000'000'000});
  EXPECT_EQ(saturate(std::chrono::seconds{9'223'372'037}), duration::max());
  EXPECT_EQ(saturate(std::chrono::seconds{-9'223'372'036}), duration{-9'223'372'036'000'000'000});
  EXPECT_EQ(saturate(std::chrono::seconds{-9'223'372'037}), duration::min());
  EXPECT_EQ(saturate(std::chrono::hours::max()), duration::max());
  EXPECT_EQ(saturate(std::chrono::hours::min()), duration::min());
  EXPECT_EQ(saturate(years_of_64_bits{292}), std::chrono::years{292});
  EXPECT_EQ(saturate(years_of_64_bits{293}), duration::max());
  EXPECT_EQ(saturate(years_of_64_bits{most}), duration::max());
  EXPECT_EQ(saturate(years_of_64_bits{least}), duration::min());
}

TEST(Saturate, FineUnitsAreCutTowardsZero) {
  EXPECT_EQ(saturate(picoseconds{1'999}), 1ns);
  EXPECT_EQ(saturate(picoseconds{-1'999}), -1ns);
  EXPECT_EQ(saturate(picoseconds{999}), 0ns);
  EXPECT_EQ(saturate(picoseconds{most}), duration{most / 1000});
}

TEST(Saturate, RatiosThatAreNoPowerOfTen) {
  using frames = std::chrono::duration<std::int64_t, std::ratio<1, 30>>;
  EXPECT_EQ(saturate(frames{30}), 1s);
  EXPECT_EQ(saturate(frames{1}), 33'333'333ns);
  EXPECT_EQ(saturate(frames{most}), duration::max());
}

TEST(Saturate, UnsignedAndSmallRepresentations) {
  using unsigned_seconds = std::chrono::duration<std::uint64_t>;
  using unsigned_nanoseconds = std::chrono::duration<std::uint64_t, std::nano>;
  using small_minutes = std::chrono::duration<std::int16_t, std::ratio<60>>;
  using bytes_of_minutes = std::chrono::duration<std::uint8_t, std::ratio<60>>;
  using bytes_of_hours = std::chrono::duration<std::uint8_t, std::ratio<3600>>;
  EXPECT_EQ(saturate(unsigned_seconds{7}), 7s);
  EXPECT_EQ(saturate(unsigned_seconds{9'223'372'036}), duration{9'223'372'036'000'000'000});
  EXPECT_EQ(saturate(unsigned_seconds{9'223'372'037}), duration::max());
  EXPECT_EQ(saturate(unsigned_seconds{std::uint64_t{1} << 63U}), duration::max());
  EXPECT_EQ(saturate(unsigned_seconds{~std::uint64_t{0}}), duration::max());
  EXPECT_EQ(saturate(unsigned_nanoseconds{static_cast<std::uint64_t>(most)}), duration::max());
  EXPECT_EQ(saturate(unsigned_nanoseconds{static_cast<std::uint64_t>(most) - 1}), duration{most - 1});
  EXPECT_EQ(saturate(unsigned_nanoseconds{static_cast<std::uint64_t>(most) + 1}), duration::max());
  EXPECT_EQ(saturate(small_minutes{std::int16_t{-2}}), -120s);
  EXPECT_EQ(saturate(bytes_of_hours{std::uint8_t{255}}), std::chrono::hours{255});
  EXPECT_EQ(saturate(bytes_of_minutes{std::uint8_t{255}}), std::chrono::minutes{255});
}

TEST(Saturate, FloatingPoint) {
  EXPECT_EQ(saturate(seconds_double{1.5}), 1'500ms);
  EXPECT_EQ(saturate(seconds_float{0.25F}), 250ms);
  EXPECT_EQ(saturate(seconds_double{-0.5}), -500ms);
  EXPECT_EQ(saturate(std::chrono::duration<double, std::milli>{2.5}), 2'500us);
  EXPECT_EQ(saturate(std::chrono::duration<double, std::ratio<60>>{0.5}), 30s);
  EXPECT_EQ(saturate(seconds_double{1e10}), duration::max());
  EXPECT_EQ(saturate(seconds_double{-1e10}), duration::min());
  EXPECT_EQ(saturate(seconds_double{std::numeric_limits<double>::max()}), duration::max());
  EXPECT_EQ(saturate(seconds_double{std::numeric_limits<double>::denorm_min()}), 0ns);
  EXPECT_EQ(saturate(seconds_double{std::numeric_limits<double>::infinity()}), duration::max());
  EXPECT_EQ(saturate(seconds_double{-std::numeric_limits<double>::infinity()}), duration::min());
  EXPECT_EQ(saturate(seconds_long_double{std::numeric_limits<long double>::max()}), duration::max());
}

TEST(Saturate, FloatingPointUpToTheEndsOfTheRange) {
  using exact = std::chrono::duration<long double, std::nano>;
  EXPECT_EQ(saturate(exact{9'223'372'036'854'775'808.0L}), duration::max());
  if (std::numeric_limits<long double>::digits < 64) return;  // it does not hold the numbers next to the ends
  EXPECT_EQ(saturate(exact{9'223'372'036'854'775'806.0L}), duration{most - 1});
  EXPECT_EQ(saturate(exact{9'223'372'036'854'775'807.0L}), duration::max());
  EXPECT_EQ(saturate(exact{9'223'372'036'854'775'808.0L}), duration::max());
  EXPECT_EQ(saturate(exact{-9'223'372'036'854'775'806.0L}), duration{least + 2});
  EXPECT_EQ(saturate(exact{-9'223'372'036'854'775'808.0L}), duration::min());
  if constexpr (std::numeric_limits<long double>::digits >= 64) {
    EXPECT_EQ(saturate(exact{-9'223'372'036'854'775'807.0L}), duration{least + 1});
  }
}

// The smallest value, so that every check for "not negative" refuses it.
TEST(Saturate, NotANumberIsTheLeastDuration) {
  EXPECT_EQ(saturate(seconds_double{std::numeric_limits<double>::quiet_NaN()}), duration::min());
  EXPECT_EQ(saturate(seconds_float{-std::numeric_limits<float>::quiet_NaN()}), duration::min());
  // Undefined behaviour is no constant expression. To clang neither is what makes a NaN of a NaN.
#if !defined(__clang__)
  static_assert(saturate(seconds_double{std::numeric_limits<double>::quiet_NaN()}) == duration::min());
#endif
  static_assert(saturate(seconds_double{std::numeric_limits<double>::infinity()}) == duration::max());
  static_assert(saturate(seconds_double{-std::numeric_limits<double>::infinity()}) == duration::min());
  static_assert(saturate(seconds_double{9'223'372'036.854775807}) == duration::max());
  static_assert(saturate(std::chrono::hours::max()) == duration::max());
  static_assert(saturate(std::chrono::hours::min()) == duration::min());
}

TEST(SaturatingArithmetic, Adds) {
  EXPECT_EQ(saturating_add(1s, 2s), 3s);
  EXPECT_EQ(saturating_add(1s, -2s), -1s);
  EXPECT_EQ(saturating_add(duration::max(), 1ns), duration::max());
  EXPECT_EQ(saturating_add(duration::max(), duration::max()), duration::max());
  EXPECT_EQ(saturating_add(duration::min(), -1ns), duration::min());
  EXPECT_EQ(saturating_add(duration::max(), duration::min()), -1ns);
  EXPECT_EQ(saturating_add(time_point::max(), 1ns), time_point::max());
  EXPECT_EQ(saturating_add(time_point{5s}, 2s), time_point{7s});
  EXPECT_EQ(saturating_add(time_point::min(), -1ns), time_point::min());
}

TEST(SaturatingArithmetic, Subtracts) {
  EXPECT_EQ(saturating_subtract(3s, 1s), 2s);
  EXPECT_EQ(saturating_subtract(1s, 3s), -2s);
  EXPECT_EQ(saturating_subtract(duration::min(), 1ns), duration::min());
  EXPECT_EQ(saturating_subtract(duration::max(), -1ns), duration::max());
  EXPECT_EQ(saturating_subtract(duration::max(), duration::min()), duration::max());
  EXPECT_EQ(saturating_subtract(0ns, duration::min()), duration::max());
  EXPECT_EQ(saturating_subtract(time_point{2s}, time_point{5s}), -3s);
  EXPECT_EQ(saturating_subtract(time_point::max(), time_point::min()), duration::max());
  EXPECT_EQ(saturating_subtract(time_point::min(), time_point::max()), duration::min());
}

TEST(Clamped, HoldsTheValueBetweenItsBounds) {
  using anew::detail::clamped;
  EXPECT_EQ(clamped(5s, 0s, 10s), 5s);
  EXPECT_EQ(clamped(-5s, 0s, 10s), 0s);
  EXPECT_EQ(clamped(15s, 0s, 10s), 10s);
  EXPECT_EQ(clamped(5s, 0s, 0s), 0s);
  EXPECT_EQ(anew::detail::smaller(1, 2), 1);
  EXPECT_EQ(anew::detail::larger(1, 2), 2);
}

TEST(StaticDuration, IsMadeOfAnyChronoDuration) {
  constexpr anew::static_duration of_seconds{std::chrono::seconds{2}};
  constexpr anew::static_duration of_double{seconds_double{0.5}};
  constexpr anew::static_duration beyond{std::chrono::hours::max()};
  EXPECT_EQ(of_seconds.value(), 2s);
  EXPECT_EQ(of_double.value(), 500ms);
  EXPECT_EQ(beyond.value(), duration::max());
  EXPECT_EQ(anew::run_time.value(), duration::min());
  EXPECT_FALSE(anew::run_time == of_seconds);
}

TEST(Text, UsesTheLargestUnitThatKeepsTheValueWhole) {
  using anew::detail::to_text;
  EXPECT_EQ(to_text(20s), "20s");
  EXPECT_EQ(to_text(1'500ms), "1500ms");
  EXPECT_EQ(to_text(1'001us), "1001us");
  EXPECT_EQ(to_text(7ns), "7ns");
  EXPECT_EQ(to_text(0ns), "0s");
  EXPECT_EQ(to_text(-50ms), "-50ms");
  EXPECT_EQ(to_text(duration::max()), "9223372036854775807ns");
  EXPECT_EQ(to_text(duration::min()), "-9223372036854775808ns");
}

TEST(SaturatingNext, CountsByOneAndStaysAtTheEnd) {
  static_assert(anew::detail::saturating_next(0) == 1 && anew::detail::saturating_next(41) == 42);
  static_assert(anew::detail::saturating_next(~0U - 1) == ~0U && anew::detail::saturating_next(~0U) == ~0U);
  EXPECT_EQ(anew::detail::saturating_next(7), 8U);
}

}  // namespace
}  // namespace value_duration_test
