// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/testing/recorder.hpp"
#include "anew/testing/recording_sleeper.hpp"

namespace testing_recorder_test {
namespace {

using namespace std::chrono_literals;
using anew::testing::recorder;
using anew::testing::recording_sleeper;
using story = std::vector<std::string>;

static_assert(anew::Observer<recorder>);

auto with(recorder const& r) {
  return anew::compose(anew::retry_all{}, anew::constant_backoff{1s}, anew::no_jitter{}, anew::max_attempts<2>{}, r);
}

TEST(Recorder, TellsTheStory) {
  recorder const heard;
  recording_sleeper sleep{[&] { heard.note("sleep"); }};
  EXPECT_FALSE(anew::retry(with(heard), [&] { return heard.note("call"), false; }, sleep));
  EXPECT_EQ(heard.story(), (story{"call", "attempt 1 may be retried", "retry 2", "sleep", "call",
                                  "attempt 2 may be retried", "end attempts after 2"}));
}

TEST(Recorder, TellsASuccessAndAFinalFailure) {
  recorder const heard;
  EXPECT_TRUE(anew::retry(with(heard), [] { return true; }));
  auto const final = anew::compose(anew::retry_if{[](std::false_type) { return false; }}, heard);
  EXPECT_FALSE(anew::retry(final, [] { return false; }));
  EXPECT_EQ(heard.story(),
            (story{"attempt 1 succeeded", "end succeeded after 1", "attempt 1 failed", "end not_retryable after 1"}));
}

TEST(Recorder, KeepsEveryEvent) {
  recorder const heard;
  recording_sleeper sleep;
  EXPECT_FALSE(anew::retry(with(heard), [] { return false; }, sleep));
  ASSERT_EQ(heard.attempts().size(), 2U);
  EXPECT_EQ(heard.attempts()[1].attempt, 2U);
  ASSERT_EQ(heard.retries().size(), 1U);
  EXPECT_EQ(heard.retries()[0].delay, 1s);
  EXPECT_EQ(heard.retries()[0].attempt, 2U);
  ASSERT_EQ(heard.ends().size(), 1U);
  EXPECT_EQ(heard.ends()[0].reason, anew::stop_reason::attempts);
}

TEST(Recorder, WritesIntoARecordOfTheTests) {
  recorder::heard heard;
  EXPECT_TRUE(anew::retry(with(recorder{heard}), [] { return true; }));
  EXPECT_EQ(heard.story, (story{"attempt 1 succeeded", "end succeeded after 1"}));
  EXPECT_EQ(heard.attempts.size(), 1U);
  EXPECT_EQ(heard.ends.size(), 1U);
}

TEST(Recorder, LosesNothingAmongThreads) {
  recorder const heard;
  auto const strategy = with(heard);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 100; ++n) (void)anew::retry(strategy, [] { return true; });
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(heard.story().size(), 800U);
  EXPECT_EQ(heard.attempts().size(), 400U);
  EXPECT_EQ(heard.ends().size(), 400U);
}

TEST(Recorder, Describes) { EXPECT_EQ(recorder::describe(), "recorder"); }

}  // namespace
}  // namespace testing_recorder_test
