// SPDX-License-Identifier: BSL-1.0
// Laws 5, 6 and 23: a decision made where the token stands is the one made by value, a refusal leaves nothing held, and
// hedging decides as retrying does.
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/drivers/hedge/internal/rounds.hpp"
#include "anew/policies.hpp"
#include "anew/testing/manual_clock.hpp"

#include "names.hpp"

namespace {

using anew::detail::deciding;

/// What is out of a shared thing and not back yet.
struct books {
  int permits = 0;
  int calls = 0;
  int tickets = 0;
  int asked_with_an_old_ticket = 0;
};

struct counted_quota {
  using role = anew::roles::quota;
  using permit_type = int;
  books* in;
  [[nodiscard]] std::optional<int> try_acquire(failure const& what) const {
    if (what.kind == error_kind::client) return std::nullopt;
    ++in->permits;
    return 1;
  }
  void on_success(int held) const { in->permits -= held; }
  void on_failure(int held) const { in->permits -= held; }
  void release(int held) const { in->permits -= held; }
  void on_call(anew::time_point /*now*/) const { ++in->calls; }
  void on_call_end() const { --in->calls; }
};

/// Every attempt keeps what it reserved until somebody gives it back.
struct reserving_pacer {
  using role = anew::roles::pacer;
  using ticket_type = int;
  books* in;
  [[nodiscard]] anew::pace ask(int& ticket, anew::time_point /*now*/) const {
    if (ticket != 0) ++in->asked_with_an_old_ticket;
    ticket = ++in->tickets;
    return {};
  }
  void on_success(anew::time_point /*now*/) const {}
  void on_failure(failure const& /*what*/, anew::time_point /*now*/) const {}
  void release(int /*ticket*/) const { --in->tickets; }
};

auto counted(books& in) {
  return anew::compose(counted_quota{&in}, reserving_pacer{&in}, anew::max_attempts<3>{}, anew::constant_backoff<1s>{},
                       anew::no_jitter{}, anew::server_hint<anew::long_hint::stop>{}, anew::deadline<10s>{},
                       anew::testing::manual_clock{});
}

TEST(OneDecision, AGrantedRetryReservesItsOwnPlaceAtThePacer) {
  books in;
  auto const s = counted(in);
  auto token = s.acquire_initial_token();
  ASSERT_TRUE(s.admit(token, s.now()).begins());
  ASSERT_TRUE(static_cast<bool>(s.refresh_in_place(token, failure{})));
  EXPECT_EQ(in.tickets, 0) << "the first attempt's reservation";
  ASSERT_TRUE(s.admit(token, s.now()).begins());
  EXPECT_EQ(in.asked_with_an_old_ticket, 0);
  EXPECT_EQ(token.attempt(), 2U);
}

TEST(OneDecision, ARefusalLeavesNothingHeldWhileTheTokenLives) {
  struct refusal {
    failure what;
    stop_reason reason;
    int retries;
  };
  for (auto const& [what, reason, retries] :
       {refusal{{.safety = retry_safety::no}, stop_reason::not_retryable, 1}, refusal{{}, stop_reason::attempts, 2},
        refusal{{.kind = error_kind::client}, stop_reason::quota, 1},
        refusal{{.hint = 1h}, stop_reason::hint_too_long, 1}, refusal{{.hint = 30s}, stop_reason::deadline, 1}}) {
    books in;
    auto const s = counted(in);
    auto token = s.acquire_initial_token();
    for (int n = 0; n != retries; ++n) {
      ASSERT_TRUE(s.admit(token, s.now()).begins());
      ASSERT_TRUE(static_cast<bool>(s.refresh_in_place(token, failure{})));
    }
    ASSERT_TRUE(s.admit(token, s.now()).begins());
    EXPECT_EQ(in.permits, 1);
    EXPECT_EQ(in.calls, 1);
    EXPECT_EQ(s.refresh_in_place(token, what).refusal, reason);
    EXPECT_EQ(in.permits, 0) << to_string(reason);
    EXPECT_EQ(in.calls, 0) << to_string(reason);
    EXPECT_EQ(in.tickets, 0) << to_string(reason);
  }
}

// The three forms of one decision, over calls of random failures.
TEST(OneDecision, InPlaceByValueAndBesideOthersAgree) {
  using strategy =
      anew::strategy<anew::token_bucket<60>, anew::exponential_backoff<1s, 20s>, anew::no_jitter, anew::max_attempts<7>,
                     anew::server_hint<anew::long_hint::stop>, anew::deadline<45s>, anew::testing::manual_clock>;
  strategy const in_place;
  strategy const by_value;
  strategy const beside;
  std::mt19937 dice{2026};
  int granted = 0;
  int refused = 0;
  for (int call = 0; call != 30'000; ++call) {
    auto a = in_place.acquire_initial_token();
    auto b = by_value.acquire_initial_token();
    auto c = beside.acquire_initial_token();  // the call's, which stands for no attempt
    auto made = deciding::another_of<strategy>(c, 0);
    for (std::uint32_t attempts = 1;; ++attempts) {
      auto const passes = 100ms * (dice() % 40);
      for (auto const* s : {&in_place, &by_value, &beside}) s->clock().advance(passes);
      if (dice() % 3 == 0) {
        in_place.record_success(std::move(a));
        by_value.record_success(std::move(b));
        beside.record_success(std::move(made));
        break;
      }
      failure what{.kind = static_cast<error_kind>(dice() % 5)};
      if (dice() % 4 == 0) what.hint = 1s * (dice() % 90);

      auto const first = in_place.refresh_in_place(a, what);
      auto second = by_value.refresh_retry_token(std::move(b), what);
      deciding::settle_failed(beside, made, what, beside.now());
      made = deciding::another_of<strategy>(c, attempts);
      anew::detail::heard_hints const heard{};
      auto const third = deciding::grant(beside, made, c, attempts, {attempts, what.kind, {}}, what, beside.now(),
                                         anew::detail::beside_others<strategy>{beside, heard, false});
      ASSERT_EQ(static_cast<bool>(first), second.has_value());
      ASSERT_EQ(second.has_value(), static_cast<bool>(third));
      ASSERT_EQ(in_place.quota().balance(), by_value.quota().balance());
      ASSERT_EQ(in_place.quota().balance(), beside.quota().balance());
      if (!first) {
        ASSERT_EQ(first.refusal, second.reason());
        ASSERT_EQ(first.refusal, third.refusal);
        ++refused;
        break;
      }
      ASSERT_EQ(a.delay(), second->delay());
      ASSERT_EQ(a.delay(), made.delay());
      ASSERT_EQ(a.attempt(), second->attempt());
      ASSERT_EQ(a.attempt(), made.attempt());
      ASSERT_EQ(first.origin, second.origin());
      ASSERT_EQ(first.origin, third.origin);
      b = *std::move(second);
      ++granted;
    }
  }
  EXPECT_GT(granted, 1000);
  EXPECT_GT(refused, 300);
}

}  // namespace
