// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <system_error>
#include <tuple>
#include <type_traits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/attempt_timeout/attempt_timeout.hpp"
#include "anew/gate/circuit_breaker.hpp"
#include "anew/hedge.hpp"
#include "anew/hint/pushback.hpp"
#include "anew/max_attempts/per_kind_attempts.hpp"
#include "anew/quota/concurrency_budget.hpp"
#include "anew/quota/long_poll.hpp"
#include "anew/quota/retry_throttle.hpp"
#include "anew/testing/audited_quota.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/recorder.hpp"
#include "anew/testing/test_mode.hpp"

namespace hedge_hedge_machine_test {
namespace {

using namespace std::chrono_literals;
using anew::directive;
using anew::error_kind;
using anew::failure;
using anew::hedge_step;
using anew::hedge_timer;
using anew::retry_safety;
using anew::stop_reason;
using anew::testing::audited_quota;
using anew::testing::manual_clock;
using anew::testing::recorder;
using anew::when_pushed_back;
using testing::ElementsAre;

constexpr auto retryable = directive::retry(error_kind::server);
constexpr auto fatal = directive::fail();
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

TEST(HedgeMachine, AnAnswerInTimeNeedsNoHedge) {
  rig<three> const r;
  auto call = r.call(one_extra);
  EXPECT_EQ(call.begin(), start(1, 10ms));
  EXPECT_TRUE(call.is_in_flight(1));
  EXPECT_FALSE(call.is_finished());
  EXPECT_EQ(call.on_verdict(1, success), over(1));
  EXPECT_TRUE(call.is_finished());
  EXPECT_EQ(call.reason(), stop_reason::succeeded);
  EXPECT_EQ(call.attempts(), 1U);
  EXPECT_EQ(call.in_flight(), 0U);
  EXPECT_THAT(r.quota.book(), ElementsAre("success 0"));
  EXPECT_THAT(r.heard.story(), ElementsAre("attempt 1 succeeded", "end succeeded after 1"));
}

TEST(HedgeMachine, AnotherIsSentWhenTheDelayIsOverAndTheFirstAnswerWins) {
  rig<three> const r;
  auto call = r.call(one_extra);
  std::ignore = call.begin();
  EXPECT_EQ(call.on_time(), start(2));
  EXPECT_EQ(call.in_flight(), 2U);
  EXPECT_EQ(call.on_verdict(2, success), over(2));
  EXPECT_EQ(call.attempts(), 2U);
  // The winner's permit comes back as a retried success's does.
  EXPECT_THAT(r.quota.book(), ElementsAre("acquire 1", "success 1"));
  EXPECT_EQ(r.quota.asked_about().kind, error_kind::timeout);
  ASSERT_EQ(r.heard.retries().size(), 1U);
  EXPECT_EQ(r.heard.retries()[0].attempt, 2U);
  EXPECT_EQ(r.heard.retries()[0].delay, 0ns);
  EXPECT_EQ(r.heard.retries()[0].what.kind, error_kind::timeout);
  ASSERT_EQ(r.heard.attempts().size(), 1U);
  EXPECT_EQ(r.heard.attempts()[0].attempt, 2U);
  EXPECT_TRUE(r.heard.attempts()[0].is_final);
  EXPECT_EQ(r.heard.ends()[0].attempts, 2U);
}

TEST(HedgeMachine, AHedgeThatLosesIsSpent) {
  rig<three> const r;
  auto call = r.call(two_extra);
  EXPECT_EQ(call.begin(), start(1, 10ms));
  EXPECT_EQ(call.on_time(), start(2, 10ms));
  EXPECT_EQ(call.on_time(), start(3));
  EXPECT_EQ(call.on_verdict(2, success), over(2));
  EXPECT_THAT(r.quota.book(), ElementsAre("acquire 1", "acquire 2", "success 1", "failure 2"));
}

TEST(HedgeMachine, AFirstAttemptThatWinsPaysNothingBackForItsHedges) {
  anew::strategy<anew::token_bucket<500>, anew::retry_all> const strategy;
  anew::hedge_machine call{strategy, one_extra, anew::idempotent_call};
  std::ignore = call.begin();
  std::ignore = call.on_time();
  EXPECT_EQ(strategy.quota().balance(), 486U);  // as a time-out costs
  EXPECT_TRUE(call.on_success(1).finished);
  EXPECT_EQ(strategy.quota().balance(), 487U);
}

TEST(HedgeMachine, AHedgeThatWinsIsPaidBackAsARetryIs) {
  anew::strategy<anew::token_bucket<500>, anew::retry_all> const strategy;
  anew::hedge_machine call{strategy, one_extra, anew::idempotent_call};
  std::ignore = call.begin();
  std::ignore = call.on_time();
  EXPECT_TRUE(call.on_success(2).finished);
  EXPECT_EQ(strategy.quota().balance(), 500U);
}

TEST(HedgeMachine, LateLosersChangeNothing) {
  rig<three> const r;
  auto call = r.call(one_extra);
  std::ignore = call.begin();
  std::ignore = call.on_time();
  std::ignore = call.on_verdict(2, success);
  auto const book = r.quota.book();
  auto const story = r.heard.story();
  EXPECT_FALSE(call.is_in_flight(1));
  EXPECT_EQ(call.on_verdict(1, success), over(2));
  EXPECT_EQ(call.on_verdict(1, fatal), over(2));
  EXPECT_EQ(call.on_verdict(2, retryable), over(2));
  EXPECT_EQ(call.on_outcome(1, false), over(2));
  EXPECT_EQ(call.on_error(1, 0), over(2));
  EXPECT_EQ(call.on_attempt_timeout(1), over(2));
  EXPECT_EQ(call.on_time(), over(2));
  EXPECT_EQ(call.request_stop(), over(2));
  EXPECT_EQ(r.quota.book(), book);
  EXPECT_EQ(r.heard.story(), story);
  EXPECT_EQ(call.reason(), stop_reason::succeeded);
}

TEST(HedgeMachine, NumbersThatAreNotInFlightAreIgnored) {
  rig<three> const r;
  auto call = r.call(one_extra);
  std::ignore = call.begin();
  EXPECT_EQ(call.on_verdict(0, success), as_it_is);
  EXPECT_EQ(call.on_verdict(2, success), as_it_is);
  EXPECT_EQ(call.on_time(), start(2));
  EXPECT_EQ(call.on_verdict(1, retryable), no_timer);
  EXPECT_EQ(call.on_verdict(1, fatal), as_it_is);  // told twice
  EXPECT_EQ(call.on_verdict(2, success), over(2));
}

TEST(HedgeMachine, AFatalErrorEndsTheCallAndTheOthersAreLost) {
  rig<three> const r;
  auto call = r.call(two_extra);
  std::ignore = call.begin();
  std::ignore = call.on_time();
  std::ignore = call.on_time();
  EXPECT_EQ(call.on_verdict(1, fatal), over(1));
  EXPECT_EQ(call.reason(), stop_reason::not_retryable);
  EXPECT_EQ(call.in_flight(), 0U);
  EXPECT_THAT(r.quota.book(), ElementsAre("acquire 1", "acquire 2", "failure 1", "failure 2"));
  EXPECT_TRUE(r.heard.attempts().back().is_final);
}

TEST(HedgeMachine, ARetryableErrorStartsTheNextHedgeAtOnce) {
  rig<five> const r;
  auto call = r.call(two_extra);
  std::ignore = call.begin();
  EXPECT_EQ(call.on_verdict(1, retryable), start(2, 10ms));  // alone
  EXPECT_EQ(r.quota.asked_about().kind, error_kind::server);
  EXPECT_EQ(r.heard.retries()[0].delay, 0ns);
  EXPECT_FALSE(r.heard.attempts()[0].is_final);
  EXPECT_EQ(call.on_time(), start(3));
  EXPECT_EQ(call.on_verdict(2, retryable), no_timer);  // there is no hedge left: wait for the other
  EXPECT_FALSE(r.heard.attempts()[1].is_final);
  EXPECT_EQ(call.on_verdict(3, success), over(3));
}

TEST(HedgeMachine, WithOthersInFlightTooTheNextHedgeStartsAtOnce) {
  rig<five> const r;
  auto call = r.call(two_extra);
  std::ignore = call.begin();
  std::ignore = call.on_time();
  EXPECT_EQ(call.on_verdict(1, retryable), start(3));
  EXPECT_EQ(call.in_flight(), 2U);
}

TEST(HedgeMachine, WhenAllHaveFailedTheCallRetriesAfterItsDelayAndBeginsAnotherRound) {
  rig<five> const r;
  auto call = r.call(one_extra);
  std::ignore = call.begin();
  std::ignore = call.on_time();
  EXPECT_EQ(call.on_verdict(2, retryable), no_timer);
  EXPECT_EQ(call.on_verdict(1, retryable), wait(1s));
  EXPECT_EQ(call.in_flight(), 0U);
  EXPECT_EQ(r.heard.retries().back().delay, 1s);
  EXPECT_EQ(call.on_time(), start(3, 10ms));
  EXPECT_EQ(call.on_time(), start(4));
  EXPECT_EQ(call.on_verdict(3, retryable), no_timer);
  EXPECT_EQ(call.on_verdict(4, retryable), wait(1s));
  EXPECT_EQ(call.on_time(), start(5, 10ms));
  EXPECT_EQ(call.on_time(), no_timer);  // five are made
  EXPECT_EQ(call.on_verdict(5, retryable), over(5));
  EXPECT_EQ(call.reason(), stop_reason::attempts);
  EXPECT_EQ(call.attempts(), 5U);
  EXPECT_EQ(r.quota.outstanding(), 0U);
  EXPECT_EQ(r.quota.totals().failed, 4U);
  EXPECT_EQ(r.quota.totals().released, 0U);
  EXPECT_TRUE(r.heard.attempts().back().is_final);
}

TEST(HedgeMachine, MaxAttemptsCountsAllOfThem) {
  rig<anew::max_attempts<2>> const r;
  auto call = r.call(two_extra);
  EXPECT_EQ(call.begin(), start(1, 10ms));
  EXPECT_EQ(call.on_time(), start(2, 10ms));
  EXPECT_EQ(call.on_time(), no_timer);
  EXPECT_EQ(call.on_verdict(1, retryable), no_timer);
  EXPECT_EQ(call.on_verdict(2, retryable), over(2));
  EXPECT_EQ(call.reason(), stop_reason::attempts);
}

TEST(HedgeMachine, LimitsByKindCountWhatIsInFlightAsLate) {
  using limits =
      anew::per_kind_attempts<anew::for_kind<error_kind::server, anew::max_attempts<3>>, anew::max_attempts<2>>;
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

TEST(HedgeMachine, ARefusedHedgeLeavesTheOthersAlone) {
  rig<five> const r;
  auto call = r.call(two_extra);
  std::ignore = call.begin();
  r.quota.refuse();
  EXPECT_EQ(call.on_time(), no_timer);
  EXPECT_EQ(call.on_time(), as_it_is);  // it is not asked again in this round
  EXPECT_EQ(call.in_flight(), 1U);
  EXPECT_EQ(call.on_verdict(1, success), over(1));
  EXPECT_EQ(call.attempts(), 1U);
  EXPECT_THAT(r.quota.book(), ElementsAre("refuse", "success 0"));
  EXPECT_THAT(r.heard.story(), ElementsAre("attempt 1 succeeded", "end succeeded after 1"));
}

TEST(HedgeMachine, AfterARefusedHedgeAFailureIsDecidedAsInRetry) {
  rig<five> const r;
  auto call = r.call(one_extra);
  std::ignore = call.begin();
  r.quota.refuse();
  EXPECT_EQ(call.on_time(), no_timer);
  r.quota.refuse(false);
  EXPECT_EQ(call.on_verdict(1, retryable), wait(1s));
  EXPECT_EQ(call.on_time(), start(2, 10ms));
  r.quota.refuse();
  EXPECT_EQ(call.on_verdict(2, retryable), over(2));
  EXPECT_EQ(call.reason(), stop_reason::quota);
}

TEST(HedgeMachine, AFailureWithOthersInFlightAndARefusalWaits) {
  rig<five> const r;
  auto call = r.call(two_extra);
  std::ignore = call.begin();
  std::ignore = call.on_time();
  r.quota.refuse();
  EXPECT_EQ(call.on_verdict(1, retryable), no_timer);
  EXPECT_FALSE(r.heard.attempts()[0].is_final);
  EXPECT_EQ(call.on_verdict(2, success), over(2));
  EXPECT_EQ(r.quota.outstanding(), 0U);
}

TEST(HedgeMachine, AfterARefusalNoOtherHedgeIsTriedInThatRound) {
  rig<anew::max_attempts<9>> const r;
  anew::hedge_after<10ms, 4> const four_extra;
  auto call = r.call(four_extra);
  std::ignore = call.begin();
  std::ignore = call.on_time();
  std::ignore = call.on_time();
  r.quota.refuse();
  EXPECT_EQ(call.on_verdict(1, retryable), no_timer);
  r.quota.refuse(false);
  EXPECT_EQ(call.on_verdict(2, retryable), no_timer);
  EXPECT_EQ(call.on_verdict(3, retryable), wait(1s));
}

TEST(HedgeMachine, TheDeadlineRefusesHedges) {
  rig<three, anew::deadline<50ms>> const r;
  auto call = r.call(one_extra);
  std::ignore = call.begin();
  EXPECT_EQ(call.current().deadline, r.clock.peek() + 50ms);
  r.clock.advance(50ms);
  EXPECT_EQ(call.on_time(), no_timer);
  EXPECT_EQ(call.on_verdict(1, retryable), over(1));
  EXPECT_EQ(call.reason(), stop_reason::deadline);
  EXPECT_EQ(r.quota.outstanding(), 0U);
  EXPECT_EQ(r.quota.totals().released, r.quota.totals().acquired);  // none was made
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

TEST(HedgeMachine, ATimeOutOfAnAttemptIsAFailureOfIt) {
  rig<three, anew::attempt_timeout<30ms>> const r;
  auto call = r.call(one_extra);
  std::ignore = call.begin();
  EXPECT_EQ(call.on_time(), start(2));
  EXPECT_EQ(call.on_attempt_timeout(1), no_timer);
  EXPECT_EQ(call.in_flight(), 1U);
  EXPECT_EQ(call.on_attempt_timeout(2), wait(1s));
  rig<three> const none;
  auto other = none.call(one_extra);
  std::ignore = other.begin();
  EXPECT_EQ(other.attempt_timeout(), anew::duration::max());
}

// Without a classifier for error codes.
struct reads_ints {
  using role = anew::roles::classifier;
  static directive classify(int error) {
    return error < 0 ? directive::fail() : directive::retry(error_kind::throttling);
  }
};

TEST(HedgeMachine, ATimeOutIsRetriedWhateverTheClassifierReads) {
  anew::strategy<reads_ints, anew::no_backoff> const strategy;
  anew::hedge_machine call{strategy, one_extra, anew::idempotent_call};
  std::ignore = call.begin();
  EXPECT_EQ(call.on_attempt_timeout(1).start, 2U);
  EXPECT_EQ(call.current().previous, error_kind::timeout);
  EXPECT_EQ(call.on_error(2, 3).start, 3U);  // at once, as there is no backoff
  EXPECT_EQ(call.on_error(3, -1).result_of, 3U);
  EXPECT_EQ(call.reason(), stop_reason::not_retryable);
}

TEST(HedgeMachine, PushbackTakesThePlaceOfTheDelay) {
  rig<five, anew::pushback_hint<>> const r;
  auto call = r.call(two_extra);
  std::ignore = call.begin();
  std::ignore = call.on_time();
  EXPECT_EQ(call.on_verdict(1, hinted(300ms)), wait(300ms));
  EXPECT_EQ(call.in_flight(), 1U);
  EXPECT_EQ(r.heard.retries().back().origin, anew::delay_origin::hint);
  EXPECT_EQ(call.on_time(), start(3));
  EXPECT_EQ(call.on_verdict(3, success), over(3));
  EXPECT_EQ(r.quota.outstanding(), 0U);
}

TEST(HedgeMachine, AnAttemptThatWasPushedBackIsReleasedWhenAnotherWins) {
  rig<five, anew::pushback_hint<>> const r;
  auto call = r.call(two_extra);
  std::ignore = call.begin();
  std::ignore = call.on_time();
  std::ignore = call.on_verdict(1, hinted(300ms));
  EXPECT_EQ(call.on_verdict(2, success), over(2));
  EXPECT_EQ(call.attempts(), 2U);
  EXPECT_THAT(r.quota.book(), ElementsAre("acquire 1", "acquire 2", "success 1", "release 2"));
}

TEST(HedgeMachine, WhileOneIsPushedBackFailuresWaitForIt) {
  rig<five, anew::pushback_hint<>> const r;
  auto call = r.call(two_extra);
  std::ignore = call.begin();
  std::ignore = call.on_time();
  EXPECT_EQ(call.on_verdict(1, hinted(300ms)), wait(300ms));
  EXPECT_EQ(call.on_verdict(2, retryable), as_it_is);
  EXPECT_FALSE(r.heard.attempts().back().is_final);
  EXPECT_EQ(call.in_flight(), 0U);
  EXPECT_EQ(call.on_time(), start(3));
  EXPECT_EQ(call.on_verdict(3, retryable), wait(1s));
}

TEST(HedgeMachine, TheLastPushbackHolds) {
  rig<five, anew::pushback_hint<>> const r;
  auto call = r.call(two_extra);
  std::ignore = call.begin();
  std::ignore = call.on_time();
  EXPECT_EQ(call.on_verdict(1, hinted(300ms)), wait(300ms));
  EXPECT_EQ(call.on_verdict(2, hinted(700ms)), wait(700ms));  // the last one in flight: the call's retry
  EXPECT_EQ(r.quota.totals().released, 1U);
  EXPECT_EQ(call.on_time(), start(3, 10ms));  // which begins a round
  EXPECT_EQ(call.on_verdict(3, success), over(3));
  EXPECT_EQ(r.quota.outstanding(), 0U);
}

TEST(HedgeMachine, APushedBackHedgeThatIsReplacedGivesItsPlaceBack) {
  rig<five, anew::pushback_hint<>> const r;
  anew::hedge_after<10ms, 3> const three_extra;
  auto call = r.call(three_extra);
  std::ignore = call.begin();
  std::ignore = call.on_time();
  std::ignore = call.on_time();
  EXPECT_EQ(call.on_verdict(1, hinted(300ms)), wait(300ms));
  EXPECT_EQ(call.on_verdict(2, hinted(200ms)), wait(300ms));  // the shorter one does not shorten the longer one
  EXPECT_EQ(r.quota.totals().released, 1U);
  EXPECT_EQ(call.on_time(), start(4));
  EXPECT_EQ(call.in_flight(), 2U);
}

TEST(HedgeMachine, AHintIsRememberedWhenAnotherAttemptFailsWithoutOne) {
  rig<five, anew::server_hint<anew::long_hint::stop, 60s>> const r;
  auto call = r.call(one_extra);
  std::ignore = call.begin();
  std::ignore = call.on_time();
  EXPECT_EQ(call.on_verdict(1, hinted(60s)), no_timer);
  r.clock.advance(7s);
  EXPECT_EQ(call.on_verdict(2, retryable), wait(53s));
  EXPECT_EQ(r.heard.retries().back().origin, anew::delay_origin::hint);
  r.clock.advance(53s);
  EXPECT_EQ(call.on_time(), start(3, 10ms));
  EXPECT_EQ(call.on_verdict(3, retryable), start(4));  // nothing is left of it
}

TEST(HedgeMachine, AHintThatIsOverDelaysNothing) {
  rig<five, anew::server_hint<anew::long_hint::stop, 60s>> const r;
  auto call = r.call(one_extra);
  std::ignore = call.begin();
  std::ignore = call.on_time();
  EXPECT_EQ(call.on_verdict(1, hinted(60s)), no_timer);
  r.clock.advance(61s);
  EXPECT_EQ(call.on_verdict(2, retryable), wait(1s));
  EXPECT_EQ(r.heard.retries().back().origin, anew::delay_origin::backoff);
}

TEST(HedgeMachine, AHintThatIsTooLongEndsTheCallWhenAnotherAttemptFailsWithoutOne) {
  rig<five, anew::server_hint<anew::long_hint::stop, 60s>> const r;
  for (bool const hedge_is_left : {false, true}) {
    auto call = r.call(two_extra);
    std::ignore = call.begin();
    std::ignore = call.on_time();
    if (!hedge_is_left) std::ignore = call.on_time();
    EXPECT_EQ(call.on_verdict(1, hinted(1h)), no_timer);
    if (!hedge_is_left) {
      EXPECT_EQ(call.on_verdict(3, retryable), no_timer);
    }
    EXPECT_EQ(call.on_verdict(2, retryable), over(2));
    EXPECT_EQ(call.reason(), stop_reason::hint_too_long);
  }
  EXPECT_EQ(r.quota.outstanding(), 0U);
}

TEST(HedgeMachine, AHintThatIsTooLongDoesNotEndAttemptsInFlight) {
  rig<five, anew::server_hint<anew::long_hint::stop, 60s>> const r;
  auto call = r.call(one_extra);
  std::ignore = call.begin();
  std::ignore = call.on_time();
  EXPECT_EQ(call.on_verdict(1, hinted(1h)), no_timer);
  EXPECT_EQ(call.on_verdict(2, success), over(2));
  EXPECT_EQ(call.reason(), stop_reason::succeeded);
}

TEST(HedgeMachine, AHintIsRememberedThoughTheQuotaRefusesTheHedge) {
  rig<five, anew::server_hint<anew::long_hint::stop, 60s>> const r;
  auto call = r.call(two_extra);
  std::ignore = call.begin();
  std::ignore = call.on_time();
  r.quota.refuse(true);
  EXPECT_EQ(call.on_verdict(1, hinted(60s)), no_timer);
  r.quota.refuse(false);
  EXPECT_EQ(call.on_verdict(2, retryable), wait(60s));
}

TEST(HedgeMachine, ANegativeHintIsNoneWhereTheHintPolicyDoesNotObeyRefusals) {
  rig<five> const r;
  auto call = r.call(one_extra);
  std::ignore = call.begin();
  std::ignore = call.on_time();
  EXPECT_EQ(call.on_verdict(1, hinted(-1s)), no_timer);
  EXPECT_EQ(call.on_verdict(2, hinted(-1s)), wait(1s));
  EXPECT_FALSE(r.heard.attempts().back().verdict.what().hint);
}

TEST(HedgeMachine, PushbackMayEndTheHedgesOfACall) {
  rig<five, anew::pushback_hint<>> const r;
  anew::hedge_after<10ms, 2, when_pushed_back::stop> const polite;
  auto call = r.call(polite);
  std::ignore = call.begin();
  std::ignore = call.on_time();
  EXPECT_EQ(call.on_verdict(1, hinted(300ms)), no_timer);
  EXPECT_EQ(call.on_time(), as_it_is);
  EXPECT_EQ(call.on_verdict(2, hinted(300ms)), wait(300ms));  // the retries go on
  EXPECT_EQ(call.on_time(), start(3));                        // with no hedges
  EXPECT_EQ(call.on_verdict(3, retryable), wait(1s));
  EXPECT_EQ(call.on_time(), start(4));
}

TEST(HedgeMachine, PushbackOfZeroIsAtOnce) {
  rig<five, anew::pushback_hint<>> const r;
  auto call = r.call(two_extra);
  std::ignore = call.begin();
  std::ignore = call.on_time();
  EXPECT_EQ(call.on_verdict(1, hinted(0s)), start(3));
  EXPECT_EQ(call.on_verdict(2, hinted(0s)), no_timer);
  EXPECT_EQ(call.on_verdict(3, hinted(0s)), start(4, 10ms));
}

TEST(HedgeMachine, NegativePushbackEndsAllFurtherAttemptsAndNotThoseInFlight) {
  rig<five, anew::pushback_hint<>> const r;
  {
    auto call = r.call(two_extra);
    std::ignore = call.begin();
    std::ignore = call.on_time();
    EXPECT_EQ(call.on_verdict(1, hinted(300ms)), wait(300ms));
    EXPECT_EQ(r.heard.attempts().back().is_final, false);
    EXPECT_EQ(call.on_verdict(2, hinted(-1ms)), over(2));  // the one that was planned is not sent
    EXPECT_EQ(call.reason(), stop_reason::not_retryable);
    EXPECT_TRUE(r.heard.attempts().back().is_final);
  }
  auto call = r.call(two_extra);
  std::ignore = call.begin();
  std::ignore = call.on_time();
  EXPECT_EQ(call.on_verdict(2, hinted(-1ms)), no_timer);
  EXPECT_EQ(call.on_time(), as_it_is);
  EXPECT_EQ(call.on_verdict(1, retryable), over(1));
  EXPECT_EQ(call.reason(), stop_reason::not_retryable);
  EXPECT_EQ(r.quota.outstanding(), 0U);

  auto lucky = r.call(two_extra);
  std::ignore = lucky.begin();
  std::ignore = lucky.on_time();
  EXPECT_EQ(lucky.on_verdict(2, hinted(-1ms)), no_timer);
  EXPECT_EQ(lucky.on_verdict(1, success), over(1));
}

TEST(HedgeMachine, AHintThatIsTooLongRefusesTheHedgeAlone) {
  rig<five, anew::pushback_hint<1s>> const r;
  auto call = r.call(two_extra);
  std::ignore = call.begin();
  std::ignore = call.on_time();
  EXPECT_EQ(call.on_verdict(1, hinted(2s)), no_timer);
  EXPECT_EQ(call.on_verdict(2, hinted(2s)), over(2));
  EXPECT_EQ(call.reason(), stop_reason::hint_too_long);
  EXPECT_EQ(r.quota.outstanding(), 0U);
}

TEST(HedgeMachine, AStopStartsNothingAndTheLastOneInFlightEndsTheCall) {
  rig<five> const r;
  auto call = r.call(two_extra);
  std::ignore = call.begin();
  std::ignore = call.on_time();
  EXPECT_EQ(call.request_stop(), no_timer);
  EXPECT_EQ(call.on_time(), as_it_is);
  EXPECT_EQ(call.on_verdict(2, retryable), as_it_is);
  EXPECT_EQ(call.on_verdict(1, retryable), over(1));
  EXPECT_EQ(call.reason(), stop_reason::cancelled);
  EXPECT_THAT(r.quota.book(), ElementsAre("acquire 1", "release 1"));
  EXPECT_THAT(r.heard.story(), ElementsAre("retry 2", "end cancelled after 2"));
}

TEST(HedgeMachine, AStopDropsAHedgeThatWaits) {
  rig<five, anew::pushback_hint<>> const r;
  auto call = r.call(two_extra);
  std::ignore = call.begin();
  std::ignore = call.on_time();
  std::ignore = call.on_verdict(1, hinted(300ms));
  EXPECT_EQ(call.request_stop(), no_timer);
  EXPECT_EQ(r.quota.totals().released, 1U);
  EXPECT_EQ(call.on_time(), as_it_is);
  EXPECT_EQ(call.on_verdict(2, retryable), over(2));
}

TEST(HedgeMachine, ASuccessAfterAStopIsASuccess) {
  rig<five> const r;
  auto call = r.call(one_extra);
  std::ignore = call.begin();
  std::ignore = call.on_time();
  std::ignore = call.request_stop();
  EXPECT_EQ(call.on_outcome(2, true), over(2));
  EXPECT_EQ(call.reason(), stop_reason::succeeded);
}

TEST(HedgeMachine, WhatItHeldComesBackWhenItIsDestroyed) {
  rig<five> const r;
  {
    auto call = r.call(two_extra);
    std::ignore = call.begin();
    std::ignore = call.on_time();
  }
  EXPECT_THAT(r.quota.book(), ElementsAre("acquire 1", "release 1"));
  EXPECT_TRUE(r.heard.ends().empty());
}

TEST(HedgeMachine, AllAtOnce) {
  rig<three> const r;
  anew::hedge_at_once<2> const all;
  auto call = r.call(all);
  EXPECT_EQ(call.begin(), start(1, 0ns));
  EXPECT_EQ(call.on_time(), start(2, 0ns));
  EXPECT_EQ(call.on_time(), start(3));
  EXPECT_EQ(call.on_verdict(3, success), over(3));
}

TEST(HedgeMachine, ResultsAreReadAsRetryReadsThem) {
  rig<five> const r;
  {
    auto call = r.call(one_extra);
    std::ignore = call.begin();
    EXPECT_EQ(call.on_outcome(1, std::make_error_code(std::errc::io_error)).start, 2U);
    EXPECT_EQ(call.on_outcome(2, std::error_code{}), over(2));
  }
  {
    auto call = r.call(one_extra);
    std::ignore = call.begin();
    EXPECT_EQ(call.on_outcome(1, std::optional<int>{}).start, 2U);
    EXPECT_EQ(call.on_outcome(2, 17U), over(2));  // a plain value
  }
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
}

TEST(HedgeMachine, SoItDoesWhereTheHedgeOfAFailedAttemptIsRefused) {
  auto const strategy = anew::compose(anew::long_poll<anew::token_bucket<0>>{}, anew::constant_backoff<1s>{},
                                      anew::no_jitter{}, anew::retry_all{}, anew::max_attempts<5>{});
  anew::hedge_machine call{strategy, one_extra, anew::idempotent_call};
  std::ignore = call.begin();
  EXPECT_EQ(call.on_verdict(1, retryable), wait(1s));
  EXPECT_EQ(call.on_time(), over(1));
}

/// Wants to hear of retries alone, as the concept says.
struct strict_quota : audited_quota {
  void on_failure(permit_type held) const {
    EXPECT_NE(held, 0U);
    audited_quota::on_failure(held);
  }
};

TEST(HedgeMachine, AFirstAttemptThatLosesHasNothingToSpend) {
  strict_quota const quota;
  auto const strategy = anew::compose(quota, anew::retry_all{});
  anew::hedge_machine call{strategy, one_extra, anew::idempotent_call};
  std::ignore = call.begin();
  std::ignore = call.on_time();
  EXPECT_EQ(call.on_verdict(2, success), over(2));
  EXPECT_EQ(quota.outstanding(), 0U);
}

/// A gate that hands out numbered passes, and lets `room` attempts in; a wait, when it is told to.
struct counting_gate {
  using role = anew::roles::gate;
  struct pass_type {
    int number = 0;
    friend bool operator==(pass_type, pass_type) = default;
  };
  struct state {
    int room = 100;
    anew::duration wait{};
    int inside = 0;
    int succeeded = 0;
    int failed = 0;
    int released = 0;
    anew::time_point asked{};
  };
  state* s;
  [[nodiscard]] anew::admission<pass_type> try_enter(anew::time_point now) const {
    s->asked = now;
    if (s->wait > 0ns) return {std::nullopt, s->wait};
    if (s->room == 0) return {std::nullopt, 0ns};
    --s->room;
    ++s->inside;
    return {pass_type{1}, 0ns};
  }
  void on_success(pass_type pass, anew::time_point) const { leave(pass, s->succeeded); }
  void on_failure(pass_type pass, failure const&, anew::time_point) const { leave(pass, s->failed); }
  void release(pass_type pass) const { leave(pass, s->released); }
  void leave(pass_type pass, int& how) const {
    s->inside -= pass.number;
    how += pass.number;
  }
};

struct gated {
  counting_gate::state state;
  audited_quota quota;
  manual_clock clock;
  decltype(anew::compose(counting_gate{&state}, quota, clock, anew::retry_all{}, anew::max_attempts<5>{},
                         anew::constant_backoff<1s>{}, anew::no_jitter{}, anew::deadline<10s>{})) strategy =
      anew::compose(counting_gate{&state}, quota, clock, anew::retry_all{}, anew::max_attempts<5>{},
                    anew::constant_backoff<1s>{}, anew::no_jitter{}, anew::deadline<10s>{});
};

TEST(HedgeMachine, EachAttemptHasItsPassAndLosersFailNothing) {
  gated g;
  anew::hedge_machine call{g.strategy, two_extra, anew::idempotent_call};
  std::ignore = call.begin();
  std::ignore = call.on_time();
  std::ignore = call.on_time();
  EXPECT_EQ(g.state.inside, 3);
  std::ignore = call.on_verdict(2, retryable);
  EXPECT_EQ(g.state.failed, 1);
  EXPECT_EQ(call.on_verdict(3, success), over(3));
  EXPECT_EQ(g.state.inside, 0);
  EXPECT_EQ(g.state.succeeded, 1);
  EXPECT_EQ(g.state.failed, 1);
  EXPECT_EQ(g.state.released, 1);
}

TEST(HedgeMachine, AGateThatRefusesAHedgeLeavesTheOthersAlone) {
  gated g;
  g.state.room = 1;
  anew::hedge_machine call{g.strategy, two_extra, anew::idempotent_call};
  std::ignore = call.begin();
  EXPECT_EQ(call.on_time(), no_timer);
  EXPECT_EQ(call.attempts(), 1U);
  EXPECT_THAT(g.quota.book(), ElementsAre("acquire 1", "release 1"));
  EXPECT_EQ(call.on_verdict(1, retryable), wait(1s));
  EXPECT_EQ(call.on_time(), over(1));
  EXPECT_EQ(call.reason(), stop_reason::gate_closed);
  EXPECT_EQ(g.quota.outstanding(), 0U);
}

TEST(HedgeMachine, AGateThatIsKnownToRefuseIsNotWaitedFor) {
  rig<five, anew::circuit_breaker<1, 30s>> const r;
  auto call = r.call(two_extra);
  std::ignore = call.begin();
  std::ignore = call.on_time();
  EXPECT_EQ(call.on_verdict(1, retryable), no_timer);  // which opened it
  EXPECT_EQ(r.heard.retries().size(), 1U);             // nobody is told of a hedge that is not to be
  EXPECT_THAT(r.quota.book(), ElementsAre("acquire 1", "acquire 2", "release 2"));
  EXPECT_EQ(call.on_verdict(2, retryable), over(2));
  EXPECT_EQ(call.reason(), stop_reason::gate_closed);
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

TEST(HedgeMachine, AGateMayRefuseTheFirstAttempt) {
  gated g;
  g.state.room = 0;
  anew::hedge_machine call{g.strategy, one_extra, anew::idempotent_call};
  EXPECT_EQ(call.begin(), over(0));
  EXPECT_EQ(call.reason(), stop_reason::gate_closed);
  EXPECT_EQ(call.attempts(), 0U);
}

TEST(HedgeMachine, AGateMayMakeAnAttemptWait) {
  gated g;
  g.state.wait = 2s;
  anew::hedge_machine call{g.strategy, one_extra, anew::idempotent_call};
  auto const now = g.clock.peek();
  EXPECT_EQ(call.begin(), wait(2s));
  EXPECT_EQ(g.state.asked, now);
  g.state.wait = 0s;
  EXPECT_EQ(call.on_time(), start(1, 10ms));
  EXPECT_EQ(g.state.asked, now + 2s);  // even where the clock stands still: what was asked for has passed
  g.state.wait = 3s;
  EXPECT_EQ(call.on_time(), wait(3s));
  EXPECT_EQ(g.state.asked, now);
  EXPECT_EQ(call.on_verdict(1, success), over(1));  // while the hedge waits
  EXPECT_THAT(g.quota.book(), ElementsAre("acquire 1", "success 0", "release 1"));
  EXPECT_EQ(g.state.inside, 0);
}

TEST(HedgeMachine, PushbackEndsTheWaitOfAHedge) {
  gated g;
  anew::hedge_machine call{g.strategy, two_extra, anew::idempotent_call};
  auto const now = g.clock.peek();
  std::ignore = call.begin();
  g.state.wait = 3s;
  EXPECT_EQ(call.on_time(), wait(3s));
  EXPECT_EQ(call.on_verdict(1, hinted(1s)), wait(1s));
  g.state.wait = 0s;
  EXPECT_EQ(call.on_time(), start(2, 10ms));
  EXPECT_EQ(g.state.asked, now);
}

TEST(HedgeMachine, AWaitThatPassesTheDeadlineIsARefusal) {
  gated g;
  anew::hedge_machine call{g.strategy, one_extra, anew::idempotent_call};
  std::ignore = call.begin();
  g.state.wait = 10s;
  EXPECT_EQ(call.on_time(), no_timer);
  EXPECT_EQ(call.on_verdict(1, success), over(1));

  anew::hedge_machine first{g.strategy, one_extra, anew::idempotent_call};
  EXPECT_EQ(first.begin(), over(0));
  EXPECT_EQ(first.reason(), stop_reason::deadline);
}

TEST(HedgeMachine, TestModeCapsTheAttemptsAndWaitsForNothing) {
  anew::testing::test_mode const mode{2};
  rig<five> const r;
  auto call = r.call(one_extra);
  EXPECT_EQ(call.begin(), start(1, 10ms));
  EXPECT_EQ(call.on_verdict(1, retryable), start(2));
  EXPECT_EQ(call.on_verdict(2, retryable), over(2));
  EXPECT_EQ(call.reason(), stop_reason::attempts);
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
