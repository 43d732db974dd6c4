// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTING_LAWS_STRATEGY_HPP
#define ANEW_TESTING_LAWS_STRATEGY_HPP

#include <optional>
#include <utility>

#include <gtest/gtest.h>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/retry_strategy.hpp"
#include "anew/testing/laws/subject.hpp"

namespace anew::inline ANEW_ABI::testing {

namespace laws {

/// Calls `look(refreshed)` with what some calls, each of a hundred failed attempts or until it ends, are answered.
template <RetryStrategy S, class Look>
AssertionResult for_every_answer(S const& strategy, Look const& look) {
  for (auto const kind : every_kind) {
    for (auto const hint :
         {std::optional<duration>{}, {duration::min()}, {duration{0}}, {duration{1'000'000'000}}, {duration::max()}}) {
      auto token = strategy.acquire_initial_token();
      for (int attempt = 1; attempt <= 100; ++attempt) {
        auto answer = strategy.refresh_retry_token(std::move(token), failure{kind, retry_safety::yes, hint});
        if (auto result = look(answer); !result) return result << ", after attempt " << attempt;
        if (!answer) break;
        token = *std::move(answer);
      }
    }
  }
  return AssertionSuccess();
}

/// No delay is negative, nor is that of the first attempt.
template <RetryStrategy S>
AssertionResult no_delay_is_negative(S const& strategy) {
  if (auto const first = strategy.acquire_initial_token().delay(); first < duration::zero()) {
    return AssertionFailure() << "the first attempt would wait " << text(first);
  }
  return for_every_answer(strategy, [](auto const& answer) {
    if (!answer || answer->delay() >= duration::zero()) return AssertionSuccess();
    return AssertionFailure() << "a delay is " << text(answer->delay());
  });
}

/// A failure that may not be retried is not retried, and a refusal never has the reason `succeeded`.
template <RetryStrategy S>
AssertionResult what_is_not_safe_is_refused(S const& strategy) {
  auto const answer =
      strategy.refresh_retry_token(strategy.acquire_initial_token(), failure{.safety = retry_safety::no});
  if (answer) return AssertionFailure() << "an error that may not be retried would be";
  if (answer.reason() == stop_reason::succeeded) return AssertionFailure() << "the reason for that is a success";
  return for_every_answer(strategy, [](auto const& other) {
    if (other || other.reason() != stop_reason::succeeded) return AssertionSuccess();
    return AssertionFailure() << "the reason of a refusal is a success";
  });
}

}  // namespace laws

// NOLINTBEGIN(readability-identifier-naming): suites and tests are named as GoogleTest's are
/// Of every strategy, composed or written by hand.
template <class T>
class StrategyLaws : public laws::suite_of<T> {
  static_assert(RetryStrategy<subject_type<T>>);
};
TYPED_TEST_SUITE_P(StrategyLaws);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(StrategyLaws);

TYPED_TEST_P(StrategyLaws, NoDelayIsNegative) { EXPECT_TRUE(laws::no_delay_is_negative(this->subject())); }
TYPED_TEST_P(StrategyLaws, WhatIsNotSafeIsRefused) { EXPECT_TRUE(laws::what_is_not_safe_is_refused(this->subject())); }
REGISTER_TYPED_TEST_SUITE_P(StrategyLaws, NoDelayIsNegative, WhatIsNotSafeIsRefused);

// NOLINTEND(readability-identifier-naming)

}  // namespace anew::inline ANEW_ABI::testing

#endif
