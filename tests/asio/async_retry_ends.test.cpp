// SPDX-License-Identifier: BSL-1.0
// How an asynchronous call ends other than by its operation: cancelled, refused, too late, out of quota.
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/append.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/experimental/as_tuple.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/policies/gate/circuit_breaker.hpp"
#include "anew/policies/gate/client_throttle.hpp"
#include "anew/policies/limits/attempt_timeout.hpp"
#include "anew/policies/limits/deadline.hpp"
#include "anew/testing/lowest_random.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/scripted_random.hpp"
#include "anew/testing/settling_quota.hpp"

#include "async_script.hpp"

namespace {

/// An answer that may be an error.
struct reply {
  bool is_good = false;
  bool was_asked = true;
  [[nodiscard]] bool has_value() const noexcept { return is_good; }
  [[nodiscard]] anew::net_error_code error() const noexcept { return anew::net::error::try_again; }
};

}  // namespace

template <>
struct anew::refused_result<reply> {
  static reply make(anew::stop_reason why) { return {false, why != anew::stop_reason::gate_closed}; }
};

namespace {

using namespace std::chrono_literals;
namespace net = anew::net;
using anew::testing::manual_clock;
using support::code;
using support::hand_timers;
using support::script;
using support::scripted;

code const refused = net::error::connection_refused;
code const reset = net::error::connection_reset;

using patient = anew::strategy<anew::retry_all, anew::constant_backoff<10ms>, anew::no_jitter, anew::max_attempts<3>,
                               anew::token_bucket<40>>;
using hurried = anew::with<patient, anew::no_backoff>;

struct AsyncRetryEnds : testing::Test {
  net::io_context context;
  hand_timers timers{context.get_executor()};
  net::cancellation_signal signal;
  script always{context.get_executor(), {refused, reset, refused}};
  int calls = 0;
  code error;
  int made = 0;

  auto keeping() {
    return [this](code e, int m) {
      ++calls;
      error = e;
      made = m;
    };
  }
  auto cancellable() { return net::bind_cancellation_slot(signal.slot(), keeping()); }
  void run() {
    context.restart();
    context.poll();
  }
};

TEST_F(AsyncRetryEnds, AStopInTheWaitKeepsTheLastFailuresOtherArguments) {
  for (auto const type :
       {net::cancellation_type::terminal, net::cancellation_type::partial, net::cancellation_type::total}) {
    patient const strategy{};
    timers.hold();
    calls = 0;
    always.made = 0;
    anew::async_retry(timers, strategy, scripted(always), cancellable());
    run();
    timers.fire();
    run();
    ASSERT_TRUE(timers.is_waiting());
    EXPECT_EQ(always.made, 2);
    EXPECT_EQ(strategy.quota().balance(), 12U);
    signal.emit(type);
    EXPECT_EQ(calls, 0);  // not inside of emit()
    run();
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(error, net::error::operation_aborted);
    EXPECT_EQ(made, 2);
    EXPECT_EQ(always.made, 2);
    EXPECT_EQ(strategy.quota().balance(), 40U - 14U);  // the retry that was not made came back
  }
}

TEST_F(AsyncRetryEnds, AStopDuringADelayOfZero) {
  hurried const strategy{};
  anew::async_retry(context, strategy, scripted(always), cancellable());
  context.run_one();  // the call begins
  context.run_one();
  EXPECT_EQ(always.made, 1);
  signal.emit(net::cancellation_type::total);
  run();
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(error, net::error::operation_aborted);
  EXPECT_EQ(always.made, 1);
}

TEST_F(AsyncRetryEnds, NoTypeIsNoCancellation) {
  patient const strategy{};
  timers.hold();
  anew::async_retry(timers, strategy, scripted(always), cancellable());
  signal.emit(net::cancellation_type::none);
  run();
  signal.emit(net::cancellation_type::none);
  timers.fire();
  run();
  EXPECT_EQ(always.made, 2);
  timers.fire();
  run();
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(made, 3);
  EXPECT_EQ(error, refused);
}

TEST_F(AsyncRetryEnds, AStopInAnAttemptIsPassedOnAndItsFailureIsTheLast) {
  hurried const strategy{};
  net::steady_timer work{context, net::steady_timer::time_point::max()};
  auto const operation = [&](anew::attempt&, auto&& token) {
    ++made;
    return work.async_wait(std::forward<decltype(token)>(token));
  };
  std::optional<code> last;
  anew::async_retry(strategy, operation, net::bind_cancellation_slot(signal.slot(), [&](code e) { last = e; }));
  signal.emit(net::cancellation_type::total);
  EXPECT_FALSE(last);
  run();
  EXPECT_EQ(last, net::error::operation_aborted);
  EXPECT_EQ(made, 1);
}

TEST_F(AsyncRetryEnds, OperationAbortedIsNeverRetried) {
  hurried const strategy{};
  script aborted{context.get_executor(), {net::error::operation_aborted, {}}};
  anew::async_retry(context, strategy, scripted(aborted), keeping());
  run();
  EXPECT_EQ(error, net::error::operation_aborted);
  EXPECT_EQ(aborted.made, 1);

  int begun = 0;
  auto client = [&]() -> net::awaitable<void> {
    ++begun;
    throw anew::net_system_error{net::error::operation_aborted};
    co_return;
  };
  auto future = anew::async_retry(context, strategy, client, net::use_future);
  run();
  EXPECT_THROW(future.get(), anew::net_system_error);
  EXPECT_EQ(begun, 1);
}

TEST_F(AsyncRetryEnds, AWaitThatFailsEndsTheCall) {
  patient const strategy{};
  timers.hold();
  anew::async_retry(timers, strategy, scripted(always), keeping());
  run();
  timers.fail(net::error::operation_aborted);  // the source closes
  run();
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(error, net::error::operation_aborted);
  EXPECT_EQ(made, 1);
  EXPECT_EQ(strategy.quota().balance(), 40U);
}

TEST_F(AsyncRetryEnds, TheSignalAndTheCallMayGoInEitherOrder) {
  patient const strategy{};
  timers.hold();
  {
    net::cancellation_signal gone;
    anew::async_retry(timers, strategy, scripted(always), net::bind_cancellation_slot(gone.slot(), keeping()));
    run();
  }
  timers.fire();
  run();
  timers.fire();
  run();
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(made, 3);
  {
    net::io_context short_lived;
    script one{short_lived.get_executor(), {refused}};
    anew::async_retry(short_lived, strategy, scripted(one), cancellable());
  }
  signal.emit(net::cancellation_type::terminal);
  EXPECT_EQ(calls, 1);
}

/// Gates and pacers.
using guarded = anew::strategy<anew::retry_all, anew::no_backoff, anew::no_jitter, anew::max_attempts<3>,
                               anew::circuit_breaker<2, 30s>, manual_clock>;

TEST_F(AsyncRetryEnds, AGateThatRefusesTheFirstAttempt) {
  guarded const strategy{};
  anew::async_retry(context, strategy, scripted(always), net::detached);
  run();
  always.made = 0;

  anew::async_retry(context, strategy, scripted(always), keeping());
  EXPECT_EQ(calls, 0);  // never inside the function that begins the call
  run();
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(error, net::error::try_again);
  EXPECT_EQ(made, 0);

  auto thrown = anew::async_retry(
      context, strategy, anew::throws_only([&]() -> net::awaitable<int> { co_return ++always.made; }), net::use_future);
  run();
  EXPECT_THROW(thrown.get(), anew::call_refused);

  std::optional<reply> answer;
  auto const ask = [&](auto&& token) {
    ++always.made;
    return net::post(context, net::append(std::forward<decltype(token)>(token), reply{true}));
  };
  anew::async_retry(context, strategy, ask, [&](reply r) { answer = r; });
  run();
  ASSERT_TRUE(answer);
  EXPECT_FALSE(answer->is_good);
  EXPECT_FALSE(answer->was_asked);
  EXPECT_EQ(always.made, 0);
}

TEST_F(AsyncRetryEnds, AGateThatDrawsGetsTheStrategysNumbers) {
  using throttled = anew::with<hurried, anew::client_throttle<>>;
  anew::with<throttled, anew::testing::lowest_random> const rejecting{};  // the lower half, after the first failure
  anew::async_retry(context, rejecting, scripted(always), keeping());
  run();
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(error, refused);
  EXPECT_EQ(always.made, 1);
  always.made = 0;
  auto const admitting =
      anew::compose(anew::client_throttle<>{}, anew::retry_all{}, anew::no_backoff{}, anew::max_attempts<3>{},
                    anew::testing::scripted_random{anew::testing::highest_word});
  anew::async_retry(context, admitting, scripted(always), keeping());
  run();
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(always.made, 3);
}

/// What an attempt is told, and the deadline.
TEST_F(AsyncRetryEnds, AnAttemptIsToldWhereTheCallStands) {
  manual_clock const clock;
  auto const strategy = anew::compose(
      anew::retry_if{[](code const& e) {
        return anew::directive::retry(e == refused ? anew::error_kind::transient : anew::error_kind::throttling);
      }},
      anew::constant_backoff<10ms>{}, anew::no_jitter{}, anew::max_attempts<3>{}, anew::deadline<1s>{}, clock);
  std::vector<std::string> told;
  bool was_asked_to_stop = false;
  auto const operation = [&](anew::attempt& self, auto&& token) {
    told.push_back(std::string{}
                       .append(std::to_string(self.number()))
                       .append(self.connection() == anew::connection_hint::fresh ? " fresh " : " reuse ")
                       .append(self.previous_error() ? to_string(*self.previous_error()) : "none")
                       .append(" ")
                       .append(std::to_string(self.remaining() / 1ms)));
    clock.advance(100ms);
    if (self.number() == 3) signal.emit(net::cancellation_type::terminal);
    was_asked_to_stop = self.stop_requested();
    auto const answer = always.next();
    return net::post(context, net::append(std::forward<decltype(token)>(token), answer, always.made));
  };
  anew::async_retry(timers, strategy, operation, cancellable());
  run();
  EXPECT_EQ(told, (std::vector<std::string>{"1 reuse none 1000", "2 fresh transient 900", "3 reuse throttling 800"}));
  EXPECT_TRUE(was_asked_to_stop);
  EXPECT_EQ(made, 3);
}

/// Limits of attempts.
using limited = anew::with<patient, anew::attempt_timeout<200ms>, anew::no_backoff>;

TEST_F(AsyncRetryEnds, AnAttemptThatTakesTooLongIsEndedAndCountsAsATimeout) {
  limited const strategy{};
  net::steady_timer work{context};
  std::vector<anew::duration> limits;
  std::vector<std::optional<anew::error_kind>> before;
  auto const operation = [&](anew::attempt& self, auto&& token) {
    limits.push_back(self.limit());
    before.push_back(self.previous_error());
    work.expires_at(self.number() == 2 ? net::steady_timer::time_point::min() : net::steady_timer::time_point::max());
    return work.async_wait(std::forward<decltype(token)>(token));
  };
  std::optional<code> last;
  timers.hold();
  anew::async_retry(timers, strategy, operation, [&](code e) { last = e; });
  run();
  ASSERT_TRUE(timers.is_waiting());
  timers.fire();  // the first attempt is late
  run();
  EXPECT_EQ(limits, (std::vector<anew::duration>{200ms, 200ms}));
  EXPECT_EQ(before.at(1), anew::error_kind::transient);  // retry_all calls every error so
  run();
  EXPECT_EQ(last, code{});
  EXPECT_EQ(timers.waits(), (std::vector<anew::duration>{200ms, 200ms}));
  EXPECT_EQ(timers.timers(), 1);
}

TEST_F(AsyncRetryEnds, TheLastAttemptThatIsLateSaysSo) {
  limited const strategy{};
  net::steady_timer work{context, net::steady_timer::time_point::max()};
  std::optional<code> last;
  anew::async_retry(  // every limit is over at once
      timers, strategy,
      [&](auto&& token) {
        ++made;
        return work.async_wait(std::forward<decltype(token)>(token));
      },
      [&](code e) { last = e; });
  run();
  EXPECT_EQ(made, 3);
  EXPECT_EQ(last, net::error::timed_out);
}

/// A coroutine that never throws: it returns the code with which it was cancelled.
TEST_F(AsyncRetryEnds, ALateCoroutineThatReturnsItsErrorIsATimeoutToo) {
  limited const strategy{};
  net::steady_timer work{context, net::steady_timer::time_point::max()};
  std::optional<code> last;
  std::exception_ptr thrown;
  auto const operation = [&](anew::attempt& self) -> net::awaitable<code> {
    ++made;
    if (self.number() == 3) co_return code{};
    auto const [cancelled] = co_await work.async_wait(net::experimental::as_tuple(net::use_awaitable));
    co_return cancelled;
  };
  timers.hold();
  anew::async_retry(timers, strategy, operation, [&](std::exception_ptr const& e, code c) {
    thrown = e;
    last = c;
  });
  run();
  timers.fire();  // each attempt is late when it waits
  run();
  timers.fire();
  run();
  EXPECT_EQ(made, 3);
  EXPECT_EQ(last, code{});
  EXPECT_EQ(thrown, nullptr);
}

/// An operation whose first attempt leaves in the slot what it put there, as Asio's own do; the others put in nothing.
struct leaves_something {
  net::io_context& context;
  int& stale_calls;

  template <class Token>
  auto operator()(anew::attempt& self, Token&& token) const {
    return net::async_initiate<Token, void(code)>(
        [this, number = self.number()](auto handler) {
          auto slot = net::get_associated_cancellation_slot(handler);
          if (number == 1) slot.assign([count = &stale_calls](net::cancellation_type_t /*type*/) { ++*count; });
          net::post(context, net::append(std::move(handler), refused));
        },
        token);
  }
};

TEST_F(AsyncRetryEnds, WhatAnAttemptLeftInTheSlotIsNotForTheNextOne) {
  hurried const strategy{};
  int stale = 0;
  std::optional<code> last;
  anew::async_retry(context, strategy, leaves_something{context, stale},
                    net::bind_cancellation_slot(signal.slot(), [&](code e) { last = e; }));
  context.run_one();  // the call begins
  context.run_one();  // the first attempt
  context.run_one();  // the delay of zero: the second is under way
  signal.emit(net::cancellation_type::terminal);
  run();
  EXPECT_EQ(stale, 0);
  EXPECT_EQ(last, refused);
}

TEST_F(AsyncRetryEnds, AnAttemptThatIsOverIsNotCancelledAlthoughItsTimerIsNotBack) {
  limited const strategy{};
  int stale = 0;
  std::optional<code> last;
  timers.hold();
  anew::async_retry(timers, strategy, leaves_something{context, stale},
                    net::bind_cancellation_slot(signal.slot(), [&](code e) { last = e; }));
  context.run_one();  // the call begins
  context.run_one();  // the attempt is over
  signal.emit(net::cancellation_type::terminal);
  run();
  EXPECT_EQ(stale, 0);
  EXPECT_TRUE(last);
}

TEST_F(AsyncRetryEnds, ACancellationStaysOneThoughTheLimitPassesToo) {
  limited const strategy{};
  timers.hold();
  net::steady_timer work{context, net::steady_timer::time_point::max()};
  std::exception_ptr last;
  auto slow_to_end = [&]() -> net::awaitable<void> {
    try {
      co_await work.async_wait(net::use_awaitable);
    } catch (anew::net_system_error const&) {
      timers.fire();
    }
    co_await net::this_coro::reset_cancellation_state();
    co_await net::post(net::use_awaitable);
    co_await net::post(net::use_awaitable);
    throw anew::net_system_error{net::error::operation_aborted};
  };
  anew::async_retry(timers, strategy, slow_to_end,
                    net::bind_cancellation_slot(signal.slot(), [&](std::exception_ptr e) { last = std::move(e); }));
  run();
  signal.emit(net::cancellation_type::terminal);
  run();
  ASSERT_TRUE(last);
  try {
    std::rethrow_exception(last);
  } catch (anew::net_system_error const& e) {
    EXPECT_EQ(e.code(), net::error::operation_aborted);
  }
}

/// A quota that settles its permit when the delay is over.
struct AsyncRetrySettles : AsyncRetryEnds {
  using book = std::vector<std::string>;
  using quota = anew::testing::settling_quota;
  manual_clock clock;

  auto strategy(quota const& by) {
    return anew::compose(by, clock, anew::retry_all{}, anew::constant_backoff<10ms>{}, anew::no_jitter{},
                         anew::max_attempts<3>{}, anew::deadline<100ms>{});
  }
};

TEST_F(AsyncRetrySettles, AStopEndsTheQuestions) {
  quota const settling{{1ms, 1ms}};
  auto const by = strategy(settling);
  timers.hold();
  anew::async_retry(timers, by, scripted(always), cancellable());
  run();
  timers.fire();
  run();
  ASSERT_TRUE(timers.is_waiting());
  EXPECT_EQ(settling.outstanding(), 1U);
  signal.emit(net::cancellation_type::terminal);
  run();
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(error, net::error::operation_aborted);
  EXPECT_EQ(made, 1);
  EXPECT_EQ(settling.book(), (book{"acquire 1", "again 1", "release 1"}));
}

TEST_F(AsyncRetrySettles, ACallThatIsDestroyedReturnsItsPermit) {
  quota const settling{{1ms}};
  auto const by = strategy(settling);
  {
    net::io_context gone;
    hand_timers held{gone.get_executor()};
    script failing{gone.get_executor(), {refused}};
    held.hold();
    anew::async_retry(held, by, scripted(failing), keeping());
    gone.poll();
    held.fire();
    gone.restart();
    gone.poll();
    EXPECT_EQ(settling.outstanding(), 1U);
    held.fire();
  }
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(settling.outstanding(), 0U);
}

}  // namespace
