// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/scripted_operation.hpp"

namespace testing_scripted_operation_test {
namespace {

using namespace std::chrono_literals;
using anew::testing::for_ever;
using anew::testing::manual_clock;
using anew::testing::script_ended;
using anew::testing::scripted_operation;

static_assert(anew::Operation<scripted_operation<int>> && anew::Operation<scripted_operation<void>>);

constexpr auto no_sleep = [](anew::duration /*delay*/) {};
using patient = anew::strategy<anew::retry_all, anew::no_backoff, anew::max_attempts<10>>;

TEST(ScriptedOperation, ReturnsWhatItsScriptSaysInThatOrder) {
  scripted_operation<int> op;
  op.returns(1).returns(2, 2).returns(3);
  EXPECT_EQ(op.calls(), 0U);
  EXPECT_EQ(op(), 1);
  EXPECT_EQ(op(), 2);
  EXPECT_EQ(op(), 2);
  EXPECT_FALSE(op.is_finished());
  EXPECT_EQ(op(), 3);
  EXPECT_TRUE(op.is_finished());
  EXPECT_EQ(op.calls(), 4U);
}

TEST(ScriptedOperation, IsRetried) {
  scripted_operation<std::optional<int>> op;
  op.returns(std::nullopt, 2).returns(42);
  EXPECT_EQ(anew::retry(patient{}, op, no_sleep), 42);
  EXPECT_EQ(op.calls(), 3U);
  EXPECT_TRUE(op.is_finished());
}

TEST(ScriptedOperation, RepeatsTheLastStepForEver) {
  scripted_operation<bool> op;
  op.returns(true).returns(false, for_ever);
  EXPECT_TRUE(op());
  EXPECT_FALSE(op.is_finished()) << "the step for ever has not begun";
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(op());
  EXPECT_TRUE(op.is_finished());
  EXPECT_EQ(op.calls(), 101U);
}

TEST(ScriptedOperation, AnEmptyScriptIsFinished) { EXPECT_TRUE(scripted_operation<int>{}.is_finished()); }

TEST(ScriptedOperation, AStepOfNoTimesIsNotPlayed) {
  scripted_operation<int> op;
  op.returns(1, 0).returns(2).returns(3, 0).returns(4, 0).returns(5);
  EXPECT_EQ(op(), 2);
  EXPECT_EQ(op(), 5);
  EXPECT_TRUE(op.is_finished());
}

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
  op();
  EXPECT_EQ(clock.peek() - start, 0s);
  op();
  EXPECT_EQ(clock.peek() - start, 3s);
  op();
  EXPECT_EQ(clock.peek() - start, 6s);
  op();
  EXPECT_EQ(clock.peek() - start, 6s);
}

TEST(ScriptedOperation, RunsWhateverElseShouldHappen) {
  int happened = 0;
  scripted_operation<int> op;
  op.runs([&] { return ++happened; }, 2);
  EXPECT_EQ(op(), 1);
  EXPECT_EQ(op(), 2);
}

TEST(ScriptedOperation, CopiesShareTheScriptAndTheCount) {
  scripted_operation<int> op;
  auto copy = op;
  copy.returns(1).returns(2);
  EXPECT_EQ(op(), 1);
  EXPECT_EQ(copy(), 2);
  EXPECT_EQ(op.calls(), 2U);
}

TEST(ScriptedOperation, MayBeDeclaredIdempotent) {
  scripted_operation<bool> op;
  op.returns(false).returns(true);
  EXPECT_TRUE(anew::retry(patient{}, anew::idempotent(op), no_sleep));
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

TEST(ScriptedOperation, AnOperationWithoutAResultThrowsToo) {
  scripted_operation<void> op;
  op.throws(broken_pipe{}).returns();
  anew::retry(patient{}, op, no_sleep);
  EXPECT_EQ(op.calls(), 2U);
}

TEST(ScriptedOperation, SaysThatItIsCalledTooOften) {
  scripted_operation<int> op;
  op.returns(1, 2);
  op();
  op();
  try {
    op();
    FAIL() << "it went on";
  } catch (script_ended const& ended) {
    EXPECT_STREQ(ended.what(), "anew::testing::scripted_operation: call 3, and the script has no more");
  }
  EXPECT_EQ(op.calls(), 3U);
}

// A programming error, which retry_all does not retry.
TEST(ScriptedOperation, TheEndOfTheScriptReachesTheTestThroughADriver) {
  scripted_operation<std::optional<int>> op;
  op.returns(std::nullopt, 2);
  EXPECT_THROW((void)anew::retry(patient{}, op, no_sleep), script_ended);
  EXPECT_EQ(op.calls(), 3U);
}

struct retries_programming_errors {
  using role = anew::roles::classifier;
  template <class E>
  [[nodiscard]] static anew::directive classify(E const& /*error*/) {
    return anew::directive::retry(anew::error_kind::transient);
  }
};

// What retries everything retries the end of the script too, perhaps for ever: that is ended.
TEST(ScriptedOperationDeathTest, AStrategyThatTakesTheEndForAnErrorEndsTheProgram) {
  scripted_operation<std::optional<int>> op;
  op.returns(std::nullopt, 2);
  using stubborn = anew::strategy<retries_programming_errors, anew::no_backoff, anew::unbounded>;
  EXPECT_DEATH((void)anew::retry(stubborn{}, op, no_sleep), "scripted_operation: call 4, and the script has no more");
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

}  // namespace
}  // namespace testing_scripted_operation_test
