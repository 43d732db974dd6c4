// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/thread_random.hpp"
#include "anew/roles/roles.hpp"
#include "anew/strategy/adjusted.hpp"
#include "anew/strategy/basic_token.hpp"
#include "anew/strategy/describe.hpp"
#include "anew/strategy/for_each_policy.hpp"
#include "anew/strategy/internal/draw.hpp"
#include "anew/strategy/strategy.hpp"
#include "anew/testing/archetypes.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/scripted_random.hpp"

#include "names.hpp"
#include "recording_quota.hpp"

namespace compose_test {
namespace {

using anew::compose;
using anew::strategy;
using anew::with;

using base = anew::strategy<anew::exponential_backoff<50ms, 20s>, anew::no_jitter, anew::token_bucket<100>,
                            anew::retry_all, anew::max_attempts<3>>;

int attempts_of(auto const& strategy) {
  int calls = 0;
  static_cast<void>(anew::retry(strategy, [&calls] { return ++calls > 100; }, [](anew::duration) {}));
  return calls;
}

TEST(Adjusted, ReplacesWhatIsGivenAndKeepsTheRest) {
  base const strategy;
  EXPECT_EQ(anew::describe(anew::adjusted(strategy, anew::max_attempts{5}, anew::constant_backoff{7ms})),
            "constant(7ms) no_jitter token_bucket(100) retry_all max_attempts(5) server_hint(stop)");
  auto const tuned = anew::compose(anew::exponential_backoff{10ms, 1s}, anew::no_jitter{}, anew::max_attempts{2});
  EXPECT_EQ(anew::describe(anew::adjusted(tuned, anew::deadline{1s}, anew::unbounded{})),
            "exponential(10ms,1s) no_jitter unlimited_quota retry_info unbounded server_hint(stop) deadline(1s)");
  anew::strategy<anew::retry_all> const copyable;
  static_assert(std::is_same_v<decltype(anew::adjusted(copyable, anew::max_attempts<2>{})),
                               anew::strategy<anew::retry_all, anew::max_attempts<2>>>);
}

TEST(Adjusted, SpendsFromTheSameQuota) {
  base const strategy;
  auto const patient = anew::adjusted(strategy, anew::max_attempts{4});
  EXPECT_EQ(attempts_of(patient), 4);
  EXPECT_EQ(strategy.quota().balance(), 100U - 3 * 14);
  EXPECT_EQ(patient.quota().policy().balance(), strategy.quota().balance());
  {
    auto const held = patient.refresh_retry_token(patient.acquire_initial_token(), anew::failure{});
    ASSERT_TRUE(held.has_value());
    EXPECT_EQ(strategy.quota().balance(), 100U - 4 * 14);
  }
  EXPECT_EQ(strategy.quota().balance(), 100U - 3 * 14);
  patient.record_success(patient.acquire_initial_token());
  EXPECT_EQ(strategy.quota().balance(), 100U - 3 * 14 + 1);
}

TEST(Adjusted, AReplacedQuotaIsNotTouched) {
  base const strategy;
  EXPECT_EQ(attempts_of(anew::adjusted(strategy, anew::unlimited_quota{}, anew::max_attempts{50})), 50);
  EXPECT_EQ(strategy.quota().balance(), 100U);
}

template <class S>
concept AdjustsTemporaries = requires { anew::adjusted(S{}, anew::max_attempts<2>{}); };
static_assert(!AdjustsTemporaries<base>);

static_assert(anew::HasQuota<base>);
static_assert(!anew::HasQuota<anew::strategy<>>);
static_assert(!anew::HasQuota<int>);

// Policies that say nothing are called by their types, which stand in a namespace with a name.
}  // namespace
struct silent_backoff : anew::testing::least_backoff {};
template <class T>
struct silent_observer : anew::testing::least_observer {};
namespace {

struct spoken_clock : anew::std_clock<std::chrono::steady_clock> {
  int seconds = 7;
  [[nodiscard]] std::string describe() const { return "clock" + std::to_string(seconds); }
};
struct brisk_pacer : anew::testing::least_pacer {
  [[nodiscard]] static std::string describe() { return "pacer"; }
};
struct open_gate : anew::testing::least_gate {
  [[nodiscard]] static std::string describe() { return "gate"; }
};
struct never_resets : anew::testing::least_reset {
  [[nodiscard]] static std::string describe() { return "reset"; }
};
struct fixed_random : anew::testing::least_random_source {
  [[nodiscard]] static std::string describe() { return "fixed_random"; }
};
TEST(Describe, SaysThePoliciesInTheOrderOfTheirRoles) {
  EXPECT_EQ(anew::describe<anew::strategy<>>(),
            "exponential(50ms,20s) full_jitter unlimited_quota retry_info max_attempts(3) server_hint(stop)");
  auto const tuned = anew::compose(anew::exponential_backoff{10ms, 1s}, anew::max_attempts{7}, anew::token_bucket{20},
                                   anew::deadline{3s}, anew::server_hint{anew::long_hint::ignore}, anew::no_jitter{});
  EXPECT_EQ(
      anew::describe(tuned),
      "exponential(10ms,1s) no_jitter token_bucket(20) retry_info max_attempts(7) server_hint(ignore) deadline(3s)");
  // A policy's own words win; one that says nothing is named by its type.
  auto const shuffled =
      anew::compose(fixed_random{}, spoken_clock{}, silent_observer<int>{}, never_resets{}, brisk_pacer{}, open_gate{},
                    anew::deadline{3s}, anew::unbounded{}, silent_backoff{});
  EXPECT_EQ(anew::describe(shuffled),
            "compose_test::silent_backoff full_jitter unlimited_quota retry_info unbounded server_hint(stop) "
            "deadline(3s) gate pacer reset compose_test::silent_observer<int> clock7 fixed_random");
}

/// A jitter that remembers: it passes the first delay of the call on, which is its lower bound.
struct shows_the_first {
  using role = anew::roles::jitter;
  struct state_type {
    int asked = 0;
  };
  template <class Random>
  static constexpr duration apply(anew::delay_bounds const& bounds, state_type& state, Random& /*random*/) {
    ++state.asked;
    return bounds.first;
  }
};

template <class Backoff>
duration first_of(Backoff const& backoff, anew::call_progress const& progress) {
  shows_the_first::state_type state;
  anew::thread_random random;
  return anew::detail::draw(backoff, shows_the_first{}, state, progress.attempts, progress, random);
}

struct grows {
  using role = anew::roles::backoff;
  static constexpr duration delay(std::uint32_t retry) { return retry * 10ms; }
};
struct begins_at_once {
  using role = anew::roles::backoff;
  static constexpr duration delay(std::uint32_t retry) { return (retry - 1) * 10ms; }
};

/// By how often the last kind of error has happened, and how many attempts there were.
struct counts_kinds {
  using role = anew::roles::backoff;
  static duration delay(anew::call_progress const& progress) {
    return progress.attempts * 100ms + progress.counts.of(progress.kind) * 1ms;
  }
};
struct counts_kinds_from_zero {
  using role = anew::roles::backoff;
  static duration delay(anew::call_progress const& progress) {
    return progress.attempts == 1 ? 0ms : counts_kinds::delay(progress);
  }
};

TEST(Draw, TheFirstDelayIsThatOfTheFirstRetryThatWaits) {
  EXPECT_EQ(first_of(grows{}, {5, error_kind::transient, {}}), 10ms);
  EXPECT_EQ(first_of(begins_at_once{}, {5, error_kind::transient, {}}), 10ms);
  // By kind: of a call that failed in this way, and in no other.
  EXPECT_EQ(first_of(counts_kinds{}, {7, error_kind::throttling, {}}), 101ms);
  EXPECT_EQ(first_of(counts_kinds_from_zero{}, {7, error_kind::throttling, {}}), 202ms);
}

struct seen_policy {
  std::string role;
  std::string words;
  friend bool operator==(seen_policy const&, seen_policy const&) = default;
};

template <class Strategy>
std::vector<seen_policy> seen_of(Strategy const& strategy) {
  std::vector<seen_policy> seen;
  anew::for_each_policy(strategy, [&seen](std::string_view role, auto const& policy) {
    seen.push_back({std::string{role}, anew::detail::describe_policy(policy)});
  });
  return seen;
}

TEST(ForEachPolicy, HandsOutThePoliciesOfTheRolesThatArePlayedInTheirOrder) {
  std::vector<seen_policy> const wanted{{"backoff", "exponential(50ms,20s)"}, {"jitter", "full_jitter"},
                                        {"quota", "unlimited_quota"},         {"classifier", "retry_info"},
                                        {"max_attempts", "max_attempts(4)"},  {"hint", "server_hint(stop)"},
                                        {"deadline", "deadline(30s)"}};
  EXPECT_EQ(seen_of(anew::strategy<anew::deadline<30s>, anew::max_attempts<4>>{}), wanted);
  anew::strategy<anew::token_bucket<60>> const strategy;
  void const* found = nullptr;
  anew::for_each_policy(strategy, [&found](std::string_view role, auto const& policy) {
    if (role == "quota") found = &policy;
  });
  EXPECT_EQ(found, &strategy.quota());
}

static_assert(anew::role_name<anew::roles::backoff> == "backoff");
static_assert(anew::role_name<anew::roles::random_source> == "random_source");
static_assert([] {
  int played = 0;
  anew::for_each_policy(anew::never{}, [&played](auto, auto const&) { ++played; });
  return played;
}() == 6);

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

struct move_only_quota : anew::unlimited_quota {
  std::unique_ptr<int> content;
};

TEST(Compose, KeepsTheValuesInAnyOrderMovesAndCopies) {
  static_assert(std::is_same_v<decltype(compose()), strategy<>>);
  auto const s = compose(anew::max_attempts{7}, anew::no_jitter{}, anew::exponential_backoff{2ms, 9ms});
  EXPECT_EQ(delays(s, 20), (steps{2ms, 4ms, 8ms, 9ms, 9ms, 9ms}));
  auto const t = compose(anew::exponential_backoff{2ms, 9ms}, anew::max_attempts{7}, anew::no_jitter{});
  static_assert(std::is_same_v<decltype(s), decltype(t)>);
  EXPECT_EQ(*compose(move_only_quota{{}, std::make_unique<int>(5)}).quota().content, 5);
  anew::testing::manual_clock const kept;
  auto const u = compose(kept);
  kept.advance(1s);
  EXPECT_EQ(u.now(), kept.peek());
}

TEST(With, ReplacesOnePolicyAndKeepsTheRest) {
  using fast = strategy<anew::constant_backoff<5ms>, anew::no_jitter, anew::max_attempts<3>>;
  EXPECT_EQ(delays(with<fast, anew::max_attempts<5>>{}, 20), (steps{5ms, 5ms, 5ms, 5ms}));
  EXPECT_EQ(delays(with<fast, anew::constant_backoff<7ms>>{}, 20), (steps{7ms, 7ms}));
  EXPECT_EQ(delays(anew::never{}, 20), steps{});
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

using differences = std::vector<anew::policy_difference>;

TEST(StrategyDifference, NamesTheRoleAndBothPoliciesByTheirWords) {
  using anew::strategy_difference;
  EXPECT_EQ(strategy_difference(strategy<>{}, strategy<anew::full_jitter>{}), differences{});
  EXPECT_EQ(strategy_difference(compose(anew::max_attempts{3}), strategy<>{}), differences{});
  EXPECT_EQ(
      strategy_difference(strategy<>{}, strategy<anew::max_attempts<8>, anew::no_jitter>{}),
      (differences{{"jitter", "full_jitter", "no_jitter"}, {"max_attempts", "max_attempts(3)", "max_attempts(8)"}}));
  EXPECT_EQ(strategy_difference(strategy<anew::deadline<1s>, anew::max_attempts<3>>{}, strategy<>{}),
            (differences{{"deadline", "deadline(1s)", ""}}));
}

using book = std::vector<std::string>;

auto make_strategy() {
  return anew::compose(support::recording_quota{}, anew::unbounded{}, anew::no_jitter{}, anew::testing::manual_clock{},
                       anew::deadline<1h>{}, anew::constant_backoff<5ms>{});
}

TEST(Token, SaysWhichAttemptItStandsForAndKeepsItWhenMoved) {
  auto const s = make_strategy();
  auto token = s.acquire_initial_token();
  EXPECT_EQ(token.attempt(), 1U);
  EXPECT_EQ(token.delay(), 0ns);
  for (std::uint32_t attempt = 2; attempt <= 40; ++attempt) {
    auto next = s.refresh_retry_token(std::move(token), failure{});
    ASSERT_TRUE(next);
    token = *std::move(next);
    EXPECT_EQ(token.attempt(), attempt);
    EXPECT_EQ(token.delay(), 5ms);
    EXPECT_EQ(token.deadline(), s.clock().peek() + 1h);
  }
}

using counted = decltype(make_strategy());

TEST(Token, WhatItHoldsIsSettledOnceByEachWayOut) {
  using token = counted::token_type;
  struct way {
    void (*out)(counted const&, token&& held);  // a retry
    book settled;
  };
  for (auto const& [out, settled] : {
           way{[](counted const&, token&& held) { token{std::move(held)}; }, {"acquire 1", "release 1"}},
           {[](counted const& s, token&& held) {
              auto first = std::move(held);
              auto second = std::move(first);
              s.record_success(std::move(second));
            },
            {"acquire 1", "success 1"}},
           {[](counted const& s, token&& held) {  // what was held where another is assigned
              auto other = *s.refresh_retry_token(s.acquire_initial_token(), failure{});
              held = std::move(other);
              s.record_success(std::move(held));
            },
            {"acquire 1", "acquire 2", "release 1", "success 2"}},
           {[](counted const& s, token&& held) {
              auto& itself = held;
              held = std::move(itself);
              s.record_success(std::move(held));
            },
            {"acquire 1", "success 1"}},
           {[](counted const& s, token&& held) {
              s.record_success(*s.refresh_retry_token(std::move(held), failure{}));
            },
            {"acquire 1", "failure 1", "acquire 2", "success 2"}},
           {[](counted const& s, token&& held) {
              s.quota().refuse();
              EXPECT_EQ(s.refresh_retry_token(std::move(held), failure{}).reason(), stop_reason::quota);
            },
            {"acquire 1", "failure 1", "refuse"}},
       }) {
    auto const s = make_strategy();
    {
      auto held = *s.refresh_retry_token(s.acquire_initial_token(), failure{});
      out(s, std::move(held));
    }
    EXPECT_EQ(s.quota().book(), settled);
  }
}

/// A jitter whose state is a number, which has no value of its own.
struct counts_draws {
  using role = anew::roles::jitter;
  using state_type = std::uint64_t;
  static anew::duration apply(anew::delay_bounds const& /*bounds*/, state_type& state,
                              anew::RandomSource auto& random) {
    state = state * 1000 + random();
    return anew::duration{static_cast<std::int64_t>(state)};
  }
};
struct always_seven {
  using role = anew::roles::random_source;
  std::uint64_t operator()() const { return 7; }
};

TEST(Token, AJittersStateBeginsAtZeroWhateverTheMemoryHeld) {
  anew::strategy<counts_draws, always_seven> const s;
  using token = decltype(s.acquire_initial_token());
  alignas(token) unsigned char memory[sizeof(token)];
  std::memset(memory, 0xff, sizeof memory);
  auto* const first = new (memory) token(s.acquire_initial_token());
  auto const second = s.refresh_retry_token(std::move(*first), failure{});
  first->~token();
  ASSERT_TRUE(second.has_value());
  EXPECT_EQ(second->delay(), anew::duration{7});
}

/// A quota that is told when a call ends.
struct counts_ends {
  int* ended;
  void on_call_end() const noexcept { ++*ended; }
};

TEST(HeldCall, EndsOnceWithItsTokenOrBefore) {
  int ended = 0;
  counts_ends const quota{&ended};
  {
    anew::detail::held_call<counts_ends> call{quota};
    EXPECT_EQ(ended, 0);
    auto moved = std::move(call);
    EXPECT_EQ(ended, 0);
    moved.end();
    EXPECT_EQ(ended, 1);
    moved.end();
  }
  EXPECT_EQ(ended, 1);
  {
    anew::detail::held_call<counts_ends> const call{quota};
  }
  EXPECT_EQ(ended, 2);
  {
    anew::detail::held_call<counts_ends> const nothing;
  }
  EXPECT_EQ(ended, 2);
}

TEST(HeldCall, IsOverWhenAnotherTakesItsPlace) {
  int first = 0;
  int second = 0;
  counts_ends const one{&first};
  counts_ends const other{&second};
  anew::detail::held_call<counts_ends> call{one};
  call = anew::detail::held_call<counts_ends>{other};
  EXPECT_EQ(first, 1);
  EXPECT_EQ(second, 0);
  auto& itself = call;
  call = std::move(itself);
  EXPECT_EQ(second, 0);
  call.end();
  EXPECT_EQ(first, 1);
  EXPECT_EQ(second, 1);
}

}  // namespace
}  // namespace compose_test
