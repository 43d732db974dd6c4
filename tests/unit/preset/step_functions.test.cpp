// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/drivers/retry.hpp"
#include "anew/drivers/retry_outcome.hpp"
#include "anew/policies/jitter/full.hpp"
#include "anew/poll.hpp"
#include "anew/presets/step_functions.hpp"
#include "anew/strategy/describe.hpp"
#include "anew/testing/scripted_random.hpp"

#include "names.hpp"
#include "rejection.hpp"

namespace preset_step_functions_test {

namespace theirs {

struct error {
  int number;
};

}  // namespace theirs
}  // namespace preset_step_functions_test

template <>
struct anew::step_functions::error_traits<preset_step_functions_test::theirs::error> {
  static std::string error_name(preset_step_functions_test::theirs::error const& e) {
    return "Their.Error" + std::to_string(e.number);
  }
};

namespace preset_step_functions_test {
namespace {

using namespace anew::step_functions;  // NOLINT(google-build-using-namespace)
using anew::testing::middle_word;

struct told {
  durations delays{};
  stop_reason reason = stop_reason::succeeded;
};

/// A call whose attempts fail by these names, in a loop of one's own.
told fail_by(auto const& strategy, std::vector<std::string_view> const& names) {
  told result;
  auto token = strategy.acquire_initial_token();
  EXPECT_EQ(token.delay(), 0s);
  std::uint32_t attempt = 1;
  for (auto const name : names) {
    EXPECT_EQ(token.attempt(), attempt++);
    auto next = strategy.refresh_retry_token(std::move(token), name);
    if (!next) {
      result.reason = next.reason();
      return result;
    }
    token = *std::move(next);
    result.delays.push_back(token.delay());
  }
  strategy.record_success(std::move(token));
  return result;
}

/// The example of the specification: each retrier counts by itself, and its end is the end of all.
TEST(StepFunctionsStrategy, ExampleOfTheSpecification) {
  strategy const retry{retriers{
      {{.error_equals = {"ErrorA", "ErrorB"}, .interval = 1s, .max_attempts = 2, .backoff_rate = anew::rational{2}},
       {.error_equals = {"ErrorC"}, .interval = 5s}}}};
  auto const result = fail_by(retry, {"ErrorA", "ErrorB", "ErrorC", "ErrorB"});
  EXPECT_EQ(result.delays, (durations{1s, 2s, 5s}));
  EXPECT_EQ(result.reason, stop_reason::attempts);
  EXPECT_EQ(fail_by(retry, {"ErrorC", "ErrorA", "ErrorC", "ErrorA", "ErrorC", "ErrorC"}).delays,
            (durations{5s, 1s, 10s, 2s, 20s}));
}

TEST(StepFunctionsStrategy, FirstMatchDecides) {
  strategy const retry{retriers{{{.error_equals = {"Busy"}, .interval = 7s, .max_attempts = 1},
                                 {.error_equals = {"Never"}, .max_attempts = 0},
                                 {.error_equals = {"States.ALL"}, .interval = 2s}}}};
  EXPECT_EQ(fail_by(retry, {"Other", "Busy"}).delays, (durations{2s, 7s}));
  auto const never = fail_by(retry, {"Never"});
  EXPECT_EQ(never.delays, durations{});
  EXPECT_EQ(never.reason, stop_reason::attempts);
  auto const used_up = fail_by(retry, {"Busy", "Busy"});
  EXPECT_EQ(used_up.delays, durations{7s}) << "States.ALL does not take over";
  EXPECT_EQ(used_up.reason, stop_reason::attempts);
  EXPECT_EQ(fail_by(strategy{retriers{{}}}, {"Busy"}).reason, stop_reason::not_retryable);
}

TEST(StepFunctionsStrategy, Wildcards) {
  retriers const all{{{.error_equals = {"States.ALL"}}}};
  retriers const task{{{.error_equals = {"States.TaskFailed"}}}};
  retriers const named{{{.error_equals = {"A", "States.Timeout"}}, {.error_equals = {"States.Runtime", "B"}}}};
  retriers const limit{{{.error_equals = {"States.DataLimitExceeded"}}}};
  using place = std::optional<std::size_t>;
  struct row {
    std::string_view name;  // names are case-sensitive
    place in_all, in_task, in_named, in_limit;
  };
  for (auto const& [name, in_all, in_task, in_named, in_limit] :
       {row{"anything", 0, 0, {}, {}}, row{"States.Timeout", 0, {}, 0, {}},
        row{"States.HeartbeatTimeout", 0, 0, {}, {}}, row{"States.TaskFailed", 0, 0, {}, {}},
        row{"States.Runtime", {}, {}, {}, {}}, row{"States.DataLimitExceeded", {}, {}, {}, 0}, row{"B", 0, 0, 1, {}},
        row{"a", 0, 0, {}, {}}}) {
    EXPECT_EQ(all.find(name), in_all) << name;
    EXPECT_EQ(task.find(name), in_task) << name;
    EXPECT_EQ(named.find(name), in_named) << name;
    EXPECT_EQ(limit.find(name), in_limit) << name;
  }
}

TEST(StepFunctionsStrategy, DelaysAreCappedAndJittered) {
  retriers const list{{{.error_equals = {"capped"}, .interval = 3s, .max_attempts = 9, .max_delay = 10s},
                       {.error_equals = {"full"}, .interval = 4s, .max_delay = 12s, .jitter = jitter_strategy::full},
                       {.error_equals = {"short"}, .interval = 5s, .max_delay = 3s}}};
  scripted_random const random{highest_word, lowest_word, middle_word};
  strategy const retry{list, random};
  EXPECT_EQ(fail_by(retry, {"capped", "capped", "capped", "capped"}).delays, (durations{3s, 6s, 10s, 10s}));
  EXPECT_EQ(fail_by(retry, {"short", "short", "short"}).delays, (durations{3s, 3s, 3s}));
  EXPECT_EQ(random.calls(), 0U) << "without jitter nothing is drawn";
  EXPECT_EQ(fail_by(retry, {"full", "full", "full"}).delays, (durations{4s, 0s, 6s})) << "a draw up to the cap";
  EXPECT_EQ(random.calls(), 3U);
}

TEST(StepFunctionsStrategy, NeverOverflows) {
  strategy const retry{retriers{{{.error_equals = {"States.ALL"},
                                  .interval = 99'999'999s,
                                  .max_attempts = 99'999'999,
                                  .backoff_rate = anew::rational{4'294'967'295}}}}};
  EXPECT_EQ(fail_by(retry, {"a", "a", "a", "a"}).delays,
            (durations{99'999'999s, anew::duration::max(), anew::duration::max(), anew::duration::max()}));
}

// The States Language limits their number nowhere.
TEST(StepFunctionsStrategy, TokenCountsForAThousandRetriers) {
  std::vector<retrier_settings> many;
  for (int i = 0; i != 1000; ++i) many.push_back({.error_equals = {std::to_string(i)}, .max_attempts = 2});
  strategy const retry{retriers{many}};
  auto token = retry.acquire_initial_token();
  for (std::string_view const name : {"999", "15", "16", "17", "999", "16"}) {
    token = *retry.refresh_retry_token(std::move(token), name);
  }
  EXPECT_EQ(token.retries_of(15), 1U);
  EXPECT_EQ(token.retries_of(16), 2U);
  EXPECT_EQ(token.retries_of(17), 1U);
  EXPECT_EQ(token.retries_of(18), 0U);
  EXPECT_EQ(token.retries_of(999), 2U);
  EXPECT_EQ(token.retries_of(1000), 0U);
  EXPECT_EQ(token.attempt(), 7U);
  EXPECT_EQ(retry.refresh_retry_token(std::move(token), "999").reason(), anew::stop_reason::attempts);
}

TEST(StepFunctionsStrategy, AFailureWithoutANameIsThatOfATask) {
  auto const reason = [&](retriers const& list, anew::failure const& what) {
    strategy const retry{list};
    return retry.refresh_retry_token(retry.acquire_initial_token(), what).reason();
  };
  retriers const named{{{.error_equals = {"A"}}}};
  EXPECT_EQ(reason(named, {}), stop_reason::not_retryable);
  EXPECT_EQ(reason(named, {error_kind::transient, retry_safety::yes, 0ns}), stop_reason::not_retryable) << "a hint";
  EXPECT_EQ(reason(named, {error_kind::transient, retry_safety::yes, 1ns}), stop_reason::not_retryable);
  EXPECT_EQ(reason(named, {error_kind::transient, retry_safety::yes, -2ns}), stop_reason::not_retryable);
  retriers const all{{{.error_equals = {"A"}}, {.error_equals = {"States.ALL"}}}};
  EXPECT_EQ(reason(all, {}), stop_reason::succeeded);
  EXPECT_EQ(reason(all, {error_kind::transient, retry_safety::yes, 1ns}), stop_reason::succeeded);
  EXPECT_EQ(reason(all, {error_kind::transient, retry_safety::no, 0ns}), stop_reason::not_retryable);
  retriers const in_time{{{.error_equals = {"States.Timeout"}}}};
  EXPECT_EQ(reason(in_time, {error_kind::timeout}), stop_reason::succeeded);
  EXPECT_EQ(reason(in_time, {error_kind::transient}), stop_reason::not_retryable);
}

TEST(StepFunctionsStrategy, APollWaitsByTheRetrierOfTasks) {
  auto const poll = [](retriers const& list) {
    durations delays;
    auto const told = anew::poll(
        strategy{list}, [] { return false; }, anew::success_when([](bool ready) { return ready; }),
        [&](anew::duration delay) { delays.push_back(delay); });
    return std::pair{told.reason(), delays};
  };
  EXPECT_EQ(poll(retriers{{{.error_equals = {"A"}, .interval = 9s}, {.error_equals = {"States.ALL"}}}}),
            (std::pair{stop_reason::attempts, durations{1s, 2s, 4s}}));
  EXPECT_EQ(poll(retriers{{{.error_equals = {"A"}, .interval = 9s}, {.error_equals = {"B"}, .interval = 2s}}}),
            (std::pair{stop_reason::attempts, durations{2s, 4s, 8s}}))
      << "no retrier matches a task that failed: the last one";
  EXPECT_EQ(poll(retriers{{}}), (std::pair{stop_reason::attempts, durations{}}));
}

/// As std::expected<int, E>.
template <class E>
struct result {
  bool good = false;
  E failed{};
  [[nodiscard]] bool has_value() const { return good; }
  [[nodiscard]] E const& error() const { return failed; }
};

template <class E>
told drive(std::vector<E> const& errors, retriers const& list) {
  told all;
  std::size_t next = 0;
  auto const outcome = anew::retry_outcome(
      strategy{list}, [&] { return next == errors.size() ? result<E>{true} : result<E>{false, errors[next++]}; },
      [&](anew::duration d) { all.delays.push_back(d); });
  all.reason = outcome.reason();
  return all;
}

TEST(StepFunctionsStrategy, IsDrivenByRetry) {
  retriers const list{
      {{.error_equals = {"Their.Error1"}, .interval = 1s}, {.error_equals = {"Their.Error2"}, .interval = 9s}}};
  auto const strings = drive<std::string>({"Their.Error2", "Their.Error1", "Their.Error2"}, list);
  EXPECT_EQ(strings.delays, (durations{9s, 1s, 18s}));
  EXPECT_EQ(strings.reason, stop_reason::succeeded);
  EXPECT_EQ(drive<std::string>({"Their.Error3"}, list).reason, stop_reason::not_retryable);
  EXPECT_EQ(drive<theirs::error>({{2}, {1}}, list).delays, (durations{9s, 1s}));
  EXPECT_EQ(list.classify(std::string{"Their.Error1"}).what().kind, anew::error_kind::transient);
  retriers const all{{{.error_equals = {"States.ALL"}}}};
  EXPECT_EQ(all.classify("States.Timeout").what().kind, anew::error_kind::timeout);
  EXPECT_EQ(all.classify("States.HeartbeatTimeout").what().kind, anew::error_kind::timeout);
}

#if ANEW_EXCEPTIONS
TEST(StepFunctionsStrategy, ReadsTaskErrorsAndLeavesOtherExceptionsAlone) {
  strategy const retry{retriers{{{.error_equals = {"Busy"}, .interval = 1ns, .max_attempts = 2}}}};
  auto const attempts = [&retry](auto const& error) {
    return anew::retry_outcome(retry, [&]() -> int { throw error; }, [](anew::duration) {}).attempts();
  };
  EXPECT_EQ(attempts(task_error{"Busy", "queue"}), 3U);
  EXPECT_EQ(attempts(std::runtime_error{"Busy"}), 1U);
  task_error const error{"Busy", "queue"};
  EXPECT_STREQ(error.what(), "Busy");
  EXPECT_EQ(error.error_name(), "Busy");
  EXPECT_EQ(error.cause(), "queue");
}
#endif

TEST(StepFunctionsRetriers, RefuseWhatTheLanguageDoesNotPermit) {
  std::string const self = "anew::step_functions::retriers: ";
  using list = std::vector<retrier_settings>;
  auto const refused = [&](list const& settings, char const* why) { EXPECT_REJECTED(retriers{settings}, self + why); };
  refused({{}}, "[0].ErrorEquals must name an error, but is empty");
  refused({{.error_equals = {"A", ""}}}, "[0].ErrorEquals must not name an error without a name, but is \"\"");
  refused({{.error_equals = {"A"}}, {.error_equals = {"B", "States.ALL"}}},
          "[1].ErrorEquals must have States.ALL alone, but is one of several");
  refused({{.error_equals = {"States.ALL"}}, {.error_equals = {"B"}}},
          "[0].ErrorEquals must have States.ALL in the last retrier only, but is not the last");
  refused({{.error_equals = {"A"}, .interval = 0s}},
          "[0].IntervalSeconds must be above zero and at most 99999999s, but is 0s");
  refused({{.error_equals = {"A"}, .interval = 100'000'000s}},
          "[0].IntervalSeconds must be above zero and at most 99999999s, but is 100000000s");
  refused({{.error_equals = {"A"}, .max_attempts = 100'000'000}},
          "[0].MaxAttempts must be at most 99999999, but is 100000000");
  refused({{.error_equals = {"A"}, .backoff_rate = {9, 10}}}, "[0].BackoffRate must be at least 1, but is 9/10");
  refused({{.error_equals = {"A"}, .backoff_rate = {9, 0}}}, "[0].BackoffRate must be at least 1, but is 9/0");
  refused({{.error_equals = {"A"}, .max_delay = 0s}},
          "[0].MaxDelaySeconds must be above zero and below 31622400s, but is 0s");
  refused({{.error_equals = {"A"}, .max_delay = 31'622'400s}},
          "[0].MaxDelaySeconds must be above zero and below 31622400s, but is 31622400s");
  list many(1001, retrier_settings{.error_equals = {"A"}});
  EXPECT_REJECTED(retriers{many}, self + "must have at most 1000 retriers, but is 1001");
  many.pop_back();
  EXPECT_EQ(retriers{many}.size(), 1000U);
  list const bounds{{.error_equals = {"A"},
                     .interval = 5s,
                     .max_attempts = 99'999'999,
                     .backoff_rate = anew::rational{1},
                     .max_delay = 5s},
                    {.error_equals = {"States.ALL"}, .max_delay = 31'622'399s}};
  EXPECT_EQ(retriers{bounds}.size(), 2U);
  EXPECT_EQ(retriers{bounds}.describe(), "step_functions(2)");
}

static_assert(anew::RetryStrategy<strategy<>>);
static_assert(sizeof(retrier<3s, 3, anew::rational{3, 2}>) == 1);

}  // namespace
}  // namespace preset_step_functions_test
