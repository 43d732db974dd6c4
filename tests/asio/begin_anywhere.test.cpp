// SPDX-License-Identifier: BSL-1.0
// A call begins where it lives, whichever thread begins it; it is over when its attempt is over, and says whether a limit or
// a stop has ended it.
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/base/refused_result.hpp"
#include "anew/hedge.hpp"
#include "anew/policies/limits/attempt_timeout.hpp"

#include "asio_names.hpp"
#include "far_side.hpp"
#include "manual_timers.hpp"

namespace {

/// A result that fails by its value.
struct report {
  int said = 0;
  [[nodiscard]] bool has_value() const { return said == 200; }
  [[nodiscard]] report const& error() const { return *this; }
};
constexpr int cancelled = -1;
constexpr int timed_out = -2;

}  // namespace

template <>
struct anew::timed_out_result<report> {
  static report make(report&& last) {
    EXPECT_EQ(last.said, cancelled);
    return {timed_out};
  }
};

namespace {

using anew::net_error_code;
using support::answer;
using support::far_side;

using limited = anew::strategy<support::answers_by_code, anew::no_backoff, anew::max_attempts<2>,
                               anew::attempt_timeout<anew::run_time>>;

struct ending {
  int completions = 0;
  net_error_code code;
};

enum class begun { outside, by_dispatch, by_post };
enum class ended { by_limit, by_stop };
/// When the limit passes, or the stop comes: inside the initiating function, whose operation has nothing in its slot yet,
/// or after it.
enum class when { inside, afterwards };

struct setting {
  begun how;
  ended by;
  when at;
  bool is_hedged;
};

struct BeginAnywhere : testing::Test {
  void begin(begun how, std::function<void()> const& call) {
    if (how == begun::outside) call();
    if (how == begun::by_dispatch) net::dispatch(home, call);
    if (how == begun::by_post) net::post(home, call);
  }
  void turn() {
    loop.restart();
    loop.poll();
  }
  /// In another thread, so that what the strand keeps waiting waits.
  void end_the_first_attempt(ended by) {
    if (by == ended::by_limit) time.advance(20ms);
    if (by == ended::by_stop) net::post(home, [&] { signal.emit(net::cancellation_type::terminal); });
    std::thread{[&] {
      loop.restart();
      loop.poll();
    }}.join();
  }
  void run(setting const& s) {
    auto const name = std::to_string(static_cast<int>(s.how)) + std::to_string(static_cast<int>(s.by)) +
                      std::to_string(static_cast<int>(s.at)) + std::to_string(static_cast<int>(s.is_hedged));
    far_side side{loop};
    ending end;
    if (s.at == when::inside) {
      side.on_start = [&](std::uint32_t number) {
        if (number == 1) end_the_first_attempt(s.by);
      };
    }
    limited const strategy{anew::attempt_timeout{20ms}};
    anew::hedge_after<1h> const hedging{};
    auto const on_end = [&](net_error_code code, answer const& /*value*/) {
      ++end.completions;
      end.code = code;
    };
    auto const handler = [&] { return net::bind_executor(home, net::bind_cancellation_slot(signal.slot(), on_end)); };
    begin(s.how, [&] {
      if (s.is_hedged) return anew::async_hedge(time.timers(), strategy, hedging, side.operation(), handler());
      anew::async_retry(time.timers(), strategy, side.operation(), handler());
    });
    turn();
    if (s.at == when::afterwards) end_the_first_attempt(s.by);
    turn();
    EXPECT_EQ(side.cancelled, std::vector<std::uint32_t>{1}) << name;
    bool const again = s.by == ended::by_limit;  // a second attempt, which succeeds
    EXPECT_EQ(side.started.size(), again ? 2U : 1U) << name;
    if (again) side.complete(2);
    turn();
    EXPECT_EQ(end.completions, 1) << name;
    EXPECT_EQ(end.code, again ? net_error_code{} : net_error_code{net::error::operation_aborted}) << name;
    EXPECT_EQ(time.pending(), 0U) << name;
    side.forget();
    turn();
  }

  net::io_context loop;
  net::any_io_executor home{net::make_strand(loop)};
  support::manual_time time{loop.get_executor()};
  net::cancellation_signal signal;
};

TEST_F(BeginAnywhere, ALimitAndAStopReachTheFirstAttempt) {
  for (auto const how : {begun::outside, begun::by_dispatch, begun::by_post}) {
    for (auto const by : {ended::by_limit, ended::by_stop}) {
      for (auto const at : {when::inside, when::afterwards}) {
        for (bool const is_hedged : {false, true}) run({how, by, at, is_hedged});
      }
    }
  }
  EXPECT_EQ(answer::alive, 0);
}

/// Between the end of an attempt and the call's handler no other handler of the loop runs.
TEST_F(BeginAnywhere, AResultDoesNotWaitForATimer) {
  for (int const form : {0, 1, 2}) {
    far_side side{loop};
    ending end;
    int others = 0;
    int others_before = -1;
    auto const on_end = [&](net_error_code code, answer const& /*value*/) {
      others_before = others;
      end = {end.completions + 1, code};
    };
    bool const is_limited = form != 1;
    limited const strategy{anew::attempt_timeout{is_limited ? anew::duration{20ms} : anew::duration::max()}};
    anew::hedge_after<10ms> const hedging{};
    if (form == 0) anew::async_retry(time.timers(), strategy, side.operation(), on_end);
    if (form != 0) anew::async_hedge(time.timers(), strategy, hedging, side.operation(), on_end);
    turn();
    side.complete(1);
    for (int n = 0; n < 100; ++n) net::post(loop, [&others] { ++others; });
    turn();
    EXPECT_EQ(end.completions, 1) << form;
    EXPECT_EQ(others_before, 0) << form;
    EXPECT_EQ(others, 100);
    EXPECT_EQ(time.pending(), 0U) << form;
  }
}

/// Completes with a report when it is cancelled.
struct asks_for_a_report {
  net::io_context* loop;
  template <class Token>
  auto operator()(anew::attempt& /*self*/, Token&& token) {
    return net::async_initiate<Token, void(report)>(
        [](auto handler, net::io_context& on) {
          auto slot = net::get_associated_cancellation_slot(handler);
          auto const parked = std::make_shared<decltype(handler)>(std::move(handler));
          slot.assign([parked, &on](net::cancellation_type /*type*/) {
            net::post(on, [kept = std::move(*parked)]() mutable { std::move(kept)(report{cancelled}); });
          });
        },
        token, *loop);
  }
};

struct reads_reports {
  using role = anew::roles::classifier;
  [[nodiscard]] static anew::directive classify(report const& /*error*/) {
    return anew::directive::retry(anew::error_kind::transient);
  }
};

TEST_F(BeginAnywhere, ATimeOutDiffersFromAStop) {
  using strategy = anew::strategy<reads_reports, anew::no_backoff, anew::max_attempts<2>, anew::attempt_timeout<20ms>>;
  for (bool const by_limit : {true, false}) {
    std::vector<int> ends;
    strategy const by{};
    anew::async_retry(time.timers(), by, anew::idempotent(asks_for_a_report{&loop}),
                      net::bind_executor(home, net::bind_cancellation_slot(
                                                   signal.slot(), [&](report last) { ends.push_back(last.said); })));
    turn();
    for (int attempt = 1; attempt <= 2; ++attempt) {
      EXPECT_TRUE(ends.empty());
      if (by_limit) time.advance(20ms);
      if (!by_limit && attempt == 2) signal.emit(net::cancellation_type::terminal);
      turn();
    }
    EXPECT_EQ(ends, std::vector<int>{by_limit ? timed_out : cancelled});
  }
}

}  // namespace
