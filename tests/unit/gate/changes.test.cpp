// SPDX-License-Identifier: BSL-1.0
// What observers are told of gates, quotas and pacers: each change once, whichever strategy, handle or driver made it.
#include <cstdint>
#include <initializer_list>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/hedge.hpp"
#include "anew/policies/classifier/error_code.hpp"
#include "anew/policies/gate/circuit_breaker.hpp"
#include "anew/policies/gate/cool_down.hpp"
#include "anew/policies/gate/rate_breaker.hpp"
#include "anew/policies/observer/fan_out.hpp"
#include "anew/policies/pacer/rate_limit.hpp"
#include "anew/policies/quota/long_poll.hpp"
#include "anew/policies/quota/refilling_bucket.hpp"
#include "anew/policies/quota/retry_throttle.hpp"
#include "anew/policies/quota/striped.hpp"
#include "anew/policies/quota/token_bucket.hpp"
#include "anew/policies/quota/unlimited.hpp"
#include "anew/policies/sharing/partitioned.hpp"
#include "anew/policies/sharing/shared.hpp"
#include "anew/run_time/choice.hpp"
#include "anew/testing/recorder.hpp"
#include "anew/virtual.hpp"

#include "names.hpp"

namespace gate_changes_test {
namespace {

using namespace anew;
using story = std::vector<std::string>;

std::string in_text(policy_change change) {
  return std::string{to_string(change.of, change.from)} + ">" + to_string(change.of, change.to);
}

struct hears {
  using role = roles::observer;
  story* to;
  void on_change(policy_change const& change) const { to->push_back(in_text(change)); }
};
struct follows {
  using role = roles::observer;
  story* to;
  using call_type = int;
  [[nodiscard]] static int on_call(call_event const& /*event*/) { return 0; }
  void on_change(policy_change const& change) const { to->push_back(in_text(change)); }
};
/// Listens to no change.
struct deaf {
  using role = roles::observer;
  static void on_end(end_event const& /*event*/) {}
};

auto const no_sleep = [](duration /*delay*/) {};
auto const broken = std::make_error_code(std::errc::connection_reset);

auto strategy_with(auto... policies) { return compose(error_code_classifier{}, no_backoff{}, std::move(policies)...); }
void make_call(auto const& by, std::error_code result) {
  (void)retry_outcome(by, idempotent([result] { return result; }), no_sleep);
}

/// Fails, fails and is open; a probe that fails, one that succeeds; the same by hand.
void play_through(auto const& by, auto const& clock, auto const& by_hand) {
  auto const call = [&](std::initializer_list<std::error_code> results) {
    auto at = results.begin();
    (void)retry_outcome(by, idempotent([&] { return *at++; }), no_sleep);
  };
  call({broken, broken});
  call({});  // refused
  clock.advance(30s);
  call({broken});
  clock.advance(30s);
  call({{}});
  call({broken, {}});
  by_hand();
}
story const all_changes{"closed>open", "open>half_open", "half_open>open", "open>half_open", "half_open>closed"};

template <class Gate, class... Observers>
void expect_told(Gate gate, story const& heard, Observers... observers) {
  manual_clock const clock;
  auto const s = strategy_with(std::move(gate), max_attempts<2>{}, clock, std::move(observers)...);
  play_through(s, clock, [] {});
  EXPECT_EQ(heard, all_changes);
}

TEST(GateChanges, AreToldThroughEveryHandle) {
  using breaker = circuit_breaker<2, 30s>;
  story heard;
  auto const begins = [&heard]() -> hears {
    heard.clear();
    return {&heard};
  };
  expect_told(breaker{}, heard, begins());
  expect_told(circuit_breaker{2, 30s}, heard, begins());
  expect_told(rate_breaker<60, 10s, 2, 30s>{}, heard, begins());
  expect_told(shared<breaker>{}, heard, begins());
  expect_told(choice<roles::gate, breaker, cool_down<>>{}, heard, begins());
  heard.clear();
  expect_told(breaker{}, heard, follows{&heard});
  heard.clear();
  expect_told(breaker{}, heard, fan_out{deaf{}, hears{&heard}});
  heard.clear();
  expect_told(breaker{}, heard, fan_out{deaf{}, follows{&heard}});
}

TEST(GateChanges, AreToldBehindTheInterfaceAndByHand) {
  manual_clock const clock;
  story heard;
  auto const s = strategy_with(shared<circuit_breaker<2, 30s>>{}, max_attempts<2>{}, clock, hears{&heard});
  virtual_strategy const behind{s};
  play_through(strategy_view{behind}, clock, [&] {
    auto const& breaker = s.gate().policy();
    s.announce(breaker.isolate());
    s.announce(breaker.isolate());  // no change
    clock.advance(24h * 365);
    EXPECT_EQ(retry_outcome(s, [] { return std::error_code{}; }, no_sleep).reason(), stop_reason::gate_closed);
    s.announce(breaker.close());
  });
  auto expected = all_changes;
  expected.insert(expected.end(), {"closed>open", "open>closed"});
  EXPECT_EQ(heard, expected);
}

TEST(GateChanges, OfACoolDownAreThePausesBeginAndTheirEnd) {
  manual_clock const clock;
  story heard;
  auto const s =
      strategy_with(cool_down<constant_backoff<10s>, when_cooling::refuse>{}, max_attempts<1>{}, clock, hears{&heard});
  make_call(s, broken);
  make_call(s, {});  // refused
  clock.advance(10s);
  make_call(s, broken);  // it cools on: no change
  clock.advance(10s);
  make_call(s, {});
  EXPECT_EQ(heard, story{"closed>open"});
  make_call(s, {});
  EXPECT_EQ(heard, (story{"closed>open", "open>closed"}));
}

TEST(GateChanges, AreInTheStoryOfARecorder) {
  anew::testing::recorder const heard;
  make_call(strategy_with(circuit_breaker<1, 30s>{}, max_attempts<2>{}, heard), broken);
  EXPECT_EQ(heard.story(), (story{"gate closed>open", "attempt 1 may be retried", "end gate_closed after 1"}));
  EXPECT_EQ(heard.changes(), (std::vector<policy_change>{gate_change{breaker_state::closed, breaker_state::open}}));
}

story const spent_and_earned{"granting>empty", "empty>granting", "granting>empty"};

/// Retries until the quota refuses, twice; then calls succeed until it has room, and retries empty it again.
template <class Quota, class... Observers>
void expect_spending_told(Quota quota, story& heard, Observers... observers) {
  manual_clock const clock;
  heard.clear();
  auto const s = strategy_with(std::move(quota), max_attempts<3>{}, clock, std::move(observers)...);
  for (int i = 0; i != 46; ++i) make_call(s, i < 3 || i >= 43 ? broken : std::error_code{});
  EXPECT_EQ(heard, spent_and_earned) << describe(s);
}

TEST(QuotaChanges, AreToldOnceThroughEveryHandleAndObserver) {
  story heard;
  partitioned<std::string, token_bucket<28>> hosts{10};
  expect_spending_told(token_bucket<28>{}, heard, hears{&heard});
  expect_spending_told(token_bucket{28}, heard, hears{&heard});
  expect_spending_told(striped<token_bucket<28>>{}, heard, hears{&heard});
  expect_spending_told(shared<token_bucket<28>>{}, heard, hears{&heard});
  expect_spending_told(long_poll<shared<token_bucket<28>>>{}, heard, hears{&heard});
  expect_spending_told(hosts.at("a"), heard, hears{&heard});
  expect_spending_told(choice<roles::quota, unlimited_quota, token_bucket<28>>{token_bucket<28>{}}, heard,
                       hears{&heard});
  expect_spending_told(retry_throttle<3, rational{1, 2}>{}, heard, follows{&heard});
  expect_spending_told(token_bucket<28>{}, heard, fan_out{deaf{}, follows{&heard}});
}

TEST(QuotaChanges, AreToldBehindTheInterfaceAndWhereTimeRefills) {
  manual_clock const clock;
  story heard;
  auto const s = strategy_with(shared<refilling_bucket<2, 10s>>{}, max_attempts<3>{}, clock, hears{&heard});
  virtual_strategy const behind{s};
  strategy_view const view{behind};
  make_call(view, broken);
  make_call(view, broken);
  make_call(view, {});  // still empty
  EXPECT_EQ(heard, story{"granting>empty"});
  clock.advance(10s);
  make_call(view, {});
  EXPECT_EQ(heard, story{"granting>empty"}) << "no retry has asked";
  make_call(view, broken);
  EXPECT_EQ(heard, spent_and_earned);
  heard.clear();
  refilling_bucket<2, 10s, when_empty::reserve, 30s> lends;
  make_call(strategy_with(std::move(lends), max_attempts<4>{}, clock, hears{&heard}), broken);
  EXPECT_EQ(heard, story{"granting>empty"}) << "it would lend, for longer than the backoff waits";
}

TEST(QuotaChanges, OfASharedQuotaAreToldByTheStrategyThatMeetsThem) {
  story of_one, of_other;
  shared<token_bucket<14>> const budget;
  auto const one = strategy_with(budget, max_attempts<2>{}, hears{&of_one});
  auto const other = strategy_with(budget, max_attempts<2>{}, hears{&of_other});
  make_call(one, broken);
  make_call(one, broken);
  make_call(other, broken);  // refused as well, which is no news
  EXPECT_EQ(of_one, story{"granting>empty"});
  for (int i = 0; i != 14; ++i) make_call(other, {});  // a retry costs 14
  make_call(other, broken);
  EXPECT_EQ(of_other, story{"empty>granting"});
}

TEST(QuotaChanges, OfHedgesAreTold) {
  story heard;
  auto const s = strategy_with(token_bucket<0>{}, max_attempts<3>{}, hears{&heard});
  hedge_after<10ms> const hedges;
  hedge_machine call{s, hedges, anew::idempotent_call};
  (void)call.begin();
  (void)call.on_time();
  EXPECT_EQ(heard, story{"granting>empty"});
}

TEST(PacerChanges, AreTheFirstAttemptThatWaitsAndTheNextThatDoesNot) {
  manual_clock const clock;
  story heard;
  auto const s = strategy_with(rate_limit<2, 1s, 2, 0s>{}, clock, hears{&heard});
  auto const call = [&] { return retry_outcome(s, [] { return std::error_code{}; }, no_sleep).reason(); };
  call(), call();
  EXPECT_EQ(heard, story{});
  EXPECT_EQ(call(), stop_reason::rate_limited);
  EXPECT_EQ(call(), stop_reason::rate_limited);
  EXPECT_EQ(heard, story{"free>slowing"});
  clock.advance(1s);
  EXPECT_EQ(call(), stop_reason::succeeded);
  EXPECT_EQ(heard, (story{"free>slowing", "slowing>free"}));
}

TEST(PacerChanges, OfAnAttemptThatWaitedAreNoNews) {
  manual_clock const clock;
  story heard;
  auto const s = strategy_with(shared<rate_limit<1, 1s>>{}, clock, hears{&heard});
  auto const call = [&] {
    (void)retry_outcome(s, [] { return std::error_code{}; }, [&](duration delay) { clock.advance(delay); });
  };
  call(), call(), call();
  EXPECT_EQ(heard, story{"free>slowing"});
}

}  // namespace
}  // namespace gate_changes_test
