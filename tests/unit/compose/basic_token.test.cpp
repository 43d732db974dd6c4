// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <cstring>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/compose/basic_token.hpp"
#include "anew/testing/manual_clock.hpp"

#include "recording_quota.hpp"

namespace compose_basic_token_test {
namespace {

using namespace std::chrono_literals;
using anew::failure;
using book = std::vector<std::string>;

auto make_strategy() {
  return anew::compose(support::recording_quota{}, anew::unbounded{}, anew::no_jitter{}, anew::testing::manual_clock{},
                       anew::deadline<1h>{}, anew::constant_backoff<5ms>{});
}

TEST(Token, StandsForTheFirstAttemptAtFirst) {
  auto const s = make_strategy();
  auto const token = s.acquire_initial_token();
  EXPECT_EQ(token.attempt(), 1U);
  EXPECT_EQ(token.delay(), 0ns);
  EXPECT_EQ(token.deadline(), s.clock().peek() + 1h);
  EXPECT_TRUE(s.quota().book().empty());
}

TEST(Token, CountsAttempts) {
  auto const s = make_strategy();
  auto token = s.acquire_initial_token();
  for (std::uint32_t attempt = 2; attempt <= 40; ++attempt) {
    auto next = s.refresh_retry_token(std::move(token), failure{});
    ASSERT_TRUE(next);
    EXPECT_EQ(next->attempt(), attempt);
    EXPECT_EQ(next->delay(), 5ms);
    token = *std::move(next);
  }
}

TEST(Token, MovingKeepsWhatItSays) {
  auto const s = make_strategy();
  auto next = s.refresh_retry_token(s.acquire_initial_token(), failure{});
  auto const deadline = next->deadline();
  auto const moved = *std::move(next);
  EXPECT_EQ(moved.attempt(), 2U);
  EXPECT_EQ(moved.delay(), 5ms);
  EXPECT_EQ(moved.deadline(), deadline);
}

TEST(Token, GivesBackWhatItHoldsWhenItIsDestroyed) {
  auto const s = make_strategy();
  {
    auto const next = s.refresh_retry_token(s.acquire_initial_token(), failure{});
  }
  EXPECT_EQ(s.quota().book(), (book{"acquire 1", "release 1"}));
}

TEST(Token, OneThatHoldsNothingGivesNothingBack) {
  auto const s = make_strategy();
  {
    auto const token = s.acquire_initial_token();
  }
  EXPECT_TRUE(s.quota().book().empty());
}

TEST(Token, OnlyTheOneThatItWasMovedToGivesBack) {
  auto const s = make_strategy();
  {
    auto next = s.refresh_retry_token(s.acquire_initial_token(), failure{});
    auto first = *std::move(next);
    auto second = std::move(first);
    auto third = std::move(second);
    static_cast<void>(third);
    EXPECT_EQ(s.quota().book(), (book{"acquire 1"}));
  }
  EXPECT_EQ(s.quota().book(), (book{"acquire 1", "release 1"}));
}

TEST(Token, AssigningGivesBackWhatWasHeldThere) {
  auto const s = make_strategy();
  auto a = *s.refresh_retry_token(s.acquire_initial_token(), failure{});
  auto b = *s.refresh_retry_token(s.acquire_initial_token(), failure{});
  a = std::move(b);
  EXPECT_EQ(s.quota().book(), (book{"acquire 1", "acquire 2", "release 1"}));
  s.record_success(std::move(a));
  EXPECT_EQ(s.quota().book().back(), "success 2");
}

TEST(Token, AssigningToItselfKeepsWhatIsHeld) {
  auto const s = make_strategy();
  auto token = *s.refresh_retry_token(s.acquire_initial_token(), failure{});
  auto& itself = token;
  token = std::move(itself);
  EXPECT_EQ(s.quota().book(), (book{"acquire 1"}));
  s.record_success(std::move(token));
  EXPECT_EQ(s.quota().book(), (book{"acquire 1", "success 1"}));
}

TEST(Token, IsSettledOnceByEachWayOut) {
  auto const s = make_strategy();
  auto next = s.refresh_retry_token(s.acquire_initial_token(), failure{});  // holds 1
  next = s.refresh_retry_token(*std::move(next), failure{});                // 1 failed, holds 2
  s.record_success(*std::move(next));                                       // 2 succeeded
  EXPECT_EQ(s.quota().book(), (book{"acquire 1", "failure 1", "acquire 2", "success 2"}));
}

TEST(Token, ARefusalSpendsTheRetryThatWasMade) {
  auto const s = make_strategy();
  auto next = s.refresh_retry_token(s.acquire_initial_token(), failure{});
  s.quota().refuse();
  next = s.refresh_retry_token(*std::move(next), failure{});
  EXPECT_EQ(next.reason(), anew::stop_reason::quota);
  EXPECT_EQ(s.quota().book(), (book{"acquire 1", "failure 1", "refuse"}));
}

TEST(Token, AFirstSuccessHoldsNothing) {
  auto const s = make_strategy();
  s.record_success(s.acquire_initial_token());
  EXPECT_EQ(s.quota().book(), (book{"success 0"}));
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
}  // namespace compose_basic_token_test
