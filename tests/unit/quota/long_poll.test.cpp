// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/quota/long_poll.hpp"
#include "anew/sharing/shared.hpp"
#include "anew/testing/advancing_sleeper.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/recording_sleeper.hpp"

#include "driver_support.hpp"
#include "for_one_call.hpp"

namespace quota_long_poll_test {
namespace {

using namespace std::chrono_literals;
using anew::long_poll;
using anew::stop_reason;
using anew::testing::advancing_sleeper;
using anew::testing::manual_clock;
using anew::testing::recording_sleeper;
using anew::token_bucket;
using support::flag_stop;
using support::recorder;
using delays = std::vector<anew::duration>;

static_assert(anew::Quota<long_poll<>> && sizeof(long_poll<token_bucket<500>>) == sizeof(token_bucket<500>));
static_assert(anew::detail::WaitsBeforeRefusal<anew::shared<long_poll<>>>);
static_assert(!anew::detail::WaitsBeforeRefusal<anew::shared<token_bucket<500>>>);

template <class... More>
auto polling(More... more) {
  return anew::compose(anew::exponential_backoff<50ms, 20s>{}, anew::no_jitter{}, anew::retry_all{},
                       std::move(more)...);
}

TEST(LongPoll, ARefusedCallWaitsOnceAndEnds) {
  auto const s = polling(long_poll<token_bucket<14>>{}, anew::max_attempts<9>{});
  delays slept;
  int calls = 0;
  auto const outcome =
      anew::retry_outcome(s, [&] { return ++calls == 0; }, [&](anew::duration d) { slept.push_back(d); });
  EXPECT_EQ(outcome.reason(), stop_reason::quota);
  EXPECT_EQ(outcome.attempts(), 2U);
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(slept, (delays{50ms, 100ms}));  // before the retry, and before the end
  EXPECT_FALSE(outcome.result());
}

#if ANEW_EXCEPTIONS
TEST(LongPoll, TheLastExceptionIsTheResultAfterTheWait) {
  delays slept;
  try {
    auto const strategy = anew::compose(anew::exponential_backoff<50ms, 20s>{}, anew::no_jitter{},
                                        anew::retry_on<std::runtime_error>{}, long_poll<token_bucket<0>>{});
    anew::retry(
        strategy, []() -> int { throw std::runtime_error{"the last"}; }, [&](anew::duration d) { slept.push_back(d); });
    FAIL();
  } catch (std::runtime_error const& e) {
    EXPECT_STREQ(e.what(), "the last");
  }
  EXPECT_EQ(slept, delays{50ms});
}
#endif

TEST(LongPoll, OnlyTheQuotaIsWaitedFor) {
  delays slept;
  auto const sleeper = [&](anew::duration d) { slept.push_back(d); };
  EXPECT_FALSE(anew::retry(
      support::for_one_call(polling(long_poll<token_bucket<500>>{}, anew::max_attempts<2>{})), [] { return false; },
      sleeper));
  EXPECT_EQ(slept, delays{50ms});  // not after the last permitted attempt
  slept.clear();
  auto const final =
      anew::compose(long_poll<token_bucket<0>>{}, anew::retry_if<decltype([](bool) { return false; })>{});
  EXPECT_FALSE(anew::retry(final, [] { return false; }, sleeper));
  EXPECT_TRUE(slept.empty());
  EXPECT_TRUE(anew::retry(support::for_one_call(polling(long_poll<token_bucket<0>>{})), [] { return true; }, sleeper));
  EXPECT_TRUE(slept.empty());
}

TEST(LongPoll, ObserversHearThatTheAttemptWasFinalAndTheEndAfterTheWait) {
  recorder::heard heard;
  auto const s = polling(long_poll<token_bucket<0>>{}, recorder{heard});
  bool told_before_the_wait = false;
  bool ended_before_the_wait = false;
  EXPECT_FALSE(anew::retry(
      s, [] { return false; },
      [&](anew::duration) {
        told_before_the_wait = heard.attempts.size() == 1 && heard.attempts[0].is_final;
        ended_before_the_wait = !heard.ends.empty();
      }));
  EXPECT_TRUE(told_before_the_wait);
  EXPECT_FALSE(ended_before_the_wait);
  EXPECT_TRUE(heard.retries.empty());
  ASSERT_EQ(heard.ends.size(), 1U);
  EXPECT_EQ(heard.ends[0].reason, stop_reason::quota);
}

TEST(LongPoll, AStopInTheWaitEndsItAsCancelled) {
  auto const s = polling(long_poll<token_bucket<0>>{});
  flag_stop::state stop;
  auto const outcome =
      anew::retry_outcome(s, [] { return false; }, [&](anew::duration) { stop.requested = true; }, flag_stop{stop});
  EXPECT_EQ(outcome.reason(), stop_reason::cancelled);
  EXPECT_FALSE(outcome.result());
}

TEST(LongPoll, ALoopOfOnesOwnIsToldHowLong) {
  auto const s = polling(long_poll<token_bucket<0>>{});
  auto answer = s.refresh_retry_token(s.acquire_initial_token(), anew::failure{});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.reason(), stop_reason::quota);
  EXPECT_EQ(answer.wait_before_end(), 50ms);
  auto const plain = polling(token_bucket<0>{});
  EXPECT_EQ(plain.refresh_retry_token(plain.acquire_initial_token(), anew::failure{}).wait_before_end(), 0s);
}

TEST(LongPoll, TheServersHintLengthensTheWaitAndOneThatIsTooLongForbidsIt) {
  auto const s = polling(long_poll<token_bucket<0>>{});
  anew::failure asked{};
  asked.hint = 3s;
  EXPECT_EQ(s.refresh_retry_token(s.acquire_initial_token(), asked).wait_before_end(), 3s);
  asked.hint = 61s;
  EXPECT_EQ(s.refresh_retry_token(s.acquire_initial_token(), asked).wait_before_end(), 0s);
}

TEST(LongPoll, TheWaitFitsIntoTheDeadline) {
  manual_clock const clock;
  auto const s = polling(long_poll<token_bucket<0>>{}, anew::deadline<40ms>{}, anew::max_attempts<5>{}, clock);
  auto const answer = s.refresh_retry_token(s.acquire_initial_token(), anew::failure{});
  EXPECT_EQ(answer.reason(), stop_reason::quota);
  EXPECT_EQ(answer.wait_before_end(), 0s);
  auto const longer = polling(long_poll<token_bucket<0>>{}, anew::deadline<60ms>{}, anew::max_attempts<5>{}, clock);
  EXPECT_EQ(longer.refresh_retry_token(longer.acquire_initial_token(), anew::failure{}).wait_before_end(), 50ms);
}

TEST(LongPoll, SpendsAndGivesBackAsTheQuotaInside) {
  auto const s = polling(long_poll{token_bucket{100}});
  int calls = 0;
  EXPECT_TRUE(anew::retry(s, [&] { return ++calls == 2; }, [](anew::duration) {}));
  EXPECT_EQ(s.quota().policy().balance(), 100U);
  EXPECT_FALSE(anew::retry(s, [] { return false; }, [](anew::duration) {}));
  EXPECT_EQ(s.quota().policy().balance(), 72U);
  EXPECT_EQ(anew::describe(s),
            "exponential(50ms,20s) no_jitter long_poll(token_bucket(100)) retry_all max_attempts(3) server_hint(stop)");
}

}  // namespace
}  // namespace quota_long_poll_test
