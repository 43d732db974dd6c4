// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTING_LAWS_RESET_HPP
#define ANEW_TESTING_LAWS_RESET_HPP

#include <cstdint>

#include <gtest/gtest.h>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/reset.hpp"
#include "anew/testing/laws/progress.hpp"
#include "anew/testing/laws/subject.hpp"

namespace anew::inline ANEW_ABI::testing {

namespace laws {

/// A longer attempt counts at least as much, and an attempt that took no time never counts as a success.
template <Reset R>
AssertionResult a_longer_run_counts_no_less(R const& reset) {
  if (reset.starts_over(duration::zero())) return AssertionFailure() << "a call starts over whatever happens";
  duration counted{-1};
  for (unsigned bit = 0; bit < 63; ++bit) {
    for (auto const ran : {duration{(std::int64_t{1} << bit) - 1}, duration{std::int64_t{1} << bit}}) {
      bool const counts = reset.starts_over(ran);
      if (!counts && counted >= duration::zero()) {
        return AssertionFailure() << "a run of " << text(counted) << " counts, and one of " << text(ran) << " does not";
      }
      if (counts && counted < duration::zero()) counted = ran;
      if (reset.starts_over(ran) != counts) return AssertionFailure() << text(ran) << " counts, and then does not";
    }
  }
  return AssertionSuccess();
}

/// It answers for attempts of any length; an attempt of negative length, after a clock was set back, does not count.
template <class T>
AssertionResult any_run_has_an_answer() {
  return laws::every_call_returns([](call_log& log) {
    auto const reset = testing::subject<T>();
    generator dice{1, 2};
    for (int i = 0; i < 100'000; ++i) {
      duration const ran{static_cast<std::int64_t>(dice()) >> dice() % 64};
      log.calls("starts_over", time_point{ran});
      if (reset.starts_over(ran) && ran < duration::zero()) {
        return AssertionFailure() << "a run of " << text(ran) << " counts";
      }
    }
    return AssertionSuccess();
  });
}

}  // namespace laws

// NOLINTBEGIN(readability-identifier-naming): suites and tests are named as GoogleTest's are
/// Of every reset.
template <class T>
class ResetLaws : public laws::suite_of<T> {
  static_assert(Reset<subject_type<T>>);
};
TYPED_TEST_SUITE_P(ResetLaws);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ResetLaws);

TYPED_TEST_P(ResetLaws, ALongerRunCountsNoLess) { EXPECT_TRUE(laws::a_longer_run_counts_no_less(this->subject())); }
TYPED_TEST_P(ResetLaws, AnyRunHasAnAnswer) { EXPECT_TRUE(laws::any_run_has_an_answer<TypeParam>()); }
REGISTER_TYPED_TEST_SUITE_P(ResetLaws, ALongerRunCountsNoLess, AnyRunHasAnAnswer);

// NOLINTEND(readability-identifier-naming)

}  // namespace anew::inline ANEW_ABI::testing

#endif
