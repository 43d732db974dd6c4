// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTING_LAWS_JITTER_HPP
#define ANEW_TESTING_LAWS_JITTER_HPP

#include <algorithm>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/jitter.hpp"
#include "anew/testing/laws/subject.hpp"
#include "anew/testing/scripted_random.hpp"
#include "anew/testing/seeded_random.hpp"
#include "anew/testing/statistics.hpp"

namespace anew::inline ANEW_ABI::testing {

namespace laws {

template <class J>
inline constexpr bool remembers = requires { typename J::state_type; };

/// The delays of one call whose envelope doubles from `first` to `cap`, and stays there.
template <Jitter J, class Random>
std::vector<duration> delays_of_call(J const& jitter, duration first, duration cap, int retries, Random const& random) {
  std::vector<duration> delays;
  typename detail::jitter_state<J>::type state{};
  auto ceiling = first;
  for (int retry = 1; retry <= retries; ++retry) {
    if constexpr (remembers<J>) {
      delays.push_back(jitter.apply(delay_bounds{first, ceiling, cap}, state, random));
    } else {
      delays.push_back(jitter.apply(ceiling, random));
    }
    ceiling = ceiling > cap / 2 ? cap : ceiling * 2;
  }
  return delays;
}

/// Calls `look(first, cap, random)` with bounds of every size and with random numbers at both ends and between.
template <class Look>
AssertionResult for_every_envelope(Look const& look) {
  for (auto const cap : durations()) {
    for (auto const first : durations()) {
      if (first > cap) break;
      for (auto const word : {lowest_word, lowest_word + 1, middle_word, highest_word - 1, highest_word}) {
        if (auto result = look(first, cap, scripted_random{word}); !result) return result;
      }
      if (auto result = look(first, cap, seeded_random{7}); !result) return result;
    }
  }
  return AssertionSuccess();
}

/// 0 <= delay <= ceiling, whatever the random numbers; for a jitter that remembers 0 <= delay <= cap.
template <Jitter J>
AssertionResult delays_stay_within_the_envelope(J const& jitter) {
  return for_every_envelope([&](duration first, duration cap, auto const& random) {
    auto ceiling = first;
    for (auto const delay : delays_of_call(jitter, first, cap, 70, random)) {
      auto const bound = remembers<J> ? cap : ceiling;
      if (delay < duration::zero() || delay > bound) {
        return AssertionFailure() << "a delay is " << text(delay) << ", and may be at most " << text(bound);
      }
      ceiling = ceiling > cap / 2 ? cap : ceiling * 2;
    }
    return AssertionSuccess();
  });
}

/// The same bounds and the same random numbers give the same delays: all chance comes from the random source.
template <Jitter J>
AssertionResult chance_comes_from_the_source(J const& jitter) {
  std::vector<std::uint64_t> words;
  for (seeded_random const random; words.size() < 100;) words.push_back(random());
  for (auto const cap : durations()) {
    auto const before = delays_of_call(jitter, cap / 1000, cap, 20, scripted_random{words});
    if (delays_of_call(jitter, cap / 1000, cap, 20, scripted_random{words}) != before) {
      return AssertionFailure() << "with a cap of " << text(cap) << " the same random numbers gave other delays";
    }
  }
  return AssertionSuccess();
}

/// A law of spreading jitters only: callers that wait at the cap are spread as well as callers before the first retry.
/// At least 80 % of the entropy, and no lump.
template <Jitter J>
AssertionResult delays_at_the_cap_keep_their_spread(J const& jitter) {
  constexpr duration first{50'000'000};
  constexpr duration cap{20'000'000'000};
  seeded_random const random{11};
  std::vector<double> fresh;
  std::vector<double> saturated;
  for (int call = 0; call < 20'000; ++call) {
    auto const delays = delays_of_call(jitter, first, cap, 12, random);
    fresh.push_back(static_cast<double>(delays.front().count()));
    saturated.push_back(static_cast<double>(delays.back().count()));
  }
  if (auto const lump = largest_frequency(saturated); lump >= 1e-3) {
    return AssertionFailure() << lump * 100 << " % of the delays at the cap are the same";
  }
  auto const at_first = entropy(fresh, 0, *std::ranges::max_element(fresh), 64);
  auto const at_cap = entropy(saturated, 0, static_cast<double>(cap.count()), 64);
  if (at_cap > 0.8 * at_first) return AssertionSuccess();
  return AssertionFailure() << "delays have " << at_first << " bits at the first retry and " << at_cap << " at the cap";
}

}  // namespace laws

// NOLINTBEGIN(readability-identifier-naming): suites and tests are named as GoogleTest's are
/// Of every jitter.
template <class T>
class JitterLaws : public laws::suite_of<T> {
  static_assert(Jitter<subject_type<T>>);
};
TYPED_TEST_SUITE_P(JitterLaws);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(JitterLaws);

TYPED_TEST_P(JitterLaws, DelaysStayWithinTheEnvelope) {
  EXPECT_TRUE(laws::delays_stay_within_the_envelope(this->subject()));
}
TYPED_TEST_P(JitterLaws, ChanceComesFromTheSource) { EXPECT_TRUE(laws::chance_comes_from_the_source(this->subject())); }
REGISTER_TYPED_TEST_SUITE_P(JitterLaws, DelaysStayWithinTheEnvelope, ChanceComesFromTheSource);

/// For jitters that spread callers; not for no_jitter.
template <class T>
class SpreadingJitterLaws : public laws::suite_of<T> {
  static_assert(Jitter<subject_type<T>>);
};
TYPED_TEST_SUITE_P(SpreadingJitterLaws);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(SpreadingJitterLaws);

TYPED_TEST_P(SpreadingJitterLaws, DelaysAtTheCapKeepTheirSpread) {
  EXPECT_TRUE(laws::delays_at_the_cap_keep_their_spread(this->subject()));
}
REGISTER_TYPED_TEST_SUITE_P(SpreadingJitterLaws, DelaysAtTheCapKeepTheirSpread);

// NOLINTEND(readability-identifier-naming)

}  // namespace anew::inline ANEW_ABI::testing

#endif
