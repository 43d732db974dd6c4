// SPDX-License-Identifier: BSL-1.0
// One timer for the waits of all calls: when a wait ends, what a call pays, and what becomes of what waits.
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/append.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/hedge.hpp"
#include "anew/policies/limits/attempt_timeout.hpp"
#include "anew/poll.hpp"

#include "far_side.hpp"
#include "manual_timers.hpp"

namespace {

using namespace std::chrono_literals;
namespace net = anew::net;
using anew::net_error_code;
using support::aborted;

/// Completes when it is cancelled.
auto hangs(auto& loop) {
  return [&loop](auto&& token) {
    return net::async_initiate<decltype(token), void(net_error_code)>(
        [&loop](auto handler) {
          auto slot = net::get_associated_cancellation_slot(handler);
          auto const parked = std::make_shared<decltype(handler)>(std::move(handler));
          slot.assign([parked, &loop](net::cancellation_type /*type*/) {
            net::post(loop, net::append(std::move(*parked), aborted));
          });
        },
        token);
  };
}
/// Completes in the next turn.
auto answers(auto& loop, net_error_code code = {}) {
  return [&loop, code](auto&& token) {
    return net::async_initiate<decltype(token), void(net_error_code)>(
        [&loop, code](auto handler) { net::post(loop, net::append(std::move(handler), code)); }, token);
  };
}

using limited = anew::strategy<support::answers_by_code, anew::constant_backoff<30ms>, anew::no_jitter,
                               anew::max_attempts<2>, anew::attempt_timeout<50ms>, anew::token_bucket<100'000>>;

class CoarseTimers : public testing::Test {
 protected:
  using source = support::manual_time::source;
  using timer = anew::coarse_timers<source>::timer_type;

  void turn() {
    loop.restart();
    loop.poll();
  }
  void pass(anew::duration by) {
    for (turn(); time.pending() != 0 && time.until_next() <= by; turn()) {
      by -= time.until_next();
      time.advance(time.until_next());
    }
    time.advance(by);
  }
  /// Until nothing waits, tick by tick.
  void run() {
    for (turn(); time.pending() != 0; turn()) time.advance(time.until_next());
  }
  [[nodiscard]] anew::duration since(anew::time_point begin) const { return time.timers().now() - begin; }

  net::io_context loop;
  support::manual_time time{loop.get_executor()};
  anew::coarse_timers<source> timers{time.timers(), 10ms};
  limited const strategy{};
  anew::hedge_after<20ms> const hedging{};
};

static_assert(anew::TimerSource<anew::coarse_timers<anew::steady_timers<net::any_io_executor>>>);
static_assert(std::is_same_v<decltype(anew::coarse_timers{std::declval<net::thread_pool&>(), 10ms}),
                             anew::coarse_timers<anew::steady_timers<net::thread_pool::executor_type>>>);

TEST_F(CoarseTimers, AWaitEndsAtMostATickLateAndNeverEarly) {
  std::vector<anew::duration> const waits{-1ns, 0ns,      1ns,      10ms - 1ns, 10ms, 10ms + 1ns,
                                          55ms, 10'230ms, 10'240ms, 10'250ms,   21s};
  int ended = 0;
  std::vector<std::unique_ptr<timer>> all;
  for (auto const phase : {0ns, 1ns, 5'000'000ns, 9'999'998ns, 10'000'000ns}) {  // of the tick
    for (auto const after : waits) {
      auto& one = *all.emplace_back(new timer(timers.make_timer()));
      one.expires_after(after);
      one.async_wait([&, after, begin = time.timers().now()](net_error_code error) {
        ++ended;
        EXPECT_FALSE(error);
        EXPECT_GE(since(begin), after);
        EXPECT_LE(since(begin), std::max<anew::duration>(after, 0ns) + 10ms) << after.count();
      });
    }
    pass(phase);
  }
  run();
  EXPECT_EQ(static_cast<std::size_t>(ended), all.size());
}

TEST_F(CoarseTimers, AfterAPauseOfTheLoopAllThatIsDueEnds) {
  std::vector<int> ended;
  std::vector<std::unique_ptr<timer>> all;
  for (int const seconds : {1, 12, 59, 61}) {
    auto& one = *all.emplace_back(new timer(timers.make_timer()));
    one.expires_after(std::chrono::seconds{seconds});
    one.async_wait([&ended, seconds](net_error_code /*none*/) { ended.push_back(seconds); });
  }
  time.advance(60s);
  turn();
  EXPECT_EQ(ended.size(), 3U);
  run();
  EXPECT_EQ(ended.back(), 61);
  EXPECT_LE(since(anew::time_point{1s}), 61s + 10ms);
}

TEST_F(CoarseTimers, AWaitIsCancelledByAPostAndForgottenAtOnce) {
  auto const alive = std::make_shared<int>();
  std::optional<net_error_code> end;
  std::array<std::byte, 300> const large{};  // more than a timer has room for
  auto one = timers.make_timer();
  auto const wait = [&](auto with) {
    one.expires_after(1h);
    one.async_wait([&end, alive, with](net_error_code error) {
      static_cast<void>(with);
      end = error;
    });
  };
  auto const both = [&](auto with) {
    wait(with);
    one.cancel();
    EXPECT_FALSE(end) << "not inside of cancel()";
    turn();
    EXPECT_EQ(end, aborted);
    end.reset();
    wait(with);
    EXPECT_EQ(alive.use_count(), 2);
    one.forget();
    EXPECT_EQ(alive.use_count(), 1);
    turn();
    EXPECT_FALSE(end);
    wait(with);  // and a new wait cancels the one before
    wait(with);
    turn();
    EXPECT_EQ(end, aborted);
    end.reset();
    one.forget();
  };
  both(0);
  both(large);
  EXPECT_EQ(alive.use_count(), 1);
}

TEST_F(CoarseTimers, ALimitThatDoesNotComeStartsNoTimer) {
  int good = 0;
  auto const on_end = [&](net_error_code error) { good += error ? 0 : 1; };
  for (int i = 0; i < 1'000; ++i) {
    anew::async_retry(timers, strategy, answers(loop), on_end);
    anew::async_hedge(timers, strategy, hedging, anew::idempotent(answers(loop)), on_end);
    turn();
  }
  EXPECT_EQ(good, 2'000);
  EXPECT_EQ(time.waits_begun(), 1U);
  EXPECT_EQ(time.timers_made(), 1U);
  run();
  EXPECT_EQ(time.waits_begun(), 1U) << "no tick follows when nothing waits";
}

TEST_F(CoarseTimers, AThousandCallsOfTwoHangingAttempts) {
  auto const balance = strategy.quota().balance();
  int ended = 0;
  for (bool const is_hedged : {false, true}) {
    ended = 0;
    auto const begin = time.timers().now();
    for (int i = 0; i < 1'000; ++i) {
      auto const on_end = [&](net_error_code error) {
        ++ended;
        EXPECT_EQ(error, net::error::timed_out);
        // Two limits and a wait, or a hedge that begins after 20 ms.
        anew::duration const least = is_hedged ? 70ms : 130ms;
        EXPECT_GE(since(begin), least);
        EXPECT_LE(since(begin), least + 3 * 10ms);
      };
      auto const operation = anew::idempotent(hangs(loop));
      if (is_hedged) {
        anew::async_hedge(timers, strategy, hedging, operation, on_end);
      } else {
        anew::async_retry(timers, strategy, operation, on_end);
      }
    }
    run();
    EXPECT_EQ(ended, 1'000);
  }
  EXPECT_LT(strategy.quota().balance(), balance) << "a retry that failed has been paid";
  EXPECT_EQ(time.timers_made(), 1U);
}

TEST_F(CoarseTimers, APollWaitsOnIt) {
  anew::strategy<support::answers_by_code, anew::constant_backoff<30ms>, anew::no_jitter, anew::max_attempts<3>> const
      waits{};
  int looks = 0;
  bool is_ready = false;
  auto const look = anew::initiates<void(net_error_code, int)>(
      [&](auto handler) { net::post(loop, net::append(std::move(handler), net_error_code{}, ++looks)); });
  anew::async_poll(timers, waits, look, anew::success_when([](int n) { return n == 3; }),
                   [&](anew::poll_outcome<std::tuple<net_error_code, int>> const& told) {
                     is_ready = told.reason() == anew::stop_reason::succeeded;
                   });
  run();
  EXPECT_TRUE(is_ready);
  EXPECT_EQ(looks, 3);
  EXPECT_EQ(time.timers_made(), 1U);
}

auto const looked = [](auto on_end) {
  return [on_end](anew::poll_outcome<net_error_code> const& told) mutable {
    on_end(told.reason() == anew::stop_reason::cancelled ? aborted : net_error_code{});
  };
};

/// Attempts that hang and are limited, waits and hedges: the call ends at once, and nothing stays behind.
TEST_F(CoarseTimers, AStopEndsEachDriverAtOnceWheneverItComes) {
  auto const balance = strategy.quota().balance();
  auto const never = anew::success_on_error([](net_error_code) { return false; });
  for (int driver = 0; driver != 3; ++driver) {
    for (anew::duration at = 0ms; at < 120ms; at += 5ms) {
      SCOPED_TRACE(testing::Message() << driver << " at " << at / 1ms);
      net::cancellation_signal stop;
      std::optional<net_error_code> end;
      auto const on_end = [&](net_error_code error) { end = error; };
      auto const stopped = [&](auto handler) { return net::bind_cancellation_slot(stop.slot(), std::move(handler)); };
      auto const operation = anew::idempotent(hangs(loop));
      if (driver == 0) anew::async_retry(timers, strategy, operation, stopped(on_end));
      if (driver == 1) anew::async_hedge(timers, strategy, hedging, operation, stopped(on_end));
      if (driver == 2) anew::async_poll(timers, strategy, operation, never, stopped(looked(on_end)));
      pass(at);
      if (!end) {
        stop.emit(net::cancellation_type::terminal);
        turn();
        EXPECT_EQ(end, aborted);
      }
      run();
      EXPECT_GE(strategy.quota().balance() + 200, balance) << "at most the retries that were made";
    }
  }
}

TEST(CoarseTimersEnd, WhatWaitsGoesWithItsContext) {
  auto const alive = std::make_shared<int>();
  anew::with<limited, anew::constant_backoff<1h>, anew::attempt_timeout<1h>> const strategy{};
  {
    std::optional<net::io_context> loop{std::in_place};
    {
      anew::coarse_timers const timers{*loop, 10ms};
      auto const on_end = [alive](net_error_code /*error*/) { ADD_FAILURE() << "called"; };
      auto const begin = [&](net_error_code code) {
        anew::async_retry(timers, strategy, answers(*loop, code), on_end);
      };
      for (int i = 0; i < 3; ++i) begin(support::transient);
      loop->poll();  // these wait for their second attempts
      for (int i = 0; i < 3; ++i) begin({});
      for (int i = 0; i < 3; ++i) loop->poll_one();  // of these, an attempt and its limit are under way
    }  // the calls keep it
    EXPECT_EQ(alive.use_count(), 1 + 6);
    loop.reset();
  }
  EXPECT_EQ(alive.use_count(), 1);
  EXPECT_EQ(strategy.quota().balance(), 100'000U);
}

TEST(CoarseTimersEnd, ASourceThatClosesEndsTheWaits) {
  net::io_context loop;
  anew::coarse_timers const timers{support::closed_timers{loop.get_executor()}, 10ms};
  auto one = timers.make_timer();
  net_error_code end;
  one.expires_after(1h);
  one.async_wait([&](net_error_code error) { end = error; });
  loop.poll();
  EXPECT_EQ(end, aborted);
}

TEST(CoarseTimersEnd, ATickThatCannotBeArmedEndsTheWaits) {
  net::io_context loop;
  anew::coarse_timers const timers{support::closed_timers{loop.get_executor(), true}, 10ms};
  auto const held = std::make_shared<int>();
  auto one = timers.make_timer();
  EXPECT_THROW(one.async_wait([held](net_error_code /*end*/) {}), std::bad_alloc);
  EXPECT_EQ(held.use_count(), 1);
}

TEST(CoarseTimersEnd, NoTickIsShorterThanNothing) {
  net::io_context loop;
  for (auto const tick : {0ns, -1ns}) EXPECT_THROW((anew::coarse_timers{loop, tick}), std::invalid_argument);
}

/// Limits that come, limits that do not, waits and stops, on a pool; for ThreadSanitizer.
TEST(CoarseTimersEnd, ThreadsShareThem) {
  limited const strategy{};
  anew::with<limited, anew::attempt_timeout<1ms>, anew::constant_backoff<1ms>> const hasty{};
  anew::hedge_after<1ms> const hedging{};
  auto const never = anew::success_on_error([](net_error_code) { return false; });
  std::atomic<int> ended = 0;
  constexpr int calls = 300;
  {
    net::thread_pool pool{3};
    anew::coarse_timers const timers{pool, 1ms};
    auto const on_end = [&](net_error_code /*error*/) { ++ended; };
    auto const begin = [&](int from) {
      for (int i = from; i < from + calls; ++i) {
        auto const handler = [&] { return net::bind_executor(net::make_strand(pool), on_end); };
        auto const hanging = anew::idempotent(hangs(pool));
        switch (i % 6) {
          case 0: anew::async_retry(timers, strategy, answers(pool), handler()); break;
          case 1: anew::async_retry(timers, hasty, answers(pool, support::transient), handler()); break;
          case 2: anew::async_retry(timers, hasty, hanging, handler()); break;
          case 3: anew::async_hedge(timers, hasty, hedging, hanging, handler()); break;
          case 4:
            anew::async_poll(timers, hasty, hanging, never, net::bind_executor(net::make_strand(pool), looked(on_end)));
            break;
          default: {
            auto const strand = net::make_strand(pool);
            auto const stop = std::make_shared<net::cancellation_signal>();
            net::dispatch(strand, [&, strand, stop, hanging] {
              auto const end = [on_end, stop](net_error_code error) { on_end(error); };
              anew::async_retry(timers, strategy, hanging,
                                net::bind_cancellation_slot(stop->slot(), net::bind_executor(strand, end)));
              net::post(strand, [stop] { stop->emit(net::cancellation_type::terminal); });
            });
          }
        }
      }
    };
    std::thread other{[&] { begin(calls); }};
    begin(0);
    other.join();
    pool.join();
  }
  EXPECT_EQ(ended, 2 * calls);
}

}  // namespace
