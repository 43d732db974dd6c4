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
#include "anew/testing/audited_quota.hpp"
#include "anew/testing/manual_clock.hpp"

#include "names.hpp"
#include "stories/parts.hpp"

namespace testing_settling_quota_test {
namespace {

using namespace anew;
using anew::testing::settling_quota;
using book = std::vector<std::string>;
using delays = std::vector<duration>;

static_assert(Quota<settling_quota> && detail::SettlesPermits<settling_quota>);
using composed = decltype(compose(settling_quota{}));
static_assert(composed::has_admission && composed::settles_permits && !composed::initial_token_is_pure);
static_assert(!strategy<>::settles_permits && !strategy<>::has_admission);
// A nested retry is not settled, so such a quota is not lent to nested calls.
static_assert(!detail::quota_is_asked_without_the_time<settling_quota>);
static_assert(detail::quota_is_asked_without_the_time<token_bucket<>>);
static_assert(detail::SettlesPermits<shared<settling_quota>> && detail::SettlesPermits<borrowed<settling_quota>> &&
              detail::SettlesPermits<leased<settling_quota>> && detail::SettlesPermits<long_poll<settling_quota>>);
static_assert(!detail::SettlesPermits<shared<token_bucket<>>> && !detail::SettlesPermits<leased<token_bucket<>>>);
template <class... Quotas>
using chosen = choice<roles::quota, Quotas...>;
static_assert(detail::SettlesPermits<chosen<token_bucket<>, settling_quota>> &&
              !detail::SettlesPermits<chosen<token_bucket<>, unlimited_quota>>);

auto strategy_of(auto... more) {
  return compose(retry_all{}, constant_backoff<10ms>{}, no_jitter{}, max_attempts<4>{}, deadline<100ms>{},
                 std::move(more)...);
}

TEST(SettlingQuota, IsAskedThroughEachHandle) {
  auto const asks = [](auto const& handle_of) {
    settling_quota const quota{{1ms, 0ms}};
    int calls = 0;
    auto const second = idempotent([&calls] { return ++calls == 2; });
    auto const strategy = strategy_of(handle_of(quota), manual_clock{});
    EXPECT_TRUE(retry(strategy, second, [](duration) {}));
    EXPECT_EQ(quota.book(), (book{"acquire 1", "again 1", "settle 1 as 2", "success 2"}));
  };
  asks([](settling_quota const& quota) { return quota; });
  asks([](settling_quota const& quota) { return shared<settling_quota>{quota}; });
  asks([](settling_quota const& quota) { return borrowed{quota}; });
  asks([](settling_quota const& quota) { return chosen<token_bucket<>, settling_quota>{quota}; });
}

/// The quota asks first: a refusal costs no pass. A permit that stands is settled again while the gate waits.
TEST(SettlingQuota, ItIsAskedBeforeTheGate) {
  namespace s = support::stories;
  s::story const told{"", s::in::gated, {.gate = "0 5 5"}, "ok", ""};
  s::world w{told};
  settling_quota const quota{{3ms, 0ms, -1ms}};
  advancing_sleeper sleep{w.clock};
  EXPECT_FALSE(retry(strategy_of(quota, w.clock, s::gate{w}), idempotent([] { return false; }), sleep));
  EXPECT_EQ(quota.book(),
            (book{"acquire 1", "again 1", "settle 1 as 2", "failure 2", "acquire 3", "no 3", "release 3"}));
  EXPECT_EQ(sleep.delays, (delays{10ms, 3ms, 5ms, 5ms, 10ms}));
  EXPECT_EQ(w.books(), "gate 0 @0; failed transient @0 1; gate 5 @13; gate 5 @18; gate 0 @23; failed transient @23 2");
}

TEST(SettlingQuota, APollSettlesNothingForALookThatIsNotReady) {
  settling_quota const quota{{1ms, -1ms}};
  manual_clock const clock;
  delays slept;
  auto const by = compose(quota, constant_backoff<10ms>{}, no_jitter{}, clock, retry_all{}, max_attempts<9>{});
  int looks = 0;
  auto const got = poll(
      by, [&looks] { return ++looks; }, success_when([](int n) { return n == 3; }),
      [&](duration d) { slept.push_back(d); });
  EXPECT_TRUE(got.succeeded());
  EXPECT_EQ(quota.outstanding(), 0U) << "not ready costs nothing, and there is nothing to settle";
  EXPECT_EQ(slept, (delays{10ms, 10ms}));
}

TEST(SettlingQuota, APollSettlesTheRetryOfAFailedLook) {
  settling_quota const quota{{0ms, 1ms, -1ms}};
  manual_clock const clock;
  delays slept;
  auto const by = compose(quota, constant_backoff<10ms>{}, no_jitter{}, clock, retry_all{}, max_attempts<9>{});
  auto const got = poll(
      by, [] { return false; },
      acceptors{success_when([](bool ready) { return ready; }),
                retry_when([](bool ready) { return !ready; }, error_kind::throttling)},
      [&](duration d) { slept.push_back(d); });
  EXPECT_EQ(got.reason(), stop_reason::quota);
  EXPECT_EQ(got.attempts(), 2U);
  EXPECT_EQ(slept, (delays{10ms, 10ms, 1ms}));
  EXPECT_EQ(quota.book(),
            (book{"acquire 1", "settle 1 as 2", "failure 2", "acquire 3", "again 3", "no 3", "release 3"}));
}

TEST(SettlingQuota, APartitionCountsItsPermit) {
  partitioned registry = partitioned_by<int>(4, [] { return settling_quota{{1ms, -1ms}}; });
  manual_clock const clock;
  auto const lease = registry.at(1);
  auto const by = compose(lease, constant_backoff<10ms>{}, no_jitter{}, clock, retry_all{});
  EXPECT_FALSE(retry(by, idempotent([] { return false; }), [](duration) {}));
  EXPECT_EQ(lease.policy().book(), (book{"acquire 1", "again 1", "no 1", "release 1"}));
}

// Hedges

constexpr hedge_after<20ms> one_extra;
constexpr auto retryable = directive::retry(error_kind::server);

TEST(SettlingQuota, AHedgeIsSettledBeforeItIsSent) {
  settling_quota const quota{{1ms, 0ms}};
  auto const by = strategy_of(quota, manual_clock{});
  hedge_machine call{by, one_extra, idempotent_call};
  EXPECT_EQ(call.begin().start, 1U);
  EXPECT_EQ(call.on_time().after, 1ms);
  EXPECT_EQ(call.in_flight(), 1U);
  EXPECT_EQ(call.on_time().start, 2U);
  EXPECT_TRUE(call.on_verdict(2, directive::succeed()).finished);
  EXPECT_EQ(quota.book(), (book{"acquire 1", "again 1", "settle 1 as 2", "success 2"}));
}

TEST(SettlingQuota, ARefusedHedgeLeavesTheOthersAlone) {
  settling_quota const quota{{1ms, -1ms}};
  auto const by = strategy_of(quota, manual_clock{});
  hedge_machine call{by, one_extra, idempotent_call};
  std::ignore = call.begin();
  std::ignore = call.on_time();
  auto const step = call.on_time();
  EXPECT_FALSE(step.finished);
  EXPECT_EQ(step.timer, hedge_timer::cancel);
  EXPECT_EQ(quota.outstanding(), 0U);
  EXPECT_TRUE(call.on_verdict(1, directive::succeed()).finished);
  EXPECT_EQ(quota.book(), (book{"acquire 1", "again 1", "no 1", "release 1", "success 0"}));
}

TEST(SettlingQuota, ARefusedRoundEndsAHedgedCall) {
  settling_quota const quota{{0ms, -1ms}};
  auto const by = strategy_of(quota, manual_clock{});
  hedge_machine call{by, one_extra, idempotent_call};
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
  hedge_machine call{by, one_extra, idempotent_call};
  std::ignore = call.begin();
  std::ignore = call.on_time();
  EXPECT_TRUE(call.on_verdict(1, directive::succeed()).finished);
  EXPECT_EQ(quota.book(), (book{"acquire 1", "again 1", "success 0", "release 1"}));
}

}  // namespace
}  // namespace testing_settling_quota_test
