// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTING_LAWS_SOURCES_HPP
#define ANEW_TESTING_LAWS_SOURCES_HPP

#include <atomic>
#include <cstdint>

#include <gtest/gtest.h>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/random_source.hpp"
#include "anew/roles/clock.hpp"
#include "anew/testing/laws/subject.hpp"

/// The laws of clocks and random sources.
namespace anew::inline ANEW_ABI::testing {

namespace laws {

/// Never goes back.
template <Clock C>
AssertionResult time_does_not_go_back(C const& clock) {
  auto last = clock.now();
  for (int reading = 0; reading < 10'000; ++reading) {
    auto const now = clock.now();
    if (now < last) return AssertionFailure() << "it went back by " << text(detail::saturating_subtract(last, now));
    last = now;
  }
  return AssertionSuccess();
}

/// A thread that reads the clock after another thread reads no earlier time.
template <Clock C>
AssertionResult threads_share_the_time(C const& clock) {
  std::atomic<std::int64_t> latest{clock.now().time_since_epoch().count()};
  std::atomic<bool> went_back{false};
  on_threads([&](unsigned /*number*/) {
    for (int reading = 0; reading < 2'000; ++reading) {
      auto seen = latest.load();
      auto const now = clock.now().time_since_epoch().count();
      if (now < seen) went_back = true;
      while (seen < now && !latest.compare_exchange_weak(seen, now)) continue;
    }
  });
  if (!went_back) return AssertionSuccess();
  return AssertionFailure() << "a thread read an earlier time than another one before it";
}

inline constexpr int random_draws = 10'000;

/// Uniform over the whole range: each of the 64 bits is set in half of the numbers, within seven standard deviations (once
/// in 6e9 runs by chance).
template <RandomSource R>
AssertionResult every_bit_is_set_half_of_the_time(R random) {
  int set[64]{};
  for (int draw = 0; draw < random_draws; ++draw) {
    std::uint64_t const word = random();
    for (unsigned bit = 0; bit < 64; ++bit) set[bit] += static_cast<int>((word >> bit) & 1U);
  }
  for (unsigned bit = 0; bit < 64; ++bit) {
    if (set[bit] > random_draws / 2 - 350 && set[bit] < random_draws / 2 + 350) continue;
    return AssertionFailure() << "bit " << bit << " is set in " << set[bit] << " numbers of " << random_draws;
  }
  return AssertionSuccess();
}

/// A number does not predict the next number: each bit differs from that of the number before half of the time.
template <RandomSource R>
AssertionResult numbers_do_not_follow_each_other(R random) {
  std::uint64_t last = random();
  return laws::every_bit_is_set_half_of_the_time([&]() -> std::uint64_t {
    auto const before = last;
    last = random();
    return last ^ before;
  });
}

}  // namespace laws

// NOLINTBEGIN(readability-identifier-naming): suites and tests are named as GoogleTest's are
/// Of every clock.
template <class T>
using ClockLaws = laws::suite_of<T, Clock<subject_type<T>>>;
TYPED_TEST_SUITE_P(ClockLaws);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ClockLaws);

TYPED_TEST_P(ClockLaws, TimeDoesNotGoBack) { EXPECT_TRUE(laws::time_does_not_go_back(this->subject())); }
TYPED_TEST_P(ClockLaws, ThreadsShareTheTime) { EXPECT_TRUE(laws::threads_share_the_time(this->subject())); }
REGISTER_TYPED_TEST_SUITE_P(ClockLaws, TimeDoesNotGoBack, ThreadsShareTheTime);

// NOLINTEND(readability-identifier-naming)

// NOLINTBEGIN(readability-identifier-naming): suites and tests are named as GoogleTest's are
/// Of every random source.
template <class T>
using RandomSourceLaws = laws::suite_of<T, RandomSource<subject_type<T>>>;
TYPED_TEST_SUITE_P(RandomSourceLaws);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(RandomSourceLaws);

TYPED_TEST_P(RandomSourceLaws, EveryBitIsSetHalfOfTheTime) {
  EXPECT_TRUE(laws::every_bit_is_set_half_of_the_time(this->subject()));
}
TYPED_TEST_P(RandomSourceLaws, NumbersDoNotFollowEachOther) {
  EXPECT_TRUE(laws::numbers_do_not_follow_each_other(this->subject()));
}
REGISTER_TYPED_TEST_SUITE_P(RandomSourceLaws, EveryBitIsSetHalfOfTheTime, NumbersDoNotFollowEachOther);

// NOLINTEND(readability-identifier-naming)

}  // namespace anew::inline ANEW_ABI::testing

#endif
