// SPDX-License-Identifier: BSL-1.0
#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

#include "anew/roles/retry_strategy.hpp"
#include "anew/run_time/virtual/retry_strategy.hpp"
#include "anew/run_time/virtual/retry_token.hpp"

#include "names.hpp"

namespace virtual_retry_token_test {
namespace {

using anew::retry_token;

static_assert(anew::RetryToken<retry_token>);
static_assert(!std::is_copy_constructible_v<retry_token> && !std::is_copy_assignable_v<retry_token>);
static_assert(std::is_nothrow_move_constructible_v<retry_token> && std::is_nothrow_move_assignable_v<retry_token>);
static_assert(sizeof(retry_token) <= 128, "two lines of cache");

/// Alive as often as it is alive.
template <std::size_t Size>
struct counted {
  static inline int alive = 0;
  std::array<unsigned char, Size> bytes{};
  explicit counted(unsigned char fill) {
    bytes.fill(fill);
    ++alive;
  }
  counted(counted&& other) noexcept : bytes{other.bytes} { ++alive; }
  ~counted() { --alive; }
};

/// Issues tokens with the states that it is told to.
class issuer final : public anew::retry_strategy {
 public:
  [[nodiscard]] retry_token with(auto state) const {
    return issue({.delay = 3ms, .attempt = 7, .deadline = anew::time_point{5s}}, std::move(state));
  }
  template <class State>
  [[nodiscard]] static State& state(retry_token& token) {
    return state_of<State>(token);
  }
  template <class State>
  static void end_state(retry_token& token) {
    end_state_of<State>(token);
  }

 private:
  retry_token on_acquire() const override { return issue({}); }
  retry_token on_refresh(retry_token&& /*token*/, anew::failure const& /*what*/) const override {
    return refuse(anew::stop_reason::attempts);
  }
};

struct small {
  std::int64_t a;
  std::int32_t b;
};

TEST(VirtualRetryToken, OfTheFirstAttemptUnlessTold) {
  issuer const in;
  auto const answer = in.try_acquire_initial_token();
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->delay(), 0ns);
  EXPECT_EQ(answer->attempt(), 1U);
  EXPECT_EQ(answer->deadline(), anew::time_point::max());
}

TEST(VirtualRetryToken, MovesWhatItHolds) {
  issuer const in;
  auto first = in.with(small{11, 12});
  auto second = std::move(first);
  EXPECT_FALSE(first.is_live());  // NOLINT(bugprone-use-after-move)
  EXPECT_TRUE(second.is_live());
  EXPECT_EQ(issuer::state<small>(second).a, 11);
  EXPECT_EQ(issuer::state<small>(second).b, 12);
  retry_token third;
  EXPECT_FALSE(third.is_live());
  third = std::move(second);
  EXPECT_FALSE(second.is_live());  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(issuer::state<small>(third).b, 12);
  EXPECT_EQ(third.attempt(), 7U);
  EXPECT_EQ(third.delay(), 3ms);
  EXPECT_EQ(third.deadline(), anew::time_point{5s});
  auto& same = third;
  third = std::move(same);
  EXPECT_TRUE(third.is_live());
  EXPECT_EQ(issuer::state<small>(third).a, 11);
}

template <std::size_t Size>
void expect_every_byte_is_moved() {
  SCOPED_TRACE(Size);
  using state = std::array<unsigned char, Size>;
  issuer const in;
  state bytes{};
  for (std::size_t i = 0; i < Size; ++i) bytes[i] = static_cast<unsigned char>(i * 7 + 1);
  auto first = in.with(bytes);
  auto second = std::move(first);
  retry_token third;
  third = std::move(second);
  EXPECT_EQ(issuer::state<state>(third), bytes);
}

TEST(VirtualRetryToken, MovesEveryByteOfEverySize) {
  []<std::size_t... Sizes>(std::index_sequence<Sizes...>) {
    (expect_every_byte_is_moved<Sizes>(), ...);
  }(std::index_sequence<1, 8, 23, 24, 25, 72, 79, 80, 81, 1000, 5000>{});
}

template <class State>
void expect_destroyed_once() {
  issuer const in;
  {
    auto first = in.with(State{1});
    EXPECT_EQ(State::alive, 1);
    auto second = std::move(first);
    EXPECT_EQ(State::alive, 1);
    retry_token third = in.with(State{2});
    EXPECT_EQ(State::alive, 2);
    third = std::move(second);
    EXPECT_EQ(State::alive, 1) << "what was held before is given up";
    EXPECT_EQ(issuer::state<State>(third).bytes[0], 1);
    issuer::end_state<State>(third);
    EXPECT_EQ(State::alive, 0);
  }
  EXPECT_EQ(State::alive, 0);
  static_cast<void>(in.with(State{3}));
  EXPECT_EQ(State::alive, 0);
}

TEST(VirtualRetryToken, DestroysWhatItHoldsOnce) {
  expect_destroyed_once<counted<8>>();
  expect_destroyed_once<counted<100>>();
  expect_destroyed_once<counted<2000>>();
}

TEST(VirtualRetryToken, HoldsWhatMustNotBeMovedByItsBytes) {
  static_assert(!anew::detail::stays_in_token<std::string>);
  issuer const in;
  auto first = in.with(std::string{"short"});  // points into itself
  auto second = std::move(first);
  EXPECT_EQ(issuer::state<std::string>(second), "short");
  auto owner = in.with(std::make_unique<int>(5));
  EXPECT_EQ(*issuer::state<std::unique_ptr<int>>(owner), 5);
}

TEST(VirtualRetryToken, HoldsWhatWantsToBeAligned) {
  struct alignas(64) aligned {
    unsigned char byte;
  };
  issuer const in;
  auto first = in.with(aligned{9});
  auto second = std::move(first);
  auto& state = issuer::state<aligned>(second);
  EXPECT_EQ(state.byte, 9);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&state) % 64, 0U);
}

TEST(VirtualRetryToken, WhatIsLargeOrNotMovedByItsBytesIsElsewhere) {
  using anew::detail::stays_in_token;
  struct fits {
    unsigned char bytes[anew::detail::token_room];
  };
  struct does_not {
    unsigned char bytes[anew::detail::token_room + 1];
  };
  struct alignas(16) wide {
    unsigned char byte;
  };
  static_assert(stays_in_token<fits> && stays_in_token<int>);
  static_assert(!stays_in_token<does_not> && !stays_in_token<wide> && !stays_in_token<std::string>);
}

}  // namespace
}  // namespace virtual_retry_token_test
