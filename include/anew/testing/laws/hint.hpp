// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTING_LAWS_HINT_HPP
#define ANEW_TESTING_LAWS_HINT_HPP

#include <cstdint>
#include <optional>

#include <gtest/gtest.h>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/hint.hpp"
#include "anew/strategy/internal/draw.hpp"
#include "anew/testing/laws/subject.hpp"
#include "anew/testing/scripted_random.hpp"

namespace anew::inline ANEW_ABI::testing {

namespace laws {

/// Calls `look(computed, asked, cap, answer)` for delays of every size, computed <= cap, and random numbers at both ends.
template <Hint H, class Look>
AssertionResult for_every_hint(H const& hint, Look const& look) {
  for (auto const cap : durations()) {
    for (auto const computed : durations()) {
      if (computed > cap) break;
      for (auto const asked : durations()) {
        for (auto const word : {lowest_word, middle_word, highest_word}) {
          scripted_random const random{word};
          auto const answer = detail::resolve(hint, computed, asked, cap, random);
          if (auto result = look(computed, asked, cap, answer); !result) {
            return result << "; computed " << text(computed) << ", asked for " << text(asked) << ", cap " << text(cap);
          }
        }
      }
    }
  }
  return AssertionSuccess();
}

/// Never shorter than the computed delay: a hint makes no caller come sooner.
template <Hint H>
AssertionResult a_hint_is_a_floor(H const& hint) {
  return for_every_hint(hint, [](duration computed, duration, duration, std::optional<planned_delay> const& answer) {
    if (!answer || answer->delay >= computed) return AssertionSuccess();
    return AssertionFailure() << "the delay is " << text(answer->delay);
  });
}

/// Never longer than the policy's own bound, `longest()`, or than the cap where it has none. `T::longest(computed, cap)` of
/// the type in the list comes before both.
template <class T, Hint H>
AssertionResult a_hint_keeps_to_its_bound(H const& hint) {
  return for_every_hint(
      hint, [&](duration computed, duration, duration cap, std::optional<planned_delay> const& answer) {
        auto longest = cap;
        if constexpr (requires { T::longest(computed, cap); }) {
          longest = T::longest(computed, cap);
        } else if constexpr (requires { hint.longest(); }) {
          longest = detail::larger(computed, hint.longest());
        }
        if (!answer || answer->delay <= longest) return AssertionSuccess();
        return AssertionFailure() << "the delay is " << text(answer->delay) << ", and may be at most " << text(longest);
      });
}

/// A hint that does not exceed the computed delay ends no call.
template <Hint H>
AssertionResult a_modest_hint_ends_no_call(H const& hint) {
  return for_every_hint(hint,
                        [](duration computed, duration asked, duration, std::optional<planned_delay> const& answer) {
                          if (answer || asked > computed) return AssertionSuccess();
                          return AssertionFailure() << "the call would end";
                        });
}

}  // namespace laws

// NOLINTBEGIN(readability-identifier-naming): suites and tests are named as GoogleTest's are
/// Of everything that reads hints.
template <class T>
class HintLaws : public laws::suite_of<T> {
  static_assert(Hint<subject_type<T>>);
};
TYPED_TEST_SUITE_P(HintLaws);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(HintLaws);

TYPED_TEST_P(HintLaws, AHintIsAFloor) { EXPECT_TRUE(laws::a_hint_is_a_floor(this->subject())); }
TYPED_TEST_P(HintLaws, AHintKeepsToItsBound) {
  EXPECT_TRUE(laws::a_hint_keeps_to_its_bound<TypeParam>(this->subject()));
}
TYPED_TEST_P(HintLaws, AModestHintEndsNoCall) { EXPECT_TRUE(laws::a_modest_hint_ends_no_call(this->subject())); }
REGISTER_TYPED_TEST_SUITE_P(HintLaws, AHintIsAFloor, AHintKeepsToItsBound, AModestHintEndsNoCall);

// NOLINTEND(readability-identifier-naming)

}  // namespace anew::inline ANEW_ABI::testing

#endif
