// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTING_LAWS_DELAYS_HPP
#define ANEW_TESTING_LAWS_DELAYS_HPP

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/backoff.hpp"
#include "anew/roles/hint.hpp"
#include "anew/roles/jitter.hpp"
#include "anew/strategy/internal/draw.hpp"
#include "anew/testing/laws/subject.hpp"
#include "anew/testing/scripted_random.hpp"
#include "anew/testing/statistics.hpp"

/// The laws of the policies that compute a delay: backoffs, jitters, hints.
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
AssertionResult delays_are_within_the_cap(Backoff auto const& backoff) {
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
AssertionResult delays_are_pure(Backoff auto const& backoff) {
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
AssertionResult delays_do_not_decrease(Backoff auto const& backoff) {
  duration last{0};
  for (auto const n : retry_numbers()) {
    auto const delay = backoff.delay(n);
    if (delay < last)
      return AssertionFailure() << "before retry " << n << ": " << text(delay) << " after " << text(last);
    last = delay;
  }
  return AssertionSuccess();
}

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
AssertionResult for_every_envelope(auto const& look) {
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
AssertionResult chance_comes_from_the_source(Jitter auto const& jitter) {
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
AssertionResult delays_at_the_cap_keep_their_spread(Jitter auto const& jitter) {
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
  return AssertionResult(at_cap > 0.8 * at_first)
         << "delays have " << at_first << " bits at the first retry and " << at_cap << " at the cap";
}

/// Calls `look(computed, asked, cap, answer)` for delays of every size, computed <= cap, and random numbers at both ends.
AssertionResult for_every_hint(Hint auto const& hint, auto const& look) {
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
AssertionResult a_hint_is_a_floor(Hint auto const& hint) {
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
AssertionResult a_modest_hint_ends_no_call(Hint auto const& hint) {
  return for_every_hint(hint,
                        [](duration computed, duration asked, duration, std::optional<planned_delay> const& answer) {
                          return AssertionResult(answer || asked > computed) << "the call would end";
                        });
}

}  // namespace laws

// NOLINTBEGIN(readability-identifier-naming): suites and tests are named as GoogleTest's are
/// Of every backoff.
ANEW_LAWS(BackoffLaws, Backoff)

ANEW_LAW(BackoffLaws, DelaysAreWithinTheCap, delays_are_within_the_cap(this->subject()))
ANEW_LAW(BackoffLaws, DelaysArePure, delays_are_pure(this->subject()))
REGISTER_TYPED_TEST_SUITE_P(BackoffLaws, DelaysAreWithinTheCap, DelaysArePure);

/// Of a backoff that promises to wait at least as long as before.
ANEW_LAWS(GrowingBackoffLaws, Backoff)

ANEW_LAW(GrowingBackoffLaws, DelaysDoNotDecrease, delays_do_not_decrease(this->subject()))
REGISTER_TYPED_TEST_SUITE_P(GrowingBackoffLaws, DelaysDoNotDecrease);

/// Of every jitter.
ANEW_LAWS(JitterLaws, Jitter)

ANEW_LAW(JitterLaws, DelaysStayWithinTheEnvelope, delays_stay_within_the_envelope(this->subject()))
ANEW_LAW(JitterLaws, ChanceComesFromTheSource, chance_comes_from_the_source(this->subject()))
REGISTER_TYPED_TEST_SUITE_P(JitterLaws, DelaysStayWithinTheEnvelope, ChanceComesFromTheSource);

/// For jitters that spread callers; not for no_jitter.
ANEW_LAWS(SpreadingJitterLaws, Jitter)

ANEW_LAW(SpreadingJitterLaws, DelaysAtTheCapKeepTheirSpread, delays_at_the_cap_keep_their_spread(this->subject()))
REGISTER_TYPED_TEST_SUITE_P(SpreadingJitterLaws, DelaysAtTheCapKeepTheirSpread);

/// Of everything that reads hints.
ANEW_LAWS(HintLaws, Hint)

ANEW_LAW(HintLaws, AHintIsAFloor, a_hint_is_a_floor(this->subject()))
ANEW_LAW(HintLaws, AHintKeepsToItsBound, a_hint_keeps_to_its_bound<TypeParam>(this->subject()))
ANEW_LAW(HintLaws, AModestHintEndsNoCall, a_modest_hint_ends_no_call(this->subject()))
REGISTER_TYPED_TEST_SUITE_P(HintLaws, AHintIsAFloor, AHintKeepsToItsBound, AModestHintEndsNoCall);

// NOLINTEND(readability-identifier-naming)

}  // namespace anew::inline ANEW_ABI::testing

#endif
