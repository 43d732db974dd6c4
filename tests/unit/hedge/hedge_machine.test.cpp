// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/hedge.hpp"
#include "anew/policies/limits/attempt_timeout.hpp"
#include "anew/policies/limits/max_attempts_by_kind.hpp"
#include "anew/policies/quota/concurrency_budget.hpp"
#include "anew/policies/quota/long_poll.hpp"
#include "anew/policies/quota/retry_throttle.hpp"
#include "anew/testing/audited_quota.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/recorder.hpp"

#include "names.hpp"

namespace hedge_hedge_machine_test {
namespace {

using anew::hedge_step;
using anew::hedge_timer;
using anew::testing::audited_quota;
using anew::testing::recorder;
using anew::when_pushed_back;
using testing::ElementsAre;

constexpr auto retryable = directive::retry(error_kind::server);
constexpr auto success = directive::succeed();

directive hinted(anew::duration delay) { return directive::retry(error_kind::server, delay); }

/// Steps, as a test reads them.
hedge_step start(std::uint32_t number) { return {.start = number, .timer = hedge_timer::cancel}; }
hedge_step start(std::uint32_t number, anew::duration next) {
  return {.start = number, .timer = hedge_timer::set, .after = next};
}
hedge_step over(std::uint32_t result_of) {
  return {.finished = true, .result_of = result_of, .timer = hedge_timer::cancel};
}
hedge_step wait(anew::duration delay) { return {.timer = hedge_timer::set, .after = delay}; }
constexpr hedge_step as_it_is{};
constexpr hedge_step no_timer{.timer = hedge_timer::cancel};

/// A strategy whose quota and observer keep books.
template <class... Policies>
struct rig {
  audited_quota quota;
  manual_clock clock;
  recorder heard;
  decltype(anew::compose(quota, clock, heard, anew::constant_backoff<1s>{}, anew::no_jitter{}, anew::retry_all{},
                         Policies{}...)) strategy = anew::compose(quota, clock, heard, anew::constant_backoff<1s>{},
                                                                  anew::no_jitter{}, anew::retry_all{}, Policies{}...);

  template <class H>
  auto call(H const& hedging) const {
    return anew::hedge_machine{strategy, hedging, anew::idempotent_call};
  }
};
using three = anew::max_attempts<3>;
using five = anew::max_attempts<5>;

constexpr anew::hedge_after<10ms> one_extra;
constexpr anew::hedge_after<10ms, 2> two_extra;

TEST(HedgeMachine, AFirstAttemptThatWinsPaysNothingBackForItsHedges) {
  anew::strategy<anew::token_bucket<500>, anew::retry_all> const strategy;
  anew::hedge_machine call{strategy, one_extra, anew::idempotent_call};
  std::ignore = call.begin();
  std::ignore = call.on_time();
  EXPECT_EQ(strategy.quota().balance(), 486U);  // as a time-out costs
  EXPECT_TRUE(call.on_success(1).finished);
  EXPECT_EQ(strategy.quota().balance(), 487U);
}

TEST(HedgeMachine, LimitsByKindCountWhatIsInFlightAsLate) {
  using limits =
      anew::max_attempts_by_kind<anew::for_kind<error_kind::server, anew::max_attempts<3>>, anew::max_attempts<2>>;
  rig<limits> const r;
  auto call = r.call(two_extra);
  std::ignore = call.begin();
  EXPECT_EQ(call.on_time().start, 2U);
  EXPECT_EQ(call.on_time(), no_timer);  // two are late
  EXPECT_EQ(call.on_verdict(1, retryable), no_timer);
  EXPECT_EQ(call.on_verdict(2, retryable), wait(1s));  // the second error of its kind
  EXPECT_EQ(call.on_time().start, 3U);
  EXPECT_EQ(call.on_verdict(3, retryable), over(3));
  EXPECT_EQ(call.reason(), stop_reason::attempts);
}

TEST(HedgeMachine, TheDeadlineShortensNoWaitThatAServerAskedFor) {
  auto const after_first = [](directive const& verdict) {
    rig<three, anew::deadline<10s, anew::at_deadline::last_try>> with;
    anew::hedge_after const hedging{1h};
    auto call = with.call(hedging);
    static_cast<void>(call.begin());
    with.clock.advance(8s);
    auto const step = call.on_verdict(1, verdict);
    return std::tuple{step.finished, call.reason()};
  };
  EXPECT_EQ(after_first(hinted(2s)), (std::tuple{false, stop_reason::cancelled})) << "just in time";
  EXPECT_EQ(after_first(hinted(2s + 1ns)), (std::tuple{true, stop_reason::deadline}));
}

TEST(HedgeMachine, HedgesAreToldOfTheirDeadlineAndOfWhatCameBefore) {
  rig<three, anew::deadline<50ms>, anew::attempt_timeout<30ms>> const r;
  auto call = r.call(one_extra);
  std::ignore = call.begin();
  EXPECT_EQ(call.current().number, 1U);
  EXPECT_EQ(call.current().previous, std::nullopt);
  EXPECT_EQ(call.attempt_timeout(), 30ms);
  r.clock.advance(30ms);
  EXPECT_EQ(call.on_time(), start(2));
  anew::attempt const self{call.current()};
  EXPECT_EQ(self.number(), 2U);
  EXPECT_EQ(self.remaining(), 20ms);
  EXPECT_EQ(self.connection(), anew::connection_hint::fresh);  // not the one on which the other one waits
  EXPECT_EQ(call.attempt_timeout(), 20ms);
}

#if ANEW_EXCEPTIONS
struct catches_ints {
  using role = anew::roles::classifier;
  using catches = anew::catch_list<int>;
  static directive classify(int error) {
    if (error == 99) throw std::string{"the classifier's own"};
    if (error == 0) return directive::succeed();
    return error < 0 ? directive::fail() : directive::retry(error_kind::server);
  }
};

TEST(HedgeMachine, ExceptionsAreReadAsRetryReadsThem) {
  anew::strategy<catches_ints, anew::max_attempts<9>> const strategy;
  anew::hedge_after<10ms, 7> const many;
  anew::hedge_machine call{strategy, many, anew::idempotent_call};
  std::ignore = call.begin();
  EXPECT_EQ(call.on_exception(1, std::make_exception_ptr(3)).start, 2U);
  EXPECT_EQ(call.on_exception(7, std::make_exception_ptr(3)), as_it_is);
  EXPECT_EQ(call.on_exception(2, std::make_exception_ptr(-3)), over(2));
  EXPECT_EQ(call.reason(), stop_reason::not_retryable);

  anew::hedge_machine other{strategy, many, anew::idempotent_call};
  std::ignore = other.begin();
  std::ignore = other.on_time();
  EXPECT_EQ(other.on_exception(1, std::make_exception_ptr(0)), over(1));  // leaves no result to succeed with
  EXPECT_EQ(other.reason(), stop_reason::not_retryable);

  anew::hedge_machine unknown{strategy, many, anew::idempotent_call};
  std::ignore = unknown.begin();
  EXPECT_EQ(unknown.on_exception(1, std::make_exception_ptr(1.5)), over(1));
}

TEST(HedgeMachine, AClassifierThatThrowsEndsTheCall) {
  audited_quota const quota;
  auto const strategy = anew::compose(quota, catches_ints{});
  anew::hedge_machine call{strategy, one_extra, anew::idempotent_call};
  std::ignore = call.begin();
  std::ignore = call.on_time();
  EXPECT_THROW(std::ignore = call.on_error(1, 99), std::string);
  EXPECT_TRUE(call.is_finished());
  EXPECT_EQ(call.in_flight(), 0U);
  EXPECT_EQ(quota.outstanding(), 0U);
  EXPECT_EQ(call.on_success(2), over(0));
  EXPECT_EQ(call.reason(), stop_reason::cancelled);
}
#endif

TEST(HedgeMachine, AQuotaThatCountsCallsCountsOne) {
  auto const strategy = anew::compose(anew::concurrency_budget{20, 1}, anew::retry_all{}, anew::max_attempts<5>{},
                                      anew::constant_backoff<1s>{}, anew::no_jitter{}, manual_clock{});
  auto const& quota = strategy.quota();
  {
    anew::hedge_machine call{strategy, two_extra, anew::idempotent_call};
    std::ignore = call.begin();
    EXPECT_EQ(quota.calls(), 1U);
    EXPECT_EQ(call.on_time().start, 2U);
    EXPECT_EQ(quota.retries(), 1U);
    EXPECT_EQ(call.on_time(), no_timer);  // one retry is under way, and more are not allowed
    EXPECT_EQ(call.on_verdict(1, retryable), no_timer);
    EXPECT_EQ(quota.calls(), 1U);
    EXPECT_EQ(quota.retries(), 1U);
    EXPECT_EQ(call.on_verdict(2, retryable), wait(1s));
    EXPECT_EQ(call.on_time().start, 3U);
    EXPECT_EQ(call.on_verdict(3, success), over(3));
    EXPECT_EQ(quota.calls(), 0U);  // at the end, not when the object goes
    EXPECT_EQ(quota.retries(), 0U);
  }
  EXPECT_EQ(quota.calls(), 0U);
}

TEST(HedgeMachine, AThrottleHearsOfFailuresAndNotOfLosers) {
  anew::strategy<anew::retry_throttle<10>, anew::retry_all, anew::max_attempts<5>> const strategy;
  auto const& throttle = strategy.quota();
  anew::hedge_machine call{strategy, two_extra, anew::idempotent_call};
  std::ignore = call.begin();
  std::ignore = call.on_time();
  EXPECT_EQ(throttle.balance(), 10U);  // a hedge is no failure
  std::ignore = call.on_verdict(1, retryable);
  EXPECT_EQ(throttle.balance(), 9U);
  std::ignore = call.on_verdict(3, success);
  EXPECT_EQ(throttle.balance(), 9U);
}

TEST(HedgeMachine, AThrottledClientSendsNoHedges) {
  anew::strategy<anew::retry_throttle<2>, anew::retry_all, anew::max_attempts<5>> const strategy;
  strategy.quota().on_attempt_failed(failure{});
  anew::hedge_machine call{strategy, one_extra, anew::idempotent_call};
  EXPECT_EQ(call.begin(), start(1, 10ms));
  EXPECT_EQ(call.on_time(), no_timer);
  EXPECT_EQ(call.on_verdict(1, success), over(1));
}

TEST(HedgeMachine, ALongPollsLastWaitComesBeforeTheEnd) {
  auto const strategy = anew::compose(anew::long_poll<anew::token_bucket<0>>{}, anew::constant_backoff<1s>{},
                                      anew::no_jitter{}, anew::retry_all{}, anew::max_attempts<5>{});
  anew::hedge_machine call{strategy, one_extra, anew::idempotent_call};
  std::ignore = call.begin();
  EXPECT_EQ(call.on_time(), no_timer);
  EXPECT_EQ(call.on_verdict(1, retryable), wait(1s));
  EXPECT_EQ(call.on_time(), over(1));
  EXPECT_EQ(call.reason(), stop_reason::quota);

  anew::hedge_machine fails_early{strategy, one_extra, anew::idempotent_call};
  std::ignore = fails_early.begin();
  EXPECT_EQ(fails_early.on_verdict(1, retryable), wait(1s));
  EXPECT_EQ(fails_early.on_time(), over(1));
}

/// Lends permits that are good only later.
struct lending_quota : audited_quota {
  [[nodiscard]] static anew::duration wait(permit_type, anew::time_point) { return 200ms; }
};

TEST(HedgeMachine, AHedgeIsNotSentOnALoanThatMustWait) {
  lending_quota const quota;
  auto const strategy = anew::compose(quota, anew::retry_all{}, five{}, anew::constant_backoff<1s>{},
                                      anew::full_jitter{}, manual_clock{});
  anew::hedge_machine call{strategy, one_extra, anew::idempotent_call};
  std::ignore = call.begin();
  EXPECT_EQ(call.on_time(), no_timer);
  EXPECT_EQ(quota.outstanding(), 0U);
  auto const step = call.on_verdict(1, retryable);  // a retry waits as long, at least
  EXPECT_EQ(step.timer, hedge_timer::set);
  EXPECT_GE(step.after, 200ms);
  EXPECT_EQ(call.on_time(), start(2, 10ms));
}

/// What a hedging that learns is told.
struct learner {
  static constexpr std::int64_t most_extra = 2;
  struct state {
    anew::duration delay = 100ms;
    std::uint32_t extra = 1;
    std::vector<anew::duration> answers;
    int late = 0;
  };
  state* s;
  [[nodiscard]] anew::duration delay() const { return s->delay; }
  [[nodiscard]] std::uint32_t max_extra() const { return s->extra; }
  [[nodiscard]] when_pushed_back pushback() const { return when_pushed_back::wait; }
  void on_answer(anew::duration took) const { s->answers.push_back(took); }
  void on_late() const { ++s->late; }
};

TEST(HedgeMachine, AHedgingLearnsFromAttemptsThatAreSentAlone) {
  rig<five> const r;
  learner::state s;
  learner const hedging{&s};
  {
    auto call = r.call(hedging);
    std::ignore = call.begin();
    r.clock.advance(30ms);
    std::ignore = call.on_verdict(1, success);
  }
  EXPECT_THAT(s.answers, ElementsAre(30ms));
  {
    auto call = r.call(hedging);
    std::ignore = call.begin();
    r.clock.advance(100ms);
    EXPECT_EQ(call.on_time(), start(2));
    EXPECT_EQ(s.late, 1);
    r.clock.advance(10ms);
    std::ignore = call.on_verdict(2, success);  // a hedge is none
  }
  {
    auto call = r.call(hedging);
    std::ignore = call.begin();
    r.clock.advance(5ms);
    EXPECT_EQ(call.on_verdict(1, retryable).start, 2U);  // early errors are none
    r.clock.advance(1s);
    EXPECT_EQ(call.on_verdict(2, retryable), wait(1s));
    EXPECT_EQ(call.on_time(), start(3, 100ms));
    r.clock.advance(70ms);
    EXPECT_EQ(call.on_verdict(3, success), over(3));  // alone again
  }
  EXPECT_THAT(s.answers, ElementsAre(30ms, 70ms));
  EXPECT_EQ(s.late, 1);
}

TEST(HedgeMachine, AHedgingThatAsksForMoreThanItSaidGetsWhatItSaid) {
  rig<anew::max_attempts<9>> const r;
  learner::state s;
  s.extra = 9;
  learner const hedging{&s};
  auto call = r.call(hedging);
  std::ignore = call.begin();
  r.clock.advance(100ms);
  EXPECT_EQ(call.on_time(), start(2, 100ms));
  EXPECT_EQ(call.on_time(), start(3));
}

TEST(HedgeMachine, TheHedgeAfterAnEarlyErrorIsNoSample) {
  rig<five> const r;
  learner::state s;
  s.extra = 2;
  learner const hedging{&s};
  auto call = r.call(hedging);
  std::ignore = call.begin();
  r.clock.advance(5ms);
  EXPECT_EQ(call.on_verdict(1, retryable), start(2, 100ms));
  r.clock.advance(100ms);
  EXPECT_EQ(call.on_time(), start(3));
  EXPECT_EQ(s.late, 0);
}

TEST(HedgeMachine, AnAttemptThatIsLateCountsOnceThoughTheHedgeIsRefused) {
  rig<five> const r;
  learner::state s;
  learner const hedging{&s};
  auto call = r.call(hedging);
  std::ignore = call.begin();
  r.quota.refuse();
  r.clock.advance(100ms);
  EXPECT_EQ(call.on_time(), no_timer);
  EXPECT_EQ(s.late, 1);
  std::ignore = call.on_verdict(1, success);
  EXPECT_TRUE(s.answers.empty());
}

TEST(HedgeMachine, AnEstimateThatRoseMeanwhileIsWaitedFor) {
  rig<five> const r;
  learner::state s;
  learner const hedging{&s};
  auto call = r.call(hedging);
  std::ignore = call.begin();
  r.clock.advance(100ms);
  s.delay = 113ms;
  EXPECT_EQ(call.on_time(), wait(13ms));
  EXPECT_EQ(s.late, 0);
  r.clock.advance(13ms);
  s.delay = 127ms;  // an eighth more is let pass
  EXPECT_EQ(call.on_time(), start(2));
  EXPECT_EQ(s.late, 1);
}

// The whole machine, as a driver has it.
static_assert(anew::Hedging<anew::hedge_after<10ms>> && anew::Hedging<learner> && !anew::Hedging<int>);
static_assert(!std::is_copy_constructible_v<
              anew::hedge_machine<anew::strategy<>, anew::hedge_after<10ms>, anew::declared::idempotent>>);
using least = anew::strategy<anew::retry_all>;
using machine = anew::hedge_machine<least, anew::hedge_after<10ms>, anew::declared::idempotent>;
static_assert(
    !std::is_constructible_v<machine, least, anew::hedge_after<10ms> const&, decltype(anew::idempotent_call)>);
static_assert(
    !std::is_constructible_v<machine, least const&, anew::hedge_after<10ms>, decltype(anew::idempotent_call)>);
static_assert(sizeof(machine) <= 160);

}  // namespace
}  // namespace hedge_hedge_machine_test
