// SPDX-License-Identifier: BSL-1.0
// What a gate does to a call: it refuses the first attempt or a later one, lets it wait, and gets each pass back once.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/gate/circuit_breaker.hpp"
#include "anew/gate/cool_down.hpp"
#include "anew/nesting/nesting_guard.hpp"
#include "anew/testing/advancing_sleeper.hpp"
#include "anew/testing/lowest_random.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/recording_sleeper.hpp"
#include "anew/testing/scripted_random.hpp"

#include "driver_support.hpp"
#include "recording_quota.hpp"

namespace retry_gate_test {
namespace {

using namespace std::chrono_literals;
using anew::duration;
using anew::stop_reason;
using anew::testing::advancing_sleeper;
using anew::testing::manual_clock;
using anew::testing::recording_sleeper;
using support::flag_stop;
using support::recorder;
using story = std::vector<std::string>;

/// Answers as it is told, admits when it is told nothing, and keeps books: every pass comes back once.
class scripted_gate {
 public:
  using role = anew::roles::gate;
  using pass_type = std::uint32_t;
  struct books {
    std::vector<duration> waits;  ///< one for each question: 0 admits, below 0 refuses
    std::size_t asked = 0;
    pass_type last = 0;
    bool foresees_refusal = false;
    std::vector<anew::time_point> asked_at;
    std::vector<anew::time_point> foreseen_at;
    story told;
  };
  explicit scripted_gate(books& in) : books_{&in} {}

  [[nodiscard]] anew::admission<pass_type> try_enter(anew::time_point now) const {
    books_->asked_at.push_back(now);
    auto const index = books_->asked++;
    auto const wait = index < books_->waits.size() ? books_->waits[index] : duration::zero();
    if (wait > 0s) return anew::admission<pass_type>::ask_again_in(wait);
    if (wait < 0s) return anew::admission<pass_type>::refuse();
    return anew::admission<pass_type>::admit(++books_->last);
  }
  void on_success(pass_type pass, anew::time_point) const { tell("success", pass); }
  void on_failure(pass_type pass, anew::failure const& what, anew::time_point) const {
    tell(std::string{to_string(what.kind)}.c_str(), pass);
  }
  void release(pass_type pass) const { tell("release", pass); }
  [[nodiscard]] bool would_refuse(anew::time_point at) const {
    books_->foreseen_at.push_back(at);
    return books_->foresees_refusal;
  }

 private:
  void tell(char const* what, pass_type pass) const {
    books_->told.push_back(std::string{what} + " " + std::to_string(pass));
  }
  books* books_;
};
static_assert(anew::Gate<scripted_gate>);

constexpr duration refuse{-1};

/// A result that carries an error and says what a refused call returns.
struct answer {
  std::string error_text;
  [[nodiscard]] bool has_value() const { return error_text.empty(); }
  [[nodiscard]] std::string const& error() const { return error_text; }
};

}  // namespace
}  // namespace retry_gate_test

template <>
struct anew::refused_result<retry_gate_test::answer> {
  static retry_gate_test::answer make(anew::stop_reason why) { return {std::string{"not tried: "} + to_string(why)}; }
};

namespace retry_gate_test {
namespace {

struct fixture {
  scripted_gate::books gate{};
  manual_clock clock{};
  recorder::heard heard{};
  template <class... More>
  auto strategy(More... more) {
    return anew::compose(scripted_gate{gate}, manual_clock{clock}, anew::retry_all{}, anew::no_jitter{},
                         anew::constant_backoff<1s>{}, recorder{heard}, std::move(more)...);
  }
};

TEST(Gate, ACallThatIsAdmittedKnowsNothingOfIt) {
  fixture f;
  auto const strategy = f.strategy();
  EXPECT_TRUE(anew::retry(strategy, [] { return true; }));
  EXPECT_EQ(f.gate.told, story{"success 1"});
}

TEST(Gate, EachAttemptHasAPassOfItsOwn) {
  fixture f;
  auto const strategy = f.strategy();
  advancing_sleeper sleeper{f.clock};
  int calls = 0;
  EXPECT_TRUE(anew::retry(strategy, [&] { return ++calls == 3; }, sleeper));
  EXPECT_EQ(f.gate.told, (story{"transient 1", "transient 2", "success 3"}));
  auto const start = f.gate.asked_at.at(0);
  EXPECT_EQ(f.gate.asked_at, (std::vector<anew::time_point>{start, start + 1s, start + 2s}));  // after the sleep
  EXPECT_EQ(f.gate.foreseen_at, (std::vector<anew::time_point>{start + 1s, start + 2s}));      // where it would end
}

TEST(Gate, ARefusedFirstAttemptReturnsWhatTheResultSays) {
  fixture f;
  f.gate.waits = {refuse};
  auto const strategy = f.strategy();
  int calls = 0;
  auto const result = anew::retry(strategy, [&] {
    ++calls;
    return answer{};
  });
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(result.error_text, "not tried: gate_closed");
  EXPECT_EQ(f.heard.story, story{"end gate_closed after 0"});
  EXPECT_TRUE(f.gate.told.empty());
}

TEST(Gate, TheOutcomeOfARefusedCall) {
  fixture f;
  f.gate.waits = {refuse};
  auto const strategy = f.strategy();
  auto const outcome = anew::retry_outcome(strategy, [] { return answer{}; });
  EXPECT_EQ(outcome.reason(), stop_reason::gate_closed);
  EXPECT_EQ(outcome.attempts(), 0U);
  EXPECT_FALSE(outcome.succeeded());
  ASSERT_TRUE(outcome.has_result());
  EXPECT_EQ(outcome.result().error_text, "not tried: gate_closed");
}

TEST(Gate, ARefusedCallThrowsWhereTheResultSaysNothing) {
  fixture f;
  f.gate.waits = {refuse, refuse};
  auto const strategy = f.strategy();
  try {
    anew::retry(strategy, [] { return 1U; });
    FAIL();
  } catch (anew::call_refused const& refused) {
    EXPECT_EQ(refused.reason(), stop_reason::gate_closed);
    EXPECT_STREQ(refused.what(), "anew: the gate refused the attempt");
  }
  auto const outcome = anew::retry_outcome(strategy, [] { return 1U; });
  EXPECT_EQ(outcome.reason(), stop_reason::gate_closed);
  EXPECT_EQ(outcome.attempts(), 0U);
  EXPECT_FALSE(outcome.has_result());
  EXPECT_TRUE(outcome.exception());
  EXPECT_THROW(static_cast<void>(outcome.result()), anew::call_refused);
  EXPECT_EQ(f.heard.story, (story{"end gate_closed after 0", "end gate_closed after 0"}));
}

TEST(Gate, ARefusedCallOfAnOperationWithoutAResultThrows) {
  fixture f;
  f.gate.waits = {refuse};
  auto const strategy = f.strategy();
  EXPECT_THROW((void)anew::retry(strategy, [] {}), anew::call_refused);
}

TEST(Gate, ARefusalAfterTheSleepReturnsTheLastFailureUntouched) {
  fixture f;
  f.gate.waits = {0s, 0s, refuse};
  support::recording_quota const quota;
  auto const strategy = f.strategy(support::recording_quota{quota}, anew::max_attempts<5>{});
  advancing_sleeper sleeper{f.clock};
  int calls = 0;
  auto const outcome =
      anew::retry_outcome(strategy, [&] { return answer{"failure " + std::to_string(++calls)}; }, sleeper);
  EXPECT_EQ(outcome.reason(), stop_reason::gate_closed);
  EXPECT_EQ(outcome.attempts(), 2U);
  EXPECT_EQ(outcome.result().error_text, "failure 2");
  EXPECT_EQ(f.gate.told, (story{"transient 1", "transient 2"}));
  EXPECT_EQ(quota.book(), (story{"acquire 1", "failure 1", "acquire 2", "release 2"}));
  EXPECT_EQ(f.heard.story, (story{"attempt 1 may be retried", "retry 2", "attempt 2 may be retried", "retry 3",
                                  "end gate_closed after 2"}));
}

TEST(Gate, ARefusalAfterTheSleepRethrowsTheLastException) {
  fixture f;
  f.gate.waits = {0s, refuse};
  auto const strategy = f.strategy();
  advancing_sleeper sleeper{f.clock};
  auto const throws = []() -> unsigned { throw std::runtime_error{"the operation's"}; };
  try {
    anew::retry(strategy, throws, sleeper);
    FAIL();
  } catch (std::runtime_error const& e) {
    EXPECT_STREQ(e.what(), "the operation's");
  }
  f.gate.asked = 0;
  auto const outcome = anew::retry_outcome(strategy, throws, sleeper);
  EXPECT_EQ(outcome.reason(), stop_reason::gate_closed);
  EXPECT_FALSE(outcome.has_result());
  EXPECT_THROW(static_cast<void>(outcome.result()), std::runtime_error);
}

TEST(Gate, ARefusalThatIsForeseenSavesTheSleep) {
  fixture f;
  f.gate.foresees_refusal = true;
  support::recording_quota const quota;
  auto const strategy = f.strategy(support::recording_quota{quota});
  recording_sleeper sleeper;
  auto const outcome = anew::retry_outcome(strategy, [] { return answer{"it"}; }, sleeper);
  EXPECT_EQ(outcome.reason(), stop_reason::gate_closed);
  EXPECT_EQ(outcome.attempts(), 1U);
  EXPECT_EQ(outcome.result().error_text, "it");
  EXPECT_TRUE(sleeper.delays.empty());
  EXPECT_EQ(f.heard.story, (story{"attempt 1 may be retried", "end gate_closed after 1"}));
  EXPECT_TRUE(f.heard.attempts.at(0).is_final);
  EXPECT_EQ(quota.book(), (story{"acquire 1", "release 1"}));
}

TEST(Gate, ObserversHearWhatIsFinal) {
  fixture f;
  auto const strategy = f.strategy(anew::max_attempts<2>{});
  advancing_sleeper sleeper{f.clock};
  (void)anew::retry(strategy, [] { return false; }, sleeper);
  ASSERT_EQ(f.heard.attempts.size(), 2U);
  EXPECT_FALSE(f.heard.attempts[0].is_final);
  EXPECT_TRUE(f.heard.attempts[1].is_final);
  EXPECT_TRUE(anew::retry(strategy, [] { return true; }, sleeper));
  EXPECT_TRUE(f.heard.attempts.at(2).is_final);
}

TEST(Gate, TheFirstAttemptMayWait) {
  fixture f;
  f.gate.waits = {3s, 2s};
  auto const strategy = f.strategy();
  advancing_sleeper sleeper{f.clock};
  EXPECT_TRUE(anew::retry(strategy, [] { return true; }, sleeper));
  EXPECT_EQ(sleeper.delays, (std::vector<duration>{3s, 2s}));
  auto const start = f.gate.asked_at.at(0);
  EXPECT_EQ(f.gate.asked_at, (std::vector<anew::time_point>{start, start + 3s, start + 5s}));
  EXPECT_EQ(f.gate.told, story{"success 1"});
}

TEST(Gate, ARetryMayWaitToo) {
  fixture f;
  f.gate.waits = {0s, 4s};
  auto const strategy = f.strategy();
  advancing_sleeper sleeper{f.clock};
  int calls = 0;
  EXPECT_TRUE(anew::retry(strategy, [&] { return ++calls == 2; }, sleeper));
  EXPECT_EQ(sleeper.delays, (std::vector<duration>{1s, 4s}));
}

// A sleeper that returns at once must not make the question a hot loop that never ends.
TEST(Gate, WhatWasSleptCountsAsPassed) {
  manual_clock const clock;  // stands still
  auto const strategy =
      anew::compose(anew::cool_down<anew::constant_backoff<10s>>{}, manual_clock{clock}, anew::retry_all{},
                    anew::no_backoff{}, anew::max_attempts<3>{}, anew::testing::lowest_random{});
  recording_sleeper sleeper;
  EXPECT_EQ(anew::retry_outcome(strategy, [] { return false; }, sleeper).attempts(), 3U);
  ASSERT_EQ(sleeper.delays.size(), 4U);
  auto const last = sleeper.delays.back();  // 1/64 of the pause after the second one, and up to an eighth more
  EXPECT_GE(last, 10s + 1ns + 156250us);
  EXPECT_LE(last, 10s + 1ns + 156250us + 1250ms);
  sleeper.delays.pop_back();
  EXPECT_EQ(sleeper.delays, (std::vector<duration>{0s, 10s, 0s}));
}

TEST(Gate, AWaitThatPassesTheDeadlineIsNotBegun) {
  fixture f;
  f.gate.waits = {5s};
  auto const strategy = f.strategy(anew::deadline<5s>{}, anew::unbounded{});
  advancing_sleeper sleeper{f.clock};
  auto const outcome = anew::retry_outcome(strategy, [] { return answer{}; }, sleeper);
  EXPECT_EQ(outcome.reason(), stop_reason::deadline);
  EXPECT_EQ(outcome.attempts(), 0U);
  EXPECT_EQ(outcome.result().error_text, "not tried: deadline");
  EXPECT_TRUE(sleeper.delays.empty());
  f.gate.waits = {5s - 1ns};
  f.gate.asked = 0;
  EXPECT_TRUE(anew::retry(strategy, [] { return answer{}; }, sleeper).has_value());
  EXPECT_EQ(sleeper.delays, (std::vector<duration>{5s - 1ns}));
}

TEST(Gate, ADeadlineInTheWaitOfARetryReturnsTheLastFailure) {
  fixture f;
  f.gate.waits = {0s, 9s};
  auto const strategy = f.strategy(anew::deadline<10s>{}, anew::unbounded{});
  advancing_sleeper sleeper{f.clock};
  auto const outcome = anew::retry_outcome(strategy, [] { return answer{"it"}; }, sleeper);
  EXPECT_EQ(outcome.reason(), stop_reason::deadline);
  EXPECT_EQ(outcome.attempts(), 1U);
  EXPECT_EQ(outcome.result().error_text, "it");
  EXPECT_EQ(sleeper.delays, (std::vector<duration>{1s}));
}

TEST(Gate, ADeadlineThatIsKnownBeforeTheFirstAttemptThrowsIt) {
  fixture f;
  f.gate.waits = {5s};
  auto const strategy = f.strategy(anew::deadline<5s>{}, anew::unbounded{});
  try {
    anew::retry(strategy, [] { return 1U; });
    FAIL();
  } catch (anew::call_refused const& refused) {
    EXPECT_EQ(refused.reason(), stop_reason::deadline);
    EXPECT_STREQ(refused.what(), "anew: the deadline came before the first attempt");
  }
}

TEST(Gate, AStopInTheWaitBeforeTheFirstAttempt) {
  fixture f;
  f.gate.waits = {5s, 5s};
  auto const strategy = f.strategy();
  flag_stop::state state;
  recording_sleeper sleeper{[&] { state.requested = true; }};
  auto const outcome = anew::retry_outcome(strategy, [] { return answer{}; }, sleeper, flag_stop{state});
  EXPECT_EQ(outcome.reason(), stop_reason::cancelled);
  EXPECT_EQ(outcome.attempts(), 0U);
  EXPECT_EQ(outcome.result().error_text, "not tried: cancelled");
  EXPECT_EQ(sleeper.delays.size(), 1U);
  EXPECT_EQ(f.gate.asked, 1U);
}

TEST(Gate, AStopInTheWaitOfARetry) {
  fixture f;
  f.gate.waits = {0s, 5s, 5s};
  auto const strategy = f.strategy();
  flag_stop::state state;
  int sleeps = 0;
  recording_sleeper sleeper{[&] { state.requested = ++sleeps == 2; }};
  auto const outcome = anew::retry_outcome(strategy, [] { return answer{"it"}; }, sleeper, flag_stop{state});
  EXPECT_EQ(outcome.reason(), stop_reason::cancelled);
  EXPECT_EQ(outcome.attempts(), 1U);
  EXPECT_EQ(outcome.result().error_text, "it");
  EXPECT_EQ(f.gate.told, story{"transient 1"});
}

TEST(Gate, AStopInTheAttemptReleasesThePass) {
  fixture f;
  auto const strategy = f.strategy();
  flag_stop::state state;
  recording_sleeper sleeper;
  auto const stops = [&] {
    state.requested = true;
    return false;
  };
  EXPECT_EQ(anew::retry_outcome(strategy, stops, sleeper, flag_stop{state}).reason(), stop_reason::cancelled);
  EXPECT_EQ(f.gate.told, story{"release 1"});
  state.requested = false;
  auto const stops_and_throws = [&]() -> unsigned {
    state.requested = true;
    throw 1;
  };
  EXPECT_THROW((void)anew::retry(strategy, stops_and_throws, sleeper, flag_stop{state}), int);
  EXPECT_EQ(f.gate.told, (story{"release 1", "release 2"}));
}

TEST(Gate, AnExceptionThatNobodyClassifiesIsTheCallersFault) {
  fixture f;
  auto const strategy = anew::compose(scripted_gate{f.gate});
  EXPECT_THROW((void)anew::retry(strategy, [] { throw 1; }), int);
  EXPECT_EQ(f.gate.told, story{"client 1"});
}

TEST(Gate, AnExceptionThatIsRetriedIsAFailure) {
  fixture f;
  auto const strategy = f.strategy(anew::max_attempts<2>{});
  advancing_sleeper sleeper{f.clock};
  EXPECT_THROW((void)anew::retry(strategy, [] { throw 1; }, sleeper), int);
  EXPECT_EQ(f.gate.told, (story{"transient 1", "transient 2"}));
}

enum class part : std::uint8_t { classifier, on_attempt, on_retry, on_end, sleeper };
struct faulty_classifier {
  using role = anew::roles::classifier;
  part who;
  template <class E>
  [[nodiscard]] anew::directive classify(E const&) const {
    if (who == part::classifier) throw std::logic_error{"part"};
    return anew::directive::retry(anew::error_kind::server);
  }
};
struct faulty_observer {
  using role = anew::roles::observer;
  part who;
  void on_attempt(anew::attempt_event const&) const { pass(part::on_attempt); }
  void on_retry(anew::retry_event const&) const { pass(part::on_retry); }
  void on_end(anew::end_event const&) const { pass(part::on_end); }
  void pass(part self) const {
    if (who == self) throw std::logic_error{"part"};
  }
};

// Whatever throws, the one pass that is out comes back once: released, or settled before.
TEST(Gate, APartThatThrowsLeavesNoPassOut) {
  for (auto const who : {part::classifier, part::on_attempt, part::on_retry, part::on_end, part::sleeper}) {
    for (bool const by_exception : {false, true}) {
      scripted_gate::books books;
      auto const strategy = anew::compose(scripted_gate{books}, faulty_classifier{who}, faulty_observer{who},
                                          anew::no_backoff{}, anew::max_attempts<2>{});
      auto const fails = [&]() -> answer {
        if (by_exception) throw 1;
        return {"it"};
      };
      auto const sleeper = [&](duration) {
        if (who == part::sleeper) throw std::logic_error{"part"};
      };
      EXPECT_THROW((void)anew::retry(strategy, fails, sleeper), std::logic_error);
      auto const expected = who == part::classifier ? story{"release 1"}
                            : who == part::on_end   ? story{"server 1", "server 2"}
                                                    : story{"server 1"};
      EXPECT_EQ(books.told, expected) << static_cast<int>(who) << by_exception;
    }
  }
}

TEST(Gate, AnObserverThatThrowsAfterASuccess) {
  scripted_gate::books books;
  auto const strategy = anew::compose(scripted_gate{books}, anew::retry_all{}, faulty_observer{part::on_end});
  EXPECT_THROW((void)anew::retry(strategy, [] { return true; }), std::logic_error);
  EXPECT_EQ(books.told, story{"success 1"});
}

TEST(Gate, ATokenThatIsThrownAwayReleasesItsPass) {
  scripted_gate::books books;
  auto const strategy = anew::compose(scripted_gate{books}, anew::retry_all{});
  {
    auto token = strategy.acquire_initial_token();
    EXPECT_TRUE(books.told.empty());
    EXPECT_TRUE(strategy.admit(token, strategy.now()).begins());
    auto moved = std::move(token);
    EXPECT_TRUE(books.told.empty());
  }
  EXPECT_EQ(books.told, story{"release 1"});
  {
    auto token = strategy.acquire_initial_token();
    EXPECT_TRUE(strategy.admit(token, strategy.now()).begins());
    auto next = strategy.refresh_retry_token(std::move(token), anew::failure{});
    ASSERT_TRUE(next.has_value());
    EXPECT_EQ(books.told, (story{"release 1", "transient 2"}));
    books.waits = {0s, 0s, refuse, 7s};
    EXPECT_EQ(strategy.admit(*next, strategy.now()).refusal, anew::stop_reason::gate_closed);
    EXPECT_EQ(strategy.admit(*next, strategy.now()).wait, 7s);
  }
  EXPECT_EQ(books.told, (story{"release 1", "transient 2"}));  // an attempt that was not admitted holds nothing
}

// The whole of it, with the shipped gate: one caller finds out, the others are told at once.
TEST(Gate, ABrokenCircuitAnswersAtOnceAndHeals) {
  manual_clock const clock;
  auto const strategy = anew::compose(anew::circuit_breaker<3, 30s>{}, manual_clock{clock}, anew::retry_all{},
                                      anew::constant_backoff<1s>{}, anew::no_jitter{}, anew::max_attempts<5>{});
  advancing_sleeper sleeper{clock};
  int calls = 0;
  bool is_up = false;
  auto const request = [&] {
    ++calls;
    return answer{is_up ? "" : "down"};
  };
  auto const first = anew::retry_outcome(strategy, request, sleeper);
  EXPECT_EQ(first.reason(), stop_reason::gate_closed);
  EXPECT_EQ(first.attempts(), 3U);
  EXPECT_EQ(first.result().error_text, "down");
  for (int i = 0; i < 10; ++i) EXPECT_EQ(anew::retry(strategy, request, sleeper).error_text, "not tried: gate_closed");
  EXPECT_EQ(calls, 3);
  clock.advance(30s);
  EXPECT_EQ(anew::retry_outcome(strategy, request, sleeper).attempts(), 1U);  // the probe fails
  EXPECT_EQ(calls, 4);
  clock.advance(30s);
  is_up = true;
  EXPECT_TRUE(anew::retry(strategy, request, sleeper).has_value());
  EXPECT_EQ(strategy.gate().state(), anew::breaker_state::closed);
}

TEST(Gate, CallersOfACoolingDestinationWait) {
  manual_clock const clock;
  auto const strategy = anew::compose(anew::cool_down<anew::exponential_backoff<10s, 60s>>{}, manual_clock{clock},
                                      anew::retry_all{}, anew::constant_backoff<1s>{}, anew::no_jitter{},
                                      anew::max_attempts<2>{}, anew::testing::lowest_random{});
  advancing_sleeper sleeper{clock};
  (void)anew::retry(strategy, [] { return false; }, sleeper);
  EXPECT_EQ(sleeper.delays, (std::vector<duration>{1s, 9s}));
  sleeper.delays.clear();
  EXPECT_TRUE(anew::retry(strategy, [] { return true; }, sleeper));  // another call, which failed in nothing
  EXPECT_EQ(sleeper.delays, std::vector<duration>{20s});
  EXPECT_EQ(strategy.gate().failures(), 0U);
}

}  // namespace
}  // namespace retry_gate_test
