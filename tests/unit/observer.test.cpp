// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/drivers/declarations.hpp"
#include "anew/hedge.hpp"
#include "anew/policies/classifier/error_code.hpp"
#include "anew/policies/observer/fan_out.hpp"
#include "anew/policies/observer/severity.hpp"
#include "anew/policies/observer/timeline.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/recorder.hpp"

#include "lines.hpp"
#include "names.hpp"
#include "together.hpp"

namespace observer_test {
namespace {

using namespace anew;

using story = std::vector<std::string>;

struct hears_all {
  using role = roles::observer;
  story* to;
  std::string name;
  void on_attempt(attempt_event const& e) const { to->push_back(name + " attempt " + std::to_string(e.attempt)); }
  void on_retry(retry_event const& e) const { to->push_back(name + " retry " + std::to_string(e.attempt)); }
  void on_end(end_event const& e) const { to->push_back(name + " end " + std::to_string(e.attempts)); }
  [[nodiscard]] std::string describe() const { return name; }
};

struct hears_attempts {
  using role = roles::observer;
  story* to;
  void on_attempt(attempt_event const& e) const { to->push_back("attempts " + std::to_string(e.attempt)); }
};

struct hears_the_end {
  using role = roles::observer;
  story* to;
  void on_end(end_event const& e) const { to->push_back("end " + std::to_string(e.attempts)); }
};

struct hears_retries {
  using role = roles::observer;
  story* to;
  void on_retry(retry_event const& e) const { to->push_back("retries " + std::to_string(e.attempt)); }
};

struct empty_one {
  using role = roles::observer;
  static inline int heard = 0;
  static void on_end(end_event const& /*e*/) { ++heard; }
};
struct empty_two {
  using role = roles::observer;
  static inline int heard = 0;
  static void on_retry(retry_event const& /*e*/) { ++heard; }
};

struct not_const {
  using role = roles::observer;
  void on_end(end_event const& /*e*/) {}
};

/// What an observer hears.
enum event : unsigned { attempts = 1, retries = 2, the_end = 4 };
template <class O>
consteval unsigned events_of() {
  unsigned heard = 0;
  if constexpr (requires(O const& o, attempt_event const& e) { o.on_attempt(e); }) heard |= attempts;
  if constexpr (requires(O const& o, retry_event const& e) { o.on_retry(e); }) heard |= retries;
  if constexpr (requires(O const& o, end_event const& e) { o.on_end(e); }) heard |= the_end;
  return heard;
}

/// A call that succeeds at its attempt `calls`, with this observer.
void run(auto observer, int calls) {
  int made = 0;
  auto const strategy = compose(retry_all{}, no_backoff{}, max_attempts<5>{}, std::move(observer));
  EXPECT_TRUE(retry(strategy, [&] { return ++made == calls; }));
}

static_assert(anew::Observer<fan_out<empty_one>>);
static_assert(anew::Observer<fan_out<hears_attempts, hears_the_end, hears_retries>>);
static_assert(fan_out<hears_attempts, hears_the_end>::is_sound);

// What nobody hears is not told: a strategy has no code for it.
static_assert(events_of<fan_out<hears_attempts>>() == attempts && events_of<fan_out<hears_the_end>>() == the_end);
static_assert(events_of<fan_out<hears_retries, empty_two>>() == retries);
static_assert(events_of<fan_out<hears_the_end, hears_attempts>>() == (attempts | the_end));
static_assert(events_of<fan_out<empty_one, fan_out<empty_two>>>() == (retries | the_end));
// What cannot be composed says so, and keeps the shape of an observer for as long as that takes.
static_assert(!fan_out<>::is_sound && anew::Observer<fan_out<>>);
static_assert(!fan_out<empty_one, int>::is_sound && anew::Observer<fan_out<empty_one, int>>);
static_assert(!fan_out<not_const>::is_sound && !fan_out<full_jitter>::is_sound);
static_assert(!fan_out<empty_two, fan_out<>>::is_sound);
static_assert(!Composable<fan_out<>> && !Composable<fan_out<empty_one, fan_out<int>>>);
static_assert(Composable<fan_out<empty_one, empty_two>>);

static_assert(std::is_empty_v<fan_out<empty_one, empty_two>>);
static_assert(sizeof(anew::strategy<fan_out<empty_one, empty_two>>) == 1);
static_assert(std::is_default_constructible_v<fan_out<empty_one, empty_two>>);
static_assert(std::is_same_v<decltype(fan_out{empty_one{}, hears_the_end{}}), fan_out<empty_one, hears_the_end>>);

TEST(FanOut, TellsEveryOneInOrder) {
  story heard;
  run(fan_out{hears_all{&heard, "a"}, hears_all{&heard, "b"}}, 2);
  EXPECT_EQ(heard, (story{"a attempt 1", "b attempt 1", "a retry 2", "b retry 2", "a attempt 2", "b attempt 2",
                          "a end 2", "b end 2"}));
}

TEST(FanOut, TellsEachOnlyWhatItHears) {
  story heard;
  run(fan_out{hears_the_end{&heard}, hears_retries{&heard}, hears_attempts{&heard}}, 2);
  EXPECT_EQ(heard, (story{"attempts 1", "retries 2", "attempts 2", "end 2"}));
}

TEST(FanOut, MayHoldTheSameTypeTwiceAndOthersOfItsKind) {
  story heard;
  run(fan_out{hears_the_end{&heard}, fan_out{hears_attempts{&heard}, hears_the_end{&heard}}}, 1);
  EXPECT_EQ(heard, (story{"attempts 1", "end 1", "end 1"}));
}

TEST(FanOut, HandsOnTheWholeEvent) {
  anew::testing::recorder::heard heard;
  fan_out const both{empty_one{}, anew::testing::recorder{heard}};
  auto const what = failure{error_kind::timeout, retry_safety::maybe, duration{7}};
  both.on_attempt({3, directive::retry(what), true});
  both.on_retry({4, what, duration{9}, delay_origin::hint});
  both.on_end({4, stop_reason::quota});
  anew::time_point now{};
  both.on_change(anew::gate_change{anew::breaker_state::open, anew::breaker_state::half_open}, now);
  auto const& [lines, attempts, retries, ends, changes] = heard;
  ASSERT_EQ(attempts.size() + retries.size() + ends.size() + changes.size(), 4U);
  EXPECT_EQ(changes[0].to, anew::breaker_state::half_open);
  EXPECT_EQ(attempts[0].attempt, 3U);
  EXPECT_EQ(attempts[0].verdict.what(), what);
  EXPECT_TRUE(attempts[0].is_final);
  EXPECT_EQ(retries[0].what, what);
  EXPECT_EQ(retries[0].delay, duration{9});
  EXPECT_EQ(retries[0].origin, delay_origin::hint);
  EXPECT_EQ(ends[0].reason, stop_reason::quota);
}

TEST(FanOut, OfTypesNeedsNoValues) {
  empty_one::heard = empty_two::heard = 0;
  int made = 0;
  EXPECT_TRUE(
      retry(anew::strategy<retry_all, no_backoff, fan_out<empty_one, empty_two>>{}, [&] { return ++made == 3; }));
  EXPECT_EQ(empty_one::heard, 1);
  EXPECT_EQ(empty_two::heard, 2);
}

TEST(FanOut, DescribesItsObservers) {
  EXPECT_EQ((fan_out{hears_all{nullptr, "log"}, hears_all{nullptr, "counters"}}.describe()), "fan_out(log,counters)");
  EXPECT_EQ((fan_out{hears_all{nullptr, "log"}, empty_one{}}.describe()), "fan_out(log,observer)");
}

TEST(FanOut, IsAConstantExpression) {
  struct counting {
    using role = roles::observer;
    std::uint32_t* attempts;
    constexpr void on_end(end_event const& e) const { *attempts += e.attempts; }
  };
  constexpr auto sum = [] {
    std::uint32_t attempts = 0;
    fan_out{counting{&attempts}, counting{&attempts}}.on_end({3, stop_reason::attempts});
    return attempts;
  };
  static_assert(sum() == 6);
}

#if ANEW_EXCEPTIONS
TEST(FanOut, OneThatThrowsEndsTheCallAndThoseBehindItAreNotTold) {
  struct thrower {
    using role = roles::observer;
    static void on_retry(retry_event const& /*e*/) { throw 7; }
  };
  story heard;
  auto const strategy =
      compose(retry_all{}, no_backoff{}, fan_out{hears_all{&heard, "a"}, thrower{}, hears_all{&heard, "b"}});
  EXPECT_THROW((void)retry(strategy, [] { return false; }), int);
  EXPECT_EQ(heard, (story{"a attempt 1", "b attempt 1", "a retry 2"}));
}
#endif

constexpr auto failed = directive::retry(error_kind::transient);

// A success at once is for whoever debugs.
static_assert(severity_of(attempt_event{1, directive::succeed(), true}) == severity::debug);
static_assert(severity_of(end_event{1, stop_reason::succeeded}) == severity::debug);

TEST(Severity, ASuccessAfterRetriesIsAsLoudAsTheFailuresBeforeIt) {
  for (unsigned attempt : {2U, 3U, ~0U}) {
    EXPECT_EQ(severity_of(attempt_event{attempt, directive::succeed(), true}), severity::info);
    EXPECT_EQ(severity_of(end_event{attempt, stop_reason::succeeded}), severity::info);
    EXPECT_EQ(severity_of(attempt_event{attempt, failed, false}), severity::info);
  }
  EXPECT_EQ(severity_of(attempt_event{1, failed, false}), severity::info);
  EXPECT_EQ(severity_of(retry_event{2, {}, {}, delay_origin::backoff}), severity::info);
}

TEST(Severity, AFailureThatStaysOneIsAnError) {
  for (auto const& verdict : {failed, directive::fail()}) {
    EXPECT_EQ(severity_of(attempt_event{1, verdict, true}), severity::error);
    EXPECT_EQ(severity_of(attempt_event{3, verdict, true}), severity::error);
  }
}

TEST(Severity, EveryEndButSuccessAndAStopIsAnError) {
  for (auto reason : {stop_reason::not_retryable, stop_reason::unclassified, stop_reason::not_idempotent,
                      stop_reason::not_replayable, stop_reason::attempts, stop_reason::nested, stop_reason::quota,
                      stop_reason::deadline, stop_reason::hint_too_long, stop_reason::gate_closed}) {
    EXPECT_EQ(severity_of(end_event{1, reason}), severity::error) << to_string(reason);
    EXPECT_EQ(severity_of(end_event{3, reason}), severity::error) << to_string(reason);
  }
  EXPECT_EQ(severity_of(end_event{1, stop_reason::cancelled}), severity::info);
}

TEST(Severity, HasNamesAndAnOrder) {
  EXPECT_STREQ(to_string(severity::debug), "debug");
  EXPECT_STREQ(to_string(severity::info), "info");
  EXPECT_STREQ(to_string(severity::error), "error");
  EXPECT_STREQ(to_string(static_cast<severity>(77)), "unknown");
  EXPECT_TRUE(severity::debug < severity::info && severity::info < severity::error);
}

using support::lines, support::to_lines, support::to_lines_with_severity;

static_assert(anew::Observer<timeline<to_lines>> && timeline<to_lines>::is_sound);
static_assert(timeline<to_lines_with_severity>::is_sound && timeline<void (*)(std::string_view)>::is_sound);
static_assert(!timeline<void (*)(int*)>::is_sound && !timeline<int>::is_sound);
static_assert(!Composable<timeline<int>> && Composable<timeline<to_lines>>);
inline constexpr auto counts_lines = [n = 0](std::string_view /*line*/) mutable { return ++n; };
static_assert(!timeline<std::remove_const_t<decltype(counts_lines)>>::is_sound, "a sink is const");

auto strategy_with(auto observer) {
  auto const hinted = [](std::false_type /*e*/) { return directive::retry(error_kind::throttling, duration{30ms}); };
  return compose(retry_if{hinted}, constant_backoff{20ms}, no_jitter{}, server_hint{long_hint::stop, 1s},
                 max_attempts<3>{}, std::move(observer));
}
/// Lines without the numbers of their calls and the time, which no test knows.
lines known_parts(lines all) {
  for (auto& line : all) {
    auto const number = line.find('#');
    auto const end = line.find(':', number);
    EXPECT_NE(end, std::string::npos) << line;
    if (line.find(", in ") != std::string::npos) line.erase(line.rfind(", in "));
    line.erase(number, end - number);
  }
  return all;
}

TEST(Timeline, OneLineForEachAttemptAndOneForTheEnd) {
  lines heard;
  int calls = 0;
  EXPECT_TRUE(retry(strategy_with(timeline{to_lines{&heard}, "report"}), [&] { return ++calls == 3; }, no_sleep));
  EXPECT_EQ(known_parts(heard), (lines{"report : attempt 1: throttling, safe to repeat; waits 30 ms (hint)",
                                       "report : attempt 2: throttling, safe to repeat; waits 30 ms (hint)",
                                       "report : attempt 3: success", "report : succeeded after 3 attempts"}));
}

TEST(Timeline, TellsCallsApartTheErrorAndHowLongTheyTook) {
  lines heard;
  manual_clock clock;
  auto const s = compose(error_code_classifier{}, constant_backoff{20ms}, no_jitter{}, max_attempts<2>{},
                         timeline{to_lines{&heard}, "report"}, clock);
  auto const refused = std::make_error_code(std::errc::connection_refused);
  for (int call = 0; call != 2; ++call) {
    EXPECT_TRUE(retry(s, named(idempotent([&] { return refused; }), "read"), advancing_sleeper{clock}));
  }
  ASSERT_EQ(heard.size(), 6U);
  auto const ends = [](std::string const& line, std::string const& end) { return line.ends_with(end); };
  EXPECT_TRUE(
      ends(heard[0], " read: attempt 1: transient, safe to repeat: " + refused.message() + "; waits 20 ms (backoff)"))
      << heard[0];
  EXPECT_TRUE(ends(heard[2], " read: gave up: all 2 attempts failed, in 20 ms")) << heard[2];
  auto const prefix = [&](unsigned at) { return heard[at].substr(0, heard[at].find(':')); };
  EXPECT_EQ(prefix(0), prefix(2));
  EXPECT_NE(prefix(2), prefix(3));
}

TEST(Timeline, AttemptsThatOverlapHaveTheirOwnLines) {
  lines heard;
  auto const s = compose(retry_all{}, constant_backoff{20ms}, no_jitter{}, max_attempts<3>{},
                         timeline{to_lines{&heard}, "report"}, manual_clock{});
  hedge_after<10ms> const hedging;
  hedge_machine call{s, hedging, anew::idempotent_call};
  std::ignore = call.begin();
  ASSERT_EQ(call.on_time().start, 2U);
  std::ignore = call.on_verdict(2, directive::retry(error_kind::throttling));
  std::ignore = call.on_verdict(1, directive::retry(error_kind::server));
  ASSERT_EQ(call.on_time().start, 3U);
  ASSERT_TRUE(call.on_success(3).finished);
  EXPECT_EQ(known_parts(heard), (lines{"report : attempt 2: a hedge", "report : attempt 2: throttling, safe to repeat",
                                       "report : attempt 1: server, safe to repeat; waits 20 ms (backoff)",
                                       "report : attempt 3: success", "report : succeeded after 3 attempts"}));
}

TEST(Timeline, TellsChanges) {
  using enum anew::breaker_state;
  lines heard;
  timeline const labelled{to_lines_with_severity{&heard}, "x"};
  labelled.on_change(anew::gate_change{closed, open});
  timeline{to_lines_with_severity{&heard}}.on_change(anew::gate_change{open, half_open});
  labelled.on_change({{closed, open}, anew::changed::quota});
  labelled.on_change({{open, closed}, anew::changed::quota});
  labelled.on_change({{closed, open}, anew::changed::pacer});
  EXPECT_EQ(heard,
            (lines{"error|x gate: closed -> open", "info|gate: open -> half_open", "error|x quota: granting -> empty",
                   "info|x quota: empty -> granting", "info|x pacer: free -> slowing"}));
}

TEST(Timeline, TheLastFailureWaitsForNothing) {
  lines heard;
  EXPECT_FALSE(retry(strategy_with(timeline{to_lines{&heard}}), [] { return false; }, no_sleep));
  EXPECT_EQ(known_parts(heard), (lines{": attempt 1: throttling, safe to repeat; waits 30 ms (hint)",
                                       ": attempt 2: throttling, safe to repeat; waits 30 ms (hint)",
                                       ": attempt 3: throttling, safe to repeat", ": gave up: all 3 attempts failed"}));
}

TEST(Timeline, TellsASinkThatAsksHowLoudALineIs) {
  lines heard;
  EXPECT_FALSE(retry(strategy_with(timeline{to_lines_with_severity{&heard}, "x"}), [] { return false; }, no_sleep));
  EXPECT_TRUE(retry(strategy_with(timeline{to_lines_with_severity{&heard}, "y"}), [] { return true; }, no_sleep));
  EXPECT_EQ(known_parts(heard),
            (lines{"info|x : attempt 1: throttling, safe to repeat; waits 30 ms (hint)",
                   "info|x : attempt 2: throttling, safe to repeat; waits 30 ms (hint)",
                   "error|x : attempt 3: throttling, safe to repeat", "error|x : gave up: all 3 attempts failed",
                   "debug|y : attempt 1: success", "debug|y : succeeded at once"}));
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
  auto const strategy = strategy_with(timeline{shared_sink{&heard, &mutex}, "call"});
  support::together(4, [&](unsigned /*thread*/) {
    for (int n = 0; n != 50; ++n) (void)retry(strategy, [] { return false; }, no_sleep);
  });
  ASSERT_EQ(heard.size(), 4U * 50 * 4);
  for (auto const& line : heard) EXPECT_EQ(line.find("call #"), 0U) << line;
}

TEST(Timeline, DescribesItself) { EXPECT_EQ((timeline{to_lines{nullptr}, "x"}.describe()), "timeline"); }

TEST(InWords, ADurationAsOneWouldSayIt) {
  using row = std::pair<duration, char const*>;
  for (auto const& [d, words] :
       {row{0ns, "0.0 ms"}, row{1500us, "1.5 ms"}, row{9'949us, "9.9 ms"}, row{9'951us, "10 ms"}, row{37ms, "37 ms"},
        row{999'400us, "999 ms"}, row{999'600us, "1.00 s"}, row{1'060ms, "1.06 s"}, row{119'990ms, "119.99 s"},
        row{120s, "2m 0s"}, row{450s, "7m 30s"}, row{3'599s, "59m 59s"}, row{3'600s, "1.0 h"}, row{2h, "2.0 h"},
        row{duration::max(), "2562047.8 h"}}) {
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
  EXPECT_EQ(in_words(planned_delay{184ms, delay_origin::backoff}), "184 ms (backoff)");
  EXPECT_EQ(in_words(planned_delay{2s, delay_origin::quota}), "2.00 s (quota)");
}

TEST(InWords, EveryEndSaysSomethingOfItsOwn) {
  lines all;
  for (auto reason : {stop_reason::succeeded, stop_reason::not_retryable, stop_reason::unclassified,
                      stop_reason::not_idempotent, stop_reason::not_replayable, stop_reason::attempts,
                      stop_reason::nested, stop_reason::quota, stop_reason::deadline, stop_reason::hint_too_long,
                      stop_reason::gate_closed, stop_reason::cancelled, static_cast<stop_reason>(99)}) {
    auto const words = in_words(end_event{2, reason});
    EXPECT_EQ(std::count(all.begin(), all.end(), words), 0) << words;
    all.push_back(words);
  }
  EXPECT_EQ(all.front(), "succeeded after 2 attempts");
  EXPECT_EQ(all[5], "gave up: all 2 attempts failed");
  EXPECT_EQ(all.back(), "ended");
  EXPECT_EQ(in_words(end_event{1, stop_reason::attempts}), "gave up: the only permitted attempt failed");
  EXPECT_EQ(in_words(end_event{1, stop_reason::succeeded}), "succeeded at once");
  EXPECT_EQ(in_words(end_event{3, stop_reason::quota}), "gave up: the quota that all retries share is spent");
}

}  // namespace
}  // namespace observer_test
