// SPDX-License-Identifier: BSL-1.0
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/testing/recording_sleeper.hpp"

#include "driver_support.hpp"
#include "recording_quota.hpp"

namespace retry_rewinding_test {
namespace {

using anew::rewinding;
using anew::stop_reason;
using support::recorder;
using support::recording_quota;
using story = std::vector<std::string>;

using three = anew::strategy<anew::retry_all, anew::no_backoff, anew::max_attempts<3>>;

TEST(Rewinding, OnceBeforeEachRetryAndBeforeTheSleep) {
  story told;
  (void)anew::retry(three{},
                    rewinding(
                        [&] {
                          told.push_back("send");
                          return false;
                        },
                        [&] { told.push_back("rewind"); }),
                    [&](anew::duration) { told.push_back("sleep"); });
  EXPECT_EQ(told, (story{"send", "rewind", "sleep", "send", "rewind", "sleep", "send"}));
}

TEST(Rewinding, NotAfterASuccess) {
  int rewinds = 0;
  EXPECT_TRUE(anew::retry(three{}, rewinding([] { return true; }, [&] { ++rewinds; })));
  EXPECT_EQ(rewinds, 0);
}

TEST(Rewinding, NotWhenNoRetryFollows) {
  int rewinds = 0;
  (void)anew::retry(anew::never{}, rewinding([] { return false; }, [&] { ++rewinds; }));
  EXPECT_EQ(rewinds, 0);
}

struct text {
  std::string value;
  [[nodiscard]] bool has_value() const { return value.empty(); }
  [[nodiscard]] std::string const& error() const { return value; }
};

TEST(Rewinding, WhatCannotBePutBackIsNotRetried) {
  int calls = 0;
  anew::testing::recording_sleeper sleeper;
  auto const outcome = anew::retry_outcome(
      three{}, rewinding([&] { return text{"failure " + std::to_string(++calls)}; }, [&] { return calls < 2; }),
      sleeper);
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(sleeper.delays.size(), 1U);
  EXPECT_EQ(outcome.reason(), stop_reason::not_replayable);
  EXPECT_EQ(outcome.attempts(), 2U);
  EXPECT_EQ(outcome.result().value, "failure 2");  // untouched
}

TEST(Rewinding, APermitThatWasTakenIsGivenBack) {
  recording_quota const quota;
  auto const strategy = anew::compose(anew::retry_all{}, anew::no_backoff{}, recording_quota{quota});
  (void)anew::retry(strategy, rewinding([] { return false; }, [] { return false; }));
  EXPECT_EQ(quota.book(), (story{"acquire 1", "release 1"}));
}

TEST(Rewinding, TheObserverHearsThatItIsFinal) {
  recorder::heard heard;
  auto const strategy = anew::compose(anew::retry_all{}, anew::no_backoff{}, recorder{heard});
  (void)anew::retry(strategy, rewinding([] { return false; }, [] { return false; }));
  EXPECT_EQ(heard.story, (story{"attempt 1 may be retried", "end not_replayable after 1"}));
  EXPECT_TRUE(heard.attempts.at(0).is_final);
}

TEST(Rewinding, ReadsABodyFromItsStart) {
  std::string const body{"abc"};
  std::size_t position = 0;
  story sent;
  auto send = rewinding(
      [&] {
        sent.push_back(body.substr(position));
        position = body.size();
        return sent.size() == 3;
      },
      [&] { position = 0; });
  EXPECT_TRUE(anew::retry(three{}, send, [](anew::duration) {}));
  EXPECT_EQ(sent, (story{"abc", "abc", "abc"}));
}

TEST(Rewinding, InnerOnesFirstAndAllOfThem) {
  story told;
  bool inner_can = true;
  auto operation = rewinding(rewinding([] { return false; },
                                       [&] {
                                         told.push_back("inner");
                                         return inner_can;
                                       }),
                             [&] { told.push_back("outer"); });
  auto const again = anew::retry_outcome(three{}, operation, [](anew::duration) {});
  EXPECT_EQ(again.reason(), stop_reason::attempts);
  EXPECT_EQ(told, (story{"inner", "outer", "inner", "outer"}));
  told.clear();
  inner_can = false;
  EXPECT_EQ(anew::retry_outcome(three{}, operation).reason(), stop_reason::not_replayable);
  EXPECT_EQ(told, story{"inner"});
}

struct maybe_error {
  [[nodiscard]] static anew::retry_safety is_retry_safe() { return anew::retry_safety::maybe; }
};
struct maybe_failed {
  [[nodiscard]] static bool has_value() { return false; }
  [[nodiscard]] static maybe_error error() { return {}; }
};
TEST(Rewinding, BesideIdempotentInEitherOrder) {
  using strategy = anew::strategy<anew::no_backoff>;
  int rewinds = 0;
  auto const count = [&] { ++rewinds; };
  auto const fails = [] { return maybe_failed{}; };
  EXPECT_EQ(anew::retry_outcome(strategy{}, anew::idempotent(rewinding(fails, count))).reason(), stop_reason::attempts);
  EXPECT_EQ(rewinds, 2);
  EXPECT_EQ(anew::retry_outcome(strategy{}, rewinding(anew::idempotent(fails), count)).reason(), stop_reason::attempts);
  EXPECT_EQ(rewinds, 4);
  EXPECT_EQ(anew::retry_outcome(strategy{}, rewinding(fails, count)).reason(), stop_reason::not_idempotent);
  EXPECT_EQ(rewinds, 4);
}

TEST(Rewinding, AOneShotIsNeverRewound) {
  int rewinds = 0;
  (void)anew::retry(three{}, anew::one_shot(rewinding([] { return false; }, [&] { ++rewinds; })));
  EXPECT_EQ(rewinds, 0);
}

#if ANEW_EXCEPTIONS
TEST(Rewinding, AfterAnExceptionToo) {
  int calls = 0;
  int rewinds = 0;
  auto const throws = [&]() -> unsigned { throw std::runtime_error{std::to_string(++calls)}; };
  try {
    anew::retry(three{}, rewinding(throws, [&] { return ++rewinds < 2; }));
    FAIL();
  } catch (std::runtime_error const& e) {
    EXPECT_STREQ(e.what(), "2");
  }
  EXPECT_EQ(rewinds, 2);
}

TEST(Rewinding, WhatItThrowsEndsTheCall) {
  recording_quota const quota;
  auto const strategy = anew::compose(anew::retry_all{}, anew::no_backoff{}, recording_quota{quota});
  int calls = 0;
  EXPECT_THROW((void)anew::retry(strategy, rewinding(
                                               [&] {
                                                 ++calls;
                                                 return false;
                                               },
                                               [] { throw std::logic_error{"no"}; })),
               std::logic_error);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(quota.book(), (story{"acquire 1", "release 1"}));
}
#endif

}  // namespace
}  // namespace retry_rewinding_test
