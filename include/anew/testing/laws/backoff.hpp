// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTING_LAWS_BACKOFF_HPP
#define ANEW_TESTING_LAWS_BACKOFF_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/backoff.hpp"
#include "anew/testing/laws/subject.hpp"

namespace anew::inline ANEW_ABI::testing {

namespace laws {

/// The delays of all retries, and those by kind of error if the backoff distinguishes kinds.
template <Backoff B>
std::vector<duration> all_delays(B const& backoff) {
  std::vector<duration> delays;
  for (auto const n : retry_numbers()) delays.push_back(backoff.delay(n));
  if constexpr (detail::DelaysByKind<B>) {
    for (auto const kind : every_kind) {
      kind_counts counts;
      for (std::uint32_t attempts = 1; attempts <= 70; ++attempts) {
        counts.add(attempts % 3 == 0 ? error_kind::transient : kind);
        delays.push_back(backoff.delay(call_progress{attempts, kind, counts}));
      }
    }
  }
  return delays;
}

/// 0 <= delay <= cap, whatever the number of the retry.
template <Backoff B>
AssertionResult delays_are_within_the_cap(B const& backoff) {
  auto const cap = detail::cap_of(backoff);
  if (cap < duration::zero()) return AssertionFailure() << "the cap is " << text(cap);
  auto const delays = all_delays(backoff);
  for (std::size_t i = 0; i < delays.size(); ++i) {
    if (delays[i] >= duration::zero() && delays[i] <= cap) continue;
    auto failure = AssertionFailure() << "a delay is " << text(delays[i]) << ", the cap " << text(cap);
    if (i < retry_numbers().size()) failure << ", before retry " << retry_numbers()[i];
    return failure;
  }
  return AssertionSuccess();
}

/// The delay depends on the retry alone, not on earlier questions or on the thread.
template <Backoff B>
AssertionResult delays_are_pure(B const& backoff) {
  auto const delays = all_delays(backoff);
  auto const& numbers = retry_numbers();
  for (std::size_t i = numbers.size(); i-- > 0;) {
    auto const again = backoff.delay(numbers[i]);
    if (again != delays[i]) {
      return AssertionFailure() << "before retry " << numbers[i] << " the delay was " << text(delays[i])
                                << ", and is now " << text(again);
    }
  }
  if (all_delays(backoff) != delays) return AssertionFailure() << "a delay is another one when it is asked for again";
  std::atomic<bool> agree{true};
  on_threads([&](unsigned /*number*/) {
    if (all_delays(backoff) != delays) agree = false;
  });
  return agree ? AssertionSuccess() : AssertionFailure() << "threads that ask at once get different delays";
}

/// A law of growing backoffs only.
template <Backoff B>
AssertionResult delays_do_not_decrease(B const& backoff) {
  duration last{0};
  for (auto const n : retry_numbers()) {
    auto const delay = backoff.delay(n);
    if (delay < last)
      return AssertionFailure() << "before retry " << n << ": " << text(delay) << " after " << text(last);
    last = delay;
  }
  return AssertionSuccess();
}

}  // namespace laws

// NOLINTBEGIN(readability-identifier-naming): suites and tests are named as GoogleTest's are
/// Of every backoff.
template <class T>
class BackoffLaws : public laws::suite_of<T> {
  static_assert(Backoff<subject_type<T>>);
};
TYPED_TEST_SUITE_P(BackoffLaws);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(BackoffLaws);

TYPED_TEST_P(BackoffLaws, DelaysAreWithinTheCap) { EXPECT_TRUE(laws::delays_are_within_the_cap(this->subject())); }
TYPED_TEST_P(BackoffLaws, DelaysArePure) { EXPECT_TRUE(laws::delays_are_pure(this->subject())); }
REGISTER_TYPED_TEST_SUITE_P(BackoffLaws, DelaysAreWithinTheCap, DelaysArePure);

/// Of a backoff that promises to wait at least as long as before.
template <class T>
class GrowingBackoffLaws : public laws::suite_of<T> {
  static_assert(Backoff<subject_type<T>>);
};
TYPED_TEST_SUITE_P(GrowingBackoffLaws);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(GrowingBackoffLaws);

TYPED_TEST_P(GrowingBackoffLaws, DelaysDoNotDecrease) { EXPECT_TRUE(laws::delays_do_not_decrease(this->subject())); }
REGISTER_TYPED_TEST_SUITE_P(GrowingBackoffLaws, DelaysDoNotDecrease);

// NOLINTEND(readability-identifier-naming)

}  // namespace anew::inline ANEW_ABI::testing

#endif
