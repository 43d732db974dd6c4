// SPDX-License-Identifier: BSL-1.0
// Several attempts of one call: who wins, what becomes of the others, and that a call ends once whatever happens to it.
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <boost/asio/append.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/experimental/as_tuple.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/attempt_timeout/attempt_timeout.hpp"
#include "anew/classifier/retry_on_codes.hpp"
#include "anew/hedge.hpp"
#include "anew/testing/manual_clock.hpp"

#include "asio_support.hpp"
#include "far_side.hpp"
#include "manual_timers.hpp"

namespace {

using namespace std::chrono_literals;
namespace net = anew::net;
using error_code = anew::net_error_code;

using support::aborted;
using support::answer;
using support::far_side;
using support::fatal;
using support::other;
using support::pushed_back;
using support::transient;

using numbers = std::vector<std::uint32_t>;

struct outcome {
  int completions = 0;
  error_code error;
  std::uint32_t number = 0;
};

using plain =
    anew::strategy<support::answers_by_code, anew::constant_backoff<5ms>, anew::no_jitter, anew::max_attempts<4>>;

class AsyncHedge : public testing::Test {
 protected:
  void turn() {
    loop.restart();
    loop.poll();
  }
  void pass(anew::duration by) {
    turn();
    time.advance(by);
    turn();
  }
  [[nodiscard]] auto into(outcome& of) {
    return [&of](error_code error, answer value) {
      ++of.completions;
      of.error = error;
      of.number = value.number();
    };
  }
  template <class S, class H>
  void begin(S const& by, H const& when) {
    anew::async_hedge(time.timers(), by, when, there.operation(),
                      net::bind_cancellation_slot(signal.slot(), into(end)));
    turn();
  }
  void TearDown() override { EXPECT_EQ(answer::alive, 0); }

  net::io_context loop;
  support::manual_time time{loop.get_executor()};
  far_side there{loop};
  net::cancellation_signal signal;
  outcome end;
  plain const strategy{};
  anew::hedge_after<10ms> const hedging{};
};

TEST_F(AsyncHedge, AFirstAnswerInTimeIsAlone) {
  begin(strategy, hedging);
  pass(9ms);
  there.complete(1);
  turn();
  EXPECT_EQ(end.completions, 1);
  EXPECT_EQ(end.number, 1U);
  EXPECT_FALSE(end.error);
  EXPECT_EQ(there.started, numbers{1});
  EXPECT_EQ(time.pending(), 0U);
}

TEST_F(AsyncHedge, TheWinnerIsDeliveredWhenTheLoserHasComeBack) {
  begin(strategy, hedging);
  pass(10ms);
  EXPECT_EQ(there.started, (numbers{1, 2}));
  there.is_deaf = true;
  there.complete(2);
  turn();
  EXPECT_EQ(there.cancelled, numbers{1});
  EXPECT_EQ(end.completions, 0);  // the loser is still at it, with what is the caller's
  EXPECT_TRUE(there.attempts[1]->stop_requested());
  there.complete(1);
  turn();
  EXPECT_EQ(end.completions, 1);
  EXPECT_EQ(end.number, 2U);
  EXPECT_FALSE(end.error);
}

TEST_F(AsyncHedge, AnAttemptThatIsAtItIsNotToldToStop) {
  begin(strategy, hedging);
  pass(10ms);
  EXPECT_FALSE(there.attempts[1]->stop_requested());
  EXPECT_FALSE(there.attempts[2]->stop_requested());
  there.complete(1);
  turn();
  EXPECT_EQ(there.cancelled, numbers{2});
  EXPECT_EQ(end.number, 1U);
}

TEST_F(AsyncHedge, ARefusedHedgeLeavesTheFirstAlone) {
  support::quota_state quota;
  quota.refuses = true;
  anew::with<plain, support::counted_quota> const s{support::counted_quota{quota}};
  begin(s, hedging);
  pass(1s);
  EXPECT_EQ(there.started, numbers{1});
  EXPECT_TRUE(there.cancelled.empty());
  there.complete(1);
  turn();
  EXPECT_EQ(end.number, 1U);
  EXPECT_EQ(quota.out, 0);
}

TEST_F(AsyncHedge, ARetryableErrorStartsTheNextAtOnce) {
  begin(strategy, hedging);
  there.complete(1, transient);
  turn();
  EXPECT_EQ(there.started, (numbers{1, 2}));
  there.complete(2);
  turn();
  EXPECT_EQ(end.number, 2U);
  EXPECT_FALSE(end.error);
}

TEST_F(AsyncHedge, AFatalErrorEndsTheCall) {
  begin(strategy, hedging);
  pass(10ms);
  there.complete(1, fatal);
  turn();
  EXPECT_EQ(there.cancelled, numbers{2});
  EXPECT_EQ(end.error, fatal);
  EXPECT_EQ(end.number, 1U);
  EXPECT_EQ(end.completions, 1);
}

TEST_F(AsyncHedge, PushbackStopsHedgesWhereItIsToldTo) {
  anew::hedge_after<10ms, 2, anew::when_pushed_back::stop> const two{};
  begin(strategy, two);
  pass(10ms);
  there.complete(1, pushed_back);
  pass(1s);
  EXPECT_EQ(there.started, (numbers{1, 2}));
  EXPECT_TRUE(there.cancelled.empty());
  there.complete(2);
  turn();
  EXPECT_EQ(end.number, 2U);
}

TEST_F(AsyncHedge, TheLastOfAllFailuresIsTheCalls) {
  anew::with<plain, anew::max_attempts<2>> const s{};
  begin(s, hedging);
  pass(10ms);
  there.complete(2, transient);
  turn();
  EXPECT_EQ(end.completions, 0);
  there.complete(1, other);
  turn();
  EXPECT_EQ(end.completions, 1);
  EXPECT_EQ(end.error, other);
  EXPECT_EQ(end.number, 1U);
}

TEST_F(AsyncHedge, ASecondRoundComesAfterTheBackoffAndIsHedgedToo) {
  begin(strategy, hedging);
  pass(10ms);
  there.complete(1, transient);
  there.complete(2, transient);
  pass(4ms);
  EXPECT_EQ(there.started, (numbers{1, 2}));
  pass(1ms);
  EXPECT_EQ(there.started, (numbers{1, 2, 3}));
  pass(10ms);
  EXPECT_EQ(there.started, (numbers{1, 2, 3, 4}));
  there.complete(4);
  turn();
  EXPECT_EQ(end.number, 4U);
  EXPECT_EQ(there.cancelled, numbers{3});
  EXPECT_EQ(time.timers_made(), 1U);
}

TEST_F(AsyncHedge, EachAttemptHasItsLimit) {
  anew::with<plain, anew::attempt_timeout<25ms>, anew::max_attempts<2>, anew::testing::manual_clock> const s{};
  begin(s, hedging);
  pass(10ms);
  pass(14ms);
  EXPECT_TRUE(there.cancelled.empty());
  pass(1ms);
  EXPECT_EQ(there.cancelled, numbers{1});
  EXPECT_EQ(end.completions, 0);
  pass(10ms);
  EXPECT_EQ(there.cancelled, (numbers{1, 2}));
  EXPECT_EQ(end.completions, 1);
  EXPECT_EQ(end.error, net::error::timed_out);
  EXPECT_EQ(end.number, 2U);
  EXPECT_EQ(time.pending(), 0U);
}

/// A coroutine that returns the code with which its limit cancelled it: the other attempt goes on.
TEST_F(AsyncHedge, ALateCoroutineThatReturnsItsErrorEndsNoOther) {
  using named = anew::with<plain, anew::retry_on_codes<std::errc::timed_out>>;
  anew::with<named, anew::attempt_timeout<25ms>, anew::max_attempts<2>, anew::testing::manual_clock> const s{};
  net::steady_timer first{loop, net::steady_timer::time_point::max()};
  net::steady_timer second{loop, net::steady_timer::time_point::max()};
  bool is_answered = false;
  std::optional<std::error_code> result;
  auto const operation = [&](anew::attempt& self) -> net::awaitable<std::error_code> {
    auto& work = self.number() == 1 ? first : second;
    auto const [code] = co_await work.async_wait(net::experimental::as_tuple(net::use_awaitable));
    co_return self.number() == 2 && is_answered ? std::error_code{} : static_cast<std::error_code>(code);
  };
  anew::async_hedge(time.timers(), s, hedging, anew::idempotent(operation),
                    [&](std::exception_ptr const& /*thrown*/, std::error_code code) { result = code; });
  turn();
  pass(10ms);  // the second begins
  pass(15ms);  // the first is late
  EXPECT_FALSE(result.has_value()) << "the second is under way";
  is_answered = true;
  second.cancel();
  turn();
  EXPECT_EQ(result, std::error_code{});
}

TEST_F(AsyncHedge, AWinnerTakesItsLimitsBack) {
  anew::with<plain, anew::attempt_timeout<25ms>, anew::testing::manual_clock> const s{};
  begin(s, hedging);
  pass(10ms);
  there.complete(2);
  turn();
  EXPECT_EQ(end.completions, 1);
  EXPECT_EQ(end.number, 2U);
  EXPECT_EQ(time.pending(), 0U);
}

TEST_F(AsyncHedge, AStoppedCallCancelsAllAttempts) {
  begin(strategy, hedging);
  pass(10ms);
  signal.emit(net::cancellation_type::partial);
  EXPECT_EQ(there.cancelled, (numbers{1, 2}));
  EXPECT_EQ(end.completions, 0);
  turn();
  EXPECT_EQ(end.completions, 1);
  EXPECT_EQ(end.error, aborted);
}

TEST_F(AsyncHedge, ASuccessAfterAStopIsStillOne) {
  begin(strategy, hedging);
  pass(10ms);
  there.complete(1);
  signal.emit(net::cancellation_type::terminal);
  turn();
  EXPECT_FALSE(end.error);
  EXPECT_EQ(end.number, 1U);
}

TEST_F(AsyncHedge, AStoppedCallTellsTheEndOfItsLastAttempt) {
  there.is_deaf = true;
  begin(strategy, hedging);
  signal.emit(net::cancellation_type::terminal);
  there.complete(1, other);
  turn();
  EXPECT_EQ(end.error, other);
  EXPECT_EQ(there.started, numbers{1});
}

TEST_F(AsyncHedge, AStopBetweenRoundsEndsInItsTurn) {
  anew::hedge_after<10ms, 0> const none{};
  begin(strategy, none);
  there.complete(1, transient);
  turn();
  EXPECT_EQ(time.pending(), 1U);
  signal.emit(net::cancellation_type::terminal);
  EXPECT_EQ(end.completions, 0);
  turn();
  EXPECT_EQ(end.completions, 1);
  EXPECT_EQ(end.error, aborted);
  EXPECT_EQ(end.number, 1U);
}

TEST_F(AsyncHedge, AStopBeforeTheFirstTurnMakesNoAttempt) {
  anew::async_hedge(time.timers(), strategy, hedging, there.operation(),
                    net::bind_cancellation_slot(signal.slot(), into(end)));
  signal.emit(net::cancellation_type::terminal);
  EXPECT_EQ(end.completions, 0);
  turn();
  EXPECT_EQ(end.completions, 1);
  EXPECT_EQ(end.error, aborted);
  EXPECT_TRUE(there.started.empty());
}

TEST_F(AsyncHedge, AStopInsideAnInitiationReachesThatAttempt) {
  there.on_start = [this](std::uint32_t number) {
    if (number == 2) signal.emit(net::cancellation_type::total);
  };
  begin(strategy, hedging);
  pass(10ms);
  EXPECT_EQ(there.cancelled, (numbers{1, 2}));
  EXPECT_EQ(end.completions, 1);
  EXPECT_EQ(end.error, aborted);
}

TEST_F(AsyncHedge, ASignalThatAsksForNothingDoesNothing) {
  begin(strategy, hedging);
  signal.emit(net::cancellation_type::none);
  pass(10ms);
  EXPECT_EQ(there.started, (numbers{1, 2}));
  EXPECT_TRUE(there.cancelled.empty());
  there.complete(1);
  turn();
}

TEST_F(AsyncHedge, WhoeverCancelsOneAttemptCancelsTheCall) {
  support::quota_state quota;
  anew::with<plain, support::counted_quota> const s{support::counted_quota{quota}};
  begin(s, hedging);
  pass(10ms);
  there.complete(1, aborted);
  turn();
  EXPECT_EQ(there.started, (numbers{1, 2}));
  EXPECT_EQ(there.cancelled, numbers{2});
  EXPECT_EQ(end.completions, 1);
  EXPECT_EQ(end.error, aborted);
  EXPECT_EQ(time.pending(), 0U);
  EXPECT_EQ(quota.out, 0);
}

TEST_F(AsyncHedge, WhatAnAttemptThatIsOverLeftInItsSlotIsNotCalled) {
  there.leaves_its_slot = true;
  begin(strategy, hedging);
  pass(10ms);
  there.complete(1, transient);
  turn();
  signal.emit(net::cancellation_type::terminal);
  EXPECT_EQ(there.cancelled, numbers{2});
  turn();
  EXPECT_EQ(end.completions, 1);
  EXPECT_EQ(end.error, aborted);
}

TEST_F(AsyncHedge, ATimerThatHadFiredWhenItWasSetAgainIsStale) {
  anew::hedge_after<10ms, 2> const two{};
  begin(strategy, two);
  there.complete(1, transient);
  time.advance(10ms);  // both are queued: the failure starts attempt 2 and sets the timer again, the old one comes then
  turn();
  EXPECT_EQ(there.started, (numbers{1, 2}));
  pass(9ms);
  EXPECT_EQ(there.started, (numbers{1, 2}));
  pass(1ms);
  EXPECT_EQ(there.started, (numbers{1, 2, 3}));
  there.complete(3);
  turn();
  EXPECT_EQ(end.number, 3U);
}

/// Timers whose waits end early, and nobody asked them to.
struct closed_timers {
  struct timer {
    net::any_io_executor executor;
    void expires_after(anew::duration /*by*/) {}
    void cancel() {}
    template <class Handler>
    void async_wait(Handler handler) {
      net::post(executor, net::append(std::move(handler), aborted));
    }
  };
  net::any_io_executor executor;
  [[nodiscard]] net::any_io_executor get_executor() const { return executor; }
  [[nodiscard]] timer make_timer() const { return {executor}; }
};

TEST_F(AsyncHedge, TimersThatAreClosedSendNoHedge) {
  anew::async_hedge(closed_timers{loop.get_executor()}, strategy, hedging, there.operation(), into(end));
  turn();
  EXPECT_EQ(there.started, numbers{1});
  EXPECT_TRUE(there.cancelled.empty());
  there.complete(1, transient);  // and no other attempt
  turn();
  EXPECT_EQ(end.completions, 1);
  EXPECT_EQ(end.error, transient);
}

TEST_F(AsyncHedge, TimersThatAreClosedEndAWait) {
  anew::async_hedge(closed_timers{loop.get_executor()}, strategy, anew::hedge_at_once<0>{}, there.operation(),
                    into(end));
  turn();
  there.complete(1, transient);
  turn();
  EXPECT_EQ(there.started, numbers{1});
  EXPECT_EQ(end.completions, 1);
  EXPECT_EQ(end.error, aborted);
}

TEST_F(AsyncHedge, CompletionsInsideTheInitiationAreLookedAtLater) {
  there.at_once = transient;
  anew::with<plain, anew::no_backoff, anew::max_attempts<5000>> const s{};
  begin(s, hedging);
  pass(1s);
  EXPECT_EQ(there.started.size(), 5000U);  // one after another, and not one inside another
  EXPECT_EQ(end.completions, 1);
  EXPECT_EQ(end.error, transient);
  EXPECT_EQ(end.number, 5000U);
}

TEST_F(AsyncHedge, ASuccessInsideTheInitiationIsDeliveredOutside) {
  there.at_once = error_code{};
  bool has_returned = false;
  bool was_outside = false;
  net::post(loop, [&] {  // in the loop, the first attempt begins inside the call
    anew::async_hedge(time.timers(), strategy, anew::hedge_at_once<>{}, there.operation(),
                      [&](error_code, answer) { was_outside = has_returned; });
    EXPECT_EQ(there.started, numbers{1});
    has_returned = true;
  });
  turn();
  EXPECT_TRUE(was_outside);
}

TEST_F(AsyncHedge, AttemptsThatEndInsideTheirCancellation) {
  there.ends_inside_its_cancellation = true;
  anew::hedge_after<10ms, 3> const three{};
  begin(strategy, three);
  pass(10ms);
  pass(10ms);
  signal.emit(net::cancellation_type::terminal);
  EXPECT_EQ(end.completions, 0);
  turn();
  EXPECT_EQ(end.completions, 1);
  EXPECT_EQ(end.error, aborted);
}

TEST_F(AsyncHedge, AnAttemptThatGoesAwayEndsTheCallAndCancelsTheOthers) {
  begin(strategy, hedging);
  pass(10ms);
  ASSERT_EQ(there.in_flight(), 2U);
  there.forget(1);
  EXPECT_EQ(there.cancelled, (std::vector<std::uint32_t>{2}));
  pass(1h);
  EXPECT_EQ(there.in_flight(), 0U);
  EXPECT_EQ(there.started.size(), 2U);
  EXPECT_EQ(end.completions, 0);
  EXPECT_TRUE(loop.stopped());
}

TEST_F(AsyncHedge, ALoserThatGoesAwayHoldsNothingUp) {
  begin(strategy, hedging);
  pass(10ms);
  there.is_deaf = true;
  there.complete(2);
  turn();
  EXPECT_EQ(there.cancelled, (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(end.completions, 0);
  there.forget(1);
  EXPECT_EQ(end.completions, 0);  // not where the attempt goes
  turn();
  EXPECT_EQ(end.completions, 1);
  EXPECT_EQ(end.number, 2U);
}

TEST_F(AsyncHedge, ALoserThatGoesAwayTakesItsLimitBack) {
  anew::with<plain, anew::attempt_timeout<25ms>, anew::testing::manual_clock> const s{};
  begin(s, hedging);
  pass(10ms);
  there.is_deaf = true;
  there.complete(2);
  turn();
  EXPECT_EQ(end.completions, 0);
  EXPECT_EQ(time.pending(), 1U);
  there.forget(1);
  turn();
  EXPECT_EQ(end.completions, 1) << "the call waits for the limit of an attempt that is gone";
  EXPECT_EQ(time.pending(), 0U);
}

TEST_F(AsyncHedge, ABrokenCallTakesItsLimitsBack) {
  anew::with<plain, anew::attempt_timeout<25ms>, anew::testing::manual_clock> const s{};
  auto const alive = std::make_shared<int>(1);
  anew::async_hedge(time.timers(), s, hedging, there.operation(),
                    [&, alive](error_code, answer) { ++end.completions; });
  turn();
  pass(10ms);
  ASSERT_EQ(time.pending(), 2U);
  there.forget(1);
  turn();
  EXPECT_EQ(there.cancelled, numbers{2});
  EXPECT_EQ(time.pending(), 0U);
  EXPECT_EQ(alive.use_count(), 1) << "a timer keeps the call";
  EXPECT_EQ(end.completions, 0);
}

TEST_F(AsyncHedge, WhatAnOperationThrowsEndsTheCallAndCancelsTheOthers) {
  there.on_start = [](std::uint32_t number) {
    if (number == 2) throw std::runtime_error{"no more sockets"};
  };
  auto const alive = std::make_shared<int>(1);
  anew::async_hedge(time.timers(), strategy, hedging, there.operation(),
                    [&, alive](error_code, answer) { ++end.completions; });
  turn();
  time.advance(10ms);
  loop.restart();
  EXPECT_THROW(loop.poll(), std::runtime_error);
  EXPECT_EQ(there.cancelled, numbers{1});
  turn();
  EXPECT_EQ(end.completions, 0);
  EXPECT_EQ(alive.use_count(), 1);
  EXPECT_EQ(time.pending(), 0U);
}

TEST_F(AsyncHedge, CallsShareWhatTheyLearn) {
  using learning = anew::hedge_at_quantile<95, 100, 1, anew::quantile_bounds{.initial = 100ms}>;
  learning const shared{};
  anew::with<plain, anew::testing::manual_clock> const s{};
  for (int i = 0; i < 100; ++i) {
    begin(s, shared);
    pass(1ms);
    there.complete(1);
    turn();
  }
  EXPECT_EQ(end.completions, 100);
  EXPECT_LT(shared.delay(), 95ms);
  auto const before = shared.delay();
  begin(s, shared);
  pass(before);
  EXPECT_EQ(there.started.back(), 1U);
  there.complete(1);
  turn();
}

TEST_F(AsyncHedge, DeferredAndFuture) {
  auto later = anew::async_hedge(time.timers(), strategy, hedging, there.operation(), net::deferred);
  turn();
  EXPECT_TRUE(there.started.empty());
  std::move(later)(into(end));
  turn();
  there.complete(1);
  turn();
  EXPECT_EQ(end.number, 1U);
  auto future = anew::async_hedge(loop, strategy, hedging, there.operation(), net::use_future);
  turn();
  there.complete(1);
  turn();
  ASSERT_EQ(future.wait_for(0s), std::future_status::ready);
  EXPECT_EQ(future.get().number(), 1U);
}

TEST_F(AsyncHedge, CoroutinesAsOperationAndAsCaller) {
  int begun = 0;
  int ended = 0;
  struct at_end {
    int* count;
    ~at_end() { ++*count; }
  };
  auto const read = [&](anew::attempt& self) -> net::awaitable<std::uint32_t> {
    ++begun;
    at_end const guard{&ended};
    auto const number = self.number();
    net::steady_timer never{co_await net::this_coro::executor, number == 1 ? std::chrono::hours{1} : 0h};
    co_await never.async_wait(net::use_awaitable);
    co_return number;
  };
  std::uint32_t winner = 0;
  net::co_spawn(
      loop,
      [&]() -> net::awaitable<void> {
        winner =
            co_await anew::async_hedge(time.timers(), strategy, hedging, anew::idempotent(read), net::use_awaitable);
      },
      [](std::exception_ptr const& thrown) { EXPECT_EQ(thrown, nullptr); });
  pass(10ms);
  loop.restart();
  loop.run_for(5s);  // ends at once, unless something is left
  EXPECT_EQ(winner, 2U);
  EXPECT_EQ(begun, 2);
  EXPECT_EQ(ended, 2);
}

}  // namespace
