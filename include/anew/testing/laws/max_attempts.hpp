// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTING_LAWS_MAX_ATTEMPTS_HPP
#define ANEW_TESTING_LAWS_MAX_ATTEMPTS_HPP

#include <cstddef>
#include <cstdint>

#include <gtest/gtest.h>

#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/max_attempts.hpp"
#include "anew/testing/laws/subject.hpp"

namespace anew::inline ANEW_ABI::testing {

namespace laws {

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
template <MaxAttempts M>
AssertionResult a_limit_is_pure(M const& limit) {
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

}  // namespace laws

// NOLINTBEGIN(readability-identifier-naming): suites and tests are named as GoogleTest's are
/// Of every limit of attempts.
template <class T>
class MaxAttemptsLaws : public laws::suite_of<T> {
  static_assert(MaxAttempts<subject_type<T>>);
};
TYPED_TEST_SUITE_P(MaxAttemptsLaws);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(MaxAttemptsLaws);

TYPED_TEST_P(MaxAttemptsLaws, ALimitStaysReached) { EXPECT_TRUE(laws::a_limit_stays_reached(this->subject())); }
TYPED_TEST_P(MaxAttemptsLaws, ALimitIsPure) { EXPECT_TRUE(laws::a_limit_is_pure(this->subject())); }
REGISTER_TYPED_TEST_SUITE_P(MaxAttemptsLaws, ALimitStaysReached, ALimitIsPure);

// NOLINTEND(readability-identifier-naming)

}  // namespace anew::inline ANEW_ABI::testing

#endif
