// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <chrono>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/observer/fan_out.hpp"
#include "anew/observer/timeline.hpp"

namespace observer_timeline_test {
namespace {

using namespace std::chrono_literals;
using anew::delay_origin;
using anew::directive;
using anew::duration;
using anew::error_kind;
using anew::in_words;
using anew::retry_safety;
using anew::severity;
using anew::stop_reason;
using lines = std::vector<std::string>;

struct to_lines {
  lines* to;
  void operator()(std::string_view line) const { to->emplace_back(line); }
};
struct to_lines_with_severity {
  lines* to;
  void operator()(severity how_loud, std::string_view line) const {
    to->push_back(std::string{to_string(how_loud)}.append("|").append(line));
  }
};

static_assert(anew::Observer<anew::timeline<to_lines>> && anew::timeline<to_lines>::is_sound);
static_assert(anew::timeline<to_lines_with_severity>::is_sound);
static_assert(anew::timeline<void (*)(std::string_view)>::is_sound);
static_assert(!anew::timeline<void (*)(int*)>::is_sound && !anew::timeline<int>::is_sound);
static_assert(!anew::Composable<anew::timeline<int>> && anew::Composable<anew::timeline<to_lines>>);
inline constexpr auto counts_lines = [n = 0](std::string_view /*line*/) mutable { return ++n; };
static_assert(!anew::timeline<std::remove_const_t<decltype(counts_lines)>>::is_sound, "a sink is const");

auto strategy_with(auto observer) {
  auto const hinted = [](std::false_type /*e*/) { return directive::retry(error_kind::throttling, duration{30ms}); };
  return anew::compose(anew::retry_if{hinted}, anew::constant_backoff{20ms}, anew::no_jitter{},
                       anew::server_hint{anew::long_hint::stop, 1s}, anew::max_attempts<3>{}, std::move(observer));
}
constexpr auto no_sleep = [](duration /*d*/) {};

TEST(Timeline, OneLineForEachAttemptAndOneForTheEnd) {
  lines heard;
  int calls = 0;
  EXPECT_TRUE(
      anew::retry(strategy_with(anew::timeline{to_lines{&heard}, "report"}), [&] { return ++calls == 3; }, no_sleep));
  EXPECT_EQ(heard, (lines{"report: attempt 1: throttling, safe to repeat; waits 30 ms (hint)",
                          "report: attempt 2: throttling, safe to repeat; waits 30 ms (hint)",
                          "report: attempt 3: success", "report: succeeded after 3 attempts"}));
}

TEST(Timeline, TheLastFailureWaitsForNothing) {
  lines heard;
  EXPECT_FALSE(anew::retry(strategy_with(anew::timeline{to_lines{&heard}}), [] { return false; }, no_sleep));
  EXPECT_EQ(heard, (lines{"attempt 1: throttling, safe to repeat; waits 30 ms (hint)",
                          "attempt 2: throttling, safe to repeat; waits 30 ms (hint)",
                          "attempt 3: throttling, safe to repeat", "gave up: all 3 attempts failed"}));
}

TEST(Timeline, TellsASinkThatAsksHowLoudALineIs) {
  lines heard;
  EXPECT_FALSE(
      anew::retry(strategy_with(anew::timeline{to_lines_with_severity{&heard}, "x"}), [] { return false; }, no_sleep));
  EXPECT_TRUE(
      anew::retry(strategy_with(anew::timeline{to_lines_with_severity{&heard}, "y"}), [] { return true; }, no_sleep));
  EXPECT_EQ(heard, (lines{"info|x: attempt 1: throttling, safe to repeat; waits 30 ms (hint)",
                          "info|x: attempt 2: throttling, safe to repeat; waits 30 ms (hint)",
                          "error|x: attempt 3: throttling, safe to repeat", "error|x: gave up: all 3 attempts failed",
                          "debug|y: attempt 1: success", "debug|y: succeeded at once"}));
}

TEST(Timeline, OfTwoCallsAtOnceEachLineIsWhole) {
  struct shared_sink {
    lines* to;
    std::mutex* mutex;
    void operator()(std::string_view line) const {
      std::lock_guard const lock{*mutex};
      to->emplace_back(line);
    }
  };
  lines heard;
  std::mutex mutex;
  auto const strategy = strategy_with(anew::timeline{shared_sink{&heard, &mutex}, "call"});
  std::vector<std::thread> threads;
  for (int i = 0; i != 4; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n != 50; ++n) (void)anew::retry(strategy, [] { return false; }, no_sleep);
    });
  }
  for (auto& t : threads) t.join();
  ASSERT_EQ(heard.size(), 4U * 50 * 4);
  for (auto const& line : heard) EXPECT_EQ(line.find("call: "), 0U) << line;
}

TEST(Timeline, StandsBesideOthers) {
  lines one;
  lines two;
  EXPECT_TRUE(anew::retry(
      strategy_with(anew::fan_out{anew::timeline{to_lines{&one}, "a"}, anew::timeline{to_lines{&two}, "b"}}),
      [] { return true; }, no_sleep));
  EXPECT_EQ(one, (lines{"a: attempt 1: success", "a: succeeded at once"}));
  EXPECT_EQ(two, (lines{"b: attempt 1: success", "b: succeeded at once"}));
}

TEST(Timeline, DescribesItself) { EXPECT_EQ((anew::timeline{to_lines{nullptr}, "x"}.describe()), "timeline"); }

TEST(InWords, ADurationAsOneWouldSayIt) {
  for (auto const& [d, words] : std::vector<std::pair<duration, char const*>>{{0ns, "0.0 ms"},
                                                                              {1500us, "1.5 ms"},
                                                                              {9'949us, "9.9 ms"},
                                                                              {9'951us, "10 ms"},
                                                                              {37ms, "37 ms"},
                                                                              {999'400us, "999 ms"},
                                                                              {999'600us, "1.00 s"},
                                                                              {1'060ms, "1.06 s"},
                                                                              {119'990ms, "119.99 s"},
                                                                              {120s, "2m 0s"},
                                                                              {450s, "7m 30s"},
                                                                              {3'599s, "59m 59s"},
                                                                              {3'600s, "1.0 h"},
                                                                              {2h, "2.0 h"},
                                                                              {duration::max(), "2562047.8 h"}}) {
    EXPECT_EQ(in_words(d), words);
  }
}

TEST(InWords, AVerdict) {
  EXPECT_EQ(in_words(directive::succeed()), "success");
  EXPECT_EQ(in_words(directive::fail()), "final");
  EXPECT_EQ(in_words(directive::retry({error_kind::timeout, retry_safety::yes, {}})), "timeout, safe to repeat");
  EXPECT_EQ(in_words(directive::retry({error_kind::server, retry_safety::maybe, {}})), "server, may have run");
  EXPECT_EQ(in_words(directive::retry({error_kind::client, retry_safety::no, {}})), "client, not to repeat");
}

TEST(InWords, AWait) {
  EXPECT_EQ(in_words(anew::planned_delay{184ms, delay_origin::backoff}), "184 ms (backoff)");
  EXPECT_EQ(in_words(anew::planned_delay{2s, delay_origin::quota}), "2.00 s (quota)");
}

TEST(InWords, EveryEndSaysSomethingOfItsOwn) {
  lines all;
  for (auto reason : {stop_reason::succeeded, stop_reason::not_retryable, stop_reason::unclassified,
                      stop_reason::not_idempotent, stop_reason::not_replayable, stop_reason::attempts,
                      stop_reason::nested, stop_reason::quota, stop_reason::deadline, stop_reason::hint_too_long,
                      stop_reason::gate_closed, stop_reason::cancelled, static_cast<stop_reason>(99)}) {
    auto const words = in_words(anew::end_event{2, reason});
    EXPECT_EQ(std::count(all.begin(), all.end(), words), 0) << words;
    all.push_back(words);
  }
  EXPECT_EQ(all.front(), "succeeded after 2 attempts");
  EXPECT_EQ(all[5], "gave up: all 2 attempts failed");
  EXPECT_EQ(all.back(), "ended");
  EXPECT_EQ(in_words(anew::end_event{1, stop_reason::attempts}), "gave up: the only permitted attempt failed");
  EXPECT_EQ(in_words(anew::end_event{1, stop_reason::succeeded}), "succeeded at once");
  EXPECT_EQ(in_words(anew::end_event{3, stop_reason::quota}), "gave up: the quota that all retries share is spent");
}

}  // namespace
}  // namespace observer_timeline_test
