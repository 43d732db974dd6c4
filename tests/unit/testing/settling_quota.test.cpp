// SPDX-License-Identifier: BSL-1.0
// A quota that settles its permits right before the retry, under every driver: what it answers, what becomes of the call,
// and where each permit comes back.
#include <chrono>
#include <cstddef>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/hedge.hpp"
#include "anew/policies/quota/long_poll.hpp"
#include "anew/policies/sharing/borrowed.hpp"
#include "anew/policies/sharing/partitioned.hpp"
#include "anew/policies/sharing/shared.hpp"
#include "anew/poll.hpp"
#include "anew/run_time/choice.hpp"
#include "anew/testing/advancing_sleeper.hpp"
#include "anew/testing/audited_quota.hpp"
#include "anew/testing/manual_clock.hpp"

#include "names.hpp"
#include "stories/parts.hpp"

namespace testing_settling_quota_test {
namespace {

using anew::testing::settling_quota;
using book = std::vector<std::string>;
using delays = std::vector<anew::duration>;

static_assert(anew::Quota<settling_quota> && anew::detail::SettlesPermits<settling_quota>);
using composed = decltype(anew::compose(settling_quota{}));
static_assert(composed::has_admission && composed::settles_permits && !composed::initial_token_is_pure);
static_assert(!anew::strategy<>::settles_permits && !anew::strategy<>::has_admission);
// A nested retry is not settled, so such a quota is not lent to nested calls.
static_assert(!anew::detail::quota_is_asked_without_the_time<settling_quota>);
static_assert(anew::detail::quota_is_asked_without_the_time<anew::token_bucket<>>);
static_assert(anew::detail::SettlesPermits<anew::shared<settling_quota>> &&
              anew::detail::SettlesPermits<anew::borrowed<settling_quota>> &&
              anew::detail::SettlesPermits<anew::leased<settling_quota>> &&
              anew::detail::SettlesPermits<anew::long_poll<settling_quota>>);
static_assert(!anew::detail::SettlesPermits<anew::shared<anew::token_bucket<>>> &&
              !anew::detail::SettlesPermits<anew::leased<anew::token_bucket<>>>);
template <class... Quotas>
using chosen = anew::choice<anew::roles::quota, Quotas...>;
static_assert(anew::detail::SettlesPermits<chosen<anew::token_bucket<>, settling_quota>> &&
              !anew::detail::SettlesPermits<chosen<anew::token_bucket<>, anew::unlimited_quota>>);

template <class... More>
auto strategy_of(More... more) {
  return anew::compose(anew::retry_all{}, anew::constant_backoff<10ms>{}, anew::no_jitter{}, anew::max_attempts<4>{},
                       anew::deadline<100ms>{}, std::move(more)...);
}

TEST(SettlingQuota, IsAskedThroughEachHandle) {
  auto const asks = [](settling_quota const& quota, auto handle) {
    int calls = 0;
    auto const second = anew::idempotent([&calls] { return ++calls == 2; });
    auto const by = strategy_of(std::move(handle), manual_clock{});
    EXPECT_TRUE(anew::retry(by, second, [](anew::duration) {}));
    EXPECT_EQ(quota.book(), (book{"acquire 1", "again 1", "settle 1 as 2", "success 2"}));
  };
  settling_quota const quota{{1ms, 0ms}};
  asks(quota, quota);
  settling_quota const shared{{1ms, 0ms}};
  asks(shared, anew::shared<settling_quota>{shared});
  settling_quota const borrowed{{1ms, 0ms}};
  asks(borrowed, anew::borrowed{borrowed});
  settling_quota const choice{{1ms, 0ms}};
  asks(choice, chosen<anew::token_bucket<>, settling_quota>{choice});
}

/// The quota asks first: a refusal costs no pass. A permit that stands is settled again while the gate waits.
TEST(SettlingQuota, ItIsAskedBeforeTheGate) {
  namespace s = support::stories;
  s::story const told{"", s::in::gated, {.gate = "0 5 5"}, "ok", ""};
  s::world w{told};
  settling_quota const quota{{3ms, 0ms, -1ms}};
  anew::testing::advancing_sleeper sleep{w.clock};
  EXPECT_FALSE(anew::retry(strategy_of(quota, w.clock, s::gate{w}), anew::idempotent([] { return false; }), sleep));
  EXPECT_EQ(quota.book(),
            (book{"acquire 1", "again 1", "settle 1 as 2", "failure 2", "acquire 3", "no 3", "release 3"}));
  EXPECT_EQ(sleep.delays, (delays{10ms, 3ms, 5ms, 5ms, 10ms}));
  EXPECT_EQ(w.books(), "gate 0 @0; failed transient @0 1; gate 5 @13; gate 5 @18; gate 0 @23; failed transient @23 2");
}

TEST(SettlingQuota, APollSettlesNothingForALookThatIsNotReady) {
  settling_quota const quota{{1ms, -1ms}};
  manual_clock const clock;
  delays slept;
  auto const by = anew::compose(quota, anew::constant_backoff<10ms>{}, anew::no_jitter{}, clock, anew::retry_all{},
                                anew::max_attempts<9>{});
  int looks = 0;
  auto const got = anew::poll(
      by, [&looks] { return ++looks; }, anew::success_when([](int n) { return n == 3; }),
      [&](anew::duration d) { slept.push_back(d); });
  EXPECT_TRUE(got.succeeded());
  EXPECT_EQ(quota.outstanding(), 0U) << "not ready costs nothing, and there is nothing to settle";
  EXPECT_EQ(slept, (delays{10ms, 10ms}));
}

TEST(SettlingQuota, APollSettlesTheRetryOfAFailedLook) {
  settling_quota const quota{{0ms, 1ms, -1ms}};
  manual_clock const clock;
  delays slept;
  auto const by = anew::compose(quota, anew::constant_backoff<10ms>{}, anew::no_jitter{}, clock, anew::retry_all{},
                                anew::max_attempts<9>{});
  auto const got = anew::poll(
      by, [] { return false; },
      anew::acceptors{anew::success_when([](bool ready) { return ready; }),
                      anew::retry_when([](bool ready) { return !ready; }, anew::error_kind::throttling)},
      [&](anew::duration d) { slept.push_back(d); });
  EXPECT_EQ(got.reason(), stop_reason::quota);
  EXPECT_EQ(got.attempts(), 2U);
  EXPECT_EQ(slept, (delays{10ms, 10ms, 1ms}));
  EXPECT_EQ(quota.book(),
            (book{"acquire 1", "settle 1 as 2", "failure 2", "acquire 3", "again 3", "no 3", "release 3"}));
}

TEST(SettlingQuota, APartitionCountsItsPermit) {
  anew::partitioned registry = anew::partitioned_by<int>(4, [] { return settling_quota{{1ms, -1ms}}; });
  manual_clock const clock;
  auto const lease = registry.at(1);
  auto const by = anew::compose(lease, anew::constant_backoff<10ms>{}, anew::no_jitter{}, clock, anew::retry_all{});
  EXPECT_FALSE(anew::retry(by, anew::idempotent([] { return false; }), [](anew::duration) {}));
  EXPECT_EQ(lease.policy().book(), (book{"acquire 1", "again 1", "no 1", "release 1"}));
}

// Hedges

constexpr anew::hedge_after<20ms> one_extra;
constexpr auto retryable = anew::directive::retry(anew::error_kind::server);

TEST(SettlingQuota, AHedgeIsSettledBeforeItIsSent) {
  settling_quota const quota{{1ms, 0ms}};
  auto const by = strategy_of(quota, manual_clock{});
  anew::hedge_machine call{by, one_extra, anew::idempotent_call};
  EXPECT_EQ(call.begin().start, 1U);
  EXPECT_EQ(call.on_time().after, 1ms);
  EXPECT_EQ(call.in_flight(), 1U);
  EXPECT_EQ(call.on_time().start, 2U);
  EXPECT_TRUE(call.on_verdict(2, anew::directive::succeed()).finished);
  EXPECT_EQ(quota.book(), (book{"acquire 1", "again 1", "settle 1 as 2", "success 2"}));
}

TEST(SettlingQuota, ARefusedHedgeLeavesTheOthersAlone) {
  settling_quota const quota{{1ms, -1ms}};
  auto const by = strategy_of(quota, manual_clock{});
  anew::hedge_machine call{by, one_extra, anew::idempotent_call};
  std::ignore = call.begin();
  std::ignore = call.on_time();
  auto const step = call.on_time();
  EXPECT_FALSE(step.finished);
  EXPECT_EQ(step.timer, anew::hedge_timer::cancel);
  EXPECT_EQ(quota.outstanding(), 0U);
  EXPECT_TRUE(call.on_verdict(1, anew::directive::succeed()).finished);
  EXPECT_EQ(quota.book(), (book{"acquire 1", "again 1", "no 1", "release 1", "success 0"}));
}

TEST(SettlingQuota, ARefusedRoundEndsAHedgedCall) {
  settling_quota const quota{{0ms, -1ms}};
  auto const by = strategy_of(quota, manual_clock{});
  anew::hedge_machine call{by, one_extra, anew::idempotent_call};
  std::ignore = call.begin();
  std::ignore = call.on_time();
  std::ignore = call.on_verdict(1, retryable);
  EXPECT_EQ(call.on_verdict(2, retryable).after, 10ms);
  auto const step = call.on_time();
  EXPECT_TRUE(step.finished);
  EXPECT_EQ(step.result_of, 2U);
  EXPECT_EQ(call.reason(), stop_reason::quota);
  EXPECT_EQ(quota.book(), (book{"acquire 1", "settle 1 as 2", "failure 2", "acquire 3", "no 3", "release 3"}));
}

TEST(SettlingQuota, AnAnswerWhileAHedgeAsksAgainReturnsItsPermit) {
  settling_quota const quota{{1ms}};
  auto const by = strategy_of(quota, manual_clock{});
  anew::hedge_machine call{by, one_extra, anew::idempotent_call};
  std::ignore = call.begin();
  std::ignore = call.on_time();
  EXPECT_TRUE(call.on_verdict(1, anew::directive::succeed()).finished);
  EXPECT_EQ(quota.book(), (book{"acquire 1", "again 1", "success 0", "release 1"}));
}

}  // namespace
}  // namespace testing_settling_quota_test
