// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTING_LAWS_LIMITS_HPP
#define ANEW_TESTING_LAWS_LIMITS_HPP

#include <cstddef>
#include <cstdint>

#include <gtest/gtest.h>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/attempt_timeout.hpp"
#include "anew/roles/deadline.hpp"
#include "anew/roles/max_attempts.hpp"
#include "anew/roles/reset.hpp"
#include "anew/testing/laws/subject.hpp"

/// The laws of the policies that limit: attempt timeouts, deadlines, numbers of attempts, resets.
namespace anew::inline ANEW_ABI::testing {

namespace laws {

/// No timeout is negative, whatever remains of the call.
AssertionResult a_limit_is_not_negative(AttemptTimeout auto const& limit) {
  for (auto const remaining : durations()) {
    if (limit.of(remaining) < duration::zero()) {
      return AssertionFailure() << "it is " << text(limit.of(remaining)) << " when " << text(remaining) << " remain";
    }
  }
  return AssertionSuccess();
}

/// A timeout is positive while time remains: many sockets read a timeout of zero as no timeout.
AssertionResult an_attempt_has_time(AttemptTimeout auto const& limit) {
  for (auto const remaining : durations()) {
    if (remaining > duration::zero() && limit.of(remaining) == duration::zero()) {
      return AssertionFailure() << "it is zero when " << text(remaining) << " remain";
    }
  }
  return AssertionSuccess();
}

/// With more time left a timeout is not shorter.
AssertionResult more_time_is_no_shorter(AttemptTimeout auto const& limit) {
  for (auto const remaining : durations()) {
    for (auto const more : durations()) {
      if (more <= remaining || limit.of(more) >= limit.of(remaining)) continue;
      return AssertionFailure() << "it is " << text(limit.of(remaining)) << " when " << text(remaining)
                                << " remain, and " << text(limit.of(more)) << " when " << text(more) << " do";
    }
  }
  return AssertionSuccess();
}

/// Calls `look(delay, remaining)` with delays of every size and with what may remain of the call: around the delay and
/// the total too, and less than nothing.
AssertionResult for_every_delay(Deadline auto const& deadline, auto const& look) {
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
AssertionResult the_total_is_above_zero(Deadline auto const& deadline) {
  return AssertionResult(deadline.total() > duration::zero()) << "the total is " << text(deadline.total());
}

/// No sleep passes the deadline, and none begins when nothing remains.
AssertionResult no_sleep_passes_the_deadline(Deadline auto const& deadline) {
  return for_every_delay(deadline, [&](duration delay, duration remaining) {
    auto const fitting = deadline.fit(delay, remaining);
    if (!fitting || (*fitting <= remaining && remaining > duration::zero())) return AssertionSuccess();
    return AssertionFailure() << "it would sleep " << text(*fitting);
  });
}

/// A deadline shortens a delay, or leaves it: it never lengthens one, and no delay is negative.
AssertionResult no_delay_grows(Deadline auto const& deadline) {
  return for_every_delay(deadline, [&](duration delay, duration remaining) {
    auto const fitting = deadline.fit(delay, remaining);
    if (!fitting || (*fitting <= delay && *fitting >= duration::zero())) return AssertionSuccess();
    return AssertionFailure() << "it would sleep " << text(*fitting);
  });
}

/// A delay that fits also fits with more time left, and is not shortened more.
AssertionResult more_time_is_no_worse(Deadline auto const& deadline) {
  return for_every_delay(deadline, [&](duration delay, duration remaining) {
    auto const fitting = deadline.fit(delay, remaining);
    auto const with_more = deadline.fit(delay, detail::saturating_add(remaining, duration{1'000'000'007}));
    return AssertionResult(!fitting || (with_more && *with_more >= *fitting))
           << "with a second more it would " << (with_more ? "sleep less" : "give up");
  });
}

/// A limit that is reached stays reached: where `n` attempts are too many, more are.
template <MaxAttempts M>
AssertionResult a_limit_stays_reached(M const& limit) {
  std::uint32_t refused_at = 0;
  auto const breaks_the_law = [&refused_at](bool permits, std::uint32_t made) {
    if (!permits && refused_at == 0) refused_at = made;
    return permits && refused_at != 0;
  };
  for (auto const made : retry_numbers()) {
    if (breaks_the_law(limit.permits_another(made), made))
      return AssertionFailure() << "none after " << refused_at << " attempts, but another after " << made;
  }
  if constexpr (detail::LimitsByKind<M>) {
    for (auto const kind : every_kind) {
      kind_counts counts;
      refused_at = 0;
      for (std::uint32_t made = 1; made <= 1000; ++made) {
        counts.add(kind);
        if (breaks_the_law(limit.permits_another(call_progress{made, kind, counts}), made))
          return AssertionFailure() << "none after " << refused_at << " errors of the kind " << to_string(kind)
                                    << ", but another after " << made;
      }
    }
  }
  return AssertionSuccess();
}

/// The answer depends on the number alone: not on what was asked before.
AssertionResult a_limit_is_pure(MaxAttempts auto const& limit) {
  auto const& numbers = retry_numbers();
  std::vector<bool> answers;
  for (auto const made : numbers) answers.push_back(limit.permits_another(made));
  for (std::size_t i = numbers.size(); i-- > 0;) {
    if (limit.permits_another(numbers[i]) != answers[i]) {
      return AssertionFailure() << "after " << numbers[i] << " attempts the answer was another one before";
    }
  }
  return AssertionSuccess();
}

/// A longer attempt counts at least as much, and an attempt that took no time never counts as a success.
AssertionResult a_longer_run_counts_no_less(Reset auto const& reset) {
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
/// Of every attempt timeout.
ANEW_LAWS(AttemptTimeoutLaws, AttemptTimeout)

ANEW_LAW(AttemptTimeoutLaws, ALimitIsNotNegative, a_limit_is_not_negative(this->subject()))
ANEW_LAW(AttemptTimeoutLaws, AnAttemptHasTime, an_attempt_has_time(this->subject()))
ANEW_LAW(AttemptTimeoutLaws, MoreTimeIsNoShorter, more_time_is_no_shorter(this->subject()))
REGISTER_TYPED_TEST_SUITE_P(AttemptTimeoutLaws, ALimitIsNotNegative, AnAttemptHasTime, MoreTimeIsNoShorter);

/// Of every deadline.
ANEW_LAWS(DeadlineLaws, Deadline)

ANEW_LAW(DeadlineLaws, TheTotalIsAboveZero, the_total_is_above_zero(this->subject()))
ANEW_LAW(DeadlineLaws, NoSleepPassesTheDeadline, no_sleep_passes_the_deadline(this->subject()))
ANEW_LAW(DeadlineLaws, NoDelayGrows, no_delay_grows(this->subject()))
ANEW_LAW(DeadlineLaws, MoreTimeIsNoWorse, more_time_is_no_worse(this->subject()))
REGISTER_TYPED_TEST_SUITE_P(DeadlineLaws, TheTotalIsAboveZero, NoSleepPassesTheDeadline, NoDelayGrows,
                            MoreTimeIsNoWorse);

/// Of every limit of attempts.
ANEW_LAWS(MaxAttemptsLaws, MaxAttempts)

ANEW_LAW(MaxAttemptsLaws, ALimitStaysReached, a_limit_stays_reached(this->subject()))
ANEW_LAW(MaxAttemptsLaws, ALimitIsPure, a_limit_is_pure(this->subject()))
REGISTER_TYPED_TEST_SUITE_P(MaxAttemptsLaws, ALimitStaysReached, ALimitIsPure);

/// Of every reset.
ANEW_LAWS(ResetLaws, Reset)

ANEW_LAW(ResetLaws, ALongerRunCountsNoLess, a_longer_run_counts_no_less(this->subject()))
ANEW_LAW(ResetLaws, AnyRunHasAnAnswer, any_run_has_an_answer<TypeParam>())
REGISTER_TYPED_TEST_SUITE_P(ResetLaws, ALongerRunCountsNoLess, AnyRunHasAnAnswer);

// NOLINTEND(readability-identifier-naming)

}  // namespace anew::inline ANEW_ABI::testing

#endif
