// SPDX-License-Identifier: BSL-1.0
// How an asynchronous call ends other than by its operation: cancelled, refused, too late, out of quota.
#include <exception>
#include <optional>
#include <stdexcept>
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
#include "anew/testing/audited_quota.hpp"
#include "anew/testing/chaos.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/scripted_random.hpp"
#include "anew/virtual.hpp"

#include "asio_names.hpp"
#include "async_script.hpp"
#include "far_side.hpp"
#include "manual_timers.hpp"

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
template <>
struct anew::timed_out_result<reply> {
  static reply make(reply&& cancelled) { return cancelled; }
};

namespace {

using anew::testing::manual_clock;
using support::code;
using support::script;
using support::scripted;

code const refused = net::error::connection_refused;
code const reset = net::error::connection_reset;

using patient = anew::strategy<anew::retry_all, anew::constant_backoff<10ms>, anew::no_jitter, anew::max_attempts<3>,
                               anew::token_bucket<40>>;
using hurried = anew::with<patient, anew::no_backoff>;

struct AsyncRetryEnds : testing::Test {
  net::io_context context;
  support::manual_time time{context.get_executor()};
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
  void run() {
    context.restart();
    context.poll();
  }
};

TEST_F(AsyncRetryEnds, AWaitThatFailsEndsTheCall) {
  patient const strategy{};
  anew::async_retry(support::closed_timers{context.get_executor()}, strategy, scripted(always), keeping());
  run();
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(error, net::error::operation_aborted);
  EXPECT_EQ(made, 1);
  EXPECT_EQ(strategy.quota().balance(), 40U);
}

using guarded = anew::strategy<anew::retry_all, anew::no_backoff, anew::no_jitter, anew::max_attempts<3>,
                               anew::circuit_breaker<2, 30s>, manual_clock>;

TEST_F(AsyncRetryEnds, ARefusedCallThrowsOrHasARefusedResult) {
  guarded const strategy{};
  anew::async_retry(context, strategy, scripted(always), net::detached);
  run();
  always.made = 0;

  auto thrown = anew::async_retry(
      context, strategy, anew::throws_only([&]() -> net::awaitable<int> { co_return ++always.made; }), net::use_future);
  run();
  EXPECT_THROW(thrown.get(), anew::call_refused);

  std::optional<reply> answer;
  auto const ask = [&](auto&& token) {
    return ++always.made, net::post(context, net::append(std::forward<decltype(token)>(token), reply{true}));
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
  anew::async_retry(time.timers(), rejecting, scripted(always), keeping());
  run();
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(error, refused);
  EXPECT_EQ(always.made, 1);
  always.made = 0;
  auto const admitting =
      anew::compose(anew::client_throttle<>{}, anew::retry_all{}, anew::no_backoff{}, anew::max_attempts<3>{},
                    anew::testing::scripted_random{anew::testing::highest_word});
  anew::async_retry(time.timers(), admitting, scripted(always), keeping());
  run();
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(always.made, 3);
  EXPECT_EQ(time.timers_made(), 0U);  // a delay of nothing is not waited for
}

using limited = anew::with<patient, anew::attempt_timeout<200ms>, anew::no_backoff>;

/// A call of limited attempts, and work that lasts until it is cancelled.
struct AsyncRetryLimits : AsyncRetryEnds {
  limited const strategy{};
  net::steady_timer work{context, net::steady_timer::time_point::max()};
  std::optional<code> last;
  std::exception_ptr thrown;
};

TEST_F(AsyncRetryLimits, ALimitEndsWithItsAttempt) {
  support::far_side there{context};
  anew::async_retry(time.timers(), strategy, there.operation(), [](code, support::answer const&) {});
  run();
  there.complete(1, refused);
  run();
  EXPECT_EQ(there.started, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_TRUE(there.cancelled.empty()) << "by the limit of the first";
  there.complete(2);
  run();
  EXPECT_EQ(time.pending(), 0U);
}

TEST_F(AsyncRetryLimits, AnAttemptThatTakesTooLongIsEndedAndCountsAsATimeout) {
  std::vector<anew::duration> limits;
  std::vector<std::optional<anew::error_kind>> before;
  auto const operation = [&](anew::attempt& self, auto&& token) {
    limits.push_back(self.limit());
    before.push_back(self.previous_error());
    work.expires_at(self.number() == 2 ? net::steady_timer::time_point::min() : net::steady_timer::time_point::max());
    return work.async_wait(std::forward<decltype(token)>(token));
  };
  anew::async_retry(time.timers(), strategy, operation, [&](code e) { last = e; });
  run();
  time.advance(200ms);  // the first attempt is late
  run();
  EXPECT_EQ(limits, (std::vector<anew::duration>{200ms, 200ms}));
  EXPECT_EQ(before.at(1), anew::error_kind::transient);  // retry_all calls every error so
  run();
  EXPECT_EQ(last, code{});
  EXPECT_EQ(time.timers_made(), 1U);
}

/// Writes why calls ended.
struct ends_of {
  using role = anew::roles::observer;
  std::vector<anew::stop_reason>* list;
  void on_end(anew::end_event const& event) const { list->push_back(event.reason); }
};

TEST_F(AsyncRetryEnds, AnAttemptThatTheDeadlineEndsSaysSo) {
  std::vector<anew::stop_reason> ends;
  manual_clock const clock;
  auto const usual = anew::compose(support::answers_by_code{}, anew::attempt_timeout{1h}, anew::deadline{200ms},
                                   anew::max_attempts{1}, ends_of{&ends}, clock);
  auto const of_all = anew::compose(anew::retry_all{}, anew::attempt_timeout{1h}, anew::deadline{200ms},
                                    anew::max_attempts{1}, ends_of{&ends}, clock);
  anew::virtual_strategy<decltype(usual)> const behind{usual};
  auto const call = [&](auto const& strategy) {
    net::steady_timer work{context, net::steady_timer::time_point::max()};
    auto const operation = [&](auto&& token) { return work.async_wait(std::forward<decltype(token)>(token)); };
    anew::async_retry(time.timers(), strategy, operation, [&](code e) { error = e; });
    run();
    clock.advance(200ms);
    time.advance(200ms);
    run();
    EXPECT_EQ(error, net::error::timed_out);
  };
  call(usual);
  call(of_all);
  call(anew::strategy_view{behind});
  EXPECT_EQ(ends, std::vector(3, anew::stop_reason::deadline));
}

/// A coroutine that never throws: it returns the code with which it was cancelled.
TEST_F(AsyncRetryLimits, ALateCoroutineThatReturnsItsErrorIsATimeoutToo) {
  auto const operation = [&](anew::attempt& self) -> net::awaitable<code> {
    ++made;
    if (self.number() == 3) co_return code{};
    auto const [cancelled] = co_await work.async_wait(net::experimental::as_tuple(net::use_awaitable));
    co_return cancelled;
  };
  anew::async_retry(time.timers(), strategy, operation, [&](std::exception_ptr const& e, code c) {
    thrown = e;
    last = c;
  });
  run();
  time.advance(200ms);  // each attempt is late when it waits
  run();
  time.advance(200ms);
  run();
  EXPECT_EQ(made, 3);
  EXPECT_EQ(last, code{});
  EXPECT_EQ(thrown, nullptr);
}

TEST_F(AsyncRetryEnds, ChaosStandsInsideAndOutsideOfDeclarations) {
  auto const answer = [](std::string text) -> net::awaitable<std::string> { co_return text; };
  auto const lose = [](net::awaitable<std::string> lost) -> net::awaitable<std::string> {
    co_await std::move(lost);
    throw std::range_error{"lost"};
  };
  auto operation =
      anew::testing::chaos{anew::idempotent([&]() -> net::awaitable<std::string> { co_return std::to_string(++made); })}
          .loses(0.0, lose)
          .runs(0.0, [answer] { return answer("instead"); })
          .plays({1, 0, 2});
  std::vector<std::string> got;
  auto const note = [&](std::exception_ptr const& /*e*/, std::string const& text) { got.push_back(text); };
  hurried const strategy{};
  anew::async_retry(context, strategy, operation, note);
  run();
  anew::async_retry(context, strategy, anew::idempotent(operation), note);
  run();
  EXPECT_EQ(got, (std::vector<std::string>{"2", "instead"}));
  EXPECT_EQ(operation.calls(), 3U);
  EXPECT_EQ(made, 2);
}

/// It ends with what it throws, although its attempt was late.
TEST_F(AsyncRetryLimits, ALateCoroutineKeepsAnExceptionOfItsOwn) {
  auto const operation = [&](anew::attempt& /*self*/) -> net::awaitable<reply> {
    ++made;
    co_await work.async_wait(net::experimental::as_tuple(net::use_awaitable));
    throw std::range_error{"the disk is full"};
  };
  anew::async_retry(time.timers(), strategy, operation,
                    [&](std::exception_ptr const& e, reply const& /*r*/) { thrown = e; });
  run();
  for (int attempt = 0; attempt != 4; ++attempt) {
    time.advance(200ms);
    run();
  }
  EXPECT_GT(made, 0);
  ASSERT_NE(thrown, nullptr);
  EXPECT_THROW(std::rethrow_exception(thrown), std::range_error);
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

TEST_F(AsyncRetryLimits, AnAttemptThatIsOverIsNotCancelledAlthoughItsTimerIsNotBack) {
  int stale = 0;
  anew::async_retry(time.timers(), strategy, leaves_something{context, stale},
                    net::bind_cancellation_slot(signal.slot(), [&](code e) { last = e; }));
  context.run_one();  // the call begins
  context.run_one();  // the attempt is over
  signal.emit(net::cancellation_type::terminal);
  run();
  EXPECT_EQ(stale, 0);
  EXPECT_TRUE(last);
}

TEST_F(AsyncRetryLimits, ACancellationStaysOneThoughTheLimitPassesToo) {
  auto slow_to_end = [&]() -> net::awaitable<void> {
    try {
      co_await work.async_wait(net::use_awaitable);
    } catch (anew::net_system_error const&) {
      time.advance(200ms);
    }
    co_await net::this_coro::reset_cancellation_state();
    co_await net::post(net::use_awaitable);
    co_await net::post(net::use_awaitable);
    throw anew::net_system_error{net::error::operation_aborted};
  };
  anew::async_retry(time.timers(), strategy, slow_to_end,
                    net::bind_cancellation_slot(signal.slot(), [&](std::exception_ptr e) { thrown = std::move(e); }));
  run();
  signal.emit(net::cancellation_type::terminal);
  run();
  ASSERT_TRUE(thrown);
  try {
    std::rethrow_exception(thrown);
  } catch (anew::net_system_error const& e) {
    EXPECT_EQ(e.code(), net::error::operation_aborted);
  }
}

}  // namespace
