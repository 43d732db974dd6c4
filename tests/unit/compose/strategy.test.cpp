// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/compose/strategy.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/scripted_random.hpp"

#include "recording_quota.hpp"

namespace compose_strategy_test {
namespace {

using namespace std::chrono_literals;
using anew::compose;
using anew::delay_origin;
using anew::duration;
using anew::error_kind;
using anew::failure;
using anew::retry_safety;
using anew::stop_reason;
using anew::strategy;
using anew::with;

constexpr failure broken{};

/// The delays of the first `n` retries.
template <class Strategy>
std::vector<duration> delays(Strategy const& s, int n) {
  std::vector<duration> result;
  auto token = s.acquire_initial_token();
  for (int i = 0; i < n; ++i) {
    auto next = s.refresh_retry_token(std::move(token), broken);
    if (!next) break;
    result.push_back(next->delay());
    token = *std::move(next);
  }
  return result;
}

using steps = std::vector<duration>;

TEST(Strategy, DefaultsAreTwoJitteredRetries) {
  auto const highest = compose(anew::testing::scripted_random{anew::testing::highest_word});
  EXPECT_EQ(delays(highest, 9), (steps{50ms, 100ms}));
  auto const lowest = compose(anew::testing::scripted_random{anew::testing::lowest_word});
  EXPECT_EQ(delays(lowest, 9), (steps{0ms, 0ms}));
}

TEST(Strategy, TheDelayIsTheJittersOfTheBackoff) {
  auto const s = compose(anew::exponential_backoff<10ms, 60ms>{}, anew::equal_jitter{}, anew::unbounded{},
                         anew::testing::scripted_random{anew::testing::lowest_word});
  EXPECT_EQ(delays(s, 5), (steps{5ms, 10ms, 20ms, 30ms, 30ms}));
}

TEST(Strategy, AnErrorThatIsNotSafeIsFinalWhateverElsePermits) {
  auto const s = compose(support::recording_quota{}, anew::unbounded{});
  auto const answer =
      s.refresh_retry_token(s.acquire_initial_token(), failure{.safety = retry_safety::no, .hint = 0ns});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.reason(), stop_reason::not_retryable);
  EXPECT_TRUE(s.quota().book().empty());
}

// Whether the operation is idempotent is known to the driver alone.
TEST(Strategy, AnErrorThatIsMaybeSafeIsLeftToTheDriver) {
  strategy<> const s{};
  EXPECT_TRUE(s.refresh_retry_token(s.acquire_initial_token(), failure{.safety = retry_safety::maybe}).has_value());
}

TEST(Strategy, TheQuotaHearsOfTheFailure) {
  auto const s = compose(support::recording_quota{});
  failure const throttled{error_kind::throttling, retry_safety::maybe, 3ms};
  static_cast<void>(s.refresh_retry_token(s.acquire_initial_token(), throttled));
  EXPECT_EQ(s.quota().asked_about(), throttled);
}

TEST(Strategy, AHintIsAFloorAndItsOriginIsTold) {
  auto const s = compose(anew::exponential_backoff<1s, 20s>{}, anew::no_jitter{}, anew::unbounded{});
  auto const ask = [&s](std::optional<duration> hint) {
    return s.refresh_retry_token(s.acquire_initial_token(), failure{.hint = hint});
  };
  EXPECT_EQ(ask({})->delay(), 1s);
  EXPECT_EQ(ask({}).origin(), delay_origin::backoff);
  EXPECT_EQ(ask(500ms)->delay(), 1s);
  EXPECT_EQ(ask(500ms).origin(), delay_origin::backoff);
  EXPECT_EQ(ask(7s)->delay(), 7s);
  EXPECT_EQ(ask(7s).origin(), delay_origin::hint);
  EXPECT_EQ(ask(60s)->delay(), 60s) << "hints have a bound of their own";
  EXPECT_EQ(ask(60s + 1ns).reason(), stop_reason::hint_too_long);
}

TEST(Strategy, TheCallEndsAtItsDeadline) {
  anew::testing::manual_clock const clock;
  auto const s = compose(clock, anew::deadline{10s, anew::at_deadline::last_try}, anew::unbounded{},
                         anew::constant_backoff<4s>{}, anew::no_jitter{});
  auto token = s.acquire_initial_token();
  EXPECT_EQ(token.deadline(), clock.peek() + 10s);
  EXPECT_EQ(clock.reads(), 1U);
  clock.advance(3s);
  auto second = s.refresh_retry_token(std::move(token), broken);
  EXPECT_EQ(second->delay(), 4s);
  EXPECT_EQ(second.origin(), delay_origin::backoff);
  EXPECT_EQ(second->deadline(), clock.peek() + 7s);
  clock.advance(4s);
  auto third = s.refresh_retry_token(*std::move(second), broken);
  EXPECT_EQ(third->delay(), 3s);
  EXPECT_EQ(third.origin(), delay_origin::deadline);
  EXPECT_EQ(clock.reads(), 3U);
}

TEST(Strategy, TheTimeMayBeGivenInsteadOfRead) {
  anew::testing::manual_clock const clock;
  auto const s = compose(clock, anew::deadline<10s>{}, anew::unbounded{}, anew::no_backoff{});
  anew::time_point const start{100s};
  auto token = s.acquire_initial_token(start);
  EXPECT_EQ(token.deadline(), start + 10s);
  auto next = s.refresh_retry_token(std::move(token), broken, start + 9s);
  ASSERT_TRUE(next);
  EXPECT_EQ(s.refresh_retry_token(*std::move(next), broken, start + 10s).reason(), stop_reason::deadline);
  EXPECT_EQ(clock.reads(), 0U);
}

TEST(Strategy, WithoutADeadlineTheClockIsNeverRead) {
  auto const s = compose(anew::testing::manual_clock{}, support::recording_quota{});
  auto next = s.refresh_retry_token(s.acquire_initial_token(), broken);
  s.record_success(*std::move(next));
  EXPECT_EQ(s.clock().reads(), 0U);
  EXPECT_EQ(s.acquire_initial_token().deadline(), anew::time_point::max());
}

TEST(Strategy, ADeadlineBeyondTheEndOfTimeIsHeldThere) {
  anew::testing::manual_clock const clock{duration::max() - 1s};
  auto const s = compose(clock, anew::deadline<10s>{}, anew::unbounded{});
  EXPECT_EQ(s.acquire_initial_token().deadline(), anew::time_point::max());
}

TEST(Strategy, TheTimeIsTheComposedClocksOrTheSteadyClocks) {
  anew::testing::manual_clock const clock;
  EXPECT_EQ(compose(clock).now(), clock.peek());
  auto const before = std::chrono::steady_clock::now();
  auto const now = strategy<>{}.now();
  EXPECT_LE(before, now);
  EXPECT_LE(now, std::chrono::steady_clock::now());
}

TEST(Compose, KeepsTheValuesInAnyOrder) {
  auto const s = compose(anew::max_attempts{7}, anew::no_jitter{}, anew::exponential_backoff{2ms, 9ms});
  EXPECT_EQ(s.max_attempts().value(), 7U);
  EXPECT_EQ(delays(s, 20), (steps{2ms, 4ms, 8ms, 9ms, 9ms, 9ms}));
  auto const t = compose(anew::exponential_backoff{2ms, 9ms}, anew::max_attempts{7}, anew::no_jitter{});
  static_assert(std::is_same_v<decltype(s), decltype(t)>);
}

struct move_only_quota : anew::unlimited_quota {
  std::unique_ptr<int> content;
};

TEST(Compose, MovesWhatItIsGivenAndCopiesWhatIsKept) {
  auto const s = compose(move_only_quota{{}, std::make_unique<int>(5)});
  EXPECT_EQ(*s.quota().content, 5);
  anew::testing::manual_clock const kept;
  auto const t = compose(kept);
  kept.advance(1s);
  EXPECT_EQ(t.now(), kept.peek());
}

TEST(Compose, OfNothingIsTheDefaultStrategy) { static_assert(std::is_same_v<decltype(compose()), strategy<>>); }

TEST(With, ReplacesOnePolicyAndKeepsTheRest) {
  using fast = strategy<anew::constant_backoff<5ms>, anew::no_jitter, anew::max_attempts<3>>;
  EXPECT_EQ(delays(fast{}, 20), (steps{5ms, 5ms}));
  EXPECT_EQ(delays(with<fast, anew::max_attempts<5>>{}, 20), (steps{5ms, 5ms, 5ms, 5ms}));
  EXPECT_EQ(delays(with<fast, anew::constant_backoff<7ms>>{}, 20), (steps{7ms, 7ms}));
}

TEST(Never, MakesOneAttempt) {
  anew::never const s{};
  auto const answer = s.refresh_retry_token(s.acquire_initial_token(), broken);
  EXPECT_EQ(answer.reason(), stop_reason::attempts);
}

struct rogue_backoff {
  using role = anew::roles::backoff;
  duration answer;
  [[nodiscard]] duration delay(std::uint32_t /*retry*/) const { return answer; }
  [[nodiscard]] static duration cap() { return 10s; }
};
struct rogue_jitter {
  using role = anew::roles::jitter;
  duration answer;
  template <class R>
  [[nodiscard]] duration apply(duration ceiling, R& /*random*/) const {
    EXPECT_TRUE(ceiling >= 0s && ceiling <= 10s);
    return answer;
  }
};

TEST(Strategy, NoPolicyOfAUsersBreaksTheBounds) {
  for (duration const wild : {duration::min(), duration{-1}, duration{11s}, duration::max()}) {
    duration const expected = wild < 0s ? duration{0} : duration{10s};
    EXPECT_EQ(delays(compose(rogue_backoff{wild}, anew::no_jitter{}, anew::max_attempts<2>{}), 1), steps{expected});
    EXPECT_EQ(delays(compose(rogue_backoff{3s}, rogue_jitter{wild}, anew::max_attempts<2>{}), 1), steps{expected});
    EXPECT_EQ(delays(compose(rogue_backoff{wild}, rogue_jitter{3s}, anew::max_attempts<2>{}), 1), steps{3s});
  }
}

TEST(Refreshed, HasATokenOrAReason) {
  using token = strategy<>::token_type;
  anew::refreshed<token> yes{strategy<>{}.acquire_initial_token(), delay_origin::cap};
  EXPECT_TRUE(yes.has_value() && static_cast<bool>(yes));
  EXPECT_EQ((*yes).attempt(), 1U);
  EXPECT_EQ(std::as_const(yes)->attempt(), 1U);
  EXPECT_EQ(yes.origin(), delay_origin::cap);
  anew::refreshed<token> const no{stop_reason::quota};
  EXPECT_FALSE(no.has_value() || static_cast<bool>(no));
  EXPECT_EQ(no.reason(), stop_reason::quota);
  EXPECT_EQ(no.error(), stop_reason::quota);
}

}  // namespace
}  // namespace compose_strategy_test
