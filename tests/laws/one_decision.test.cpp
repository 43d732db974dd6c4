// SPDX-License-Identifier: BSL-1.0
// Laws 5 and 6: after a decision made where the token stands nothing of the attempt that failed is held, and after a refusal
// nothing at all.
#include <chrono>
#include <cstdint>
#include <optional>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies.hpp"
#include "anew/testing/manual_clock.hpp"

#include "names.hpp"

namespace {

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

}  // namespace
