// SPDX-License-Identifier: BSL-1.0
// Polling without a thread: the drivers against each other and against the loop that AWS describes, and the ends that a
// call on Asio and in a coroutine can have.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include <boost/asio/append.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/coroutine.hpp"
#include "anew/policies/limits/attempt_timeout.hpp"
#include "anew/policies/limits/deadline.hpp"
#include "anew/policies/limits/poll_deadline.hpp"
#include "anew/policies/sharing/borrowed.hpp"
#include "anew/poll.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/virtual.hpp"

#include "asio_names.hpp"
#include "asio_support.hpp"
#include "coroutine_support.hpp"
#include "length.hpp"
#include "manual_timers.hpp"
#include "names.hpp"

namespace {

using namespace anew;

using ::testing::ElementsAre;

enum class status : std::uint8_t { success, not_ready, throttled, other };

struct script {
  std::vector<status> answers;  // the last one again and again
  std::uint32_t max_retries;
};
/// What came of a script.
struct told {
  std::vector<duration> looks{};  // when each was made, from the call's beginning
  status last = status::other;
  friend bool operator==(told const&, told const&) = default;
};

/// The loop of the page of AWS, as it is written there.
told written_out(script const& of) {
  told it;
  std::uint32_t retries = 0;
  bool retry = false;
  duration now{};
  do {
    now += (std::uint64_t{1} << retries) * 100ms;
    it.last = of.answers[std::min<std::size_t>(it.looks.size(), of.answers.size() - 1)];
    it.looks.push_back(now);
    retry = it.last == status::not_ready || it.last == status::throttled;
    retries = retries + 1;
  } while (retry && retries < of.max_retries);
  return it;
}

/// One call of the drivers, on a clock of its own.
struct service {
  script const& of;
  manual_clock clock{};
  time_point began = clock.peek();
  told it{};

  status ask() {
    it.looks.push_back(clock.peek() - began);
    return it.last = of.answers[std::min(it.looks.size(), of.answers.size()) - 1];
  }
};

auto const judges = acceptors{success_when([](status s) { return s == status::success; }),
                              retry_when([](status s) { return s == status::not_ready; }),
                              retry_when([](status s) { return s == status::throttled; }, error_kind::throttling),
                              failure_when([](status) { return true; })};

using bucket_type = token_bucket<500>;
auto waiter_of(script const& of, manual_clock const& clock, bucket_type const& bucket) {
  return wait_first{compose(exponential_backoff{200ms, 20s}, no_jitter{}, max_attempts{of.max_retries},
                            borrowed{bucket}, retry_all{}, clock),
                    100ms};
}

told blocking(script const& of, bucket_type const& bucket) {
  service it{of};
  auto const waiter = waiter_of(of, it.clock, bucket);
  (void)poll(waiter, [&] { return it.ask(); }, judges, [&](duration delay) { it.clock.advance(delay); });
  return it.it;
}

told in_a_coroutine(script const& of, bucket_type const& bucket) {
  service it{of};
  support::manual_loop loop{it.clock};
  auto const waiter = waiter_of(of, it.clock, bucket);
  auto const ask = [&]() -> task<status> { co_return it.ask(); };
  auto const call = support::start(poll(waiter, ask, judges, loop.sleep()));
  loop.run();
  EXPECT_TRUE(call.done());
  return it.it;
}

told by_a_machine(script const& of, bucket_type const& bucket) {
  service it{of};
  auto const waiter = waiter_of(of, it.clock, bucket);
  poll_machine call{waiter, judges};
  for (auto step = call.begin(); step != next_step::finished;) {
    if (step == next_step::wait) {
      it.clock.advance(call.wait());
      step = call.on_wait_over();
    } else {
      step = call.on_outcome(it.ask());
    }
  }
  return it.it;
}

/// Time of the loop and of the strategy, moved together.
struct on_asio {
  net::io_context loop{};
  manual_clock clock{};
  support::manual_time time{loop.get_executor()};

  void settle() {
    loop.restart();
    loop.poll();
  }
  void pass(duration by) {
    settle();
    clock.advance(by);
    time.advance(by);
    settle();
  }
  void until(auto const& done, duration step = 100ms) {
    settle();
    for (int n = 0; n < 10'000 && !done(); ++n) pass(step);
    EXPECT_TRUE(done());
  }
  /// Polls to the end, of which `check` is told.
  void poll(auto const& waiter, auto const& operation, auto const& accept, auto const& check) {
    bool is_over = false;
    async_poll(time.timers(), waiter, operation, accept, [&](auto told) {
      is_over = true;
      check(std::move(told));
    });
    until([&] { return is_over; });
  }
};

told by_asio(script const& of, bucket_type const& bucket) {
  on_asio asio;
  service it{of, asio.clock, asio.clock.peek(), {}};
  auto const waiter = waiter_of(of, asio.clock, bucket);
  auto const ask = [&](auto token) {
    return net::async_initiate<decltype(token), void(status)>(
        [&](auto handler) { net::post(asio.loop, net::append(std::move(handler), it.ask())); }, token);
  };
  asio.poll(waiter, ask, judges, [](auto const&) {});
  return it.it;
}

using driver = told(script const&, bucket_type const&);
constexpr std::pair<char const*, driver*> drivers[] = {
    {"blocking", blocking}, {"coroutine", in_a_coroutine}, {"machine", by_a_machine}, {"Asio", by_asio}};

TEST(Pollers, AllDoWhatTheLoopOfAwsDoes) {
  for (std::uint64_t seed = 0; seed < support::length_of(std::uint64_t{30'000}); ++seed) {
    support::numbers draw{seed};
    script of{{}, static_cast<std::uint32_t>(1 + draw.below(7))};
    for (auto n = 1 + draw.below(8); n > 0; --n) {  // mostly "not ready", so that scripts go on
      of.answers.push_back(draw.one_in(2) ? status::not_ready : static_cast<status>(draw.below(4)));
    }
    auto const expected = written_out(of);
    auto const throttled = std::count(of.answers.begin(), of.answers.end(), status::throttled);
    std::optional<std::uint32_t> balance;
    for (auto const& [name, run] : drivers) {
      bucket_type const bucket{};
      ASSERT_EQ(run(of, bucket), expected) << name << ", seed " << seed;
      if (throttled == 0) {
        ASSERT_EQ(bucket.balance(), 500U) << name;
      }
      if (!balance) balance = bucket.balance();
      ASSERT_EQ(bucket.balance(), *balance) << name << ", seed " << seed;
    }
  }
}

TEST(Pollers, NotReadyCostsNoQuotaAndAThrottledRequestDoes) {
  for (auto const& [name, run] : drivers) {
    bucket_type const bucket{};
    run({{status::not_ready}, 7}, bucket);
    EXPECT_EQ(bucket.balance(), 500U) << name;
    run({{status::throttled}, 7}, bucket);
    EXPECT_LT(bucket.balance(), 500U) << name;
  }
}

// --- what a call on Asio completes with ---

using every_second = strategy<constant_backoff<1s>, no_jitter, max_attempts<5>, retry_all>;

/// Completes in the next turn with these arguments.
template <class Signature, class... Args>
auto completes_with(net::io_context& loop, Args... args) {
  return [&loop, ... args = std::move(args)](auto token) {
    return net::async_initiate<decltype(token), Signature>(
        [&loop, ... args = args](auto handler) { net::post(loop, net::append(std::move(handler), args...)); }, token);
  };
}

TEST(AsyncPoll, CompletesWithAnOutcomeOfEachShape) {
  on_asio asio;
  using code = net_error_code;
  auto const reset = code{net::error::connection_reset};
  int calls = 0;
  auto const poll = [&](auto const& operation, auto const& accept, auto const& check) {
    asio.poll(every_second{}, operation, accept, [&](auto told) { ++calls, check(std::move(told)); });
  };
  auto const is_7 = success_when([](int n) { return n == 7; });
  poll(completes_with<void(int)>(asio.loop, 7), is_7, [](auto told) { EXPECT_EQ(told.result(), 7); });
  poll(completes_with<void(code, int)>(asio.loop, code{}, 7), is_7,
       [](auto told) { EXPECT_EQ(told.result(), std::tuple(code{}, 7)); });
  poll(completes_with<void(code, int)>(asio.loop, reset, 7), is_7, [&](auto told) {
    EXPECT_TRUE(told.failed()) << "an error that no acceptor knows";
    EXPECT_EQ(std::get<0>(told.result()), reset);
  });
  poll(completes_with<void(code)>(asio.loop, reset),
       success_on_error([&](code const& e) { return e == net::error::connection_reset; }),
       [&](auto told) { EXPECT_TRUE(told.succeeded()); });
  poll([]() -> net::awaitable<int> { co_return 7; }, is_7, [](auto told) { EXPECT_EQ(told.result(), 7); });
  poll(
      []() -> net::awaitable<void> {
        throw std::out_of_range{"it"};
        co_return;
      },
      success_on_error<std::out_of_range>(),
      [](auto told) {
        EXPECT_TRUE(told.succeeded());
        EXPECT_THROW((void)told.result(), std::out_of_range);
      });
  poll(
      []() -> net::awaitable<int> {
        throw std::out_of_range{"it"};
        co_return 1;
      },
      is_7, [](auto told) { EXPECT_EQ(told.reason(), stop_reason::unclassified); });
  EXPECT_EQ(calls, 7);
}

TEST(AsyncPoll, ADeferredCallCanBeMadeAgain) {
  on_asio asio;
  int looks = 0;
  auto const ask = [&]() -> net::awaitable<int> { co_return ++looks; };
  auto const call = async_poll(asio.time.timers(), every_second{}, ask, success_when([](int n) { return n % 2 == 0; }),
                               net::deferred);
  int over = 0;
  for (int n = 0; n < 2; ++n) {
    call([&](poll_outcome<int> const& told) {
      EXPECT_EQ(told.attempts(), 2U);
      ++over;
    });
    asio.until([&] { return over > n; });
  }
  EXPECT_EQ(looks, 4);
}

TEST(AsyncPoll, ListenersHearOfEachWaitWithTheLastResult) {
  on_asio asio;
  std::vector<std::string> heard;
  auto const listen = [&](auto const& p, int const* last) {
    heard.push_back(std::to_string(p.attempt) + " " + std::to_string(*last) + " " + std::to_string(p.delay / 1s) + " " +
                    std::to_string(*p.remaining / 1s));
  };
  auto const waiter =
      compose(constant_backoff<3s>{}, no_jitter{}, unbounded{}, poll_deadline{10s, 2s}, retry_all{}, asio.clock);
  asio.poll(
      waiter, [n = 0]() mutable -> net::awaitable<int> { co_return ++n; },
      acceptors{success_when([](int) { return false; }), on_progress(listen)},
      [](auto told) {
        EXPECT_TRUE(told.timed_out());
        EXPECT_EQ(told.elapsed(), 10s);
        EXPECT_EQ(told.result(), 4);
      });
  EXPECT_THAT(heard, ElementsAre("1 1 3 10", "2 2 3 7", "3 3 4 4")) << "the last wait is shortened to the rest";
}

/// A look that waits until its time or a cancellation; its value is 1.
auto look_of(on_asio& asio, duration takes) {
  return [&asio, takes](auto token) {
    return net::async_initiate<decltype(token), void(net_error_code, int)>(
        [&asio, takes](auto handler) {
          auto timer = std::make_shared<support::manual_time::timer>(asio.time.timers().make_timer());
          timer->expires_after(takes);
          auto slot = net::get_associated_cancellation_slot(handler);
          if (slot.is_connected()) slot.assign([timer = timer.get()](net::cancellation_type_t) { timer->cancel(); });
          timer->async_wait([timer, handler = std::move(handler)](net_error_code error) mutable {
            net::get_associated_cancellation_slot(handler).clear();
            std::move(handler)(error, 1);
          });
        },
        token);
  };
}

struct counts_errors {
  using role = roles::observer;
  using call_type = int;
  int* heard;
  [[nodiscard]] static int on_call(call_event const& /*event*/) { return 0; }
  void on_error(int& /*call*/, auto const& /*error*/) const { ++*heard; }
};

TEST(AsyncPoll, AnObserverHearsEachErrorBehindAViewToo) {
  on_asio asio;
  int heard = 0;
  auto const strategy =
      compose(constant_backoff<1s>{}, no_jitter{}, max_attempts<3>{}, error_code_classifier{}, counts_errors{&heard});
  virtual_strategy const erased{strategy};
  auto const reset = net_error_code{net::error::connection_reset};
  acceptors const again{retry_on_error([](net_error_code const& /*error*/) { return true; }), success_on_result()};
  auto const poll = [&](auto const& waiter, auto const& operation) {
    asio.poll(waiter, operation, again, [](auto /*told*/) {});
  };
  poll(strategy, completes_with<void(net_error_code)>(asio.loop, reset));
  poll(strategy, completes_with<void(net_error_code, int)>(asio.loop, reset, 7));
  EXPECT_EQ(heard, 6);
  poll(strategy_view{erased}, completes_with<void(net_error_code)>(asio.loop, reset));
  poll(strategy_view{erased}, completes_with<void(net_error_code, int)>(asio.loop, reset, 7));
  EXPECT_EQ(heard, 12);
}

TEST(AsyncPoll, ALookThatIsLateIsAFailedRequestThatIsMadeAgain) {
  on_asio asio;
  auto const waiter = compose(constant_backoff<1s>{}, no_jitter{}, max_attempts<3>{}, attempt_timeout<200ms>{},
                              bucket_type{}, retry_all{});
  auto const never = success_when([](int) { return true; });
  auto const on_late = failure_on_error([](std::error_code e) { return e == std::errc::timed_out; });
  std::vector<std::pair<stop_reason, std::uint32_t>> ends;
  auto const end = [&](auto told) { ends.emplace_back(told.reason(), told.attempts()); };
  asio.poll(waiter, look_of(asio, 10s), never, end);
  EXPECT_LT(waiter.quota().balance(), 500U) << "charged";
  asio.poll(waiter, look_of(asio, 10s), acceptors{never, on_late}, end);
  auto const by_value = [&](auto token) {
    return net::async_initiate<decltype(token), void(std::optional<int>)>(
        [look = look_of(asio, 10s)](auto handler) {
          auto const slot = net::get_associated_cancellation_slot(handler);
          look(net::bind_cancellation_slot(
              slot, [handler = std::move(handler)](anew::net_error_code error, int value) mutable {
                std::move(handler)(error ? std::nullopt : std::optional{value});
              }));
        },
        token);
  };
  auto const there = anew::success_when([](std::optional<int> const& value) { return value.has_value(); });
  asio.poll(waiter, by_value, acceptors{there, on_late}, end);
  auto const not_again = std::pair{stop_reason::not_retryable, 1U};
  EXPECT_THAT(ends, ElementsAre(std::pair{stop_reason::attempts, 3U}, not_again, not_again));
}

TEST(AsyncPoll, IsCancelledInEachStepAndAfterEachTime) {
  // A wait first, looks of 300 ms, waits of 1 s: a cancellation at each 100 ms.
  for (duration at = 0ms; at < 4s; at += 100ms) {
    on_asio asio;
    net::cancellation_signal signal;
    bucket_type const bucket{};
    auto const waiter = wait_first{
        compose(constant_backoff<1s>{}, no_jitter{}, max_attempts<9>{}, borrowed{bucket}, retry_all{}, asio.clock),
        500ms};
    std::optional<stop_reason> reason;
    auto const end = [&](poll_outcome<std::tuple<net_error_code, int>> told) {
      EXPECT_FALSE(reason.has_value()) << "twice";
      reason = told.reason();
    };
    async_poll(asio.time.timers(), waiter, look_of(asio, 300ms),
               acceptors{success_when([](int n) { return n == 2; }),
                         retry_when([](int) { return true; }, error_kind::throttling)},
               net::bind_cancellation_slot(signal.slot(), end));
    for (duration now{}; now < at; now += 100ms) asio.pass(100ms);
    signal.emit(net::cancellation_type::terminal);
    asio.settle();
    EXPECT_EQ(reason, stop_reason::cancelled) << at / 1ms;
  }
}

TEST(AsyncPoll, ALookThatOthersCancelEndsItWhateverTheAcceptorsSay) {
  on_asio asio;
  std::optional<stop_reason> reason;
  async_poll(asio.time.timers(), every_second{},
             completes_with<void(net_error_code)>(asio.loop, net_error_code{net::error::operation_aborted}),
             acceptors{success_on_result(), retry_on_error()}, [&](auto const& told) { reason = told.reason(); });
  asio.settle();
  EXPECT_EQ(reason, stop_reason::cancelled);
}

TEST(AsyncPoll, AnAcceptorOrAListenerThatThrowsEndsTheCall) {
  auto const throws = [](auto&&...) -> bool { throw std::bad_exception{}; };
  auto const fine = success_when([](int) { return false; });
  auto const check = [&](auto const& accept) {
    on_asio asio;
    bucket_type const bucket{};
    auto const waiter = compose(constant_backoff<1s>{}, no_jitter{}, borrowed{bucket}, retry_all{});
    bool is_called = false;
    auto const kept = std::make_shared<int>(1);
    async_poll(asio.time.timers(), waiter, completes_with<void(int)>(asio.loop, 7), accept,
               [&is_called, kept](auto const&) { is_called = true; });
    EXPECT_THROW(asio.settle(), std::bad_exception);
    asio.pass(10s);
    EXPECT_FALSE(is_called);
    EXPECT_EQ(kept.use_count(), 1) << "the handler is destroyed";
    EXPECT_EQ(bucket.balance(), 500U);
  };
  check(success_when([throws](int n) { return throws(n); }));
  check(acceptors{fine, on_progress([throws](poll_progress const& p) { throws(p); })});
}

// --- in a coroutine ---

TEST(AwaitedPoll, IsATaskOfTheOperationsKind) {
  auto const yes = success_on_result();
  auto const eager = []() -> support::eager<int, char> { co_return 1; };
  using same = decltype(poll(every_second{}, eager, yes, support::no_sleep));
  static_assert(std::is_same_v<same, support::eager<poll_outcome<int>, char>>);
  auto const other = [] { return support::ready<int>{1}; };
  using its = decltype(poll(every_second{}, other, yes, support::no_sleep));
  static_assert(std::is_same_v<its, task<poll_outcome<int>>>);
  EXPECT_EQ(support::start(poll(every_second{}, other, yes, support::no_sleep)).get().result(), 1);
  auto nothing = []() -> support::eager<> { co_return; };
  EXPECT_TRUE(poll(every_second{}, nothing, yes, support::no_sleep).get().succeeded());
}

TEST(AwaitedPoll, KeepsExceptionsAndMoveOnlyResults) {
  int looks = 0;
  auto const ask = [&]() -> task<std::unique_ptr<int>> {
    if (++looks < 3) throw std::out_of_range{"not yet"};
    co_return std::make_unique<int>(looks);
  };
  auto const there = success_when([](std::unique_ptr<int> const& p) { return p != nullptr; });
  auto call = support::start(poll(every_second{}, ask, acceptors{there, retry_on_error()}, support::no_sleep));
  auto ended = call.get();
  EXPECT_EQ(*ended.result(), 3);
  looks = 0;
  auto const failed = support::start(poll(every_second{}, ask, there, support::no_sleep)).get();
  EXPECT_EQ(failed.reason(), stop_reason::unclassified);
  EXPECT_THROW((void)failed.result(), std::out_of_range);
}

TEST(AwaitedPoll, ACancelledLookEndsItWhateverTheAcceptorsSay) {
  manual_clock const clock;
  support::manual_loop loop{clock};
  auto const ask = [&]() -> task<int> {
    co_await loop.after(1s);
    co_return 1;
  };
  auto call = support::start(poll(every_second{}, ask, acceptors{success_on_result(), retry_on_error()}, loop.sleep()));
  loop.cancel();
  ASSERT_TRUE(call.done());
  EXPECT_EQ(call.get().reason(), stop_reason::cancelled);
}

TEST(AwaitedPoll, WhatAnAcceptorThrowsIsThrown) {
  auto const bad = success_when([](int) -> bool { throw std::bad_exception{}; });
  auto const ask = []() -> task<int> { co_return 1; };
  EXPECT_THROW((void)support::start(poll(every_second{}, ask, bad, support::no_sleep)).get(), std::bad_exception);
}

TEST(AwaitedPoll, DestroyedWhileItWaitsItGivesAllBack) {
  bucket_type const bucket{};
  for (int steps = 0; steps < 8; ++steps) {
    manual_clock const clock;
    support::manual_loop loop{clock};
    auto const waiter =
        wait_first{compose(constant_backoff<1s>{}, no_jitter{}, max_attempts<9>{}, borrowed{bucket}, retry_all{}), 1s};
    auto const ask = [&]() -> task<int> {
      co_await loop.after(1s);
      co_return 1;
    };
    auto const call = support::start(poll(waiter, ask, success_when([](int) { return false; }), loop.sleep()));
    for (int n = 0; n < steps; ++n) loop.step();
    EXPECT_FALSE(call.done());
  }
  EXPECT_EQ(bucket.balance(), 500U);
}

// --- in a loop of one's own ---

TEST(PollMachine, ReadsErrorsExceptionsAndLateLooks) {
  every_second const waiter{};
  auto const by = [&](auto const& accept, auto const& report) {
    poll_machine call{waiter, accept};
    EXPECT_EQ(call.begin(), next_step::attempt);
    auto const step = report(call);
    return std::pair{step, call.reason()};
  };
  auto const yes = success_on_result();
  auto const reset = std::make_error_code(std::errc::connection_reset);
  auto const thrown = std::make_exception_ptr(std::out_of_range{"it"});
  EXPECT_EQ(by(yes, [&](auto& call) { return call.on_error(reset); }),
            std::pair(next_step::finished, stop_reason::not_retryable));
  EXPECT_EQ(by(acceptors{yes, retry_on_error()}, [&](auto& call) { return call.on_error(reset); }).first,
            next_step::wait);
  EXPECT_EQ(by(yes, [&](auto& call) { return call.on_outcome(reset); }),
            std::pair(next_step::finished, stop_reason::not_retryable));
  EXPECT_EQ(by(yes, [&](auto& call) { return call.on_exception(thrown); }).second, stop_reason::unclassified);
  EXPECT_EQ(by(success_on_error<std::out_of_range>(), [&](auto& call) { return call.on_exception(thrown); }).second,
            stop_reason::succeeded);
  EXPECT_EQ(by(yes, [&](auto& call) { return call.on_attempt_timeout(); }).first, next_step::wait);
  manual_clock const clock;
  auto const hasty = anew::compose(anew::max_attempts{1}, anew::deadline{1s}, clock);
  anew::poll_machine late{hasty, anew::acceptors{yes, anew::retry_on_error()}};
  EXPECT_EQ(late.begin(), next_step::attempt);
  clock.advance(1s);
  EXPECT_EQ(late.on_attempt_timeout(), next_step::finished);
  EXPECT_EQ(late.reason(), stop_reason::deadline) << "not that the attempts are used up";
  EXPECT_EQ(by(yes, [&](auto& call) { return (void)call.request_stop(), call.on_outcome(1); }).second,
            stop_reason::succeeded);
  EXPECT_EQ(by(success_when([](int) { return false; }),
               [&](auto& call) { return (void)call.request_stop(), call.on_outcome(1); }),
            std::pair(next_step::finished, stop_reason::cancelled));
}

}  // namespace
