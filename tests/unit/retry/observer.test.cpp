// SPDX-License-Identifier: BSL-1.0
// What an observer is told, in which order, and what it is not told.
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/testing/recording_sleeper.hpp"

#include "driver_support.hpp"

namespace retry_observer_test {
namespace {

using namespace std::chrono_literals;
using anew::stop_reason;
using anew::testing::recording_sleeper;
using support::recorder;
using story = std::vector<std::string>;

auto observed(recorder::heard& heard) {
  return anew::compose(anew::retry_all{}, anew::constant_backoff{5ms}, anew::no_jitter{}, anew::max_attempts<3>{},
                       recorder{heard});
}

TEST(RetryObserver, SuccessAtOnce) {
  recorder::heard heard;
  EXPECT_TRUE(anew::retry(observed(heard), [] { return true; }));
  EXPECT_EQ(heard.story, (story{"attempt 1 succeeded", "end succeeded after 1"}));
}

TEST(RetryObserver, SuccessAfterFailures) {
  recorder::heard heard;
  recording_sleeper sleep{[&] { heard.story.emplace_back("sleep"); }};
  int calls = 0;
  EXPECT_TRUE(anew::retry(observed(heard), [&] { return heard.story.emplace_back("call"), ++calls == 3; }, sleep));
  EXPECT_EQ(heard.story,
            (story{"call", "attempt 1 may be retried", "retry 2", "sleep", "call", "attempt 2 may be retried",
                   "retry 3", "sleep", "call", "attempt 3 succeeded", "end succeeded after 3"}));
}

TEST(RetryObserver, NothingAfterTheLastFailureButTheEnd) {
  recorder::heard heard;
  recording_sleeper sleep{[&] { heard.story.emplace_back("sleep"); }};
  EXPECT_FALSE(anew::retry(observed(heard), [] { return false; }, sleep));
  EXPECT_EQ(heard.story, (story{"attempt 1 may be retried", "retry 2", "sleep", "attempt 2 may be retried", "retry 3",
                                "sleep", "attempt 3 may be retried", "end attempts after 3"}));
}

TEST(RetryObserver, FinalError) {
  recorder::heard heard;
  auto const never = [](std::false_type /*e*/) { return false; };
  auto const strategy = anew::compose(anew::retry_if{never}, recorder{heard});
  EXPECT_FALSE(anew::retry(strategy, [] { return false; }));
  EXPECT_EQ(heard.story, (story{"attempt 1 failed", "end not_retryable after 1"}));
}

TEST(RetryObserver, RetryIsToldWithItsDelayItsOriginAndItsCause) {
  recorder::heard heard;
  auto const hinted = [](std::false_type /*e*/) { return anew::directive::retry(anew::error_kind::throttling, 7ms); };
  auto const strategy =
      anew::compose(anew::retry_if{hinted}, anew::constant_backoff{5ms}, anew::no_jitter{},
                    anew::server_hint{anew::long_hint::stop, 1s}, anew::max_attempts<2>{}, recorder{heard});
  recording_sleeper sleep;
  EXPECT_FALSE(anew::retry(strategy, [] { return false; }, sleep));
  ASSERT_EQ(heard.retries.size(), 1U);
  EXPECT_EQ(heard.retries[0].attempt, 2U);
  EXPECT_EQ(heard.retries[0].delay, anew::duration{7ms});
  EXPECT_EQ(heard.retries[0].origin, anew::delay_origin::hint);
  EXPECT_EQ(heard.retries[0].what, (anew::failure{anew::error_kind::throttling, anew::retry_safety::yes, 7ms}));
  EXPECT_EQ(sleep.delays, std::vector<anew::duration>{7ms}) << "what is told is what is slept";
}

TEST(RetryObserver, AnyOneFunctionWillDo) {
  struct end_only {
    using role = anew::roles::observer;
    std::vector<anew::end_event>* ends;
    void on_end(anew::end_event const& e) const { ends->push_back(e); }
  };
  struct retry_only {
    using role = anew::roles::observer;
    std::vector<anew::retry_event>* retries;
    void on_retry(anew::retry_event const& e) const { retries->push_back(e); }
  };
  struct attempt_only {
    using role = anew::roles::observer;
    std::vector<anew::attempt_event>* attempts;
    void on_attempt(anew::attempt_event const& e) const { attempts->push_back(e); }
  };
  auto const with = [](auto observer) {
    EXPECT_FALSE(anew::retry(anew::compose(anew::retry_all{}, anew::no_backoff{}, anew::max_attempts<3>{}, observer),
                             [] { return false; }));
  };
  std::vector<anew::end_event> ends;
  with(end_only{&ends});
  ASSERT_EQ(ends.size(), 1U);
  EXPECT_EQ(ends[0].reason, stop_reason::attempts);
  EXPECT_EQ(ends[0].attempts, 3U);
  std::vector<anew::retry_event> retries;
  with(retry_only{&retries});
  EXPECT_EQ(retries.size(), 2U);
  std::vector<anew::attempt_event> attempts;
  with(attempt_only{&attempts});
  EXPECT_EQ(attempts.size(), 3U);
}

TEST(RetryObserver, QuotaHasBeenToldBeforeTheObserver) {
  // So that an observer which shows the balance shows the one after the event.
  struct balance_reader {
    using role = anew::roles::observer;
    anew::token_bucket<100> const** bucket;
    std::vector<std::uint32_t>* balances;
    void on_retry(anew::retry_event const& /*e*/) const { balances->push_back((*bucket)->balance()); }
    void on_end(anew::end_event const& /*e*/) const { balances->push_back((*bucket)->balance()); }
  };
  anew::token_bucket<100> const* bucket = nullptr;
  std::vector<std::uint32_t> balances;
  auto const strategy = anew::compose(anew::retry_all{}, anew::no_backoff{}, anew::token_bucket<100>{},
                                      balance_reader{&bucket, &balances});
  bucket = &strategy.quota();
  int calls = 0;
  EXPECT_TRUE(anew::retry(strategy, [&] { return ++calls == 3; }));
  EXPECT_EQ(balances, (std::vector<std::uint32_t>{86, 72, 86}));
}

TEST(RetryObserver, IsToldOfTheSameCallAsTheOutcome) {
  recorder::heard heard;
  recording_sleeper sleep;
  auto const told = anew::retry_outcome(observed(heard), [] { return false; }, sleep);
  ASSERT_EQ(heard.ends.size(), 1U);
  EXPECT_EQ(heard.ends[0].reason, told.reason());
  EXPECT_EQ(heard.ends[0].attempts, told.attempts());
}

#if ANEW_EXCEPTIONS
TEST(RetryObserver, HearsOfExceptions) {
  recorder::heard heard;
  recording_sleeper sleep;
  int calls = 0;
  auto const strategy = anew::compose(anew::retry_on<int>{}, anew::no_backoff{}, recorder{heard});
  EXPECT_THROW((void)anew::retry(
                   strategy,
                   [&] {
                     if (++calls == 1) throw 1;
                     throw 'c';
                   },
                   sleep),
               char);
  EXPECT_EQ(heard.story,
            (story{"attempt 1 may be retried", "retry 2", "attempt 2 failed", "end unclassified after 2"}));
}

TEST(RetryObserver, HearsOfAnExceptionThatNobodyClassifies) {
  recorder::heard heard;
  auto const false_only = [](std::false_type /*e*/) { return true; };
  auto const strategy = anew::compose(anew::retry_if{false_only}, recorder{heard});
  EXPECT_THROW((void)anew::retry(strategy, []() -> bool { throw 1; }), int);
  EXPECT_EQ(heard.story, (story{"attempt 1 failed", "end unclassified after 1"}));
}

TEST(RetryObserver, HearsOfNoEndWhenAPartThrew) {
  recorder::heard heard;
  EXPECT_THROW((void)anew::retry(observed(heard), [] { return false; }, [](anew::duration /*d*/) { throw 1; }), int);
  EXPECT_EQ(heard.story, (story{"attempt 1 may be retried", "retry 2"}));
}
#endif

}  // namespace
}  // namespace retry_observer_test
