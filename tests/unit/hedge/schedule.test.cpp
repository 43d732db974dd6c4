// SPDX-License-Identifier: BSL-1.0
// Ten thousand calls whose attempts end, and whose timers fire, in an order that dice decide: what holds in every one.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/base/generator.hpp"
#include "anew/hedge.hpp"
#include "anew/policies/hint/pushback.hpp"
#include "anew/testing/audited_quota.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/recorder.hpp"

namespace hedge_schedule_test {
namespace {

using namespace std::chrono_literals;
using anew::directive;
using anew::error_kind;
using anew::hedge_step;
using anew::hedge_timer;
using anew::stop_reason;
using anew::testing::audited_quota;
using anew::testing::manual_clock;
using anew::testing::recorder;
using anew::when_pushed_back;

/// A gate that knows who is inside, and refuses or delays now and then.
struct fickle_gate {
  using role = anew::roles::gate;
  using pass_type = std::uint32_t;
  struct state {
    anew::generator dice{1};
    std::set<std::uint32_t> inside;
    std::uint32_t last = 0;
    bool is_fickle = false;
    bool is_sound = true;
  };
  state* s;
  [[nodiscard]] anew::admission<pass_type> try_enter(anew::time_point) const {
    auto const roll = s->is_fickle ? s->dice() % 8 : 7;
    if (roll == 0) return {std::nullopt, 0ns};
    if (roll == 1) return {std::nullopt, 5ms};
    s->inside.insert(++s->last);
    return {s->last, 0ns};
  }
  void on_success(pass_type pass, anew::time_point) const { leave(pass); }
  void on_failure(pass_type pass, anew::failure const&, anew::time_point) const { leave(pass); }
  void release(pass_type pass) const { leave(pass); }
  void leave(pass_type pass) const { s->is_sound = s->is_sound && s->inside.erase(pass) == 1; }
};

/// The books of `audited_quota`, and how many calls are under way.
struct counting_quota : audited_quota {
  int* calls;
  explicit counting_quota(int& count) : calls{&count} {}
  void on_call(anew::time_point) const { ++*calls; }
  void on_call_end() const { --*calls; }
};

class schedule {
 public:
  explicit schedule(std::uint64_t seed) : dice_{seed} {}

  void run() {
    int calls = 0;
    gate_.dice = anew::generator{dice_()};
    gate_.is_fickle = roll(3) == 0;
    auto const most = static_cast<std::uint32_t>(1 + roll(6));
    auto const extra = static_cast<std::uint32_t>(roll(5));
    auto const then = roll(2) == 0 ? when_pushed_back::wait : when_pushed_back::stop;
    counting_quota const quota{calls};
    auto const strategy =
        anew::compose(quota, fickle_gate{&gate_}, recorder{heard_}, anew::max_attempts{most}, anew::retry_all{},
                      anew::constant_backoff<1s>{}, anew::pushback_hint<>{}, clock_);
    anew::hedge_after const hedging{10ms, extra, then};
    {
      anew::hedge_machine call{strategy, hedging, anew::idempotent_call};
      EXPECT_EQ(calls, 1);
      take(call.begin());
      bool const leaves_early = roll(16) == 0;
      for (int events = 0; !finished_ && !(leaves_early && events == 2); ++events) {
        ASSERT_LT(events, 1000) << "the call does not end";
        if (roll(16) == 0) quota.refuse(roll(2) == 0);
        if (!stopped_ && roll(24) == 0) {
          stopped_ = true;
          take(call.request_stop());
        } else if (timer_ && (in_flight_.empty() || roll(2) == 0)) {
          timer_ = false;
          clock_.set(std::max(clock_.peek(), timer_at_));
          take(call.on_time());
        } else {
          ASSERT_FALSE(in_flight_.empty()) << "nothing is under way, and nothing is to come";
          tell(call);
        }
        ASSERT_LE(in_flight_.size(), extra + 1);
        ASSERT_LE(attempts_, most);
        ASSERT_EQ(call.attempts(), attempts_);
        if (!finished_) {
          ASSERT_EQ(call.in_flight(), in_flight_.size());
          for (auto number : in_flight_) ASSERT_TRUE(call.is_in_flight(number));
          ASSERT_GE(gate_.inside.size(), in_flight_.size());
        }
      }
      if (finished_) {
        end(call, calls);
        ASSERT_EQ(quota.outstanding(), 0U);  // at the end already
        ASSERT_TRUE(gate_.inside.empty());
      }
    }
    ASSERT_EQ(calls, 0);
    ASSERT_EQ(quota.outstanding(), 0U);
    ASSERT_TRUE(gate_.inside.empty());
    ASSERT_TRUE(gate_.is_sound);
    auto const& books = quota.totals();
    ASSERT_EQ(books.acquired, books.succeeded + books.failed + books.released);
    ASSERT_EQ(books.succeeded + books.succeeded_at_once, won_ ? 1U : 0U);
    if (finished_ && !stopped_) {
      // Every attempt but the first was paid for, once.
      ASSERT_EQ(books.succeeded + books.failed, attempts_ == 0 ? 0U : attempts_ - 1);
    }
  }

 private:
  std::uint64_t roll(std::uint64_t sides) { return dice_() % sides; }

  void take(hedge_step const& step) {
    if (step.start != 0) {
      ASSERT_EQ(step.start, attempts_ + 1) << "attempts are counted one by one";
      ASSERT_FALSE(stopped_) << "no attempt begins after a stop";
      ASSERT_FALSE(forbidden_) << "no attempt begins after a refusal of the server's";
      ASSERT_GE(clock_.peek(), not_before_) << "no attempt begins before the latest time that a server asked for";
      ASSERT_FALSE(step.finished);
      ++attempts_;
      in_flight_.push_back(step.start);
    }
    if (step.timer == hedge_timer::set) {
      timer_ = true;
      timer_at_ = clock_.peek() + step.after;
    }
    if (step.timer == hedge_timer::cancel) timer_ = false;
    finished_ = step.finished;
    result_of_ = step.result_of;
  }

  template <class Call>
  void tell(Call& call) {
    auto const at = in_flight_.begin() + static_cast<std::ptrdiff_t>(roll(in_flight_.size()));
    auto const number = *at;
    in_flight_.erase(at);
    clock_.advance(1ms * static_cast<int>(roll(30)));
    switch (roll(8)) {
      case 0:
        take(call.on_success(number));
        ASSERT_TRUE(finished_);
        ASSERT_EQ(result_of_, number);
        won_ = true;
        break;
      case 1:
        take(call.on_verdict(number, directive::fail()));
        if (!stopped_) {
          ASSERT_TRUE(finished_);
          ASSERT_EQ(result_of_, number);
          ASSERT_EQ(call.reason(), stop_reason::not_retryable);
        }
        break;
      case 2: {
        auto const asked = 20ms * (static_cast<int>(roll(4)) - 1);
        forbidden_ = forbidden_ || asked < 0ms;
        not_before_ = std::max(not_before_, clock_.peek() + std::max(asked, 0ms));
        take(call.on_verdict(number, directive::retry(error_kind::server, asked)));
        break;
      }
      case 3: take(call.on_attempt_timeout(number)); break;
      default: take(call.on_verdict(number, directive::retry(error_kind::server)));
    }
    if (!won_) last_failed_ = number;
  }

  template <class Call>
  void end(Call& call, int calls) {
    ASSERT_TRUE(call.is_finished());
    ASSERT_EQ(call.reason() == stop_reason::succeeded, won_);
    if (!won_) {
      ASSERT_EQ(result_of_, last_failed_);
    }
    ASSERT_EQ(calls, 0);
    if (stopped_ && !won_) {
      ASSERT_EQ(call.reason(), stop_reason::cancelled);
    }
    ASSERT_EQ(heard_.ends.size(), 1U);
    ASSERT_EQ(heard_.ends[0].attempts, attempts_);
    ASSERT_EQ(heard_.ends[0].reason, call.reason());
    for (auto const& e : heard_.attempts) {
      ASSERT_TRUE(!e.is_final || &e == &heard_.attempts.back());
    }
    // What comes late changes nothing.
    hedge_step const same{.finished = true, .result_of = result_of_, .timer = hedge_timer::cancel};
    for (auto number : in_flight_) ASSERT_EQ(call.on_success(number), same);
    ASSERT_EQ(call.on_time(), same);
    ASSERT_EQ(call.request_stop(), same);
    ASSERT_EQ(heard_.ends.size(), 1U);
  }

  anew::generator dice_;
  fickle_gate::state gate_{};
  recorder::heard heard_{};
  manual_clock clock_{};
  anew::time_point not_before_{};
  anew::time_point timer_at_{};
  std::vector<std::uint32_t> in_flight_{};
  std::uint32_t attempts_ = 0;
  std::uint32_t result_of_ = 0;
  std::uint32_t last_failed_ = 0;
  bool timer_ = false;
  bool forbidden_ = false;
  bool finished_ = false;
  bool stopped_ = false;
  bool won_ = false;
};

TEST(HedgeSchedule, WhateverTheOrder) {
  for (std::uint64_t seed = 1; seed <= 10'000; ++seed) {
    schedule{seed}.run();
    ASSERT_FALSE(HasFatalFailure()) << "seed " << seed;
    ASSERT_FALSE(HasNonfatalFailure()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace hedge_schedule_test
