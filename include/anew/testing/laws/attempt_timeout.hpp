// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTING_LAWS_ATTEMPT_TIMEOUT_HPP
#define ANEW_TESTING_LAWS_ATTEMPT_TIMEOUT_HPP

#include <gtest/gtest.h>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/attempt_timeout.hpp"
#include "anew/testing/laws/subject.hpp"

namespace anew::inline ANEW_ABI::testing {

namespace laws {

/// No timeout is negative, whatever remains of the call.
template <AttemptTimeout L>
AssertionResult a_limit_is_not_negative(L const& limit) {
  for (auto const remaining : durations()) {
    if (limit.of(remaining) < duration::zero()) {
      return AssertionFailure() << "it is " << text(limit.of(remaining)) << " when " << text(remaining) << " remain";
    }
  }
  return AssertionSuccess();
}

/// A timeout is positive while time remains: many sockets read a timeout of zero as no timeout.
template <AttemptTimeout L>
AssertionResult an_attempt_has_time(L const& limit) {
  for (auto const remaining : durations()) {
    if (remaining > duration::zero() && limit.of(remaining) == duration::zero()) {
      return AssertionFailure() << "it is zero when " << text(remaining) << " remain";
    }
  }
  return AssertionSuccess();
}

/// With more time left a timeout is not shorter.
template <AttemptTimeout L>
AssertionResult more_time_is_no_shorter(L const& limit) {
  for (auto const remaining : durations()) {
    for (auto const more : durations()) {
      if (more <= remaining || limit.of(more) >= limit.of(remaining)) continue;
      return AssertionFailure() << "it is " << text(limit.of(remaining)) << " when " << text(remaining)
                                << " remain, and " << text(limit.of(more)) << " when " << text(more) << " do";
    }
  }
  return AssertionSuccess();
}

}  // namespace laws

// NOLINTBEGIN(readability-identifier-naming): suites and tests are named as GoogleTest's are
/// Of every attempt timeout.
template <class T>
class AttemptTimeoutLaws : public laws::suite_of<T> {
  static_assert(AttemptTimeout<subject_type<T>>);
};
TYPED_TEST_SUITE_P(AttemptTimeoutLaws);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(AttemptTimeoutLaws);

TYPED_TEST_P(AttemptTimeoutLaws, ALimitIsNotNegative) { EXPECT_TRUE(laws::a_limit_is_not_negative(this->subject())); }
TYPED_TEST_P(AttemptTimeoutLaws, AnAttemptHasTime) { EXPECT_TRUE(laws::an_attempt_has_time(this->subject())); }
TYPED_TEST_P(AttemptTimeoutLaws, MoreTimeIsNoShorter) { EXPECT_TRUE(laws::more_time_is_no_shorter(this->subject())); }
REGISTER_TYPED_TEST_SUITE_P(AttemptTimeoutLaws, ALimitIsNotNegative, AnAttemptHasTime, MoreTimeIsNoShorter);

// NOLINTEND(readability-identifier-naming)

}  // namespace anew::inline ANEW_ABI::testing

#endif
