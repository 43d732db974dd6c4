// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/drivers/spinning_sleeper.hpp"
#include "anew/testing/archetypes.hpp"
#include "anew/testing/audited_quota.hpp"
#include "anew/testing/laws/subject.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/recorder.hpp"
#include "anew/testing/scripted_operation.hpp"
#include "anew/testing/scripted_random.hpp"
#include "anew/testing/statistics.hpp"
#include "anew/testing/test_mode.hpp"

#include "names.hpp"
#include "rejection.hpp"
#include "together.hpp"

namespace testing_test {
namespace {

using namespace anew;
using namespace anew::testing;

static_assert(Backoff<least_backoff> && Jitter<least_jitter> && Jitter<least_remembering_jitter>);
static_assert(Quota<least_quota> && Classifier<least_classifier> && MaxAttempts<least_max_attempts>);
static_assert(Hint<least_hint> && Deadline<least_deadline> && Observer<least_observer>);
static_assert(Gate<least_gate> && Reset<least_reset> && Nesting<least_nesting>);
static_assert(History<least_history> && Clock<least_clock>);
static_assert(RandomSourcePolicy<least_random_source> && Operation<least_operation>);
static_assert(Sleeper<least_sleeper> && StopToken<least_stop_token>);
static_assert(RetryToken<least_token> && RetryStrategy<least_strategy>);

// The least has nothing that a concept leaves to the model.
template <class T>
concept SaysMore = requires(T const& t) { t.describe(); } || requires(T const& t) { t.cap(); };
static_assert(!SaysMore<least_backoff> && !SaysMore<least_quota> && !SaysMore<least_deadline>);

TEST(Archetypes, MakeAStrategyOfNothingElse) {
  using everything = anew::strategy<least_backoff, least_jitter, least_quota, least_classifier, least_max_attempts,
                                    least_hint, least_deadline, least_observer, least_clock, least_random_source>;
  everything const strategy;
  EXPECT_TRUE(retry(strategy, least_operation{}, least_sleeper{}, least_stop_token{}));
  auto const next = strategy.refresh_retry_token(strategy.acquire_initial_token(), failure{});
  ASSERT_TRUE(next.has_value());
  EXPECT_GT(next->delay(), duration::zero());
  EXPECT_LE(next->delay(), least_backoff{}.delay(1));
}

TEST(Archetypes, TheLeastStrategyRetriesOnceWhatIsSafe) {
  least_strategy const strategy;
  auto first = strategy.refresh_retry_token(strategy.acquire_initial_token(), failure{});
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(strategy.refresh_retry_token(*std::move(first), failure{}).reason(), stop_reason::attempts);
  failure const unsafe{.safety = retry_safety::no};
  EXPECT_EQ(strategy.refresh_retry_token(strategy.acquire_initial_token(), unsafe).reason(),
            stop_reason::not_retryable);
}

TEST(Parts, DescribeThemselves) {
  std::vector<std::string> const names{manual_clock::describe(), recorder::describe(), scripted_random::describe(),
                                       seeded_random::describe(), audited_quota::describe()};
  EXPECT_EQ(names, (std::vector<std::string>{"manual_clock", "recorder", "scripted_random", "seeded_random",
                                             "audited_quota"}));
}

static_assert(Clock<manual_clock> && std::is_nothrow_copy_constructible_v<manual_clock>);

TEST(ManualClock, StandsStillUntilItIsMoved) {
  manual_clock clock;
  auto const start = clock.now();
  EXPECT_GT(start, time_point{}) << "time before it can be told from no time";
  EXPECT_EQ(manual_clock{5s}.now(), time_point{5s});
  clock.advance(3s);
  EXPECT_EQ(clock.now() - start, 3s);
  clock.advance(-5s);
  EXPECT_EQ(clock.now() - start, -2s);
  clock.set(time_point{7s});
  auto const other = std::move(clock);  // NOLINT(performance-move-const-arg)
  EXPECT_EQ(other.now(), time_point{7s});
  EXPECT_EQ(clock.now(), time_point{7s});  // NOLINT(bugprone-use-after-move)
}

TEST(ManualClock, CopiesAreTheSameClockWhichCountsItsReaders) {
  manual_clock const mine;
  auto const strategy = compose(mine);
  mine.advance(1s);
  EXPECT_EQ(strategy.now(), mine.peek());
  strategy.clock().advance(1s);
  EXPECT_EQ(strategy.now(), mine.peek());
  EXPECT_EQ(mine.now(), mine.peek());
  EXPECT_EQ(mine.reads(), 3U) << "the other functions do not read it";
}

TEST(ManualClock, IsHeldAtTheEndsOfTime) {
  manual_clock const clock;
  clock.advance(duration::max());
  EXPECT_EQ(clock.peek(), time_point::max());
  clock.advance(1ns);
  EXPECT_EQ(clock.peek(), time_point::max());
  clock.set(time_point{-1s});
  clock.advance(duration::min());
  EXPECT_EQ(clock.peek(), time_point::min());
}

TEST(ManualClock, LosesNoTimeAmongThreads) {
  manual_clock const clock{0s};
  support::together(4, [&](unsigned /*thread*/) {
    for (int n = 0; n < 1'000; ++n) clock.advance(1ns);
  });
  EXPECT_EQ(clock.peek(), time_point{4'000ns});
}

using book = std::vector<std::string>;

static_assert(Observer<recorder>);

auto with(recorder const& r) { return compose(retry_all{}, constant_backoff{1s}, no_jitter{}, max_attempts<2>{}, r); }

TEST(Recorder, TellsTheStory) {
  recorder const heard;
  recording_sleeper sleep{[&] { heard.note("sleep"); }};
  EXPECT_FALSE(retry(with(heard), [&] { return heard.note("call"), false; }, sleep));
  EXPECT_EQ(heard.story(), (book{"call", "attempt 1 may be retried", "retry 2", "sleep", "call",
                                 "attempt 2 may be retried", "end attempts after 2"}));
}

TEST(Recorder, TellsASuccessAndAFinalFailure) {
  recorder const heard;
  EXPECT_TRUE(retry(with(heard), [] { return true; }));
  auto const final = compose(retry_if{[](std::false_type) { return false; }}, heard);
  EXPECT_FALSE(retry(final, [] { return false; }));
  EXPECT_EQ(heard.story(),
            (book{"attempt 1 succeeded", "end succeeded after 1", "attempt 1 failed", "end not_retryable after 1"}));
}

TEST(Recorder, LosesNothingAmongThreads) {
  recorder const heard;
  auto const strategy = with(heard);
  support::together(4, [&](unsigned /*thread*/) {
    for (int n = 0; n < 100; ++n) (void)retry(strategy, [] { return true; });
  });
  EXPECT_EQ(heard.story().size(), 800U);
  EXPECT_EQ(heard.attempts().size(), 400U);
  EXPECT_EQ(heard.ends().size(), 400U);
}

static_assert(RandomSourcePolicy<scripted_random> && RandomSourcePolicy<seeded_random>);

TEST(ScriptedRandom, ReplaysItsWordsAmongItsCopiesAndRepeatsTheLast) {
  scripted_random const random{3, 1, 2};
  auto const copy = random;
  EXPECT_EQ((std::array{random(), copy(), random(), copy()}), (std::array<std::uint64_t, 4>{3, 1, 2, 2}));
  EXPECT_EQ(random.calls(), 4U);
  EXPECT_EQ(copy.calls(), 4U);
}

TEST(ScriptedRandom, TakesAVectorAndWithoutWordsDrawsTheMiddle) {
  scripted_random const random{std::vector<std::uint64_t>{7, 8}};
  EXPECT_EQ(random(), 7U);
  EXPECT_EQ(random(), 8U);
  EXPECT_EQ(scripted_random{}(), middle_word);
  EXPECT_EQ(scripted_random{std::vector<std::uint64_t>{}}(), middle_word);
}

TEST(SeededRandom, IsTheStandardGeneratorWhichCopiesShare) {
  seeded_random const random{42};
  auto const copy = random;
  std::mt19937_64 engine{42};
  for (int i = 0; i < 10; ++i) EXPECT_EQ(i % 2 == 0 ? random() : copy(), static_cast<std::uint64_t>(engine()));
}

TEST(SeededRandom, ThreadsShareItWithoutDrawingTheSame) {
  seeded_random const random{7};
  std::vector<std::vector<std::uint64_t>> drawn(4);
  support::together(4, [&](unsigned thread) {
    for (int i = 0; i < 1'000; ++i) drawn[thread].push_back(random());
  });
  std::set<std::uint64_t> together;
  for (auto const& mine : drawn) together.insert(mine.begin(), mine.end());
  std::set<std::uint64_t> expected;
  std::mt19937_64 engine{7};
  for (int i = 0; i < 4'000; ++i) expected.insert(static_cast<std::uint64_t>(engine()));
  EXPECT_EQ(together, expected);
}

static_assert(Sleeper<recording_sleeper> && Sleeper<advancing_sleeper>);
static_assert(!std::is_copy_constructible_v<recording_sleeper> && !std::is_move_constructible_v<recording_sleeper>);
static_assert(!std::is_copy_constructible_v<advancing_sleeper> && !std::is_move_constructible_v<advancing_sleeper>);

constexpr auto three = [] {
  return compose(retry_all{}, exponential_backoff{1s, 10s}, no_jitter{}, max_attempts<3>{});
};

TEST(RecordingSleeper, DoesWhatItIsToldInTheSleep) {
  std::vector<std::size_t> heard;
  recording_sleeper* self = nullptr;
  recording_sleeper sleep{[&] { heard.push_back(self->delays.size()); }};
  self = &sleep;
  sleep(1s);
  sleep(2s);
  EXPECT_EQ(heard, (std::vector<std::size_t>{1, 2})) << "the delay is written down before";
}

TEST(RecordingSleeper, GoesByReferenceWhereASleeperIsTakenByValue) {
  recording_sleeper sleep;
  auto const by_value = [](auto sleeper) { return retry(three(), [] { return false; }, sleeper); };
  EXPECT_FALSE(by_value(std::ref(sleep)));
  EXPECT_EQ(sleep.delays.size(), 2U);
}

TEST(AdvancingSleeper, PassesTheTime) {
  manual_clock const clock;
  auto const start = clock.peek();
  advancing_sleeper sleep{clock};
  for (auto const delay : durations{1s, 0s, 5ms}) sleep(delay);
  EXPECT_EQ(clock.peek() - start, 1005ms);
  EXPECT_EQ(sleep.delays, (durations{1s, 0s, 5ms}));
  EXPECT_EQ(sleep.total(), 1005ms);
}

TEST(AdvancingSleeper, MayBeLateAndSleepsForEverWithoutOverflow) {
  manual_clock const clock;
  auto const start = clock.peek();
  advancing_sleeper sleep{clock, 2ms};
  for (int i = 0; i != 2; ++i) sleep(1s);
  EXPECT_EQ(clock.peek() - start, 2004ms);
  EXPECT_EQ(sleep.total(), 2s);
  for (int i = 0; i != 2; ++i) sleep(duration::max());
  EXPECT_EQ(clock.peek(), time_point::max());
  EXPECT_EQ(sleep.total(), duration::max());
}

using sample = std::vector<double>;

sample evenly(int count) {
  sample s;
  for (int i = 0; i < count; ++i) s.push_back((i + 0.5) / count);
  return s;
}

TEST(Statistics, MeanAndVariance) {
  EXPECT_DOUBLE_EQ(mean({1, 2, 6}), 3);
  EXPECT_DOUBLE_EQ(variance({1, 2, 6}), 7);
}

TEST(Statistics, DistanceFromADistribution) {
  EXPECT_NEAR(ks_distance(evenly(100), uniform_cdf(0, 1)), 0.005, 1e-9);
  EXPECT_NEAR(ks_distance(evenly(100), uniform_cdf(0, 2)), 0.5, 0.01);
  EXPECT_NEAR(ks_distance(evenly(100), uniform_cdf(-1, 1)), 0.5, 0.01);
  EXPECT_DOUBLE_EQ(ks_critical(10'000), 0.01628);
  auto const cdf = uniform_cdf(2, 4);
  EXPECT_DOUBLE_EQ(cdf(1), 0);
  EXPECT_DOUBLE_EQ(cdf(3), 0.5);
  EXPECT_DOUBLE_EQ(cdf(5), 1);
}

TEST(Statistics, LargestFrequencyAndEntropy) {
  EXPECT_DOUBLE_EQ(largest_frequency({1, 2, 3, 2}), 0.5);
  EXPECT_DOUBLE_EQ(largest_frequency({5, 5, 5}), 1);
  EXPECT_DOUBLE_EQ(largest_frequency({4, 1, 3, 2}), 0.25);
  EXPECT_DOUBLE_EQ(entropy(evenly(64), 0, 1, 64), 6);
  EXPECT_DOUBLE_EQ(entropy({0.1, 0.1, 0.1}, 0, 1, 64), 0);
  EXPECT_DOUBLE_EQ(entropy({0.1, 0.9}, 0, 1, 2), 1);
  EXPECT_DOUBLE_EQ(entropy({0.1, 1}, 0, 1, 2), 1) << "the upper end is in the last bin";
}

static_assert(Quota<audited_quota>);

struct AuditedQuota : ::testing::Test {
  audited_quota const quota;
};

TEST_F(AuditedQuota, WritesDownWhatBecomesOfEachPermit) {
  auto const strategy = compose(quota, retry_all{}, no_backoff{}, max_attempts<3>{});
  EXPECT_FALSE(retry(strategy, [] { return false; }, no_sleep));
  EXPECT_TRUE(retry(strategy, [] { return true; }));
  EXPECT_TRUE(retry(strategy, [](attempt& a) { return a.number() == 2; }, no_sleep));
  EXPECT_EQ(quota.book(),
            (book{"acquire 1", "failure 1", "acquire 2", "failure 2", "success 0", "acquire 3", "success 3"}));
  EXPECT_EQ(quota.outstanding(), 0U);
  auto const& totals = quota.totals();
  EXPECT_EQ((std::array{totals.acquired.load(), totals.failed.load(), totals.succeeded.load(),
                        totals.succeeded_at_once.load(), totals.released.load()}),
            (std::array<std::uint64_t, 5>{3, 2, 1, 1, 0}));
  quota.on_failure(0);  // a first attempt holds nothing
  EXPECT_EQ(quota.book().size(), 7U);
  EXPECT_EQ(totals.failed.load(), 2U);
}

TEST_F(AuditedQuota, RefusesWhenItIsTold) {
  quota.refuse();
  EXPECT_EQ(quota.try_acquire(failure{.kind = error_kind::timeout}), std::nullopt);
  EXPECT_EQ(quota.asked_about().kind, error_kind::timeout);
  quota.refuse(false);
  EXPECT_EQ(quota.try_acquire(failure{}), 1U);
  EXPECT_EQ(quota.book(), (book{"refuse", "acquire 1"}));
  EXPECT_EQ(quota.totals().refused.load(), 1U);
  EXPECT_EQ(quota.asked_about().kind, error_kind::transient);
}

// One too many does not make up for one that is lost.
TEST_F(AuditedQuota, FindsAPermitThatComesBackTwiceOrWasNeverHandedOut) {
  (void)quota.try_acquire(failure{});
  (void)quota.try_acquire(failure{});
  quota.release(1);
  quota.on_success(1);
  EXPECT_EQ(quota.outstanding(), 2U) << "1 came twice, 2 is out";
  quota.on_failure(2);
  EXPECT_EQ(quota.outstanding(), 1U);
  quota.release(7);
  EXPECT_EQ(quota.outstanding(), 2U);
  EXPECT_EQ(quota.book(),
            (book{"acquire 1", "acquire 2", "release 1", "stray success 1", "failure 2", "stray release 7"}));
}

TEST_F(AuditedQuota, CopiesShareTheBooks) {
  auto copy = quota;
  EXPECT_EQ(copy.try_acquire(failure{}), 1U);
  auto const moved = std::move(copy);  // NOLINT(performance-move-const-arg)
  EXPECT_EQ(moved.try_acquire(failure{}), 2U);
  EXPECT_EQ(quota.outstanding(), 2U);
}

TEST_F(AuditedQuota, IsExactAmongThreads) {
  auto const strategy = compose(quota, retry_all{}, no_backoff{}, max_attempts<3>{});
  support::together(4, [&](unsigned /*thread*/) {
    for (int n = 0; n < 100; ++n) (void)retry(strategy, [] { return false; }, no_sleep);
  });
  EXPECT_EQ(quota.outstanding(), 0U);
  EXPECT_EQ(quota.totals().acquired.load(), 800U);
  EXPECT_EQ(quota.totals().failed.load(), 800U);
}

static_assert(Operation<scripted_operation<int>> && Operation<scripted_operation<void>>);

using patient = anew::strategy<retry_all, no_backoff, max_attempts<10>>;

TEST(Laws, GoThroughPausesOfUpToAYear) {
  anew::testing::laws::years_of_use use{1};
  auto longest = duration::zero();
  for (int i = 0; i != 10'000; ++i) longest = std::max(longest, use.any_pause());
  EXPECT_EQ(longest.count(), anew::testing::laws::years_of_use::a_year);
}

TEST(Laws, CountTheCallsThatAWatchdogSees) {
  anew::testing::laws::call_log log;
  log.calls("release", time_point{1s});
  EXPECT_EQ(log.number(), 1U);
}

TEST(ScriptedOperation, ReturnsWhatItsScriptSaysInThatOrder) {
  scripted_operation<int> op;
  op.returns(9, 0).returns(1).returns(2, 2).returns(9, 0).returns(9, 0).returns(3);  // a step of no times is not played
  EXPECT_EQ(op.calls(), 0U);
  for (int const expected : {1, 2, 2}) EXPECT_EQ(op(), expected);
  EXPECT_FALSE(op.is_finished());
  EXPECT_EQ(op(), 3);
  EXPECT_TRUE(op.is_finished());
  EXPECT_EQ(op.calls(), 4U);
}

TEST(ScriptedOperation, RepeatsTheLastStepForEver) {
  scripted_operation<bool> op;
  op.returns(true).returns(false, forever);
  EXPECT_TRUE(op());
  EXPECT_FALSE(op.is_finished()) << "the step for ever has not begun";
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(op());
  EXPECT_TRUE(op.is_finished());
  EXPECT_EQ(op.calls(), 101U);
}

TEST(ScriptedOperation, AnEmptyScriptIsFinished) { EXPECT_TRUE(scripted_operation<int>{}.is_finished()); }

TEST(ScriptedOperation, ReturnsNothing) {
  scripted_operation<void> op;
  op.returns().returns();
  op();
  static_assert(std::is_void_v<decltype(op())>);
  EXPECT_FALSE(op.is_finished());
  op();
  EXPECT_TRUE(op.is_finished());
}

TEST(ScriptedOperation, ReturnsWhatCannotBeCopied) {
  scripted_operation<std::unique_ptr<int>> op;
  op.returns(std::make_unique<int>(1))
      .returns(std::make_unique<int>(2))
      .runs([] { return std::make_unique<int>(3); }, 2);
  for (int const expected : {1, 2, 3, 3}) EXPECT_EQ(*op(), expected);
}

TEST(ScriptedOperation, TakesItsTime) {
  manual_clock const clock;
  auto const start = clock.peek();
  scripted_operation<int> op;
  op.returns(1).returns(2, 2).taking(clock, 3s).returns(3);
  for (duration const passed : {0s, 3s, 6s, 6s}) {
    op();
    EXPECT_EQ(clock.peek() - start, passed);
  }
}

TEST(ScriptedOperation, CopiesShareTheScriptAndTheCount) {
  scripted_operation<int> op;
  auto copy = op;
  copy.returns(1).returns(2);
  EXPECT_EQ(op(), 1);
  EXPECT_EQ(copy(), 2);
  EXPECT_EQ(op.calls(), 2U);
}

#if ANEW_EXCEPTIONS
struct broken_pipe : std::runtime_error {
  broken_pipe() : std::runtime_error{"broken pipe"} {}
};

TEST(ScriptedOperation, Throws) {
  manual_clock const clock;
  auto const start = clock.peek();
  scripted_operation<int> op;
  op.throws(broken_pipe{}, 2).taking(clock, 1s).throws(std::string{"text"}).returns(7);
  EXPECT_THROW(op(), broken_pipe);
  EXPECT_EQ(clock.peek() - start, 1s) << "time passes before the exception";
  EXPECT_THROW(op(), broken_pipe);
  EXPECT_THROW(op(), std::string);
  EXPECT_EQ(op(), 7);
}

TEST(ScriptedOperation, SaysThatItIsCalledTooOften) {
  scripted_operation<int> op;
  op.returns(1, 2);
  op();
  op();
  EXPECT_EQ(support::rejection_of<script_ended>(op),
            "anew::testing::scripted_operation: call 3, and the script has no more");
  EXPECT_EQ(op.calls(), 3U);
}

// A programming error, which retry_all does not retry.
TEST(ScriptedOperation, TheEndOfTheScriptReachesTheTestThroughADriver) {
  scripted_operation<std::optional<int>> op;
  op.returns(std::nullopt, 2);
  EXPECT_THROW((void)retry(patient{}, op, no_sleep), script_ended);
  EXPECT_EQ(op.calls(), 3U);
}

struct retries_programming_errors {
  using role = roles::classifier;
  [[nodiscard]] static directive classify(auto const& /*error*/) { return directive::retry(error_kind::transient); }
};

// What retries everything retries the end of the script too, perhaps for ever: that is ended.
TEST(ScriptedOperationDeathTest, AStrategyThatTakesTheEndForAnErrorEndsTheProgram) {
  scripted_operation<std::optional<int>> op;
  op.returns(std::nullopt, 2);
  using stubborn = anew::strategy<retries_programming_errors, no_backoff, unbounded>;
  EXPECT_DEATH((void)retry(stubborn{}, op, no_sleep), "scripted_operation: call 4, and the script has no more");
}
#else
TEST(ScriptedOperationDeathTest, SaysThatItIsCalledTooOften) {
  scripted_operation<int> op;
  op.returns(1);
  op();
  EXPECT_DEATH(op(), "scripted_operation: call 2, and the script has no more");
}
#endif

TEST(ScriptedOperationDeathTest, TakingIsAboutTheStepBefore) {
  scripted_operation<int> op;
  EXPECT_DEATH(op.taking(manual_clock{}, 1s), "taking\\(\\) applies to the previous step");
}

static_assert(!std::is_copy_constructible_v<test_mode> && !std::is_copy_assignable_v<test_mode>);
static_assert(!std::is_convertible_v<int, test_mode>);

using slow = anew::strategy<retry_all, constant_backoff<1h>, no_jitter, max_attempts<20>>;

struct told {
  std::uint32_t attempts;
  stop_reason reason;
  duration slept;
  friend bool operator==(told const&, told const&) = default;
};
told fail(auto const& strategy) {
  recording_sleeper sleep;
  auto const end = retry_outcome(strategy, [] { return false; }, sleep);
  return {end.attempts(), end.reason(), sleep.total()};
}
constexpr told as_ever{20, stop_reason::attempts, 19h};

TEST(TestMode, LimitsTheAttemptsAndWaitsForNothing) {
  EXPECT_EQ(fail(slow{}), as_ever);
  {
    test_mode const mode{3};
    EXPECT_EQ(fail(slow{}), (told{3, stop_reason::attempts, 0s}));
    EXPECT_EQ(fail(anew::with<slow, unbounded>{}), (told{3, stop_reason::attempts, 0s}));
    EXPECT_EQ(fail(anew::with<slow, max_attempts<2>>{}), (told{2, stop_reason::attempts, 0s}));
    EXPECT_EQ(fail(never{}), (told{1, stop_reason::attempts, 0s}));
  }
  EXPECT_EQ(fail(slow{}), as_ever);
}

TEST(TestMode, NestedOnesRestoreTheOuterOne) {
  EXPECT_FALSE(test_mode::is_on());
  {
    test_mode const outer{2};
    {
      test_mode const inner{5};
      EXPECT_EQ(fail(slow{}).attempts, 5U);
    }
    EXPECT_EQ(fail(slow{}).attempts, 2U);
    EXPECT_TRUE(test_mode::is_on());
  }
  EXPECT_FALSE(test_mode::is_on());
  EXPECT_EQ(fail(slow{}), as_ever);
}

TEST(TestMode, HoldsOnEveryThread) {
  test_mode const mode{4};
  std::optional<told> on_another;
  std::thread{[&] { on_another = fail(slow{}); }}.join();
  EXPECT_EQ(on_another, (told{4, stop_reason::attempts, 0s}));
}

// An hour would pass here otherwise, so the sleepers that do wait are asked last.
TEST(TestMode, TheSleepersThatWaitDoNot) {
  test_mode const mode{3};
  if (fail(slow{}).slept != 0s) GTEST_FAIL() << "the mode does not work; this would take hours";
  EXPECT_FALSE(retry(slow{}, [] { return false; }));
  EXPECT_FALSE(retry(slow{}, [] { return false; }, hybrid_sleeper{}));
}

TEST(TestMode, WantsAtLeastOneAttempt) {
  for (std::int64_t const wrong : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1} << 32U}) {
    EXPECT_REJECTED(
        test_mode{wrong},
        "anew::testing::test_mode: max_attempts must be between 1 and 4294967295, but is " + std::to_string(wrong));
  }
  EXPECT_FALSE(test_mode::is_on()) << "a mode that could not be made is not on";
}

}  // namespace
}  // namespace testing_test
