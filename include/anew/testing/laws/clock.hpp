// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTING_LAWS_CLOCK_HPP
#define ANEW_TESTING_LAWS_CLOCK_HPP

#include <atomic>
#include <cstdint>

#include <gtest/gtest.h>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/clock.hpp"
#include "anew/testing/laws/subject.hpp"

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

}  // namespace laws

// NOLINTBEGIN(readability-identifier-naming): suites and tests are named as GoogleTest's are
/// Of every clock.
template <class T>
class ClockLaws : public laws::suite_of<T> {
  static_assert(Clock<subject_type<T>>);
};
TYPED_TEST_SUITE_P(ClockLaws);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ClockLaws);

TYPED_TEST_P(ClockLaws, TimeDoesNotGoBack) { EXPECT_TRUE(laws::time_does_not_go_back(this->subject())); }
TYPED_TEST_P(ClockLaws, ThreadsShareTheTime) { EXPECT_TRUE(laws::threads_share_the_time(this->subject())); }
REGISTER_TYPED_TEST_SUITE_P(ClockLaws, TimeDoesNotGoBack, ThreadsShareTheTime);

// NOLINTEND(readability-identifier-naming)

}  // namespace anew::inline ANEW_ABI::testing

#endif
