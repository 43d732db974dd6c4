// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTING_LAWS_VERDICTS_HPP
#define ANEW_TESTING_LAWS_VERDICTS_HPP

#include <atomic>
#include <cstdint>
#include <optional>
#include <system_error>
#include <tuple>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

#include "anew/base/directive.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/random_source.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/roles/clock.hpp"
#include "anew/roles/retry_strategy.hpp"
#include "anew/testing/laws/subject.hpp"

/// The laws of classifiers and strategies.
namespace anew::inline ANEW_ABI::testing {

namespace laws {

/// An error with every function that an error may have.
struct talkative_error {
  retry_safety safety;
  bool throttle;
  std::optional<duration> hint;
  [[nodiscard]] retry_safety is_retry_safe() const { return safety; }
  [[nodiscard]] bool is_throttle() const { return throttle; }
  [[nodiscard]] std::optional<duration> retry_after() const { return hint; }
};

/// Calls `look(error)` with each error of the classifier's world that it can read: those that `T::errors()` returns as a
/// tuple, where the type in the list has it; error codes, numbers and statuses, errors that speak, unnamed exceptions.
template <class T, Classifier C, class Look>
AssertionResult for_every_error(C const& /*classifier*/, Look const& look) {
  auto result = AssertionSuccess();
  auto const see = [&]<class E>(E const& error) {
    if constexpr (ClassifierOf<C, E>) {
      if (result) result = look(error);
    }
  };
  if constexpr (requires { T::errors(); }) {
    std::apply([&](auto const&... error) { (see(error), ...); }, T::errors());
  }
  for (int number = -1; number <= 600; ++number) see(number);
  for (auto const code :
       {std::errc{}, std::errc::timed_out, std::errc::connection_reset, std::errc::no_such_file_or_directory}) {
    see(code);
    see(std::make_error_code(code));
  }
  for (auto const safety : {retry_safety::yes, retry_safety::maybe, retry_safety::no}) {
    for (auto const hint :
         {std::optional<duration>{}, {duration{0}}, {duration{-1}}, {duration::min()}, {duration::max()}}) {
      for (bool const throttle : {false, true}) see(talkative_error{safety, throttle, hint});
    }
  }
  see(std::nullopt);
  see(std::false_type{});
  see(unknown_exception{});
  return result;
}

/// The answer depends on the error alone.
template <class T, Classifier C>
AssertionResult verdicts_are_pure(C const& classifier) {
  return for_every_error<T>(classifier, [&](auto const& error) {
    directive const verdict = classifier.classify(error);
    return AssertionResult(classifier.classify(error) == verdict)
           << "the same error has another verdict when it is seen again";
  });
}

/// Every exception type of `C::catches` can be classified.
template <Classifier C>
AssertionResult what_is_caught_is_classified() {
  return []<class... Es>(catch_list<Es...>) {
    return AssertionResult((ClassifierOf<C, Es> && ...) && sizeof...(Es) <= 8)
           << "catches names more than eight exception types, or one that classify() cannot read";
  }(typename detail::catches_of<C>::type{});
}

/// No exception counts as a success, because it leaves no value.
template <class T, Classifier C>
AssertionResult no_exception_is_a_success([[maybe_unused]] C const& classifier) {
  if constexpr (ClassifierOf<C, unknown_exception>) {
    if (classifier.classify(unknown_exception{}).is_success()) {
      return AssertionFailure() << "an exception of a type that it does not know is a success";
    }
  }
  return AssertionSuccess();
}

/// Calls `look(refreshed)` with what some calls, each of a hundred failed attempts or until it ends, are answered.
AssertionResult for_every_answer(RetryStrategy auto const& strategy, auto const& look) {
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
AssertionResult no_delay_is_negative(RetryStrategy auto const& strategy) {
  if (auto const first = strategy.acquire_initial_token().delay(); first < duration::zero()) {
    return AssertionFailure() << "the first attempt would wait " << text(first);
  }
  return for_every_answer(strategy, [](auto const& answer) {
    if (!answer || answer->delay() >= duration::zero()) return AssertionSuccess();
    return AssertionFailure() << "a delay is " << text(answer->delay());
  });
}

/// A failure that may not be retried is not retried, and a refusal never has the reason `succeeded`.
AssertionResult what_is_not_safe_is_refused(RetryStrategy auto const& strategy) {
  for (auto const kind : every_kind) {
    for (int attempt = 1; attempt <= 4; ++attempt) {
      auto token = strategy.acquire_initial_token();
      bool is_there = true;
      for (int n = 1; n < attempt && is_there; ++n) {
        auto next = strategy.refresh_retry_token(std::move(token), failure{kind});
        is_there = next.has_value();
        if (is_there) token = *std::move(next);
      }
      if (!is_there) break;
      auto const answer = strategy.refresh_retry_token(std::move(token), failure{kind, retry_safety::no});
      if (answer) {
        return AssertionFailure() << "an error that may not be retried would be, of the kind " << to_string(kind)
                                  << ", after attempt " << attempt;
      }
      if (answer.reason() == stop_reason::succeeded) return AssertionFailure() << "the reason for that is a success";
    }
  }
  return for_every_answer(strategy, [](auto const& other) {
    return AssertionResult(other || other.reason() != stop_reason::succeeded) << "the reason of a refusal is a success";
  });
}

/// Never goes back.
AssertionResult time_does_not_go_back(Clock auto const& clock) {
  auto last = clock.now();
  for (int reading = 0; reading < 10'000; ++reading) {
    auto const now = clock.now();
    if (now < last) return AssertionFailure() << "it went back by " << text(detail::saturating_subtract(last, now));
    last = now;
  }
  return AssertionSuccess();
}

/// A thread that reads the clock after another thread reads no earlier time.
AssertionResult threads_share_the_time(Clock auto const& clock) {
  std::atomic<std::int64_t> latest{clock.now().time_since_epoch().count()};
  std::atomic<bool> went_back{false};
  on_threads([&](unsigned /*number*/) {
    for (int reading = 0; reading < 2'000; ++reading) {
      auto seen = latest.load();
      auto const now = clock.now().time_since_epoch().count();
      if (now < seen) went_back = true;
      while (seen < now && !latest.compare_exchange_weak(seen, now)) continue;
    }
  });
  return AssertionResult(!went_back) << "a thread read an earlier time than another one before it";
}

inline constexpr int random_draws = 10'000;

/// Uniform over the whole range: each of the 64 bits is set in half of the numbers, within seven standard deviations (once
/// in 6e9 runs by chance).
AssertionResult every_bit_is_set_half_of_the_time(RandomSource auto random) {
  int set[64]{};
  for (int draw = 0; draw < random_draws; ++draw) {
    std::uint64_t const word = random();
    for (unsigned bit = 0; bit < 64; ++bit) set[bit] += static_cast<int>((word >> bit) & 1U);
  }
  for (unsigned bit = 0; bit < 64; ++bit) {
    if (set[bit] > random_draws / 2 - 350 && set[bit] < random_draws / 2 + 350) continue;
    return AssertionFailure() << "bit " << bit << " is set in " << set[bit] << " numbers of " << random_draws;
  }
  return AssertionSuccess();
}

/// A number does not predict the next number: each bit differs from that of the number before half of the time.
AssertionResult numbers_do_not_follow_each_other(RandomSource auto random) {
  std::uint64_t last = random();
  return laws::every_bit_is_set_half_of_the_time([&]() -> std::uint64_t {
    auto const before = last;
    last = random();
    return last ^ before;
  });
}

}  // namespace laws

// NOLINTBEGIN(readability-identifier-naming): suites and tests are named as GoogleTest's are
/// Of every classifier. For your own error types: `static auto errors() { return std::tuple{my_error{}, …}; }` in the
/// type in the list.
ANEW_LAWS(ClassifierLaws, Classifier)

ANEW_LAW(ClassifierLaws, VerdictsArePure, verdicts_are_pure<TypeParam>(this->subject()))
ANEW_LAW(ClassifierLaws, WhatIsCaughtIsClassified, what_is_caught_is_classified<subject_type<TypeParam>>())
ANEW_LAW(ClassifierLaws, NoExceptionIsASuccess, no_exception_is_a_success<TypeParam>(this->subject()))
REGISTER_TYPED_TEST_SUITE_P(ClassifierLaws, VerdictsArePure, WhatIsCaughtIsClassified, NoExceptionIsASuccess);

/// Of every strategy, composed or written by hand.
ANEW_LAWS(StrategyLaws, RetryStrategy)

ANEW_LAW(StrategyLaws, NoDelayIsNegative, no_delay_is_negative(this->subject()))
ANEW_LAW(StrategyLaws, WhatIsNotSafeIsRefused, what_is_not_safe_is_refused(this->subject()))
REGISTER_TYPED_TEST_SUITE_P(StrategyLaws, NoDelayIsNegative, WhatIsNotSafeIsRefused);

// NOLINTEND(readability-identifier-naming)

// The laws of clocks and random sources.

// NOLINTBEGIN(readability-identifier-naming): suites and tests are named as GoogleTest's are
/// Of every clock.
ANEW_LAWS(ClockLaws, Clock)

ANEW_LAW(ClockLaws, TimeDoesNotGoBack, time_does_not_go_back(this->subject()))
ANEW_LAW(ClockLaws, ThreadsShareTheTime, threads_share_the_time(this->subject()))
REGISTER_TYPED_TEST_SUITE_P(ClockLaws, TimeDoesNotGoBack, ThreadsShareTheTime);

/// Of every random source.
ANEW_LAWS(RandomSourceLaws, RandomSource)

ANEW_LAW(RandomSourceLaws, EveryBitIsSetHalfOfTheTime, every_bit_is_set_half_of_the_time(this->subject()))
ANEW_LAW(RandomSourceLaws, NumbersDoNotFollowEachOther, numbers_do_not_follow_each_other(this->subject()))
REGISTER_TYPED_TEST_SUITE_P(RandomSourceLaws, EveryBitIsSetHalfOfTheTime, NumbersDoNotFollowEachOther);

// NOLINTEND(readability-identifier-naming)

}  // namespace anew::inline ANEW_ABI::testing

#endif
