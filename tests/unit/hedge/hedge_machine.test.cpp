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

using namespace anew;
using anew::testing::audited_quota, anew::testing::recorder;
using ::testing::ElementsAre;

constexpr auto retryable = directive::retry(error_kind::server);
constexpr auto success = directive::succeed();

directive hinted(duration delay) { return directive::retry(error_kind::server, delay); }

/// Steps, as a test reads them.
hedge_step start(std::uint32_t number) { return {.start = number, .timer = hedge_timer::cancel}; }
hedge_step start(std::uint32_t number, duration next) {
  return {.start = number, .timer = hedge_timer::set, .after = next};
}
hedge_step over(std::uint32_t result_of) {
  return {.finished = true, .result_of = result_of, .timer = hedge_timer::cancel};
}
hedge_step wait(duration delay) { return {.timer = hedge_timer::set, .after = delay}; }
constexpr hedge_step as_it_is{};
constexpr hedge_step no_timer{.timer = hedge_timer::cancel};

/// A call that has begun.
template <class Strategy, class H>
struct begun : hedge_machine<Strategy, H, declared::idempotent> {
  begun(Strategy const& strategy, H const& hedging)
      : hedge_machine<Strategy, H, declared::idempotent>{strategy, hedging, idempotent_call} {
    std::ignore = this->begin();
  }
};

/// A strategy whose quota and observer keep books.
template <class... Policies>
struct rig {
  audited_quota quota;
  manual_clock clock;
  recorder heard;
  decltype(compose(quota, clock, heard, constant_backoff<1s>{}, no_jitter{}, retry_all{}, Policies{}...)) strategy =
      compose(quota, clock, heard, constant_backoff<1s>{}, no_jitter{}, retry_all{}, Policies{}...);

  auto call(auto const& hedging) const { return begun{strategy, hedging}; }
};
using three = max_attempts<3>;
using five = max_attempts<5>;

constexpr hedge_after<10ms> one_extra;
constexpr hedge_after<10ms, 2> two_extra;

TEST(HedgeMachine, LimitsByKindCountWhatIsInFlightAsLate) {
  using limits = max_attempts_by_kind<for_kind<error_kind::server, max_attempts<3>>, max_attempts<2>>;
  rig<limits> const r;
  auto call = r.call(two_extra);
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
    rig<three, deadline<10s, at_deadline::last_try>> with;
    hedge_after const hedging{1h};
    auto call = with.call(hedging);
    with.clock.advance(8s);
    auto const step = call.on_verdict(1, verdict);
    return std::tuple{step.finished, call.reason()};
  };
  EXPECT_EQ(after_first(hinted(2s)), (std::tuple{false, stop_reason::cancelled})) << "just in time";
  EXPECT_EQ(after_first(hinted(2s + 1ns)), (std::tuple{true, stop_reason::deadline}));
}

TEST(HedgeMachine, HedgesAreToldOfTheirDeadlineAndOfWhatCameBefore) {
  rig<three, deadline<50ms>, attempt_timeout<30ms>> const r;
  auto call = r.call(one_extra);
  EXPECT_EQ(call.current().number, 1U);
  EXPECT_EQ(call.current().previous, std::nullopt);
  EXPECT_EQ(call.attempt_timeout(), 30ms);
  r.clock.advance(30ms);
  EXPECT_EQ(call.on_time(), start(2));
  attempt const self{call.current()};
  EXPECT_EQ(self.number(), 2U);
  EXPECT_EQ(self.remaining(), 20ms);
  EXPECT_EQ(self.connection(), connection_hint::fresh);  // not the one on which the other one waits
  EXPECT_EQ(call.attempt_timeout(), 20ms);
}

#if ANEW_EXCEPTIONS
struct catches_ints {
  using role = roles::classifier;
  using catches = catch_list<int>;
  static directive classify(int error) {
    if (error == 99) throw std::string{"the classifier's own"};
    if (error == 0) return directive::succeed();
    return error < 0 ? directive::fail() : directive::retry(error_kind::server);
  }
};

TEST(HedgeMachine, ExceptionsAreReadAsRetryReadsThem) {
  strategy<catches_ints, max_attempts<9>> const strategy;
  hedge_after<10ms, 7> const many;
  begun call{strategy, many};
  EXPECT_EQ(call.on_exception(1, std::make_exception_ptr(3)).start, 2U);
  EXPECT_EQ(call.on_exception(7, std::make_exception_ptr(3)), as_it_is);
  EXPECT_EQ(call.on_exception(2, std::make_exception_ptr(-3)), over(2));
  EXPECT_EQ(call.reason(), stop_reason::not_retryable);

  begun other{strategy, many};
  std::ignore = other.on_time();
  EXPECT_EQ(other.on_exception(1, std::make_exception_ptr(0)), over(1));  // leaves no result to succeed with
  EXPECT_EQ(other.reason(), stop_reason::not_retryable);

  begun unknown{strategy, many};
  EXPECT_EQ(unknown.on_exception(1, std::make_exception_ptr(1.5)), over(1));
}

TEST(HedgeMachine, AClassifierThatThrowsEndsTheCall) {
  audited_quota const quota;
  auto const strategy = compose(quota, catches_ints{});
  begun call{strategy, one_extra};
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
  auto const strategy = compose(concurrency_budget{20, 1}, retry_all{}, max_attempts<5>{}, constant_backoff<1s>{},
                                no_jitter{}, manual_clock{});
  auto const& quota = strategy.quota();
  {
    begun call{strategy, two_extra};
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
  strategy<retry_throttle<10>, retry_all, max_attempts<5>> const strategy;
  auto const& throttle = strategy.quota();
  begun call{strategy, two_extra};
  std::ignore = call.on_time();
  EXPECT_EQ(throttle.balance(), 10U);  // a hedge is no failure
  std::ignore = call.on_verdict(1, retryable);
  EXPECT_EQ(throttle.balance(), 9U);
  std::ignore = call.on_verdict(3, success);
  EXPECT_EQ(throttle.balance(), 9U);
}

TEST(HedgeMachine, ALongPollsLastWaitComesBeforeTheEnd) {
  auto const strategy =
      compose(long_poll<token_bucket<0>>{}, constant_backoff<1s>{}, no_jitter{}, retry_all{}, max_attempts<5>{});
  begun call{strategy, one_extra};
  EXPECT_EQ(call.on_time(), no_timer);
  EXPECT_EQ(call.on_verdict(1, retryable), wait(1s));
  EXPECT_EQ(call.on_time(), over(1));
  EXPECT_EQ(call.reason(), stop_reason::quota);

  begun fails_early{strategy, one_extra};
  EXPECT_EQ(fails_early.on_verdict(1, retryable), wait(1s));
  EXPECT_EQ(fails_early.on_time(), over(1));
}

/// Lends permits that are good only later.
struct lending_quota : audited_quota {
  [[nodiscard]] static duration wait(permit_type, time_point) { return 200ms; }
};

TEST(HedgeMachine, AHedgeIsNotSentOnALoanThatMustWait) {
  lending_quota const quota;
  auto const strategy = compose(quota, retry_all{}, five{}, constant_backoff<1s>{}, full_jitter{}, manual_clock{});
  begun call{strategy, one_extra};
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
    duration delay = 100ms;
    std::uint32_t extra = 1;
    std::vector<duration> answers;
    int late = 0;
  };
  state* s;
  [[nodiscard]] duration delay() const { return s->delay; }
  [[nodiscard]] std::uint32_t max_extra() const { return s->extra; }
  [[nodiscard]] when_pushed_back pushback() const { return when_pushed_back::wait; }
  void on_answer(duration took) const { s->answers.push_back(took); }
  void on_late() const { ++s->late; }
};

struct HedgeLearning : ::testing::Test {
  rig<max_attempts<9>> const r;
  learner::state s{};
  learner const hedging{&s};
};

TEST_F(HedgeLearning, IsFromAttemptsThatAreSentAlone) {
  {
    auto call = r.call(hedging);
    r.clock.advance(30ms);
    std::ignore = call.on_verdict(1, success);
  }
  EXPECT_THAT(s.answers, ElementsAre(30ms));
  {
    auto call = r.call(hedging);
    r.clock.advance(100ms);
    EXPECT_EQ(call.on_time(), start(2));
    EXPECT_EQ(s.late, 1);
    r.clock.advance(10ms);
    std::ignore = call.on_verdict(2, success);  // a hedge is none
  }
  {
    auto call = r.call(hedging);
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

TEST_F(HedgeLearning, ThatAsksForMoreThanItSaidGetsWhatItSaid) {
  s.extra = 9;
  auto call = r.call(hedging);
  r.clock.advance(100ms);
  EXPECT_EQ(call.on_time(), start(2, 100ms));
  EXPECT_EQ(call.on_time(), start(3));
}

TEST_F(HedgeLearning, TakesNoHedgeAfterAnEarlyErrorForASample) {
  s.extra = 2;
  auto call = r.call(hedging);
  r.clock.advance(5ms);
  EXPECT_EQ(call.on_verdict(1, retryable), start(2, 100ms));
  r.clock.advance(100ms);
  EXPECT_EQ(call.on_time(), start(3));
  EXPECT_EQ(s.late, 0);
}

TEST_F(HedgeLearning, CountsALateAttemptOnceThoughTheHedgeIsRefused) {
  auto call = r.call(hedging);
  r.quota.refuse();
  r.clock.advance(100ms);
  EXPECT_EQ(call.on_time(), no_timer);
  EXPECT_EQ(s.late, 1);
  std::ignore = call.on_verdict(1, success);
  EXPECT_TRUE(s.answers.empty());
}

TEST_F(HedgeLearning, WaitsForAnEstimateThatRoseMeanwhile) {
  auto call = r.call(hedging);
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
static_assert(Hedging<hedge_after<10ms>> && Hedging<learner> && !Hedging<int>);
static_assert(!std::is_copy_constructible_v<hedge_machine<strategy<>, hedge_after<10ms>, declared::idempotent>>);
using least = strategy<retry_all>;
using machine = hedge_machine<least, hedge_after<10ms>, declared::idempotent>;
static_assert(!std::is_constructible_v<machine, least, hedge_after<10ms> const&, decltype(idempotent_call)>);
static_assert(!std::is_constructible_v<machine, least const&, hedge_after<10ms>, decltype(idempotent_call)>);
static_assert(sizeof(machine) <= 160);

}  // namespace
}  // namespace hedge_hedge_machine_test
