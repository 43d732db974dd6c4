// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTING_LAWS_DEADLINE_HPP
#define ANEW_TESTING_LAWS_DEADLINE_HPP

#include <gtest/gtest.h>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/deadline.hpp"
#include "anew/testing/laws/subject.hpp"

namespace anew::inline ANEW_ABI::testing {

namespace laws {

/// Calls `look(delay, remaining)` with delays of every size and with what may remain of the call: around the delay and
/// the total too, and less than nothing.
template <Deadline D, class Look>
AssertionResult for_every_delay(D const& deadline, Look const& look) {
  auto const total = deadline.total();
  for (auto const delay : durations()) {
    auto remaining = durations();
    for (auto const near : {delay, total, detail::saturating_add(delay, total)}) {
      for (auto const by : {duration{-1}, duration{0}, duration{1}}) {
        remaining.push_back(detail::saturating_add(near, by));
      }
    }
    remaining.push_back(duration::min());
    for (auto const left : remaining) {
      if (auto result = look(delay, left); !result) {
        return result << "; the delay is " << text(delay) << ", and " << text(left) << " remain";
      }
    }
  }
  return AssertionSuccess();
}

/// A call has some time.
template <Deadline D>
AssertionResult the_total_is_above_zero(D const& deadline) {
  if (deadline.total() > duration::zero()) return AssertionSuccess();
  return AssertionFailure() << "the total is " << text(deadline.total());
}

/// No sleep passes the deadline, and none begins when nothing remains.
template <Deadline D>
AssertionResult no_sleep_passes_the_deadline(D const& deadline) {
  return for_every_delay(deadline, [&](duration delay, duration remaining) {
    auto const fitting = deadline.fit(delay, remaining);
    if (!fitting || (*fitting <= remaining && remaining > duration::zero())) return AssertionSuccess();
    return AssertionFailure() << "it would sleep " << text(*fitting);
  });
}

/// A deadline shortens a delay, or leaves it: it never lengthens one, and no delay is negative.
template <Deadline D>
AssertionResult no_delay_grows(D const& deadline) {
  return for_every_delay(deadline, [&](duration delay, duration remaining) {
    auto const fitting = deadline.fit(delay, remaining);
    if (!fitting || (*fitting <= delay && *fitting >= duration::zero())) return AssertionSuccess();
    return AssertionFailure() << "it would sleep " << text(*fitting);
  });
}

/// A delay that fits also fits with more time left, and is not shortened more.
template <Deadline D>
AssertionResult more_time_is_no_worse(D const& deadline) {
  return for_every_delay(deadline, [&](duration delay, duration remaining) {
    auto const fitting = deadline.fit(delay, remaining);
    auto const with_more = deadline.fit(delay, detail::saturating_add(remaining, duration{1'000'000'007}));
    if (!fitting || (with_more && *with_more >= *fitting)) return AssertionSuccess();
    return AssertionFailure() << "with a second more it would " << (with_more ? "sleep less" : "give up");
  });
}

}  // namespace laws

// NOLINTBEGIN(readability-identifier-naming): suites and tests are named as GoogleTest's are
/// Of every deadline.
template <class T>
class DeadlineLaws : public laws::suite_of<T> {
  static_assert(Deadline<subject_type<T>>);
};
TYPED_TEST_SUITE_P(DeadlineLaws);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(DeadlineLaws);

TYPED_TEST_P(DeadlineLaws, TheTotalIsAboveZero) { EXPECT_TRUE(laws::the_total_is_above_zero(this->subject())); }
TYPED_TEST_P(DeadlineLaws, NoSleepPassesTheDeadline) {
  EXPECT_TRUE(laws::no_sleep_passes_the_deadline(this->subject()));
}
TYPED_TEST_P(DeadlineLaws, NoDelayGrows) { EXPECT_TRUE(laws::no_delay_grows(this->subject())); }
TYPED_TEST_P(DeadlineLaws, MoreTimeIsNoWorse) { EXPECT_TRUE(laws::more_time_is_no_worse(this->subject())); }
REGISTER_TYPED_TEST_SUITE_P(DeadlineLaws, TheTotalIsAboveZero, NoSleepPassesTheDeadline, NoDelayGrows,
                            MoreTimeIsNoWorse);

// NOLINTEND(readability-identifier-naming)

}  // namespace anew::inline ANEW_ABI::testing

#endif
