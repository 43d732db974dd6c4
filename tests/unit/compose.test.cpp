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

using namespace anew;

using base = strategy<exponential_backoff<50ms, 20s>, no_jitter, token_bucket<100>, retry_all, max_attempts<3>>;

int attempts_of(auto const& strategy) {
  int calls = 0;
  (void)anew::retry(strategy, [&calls] { return ++calls > 100; }, [](duration) {});
  return calls;
}

TEST(Adjusted, ReplacesWhatIsGivenAndKeepsTheRest) {
  base const strategy;
  EXPECT_EQ(anew::describe(adjusted(strategy, max_attempts{5}, constant_backoff{7ms})),
            "constant(7ms) no_jitter token_bucket(100) retry_all max_attempts(5) server_hint(stop)");
  auto const tuned = compose(exponential_backoff{10ms, 1s}, no_jitter{}, max_attempts{2});
  EXPECT_EQ(anew::describe(adjusted(tuned, deadline{1s}, unbounded{})),
            "exponential(10ms,1s) no_jitter unlimited_quota retry_info unbounded server_hint(stop) deadline(1s)");
  anew::strategy<retry_all> const copyable;
  static_assert(
      std::is_same_v<decltype(adjusted(copyable, max_attempts<2>{})), anew::strategy<retry_all, max_attempts<2>>>);
}

TEST(Adjusted, SpendsFromTheSameQuota) {
  base const strategy;
  auto const patient = adjusted(strategy, max_attempts{4});
  EXPECT_EQ(attempts_of(patient), 4);
  EXPECT_EQ(strategy.quota().balance(), 100U - 3 * 14);
  EXPECT_EQ(patient.quota().policy().balance(), strategy.quota().balance());
  {
    auto const held = patient.refresh_retry_token(patient.acquire_initial_token(), failure{});
    ASSERT_TRUE(held.has_value());
    EXPECT_EQ(strategy.quota().balance(), 100U - 4 * 14);
  }
  EXPECT_EQ(strategy.quota().balance(), 100U - 3 * 14);
  patient.record_success(patient.acquire_initial_token());
  EXPECT_EQ(strategy.quota().balance(), 100U - 3 * 14 + 1);
}

TEST(Adjusted, AReplacedQuotaIsNotTouched) {
  base const strategy;
  EXPECT_EQ(attempts_of(adjusted(strategy, unlimited_quota{}, max_attempts{50})), 50);
  EXPECT_EQ(strategy.quota().balance(), 100U);
}

template <class S>
concept AdjustsTemporaries = requires { adjusted(S{}, max_attempts<2>{}); };
static_assert(!AdjustsTemporaries<base>);

static_assert(HasQuota<base> && !HasQuota<strategy<>> && !HasQuota<int>);

// Policies that say nothing are called by their types, which stand in a namespace with a name.
}  // namespace
struct silent_backoff : anew::testing::least_backoff {};
template <class T>
struct silent_observer : anew::testing::least_observer {};
namespace {

struct spoken_clock : std_clock<std::chrono::steady_clock> {
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
  EXPECT_EQ(anew::describe<strategy<>>(),
            "exponential(50ms,20s) full_jitter unlimited_quota retry_info max_attempts(3) server_hint(stop)");
  auto const tuned = compose(exponential_backoff{10ms, 1s}, max_attempts{7}, token_bucket{20}, deadline{3s},
                             server_hint{long_hint::ignore}, no_jitter{});
  EXPECT_EQ(
      anew::describe(tuned),
      "exponential(10ms,1s) no_jitter token_bucket(20) retry_info max_attempts(7) server_hint(ignore) deadline(3s)");
  // A policy's own words win; one that says nothing is named by its type.
  auto const shuffled = compose(fixed_random{}, spoken_clock{}, silent_observer<int>{}, never_resets{}, brisk_pacer{},
                                open_gate{}, deadline{3s}, unbounded{}, silent_backoff{});
  EXPECT_EQ(anew::describe(shuffled),
            "compose_test::silent_backoff full_jitter unlimited_quota retry_info unbounded server_hint(stop) "
            "deadline(3s) gate pacer reset compose_test::silent_observer<int> clock7 fixed_random");
}

/// A jitter that remembers: it passes the first delay of the call on, which is its lower bound.
struct shows_the_first {
  using role = roles::jitter;
  struct state_type {
    int asked = 0;
  };
  static constexpr duration apply(delay_bounds const& bounds, state_type& state, auto& /*random*/) {
    ++state.asked;
    return bounds.first;
  }
};

/// By how often the last kind of error has happened, and how many attempts there were; after the first of them, nothing.
struct counts_kinds_from_zero {
  using role = roles::backoff;
  static duration delay(call_progress const& progress) {
    return progress.attempts == 1 ? 0ms : progress.attempts * 100ms + progress.counts.of(progress.kind) * 1ms;
  }
};

// Of a call that failed in this way, and in no other. Where the first retry waits: backoff.test.cpp (rules).
TEST(Draw, TheFirstDelayIsThatOfTheFirstRetryThatWaits) {
  shows_the_first::state_type state;
  thread_random random;
  call_progress const progress{7, error_kind::throttling, {}};
  EXPECT_EQ(detail::draw(counts_kinds_from_zero{}, shows_the_first{}, state, 7, progress, random), 202ms);
}

using seen_policy = std::pair<std::string, std::string>;  // its role and its words

std::vector<seen_policy> seen_of(auto const& strategy) {
  std::vector<seen_policy> seen;
  for_each_policy(strategy, [&seen](std::string_view role, auto const& policy) {
    seen.emplace_back(role, detail::describe_policy(policy));
  });
  return seen;
}

TEST(ForEachPolicy, HandsOutThePoliciesOfTheRolesThatArePlayedInTheirOrder) {
  std::vector<seen_policy> const wanted{{"backoff", "exponential(50ms,20s)"}, {"jitter", "full_jitter"},
                                        {"quota", "unlimited_quota"},         {"classifier", "retry_info"},
                                        {"max_attempts", "max_attempts(4)"},  {"hint", "server_hint(stop)"},
                                        {"deadline", "deadline(30s)"}};
  EXPECT_EQ(seen_of(strategy<deadline<30s>, max_attempts<4>>{}), wanted);
  strategy<token_bucket<60>> const strategy;
  void const* found = nullptr;
  for_each_policy(strategy, [&found](std::string_view role, auto const& policy) {
    if (role == "quota") found = &policy;
  });
  EXPECT_EQ(found, &strategy.quota());
}

static_assert(role_name<roles::backoff> == "backoff");
static_assert(role_name<roles::random_source> == "random_source");
static_assert([] {
  int played = 0;
  for_each_policy(never{}, [&played](auto, auto const&) { ++played; });
  return played;
}() == 6);

constexpr failure broken{};

/// The delays of the first `n` retries.
std::vector<duration> delays(auto const& s, int n) {
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
  auto const highest = compose(scripted_random{highest_word});
  EXPECT_EQ(delays(highest, 9), (steps{50ms, 100ms}));
  auto const lowest = compose(scripted_random{lowest_word});
  EXPECT_EQ(delays(lowest, 9), (steps{0ms, 0ms}));
}

TEST(Strategy, TheTimeMayBeGivenInsteadOfRead) {
  manual_clock const clock;
  auto const s = compose(clock, deadline<10s>{}, unbounded{}, no_backoff{});
  time_point const start{100s};
  auto token = s.acquire_initial_token(start);
  EXPECT_EQ(token.deadline(), start + 10s);
  auto next = s.refresh_retry_token(std::move(token), broken, start + 9s);
  ASSERT_TRUE(next);
  EXPECT_EQ(s.refresh_retry_token(*std::move(next), broken, start + 10s).reason(), stop_reason::deadline);
  EXPECT_EQ(clock.reads(), 0U);
}

TEST(Strategy, TheTimeIsTheComposedClocksOrTheSteadyClocks) {
  manual_clock const clock;
  EXPECT_EQ(compose(clock).now(), clock.peek());
  auto const before = std::chrono::steady_clock::now();
  auto const now = strategy<>{}.now();
  EXPECT_LE(before, now);
  EXPECT_LE(now, std::chrono::steady_clock::now());
}

struct move_only_quota : unlimited_quota {
  std::unique_ptr<int> content;
};

TEST(Compose, KeepsTheValuesInAnyOrderMovesAndCopies) {
  static_assert(std::is_same_v<decltype(compose()), strategy<>>);
  auto const s = compose(max_attempts{7}, no_jitter{}, exponential_backoff{2ms, 9ms});
  EXPECT_EQ(delays(s, 20), (steps{2ms, 4ms, 8ms, 9ms, 9ms, 9ms}));
  auto const t = compose(exponential_backoff{2ms, 9ms}, max_attempts{7}, no_jitter{});
  static_assert(std::is_same_v<decltype(s), decltype(t)>);
  EXPECT_EQ(*compose(move_only_quota{{}, std::make_unique<int>(5)}).quota().content, 5);
  manual_clock const kept;
  auto const u = compose(kept);
  kept.advance(1s);
  EXPECT_EQ(u.now(), kept.peek());
}

TEST(With, ReplacesOnePolicyAndKeepsTheRest) {
  using fast = strategy<constant_backoff<5ms>, no_jitter, max_attempts<3>>;
  EXPECT_EQ(delays(with<fast, max_attempts<5>>{}, 20), (steps{5ms, 5ms, 5ms, 5ms}));
  EXPECT_EQ(delays(with<fast, constant_backoff<7ms>>{}, 20), (steps{7ms, 7ms}));
  EXPECT_EQ(delays(never{}, 20), steps{});
}

struct rogue_backoff {
  using role = roles::backoff;
  duration answer;
  [[nodiscard]] duration delay(std::uint32_t /*retry*/) const { return answer; }
  [[nodiscard]] static duration cap() { return 10s; }
};
struct rogue_jitter {
  using role = roles::jitter;
  duration answer;
  [[nodiscard]] duration apply(duration ceiling, auto& /*random*/) const {
    EXPECT_TRUE(ceiling >= 0s && ceiling <= 10s);
    return answer;
  }
};

TEST(Strategy, NoPolicyOfAUsersBreaksTheBounds) {
  for (duration const wild : {duration::min(), duration{-1}, duration{11s}, duration::max()}) {
    duration const expected = wild < 0s ? duration{0} : duration{10s};
    EXPECT_EQ(delays(compose(rogue_backoff{wild}, no_jitter{}, max_attempts<2>{}), 1), steps{expected});
    EXPECT_EQ(delays(compose(rogue_backoff{3s}, rogue_jitter{wild}, max_attempts<2>{}), 1), steps{expected});
    EXPECT_EQ(delays(compose(rogue_backoff{wild}, rogue_jitter{3s}, max_attempts<2>{}), 1), steps{3s});
  }
}

TEST(Refreshed, HasATokenOrAReason) {
  using token = strategy<>::token_type;
  refreshed<token> yes{strategy<>{}.acquire_initial_token(), delay_origin::cap};
  EXPECT_TRUE(yes.has_value() && static_cast<bool>(yes));
  EXPECT_EQ((*yes).attempt(), 1U);
  EXPECT_EQ(std::as_const(yes)->attempt(), 1U);
  EXPECT_EQ(yes.origin(), delay_origin::cap);
  refreshed<token> const no{stop_reason::quota};
  EXPECT_FALSE(no.has_value() || static_cast<bool>(no));
  EXPECT_EQ(no.reason(), stop_reason::quota);
  EXPECT_EQ(no.error(), stop_reason::quota);
}

using differences = std::vector<policy_difference>;

TEST(StrategyDifference, NamesTheRoleAndBothPoliciesByTheirWords) {
  using anew::strategy_difference;
  EXPECT_EQ(strategy_difference(strategy<>{}, strategy<full_jitter>{}), differences{});
  EXPECT_EQ(strategy_difference(compose(max_attempts{3}), strategy<>{}), differences{});
  EXPECT_EQ(
      strategy_difference(strategy<>{}, strategy<max_attempts<8>, no_jitter>{}),
      (differences{{"jitter", "full_jitter", "no_jitter"}, {"max_attempts", "max_attempts(3)", "max_attempts(8)"}}));
  EXPECT_EQ(strategy_difference(strategy<deadline<1s>, max_attempts<3>>{}, strategy<>{}),
            (differences{{"deadline", "deadline(1s)", ""}}));
}

using book = std::vector<std::string>;

auto make_strategy() {
  return compose(support::recording_quota{}, unbounded{}, no_jitter{}, manual_clock{}, deadline<1h>{},
                 constant_backoff<5ms>{});
}

using counted = decltype(make_strategy());

TEST(Token, WhatItHoldsIsSettledOnceByEachWayOut) {
  using token = counted::token_type;
  auto const settles = [&](void (*out)(counted const&, token&& held), book const& settled) {
    auto const s = make_strategy();
    {
      auto held = *s.refresh_retry_token(s.acquire_initial_token(), failure{});
      out(s, std::move(held));
    }
    EXPECT_EQ(s.quota().book(), settled);
  };
  settles([](counted const&, token&& held) { token{std::move(held)}; }, {"acquire 1", "release 1"});
  settles(
      [](counted const& s, token&& held) {
        auto first = std::move(held);
        auto second = std::move(first);
        s.record_success(std::move(second));
      },
      {"acquire 1", "success 1"});
  // What was held where another is assigned.
  settles(
      [](counted const& s, token&& held) {
        auto other = *s.refresh_retry_token(s.acquire_initial_token(), failure{});
        held = std::move(other);
        s.record_success(std::move(held));
      },
      {"acquire 1", "acquire 2", "release 1", "success 2"});
  settles(
      [](counted const& s, token&& held) {
        auto& itself = held;
        held = std::move(itself);
        s.record_success(std::move(held));
      },
      {"acquire 1", "success 1"});
  settles([](counted const& s, token&& held) { s.record_success(*s.refresh_retry_token(std::move(held), failure{})); },
          {"acquire 1", "failure 1", "acquire 2", "success 2"});
  settles(
      [](counted const& s, token&& held) {
        s.quota().refuse();
        EXPECT_EQ(s.refresh_retry_token(std::move(held), failure{}).reason(), stop_reason::quota);
      },
      {"acquire 1", "failure 1", "refuse"});
}

/// A jitter whose state is a number, which has no value of its own.
struct counts_draws {
  using role = roles::jitter;
  using state_type = std::uint64_t;
  static duration apply(delay_bounds const& /*bounds*/, state_type& state, RandomSource auto& random) {
    state = state * 1000 + random();
    return duration{static_cast<std::int64_t>(state)};
  }
};
struct always_seven {
  using role = roles::random_source;
  std::uint64_t operator()() const { return 7; }
};

TEST(Token, AJittersStateBeginsAtZeroWhateverTheMemoryHeld) {
  strategy<counts_draws, always_seven> const s;
  using token = decltype(s.acquire_initial_token());
  alignas(token) unsigned char memory[sizeof(token)];
  std::memset(memory, 0xff, sizeof memory);
  auto* const first = new (memory) token(s.acquire_initial_token());
  auto const second = s.refresh_retry_token(std::move(*first), failure{});
  first->~token();
  ASSERT_TRUE(second.has_value());
  EXPECT_EQ(second->delay(), duration{7});
}

/// A quota that is told when a call ends.
struct counts_ends {
  int* ended;
  void on_call_end() const noexcept { ++*ended; }
};

TEST(HeldCall, EndsOnceWithItsTokenOrBefore) {
  int ended[2]{};
  counts_ends const one{&ended[0]}, other{&ended[1]};
  {
    detail::held_call<counts_ends> const nothing;
    detail::held_call<counts_ends> call{one};
    auto moved = std::move(call);
    EXPECT_EQ(ended[0], 0);
    moved.end();
    moved.end();
    EXPECT_EQ(ended[0], 1);
    detail::held_call<counts_ends> replaced{one};
    replaced = detail::held_call<counts_ends>{other};
    EXPECT_EQ(ended[0], 2);
    auto& itself = replaced;
    replaced = std::move(itself);
    EXPECT_EQ(ended[1], 0);
  }
  EXPECT_EQ(ended[0], 2);
  EXPECT_EQ(ended[1], 1);
}

}  // namespace
}  // namespace compose_test
