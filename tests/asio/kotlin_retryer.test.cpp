// SPDX-License-Identifier: BSL-1.0
// The smithy-kotlin retryer that suspends: on Asio and in a coroutine it ends as the blocking one does, max_time ends the
// block in progress, and whatever ends the call, each charge comes back once.
#include <algorithm>
#include <array>
#include <chrono>
#include <coroutine>
#include <cstdint>
#include <exception>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <system_error>
#include <utility>
#include <vector>
#include <version>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "anew/asio.hpp"
#include "anew/coroutine.hpp"
#include "anew/drivers/retry_machine.hpp"
#include "anew/ports/smithy_kotlin/async_retry.hpp"
#include "anew/ports/smithy_kotlin/retry.hpp"
#include "anew/smithy_kotlin.hpp"
#include "anew/testing/manual_clock.hpp"

#include "asio_support.hpp"
#include "coroutine_support.hpp"
#include "length.hpp"
#include "manual_timers.hpp"
#include "names.hpp"
#include "pinned.hpp"

#if defined(__cpp_lib_jthread)
namespace {

namespace net = anew::net;
namespace kotlin = anew::smithy_kotlin;
using kotlin::retry_directive;

struct broken : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Values below zero are failures, zero is not yet; every exception is retried but std::logic_error.
class numbers final : public kotlin::retry_policy<int> {
 public:
  [[nodiscard]] retry_directive evaluate(kotlin::attempt_result<int> const& result) const override {
    if (result.threw<std::logic_error>()) return retry_directive::terminate_and_fail;
    if (!result) return retry_directive::retry_error(kotlin::retry_error_type::throttling);
    if (result.value() == 66) throw std::bad_function_call{};
    if (result.value() < 0) return retry_directive::terminate_and_fail;
    return result.value() == 0 ? retry_directive::retry_error(kotlin::retry_error_type::server_side)
                               : retry_directive::terminate_and_succeed;
  }
};

/// One attempt of a block: how long it takes, and its value; 500 and 501 stand for exceptions.
struct step {
  duration takes;
  int value;
};
struct story {
  std::vector<step> steps;  // the last one again and again
  kotlin::standard_retry_strategy_options options{};
  kotlin::standard_retry_token_bucket_options bucket{};
  duration stop_at = duration::max();
  duration tick = 1ms;                   // time passes in steps of it
  std::optional<std::uint32_t> fault{};  // the hooks pace each try, and throw at this of their lines
};

/// Each try waits 5 ms for its turn. Writes a line for each thing that it is asked or told, and throws at one of them.
class paces final : public kotlin::retry_hooks {
 public:
  explicit paces(std::uint32_t fault) : fault_{fault} {}
  anew::pace before_try(std::uint32_t attempt, kotlin::rate_place& place, anew::time_point) override {
    note("before ", attempt);
    if (place.number != 0) return place = {}, anew::pace{};
    place.number = attempt;
    ++waiting;
    return {5ms};
  }
  void after_try(std::uint32_t attempt, retry_directive const& said, anew::time_point) override {
    --waiting;
    note(said.is_success() ? "succeeded " : said.is_failure() ? "failed " : "again ", attempt);
  }
  void leave(kotlin::rate_place place) noexcept override {
    if (place.number != 0) --waiting;
  }

  std::string lines{};
  int waiting = 0;

 private:
  void note(char const* what, std::uint32_t attempt) {
    lines += what + std::to_string(attempt) + "; ";
    if (--fault_ != 0) return;
    if (attempt % 2 == 0) throw kotlin::retry_capacity_exceeded{"the hook"};
    throw broken{"a hook"};
  }
  std::uint32_t fault_;
};

int value_of(step const& one) {
  if (one.value == 500) throw broken{"a request"};
  if (one.value == 501) throw std::logic_error{"a defect"};
  return one.value;
}

/// How a call ended.
struct ended {
  std::string how;
  std::uint32_t runs = 0;
  duration after{};
  std::uint32_t balance = 0;
  friend bool operator==(ended const&, ended const&) = default;
  friend std::ostream& operator<<(std::ostream& to, ended const& it) {
    return to << it.how << ", " << it.runs << " runs, " << it.after / 1ms << " ms, balance " << it.balance;
  }
};

/// The value of a call, or what it throws, in words.
std::string in_words(auto const& call) {
  try {
    return std::to_string(call());
  } catch (kotlin::retry_failure const& failure) {
    auto const last = failure.last_result<int>();
    return std::string{failure.what()} +
           (last ? last->has_value() ? ", last " + std::to_string(last->value()) : ", threw" : ", nothing");
  } catch (std::exception const& error) {
    return error.what();
  }
}

/// The parts of a call, on a clock of its own.
struct world : support::pinned {
  explicit world(story const& its) : of{its} {}

  story const& of;
  anew::testing::manual_clock clock{};
  anew::time_point began = clock.peek();
  std::shared_ptr<kotlin::time_source const> time =
      kotlin::make_time_source(clock, [this](duration delay) { clock.advance(delay); });
  std::shared_ptr<kotlin::standard_retry_token_bucket> bucket =
      std::make_shared<kotlin::standard_retry_token_bucket>(of.bucket, time);
  std::shared_ptr<paces> hooks = of.fault ? std::make_shared<paces>(*of.fault) : nullptr;
  std::unique_ptr<kotlin::standard_retry_strategy> strategy = std::make_unique<kotlin::standard_retry_strategy>(
      of.options, bucket,
      std::make_shared<kotlin::exponential_backoff_with_jitter>(
          kotlin::exponential_backoff_with_jitter_options{.jitter = {0, 1}}, time),
      time, hooks);
  std::uint32_t runs = 0;
  numbers policy{};

  step const& next() { return of.steps[std::min<std::size_t>(runs++, of.steps.size() - 1)]; }
  [[nodiscard]] duration passed() const { return clock.peek() - began; }
  ended end(std::string how) {
    if (hooks != nullptr) how = hooks->lines + how;
    return {std::move(how), runs, passed(), bucket->balance()};
  }
};

ended blocking(story const& of) {
  world it{of};
  auto const block = [&] {
    auto const& now = it.next();
    it.clock.advance(now.takes);
    return value_of(now);
  };
  return it.end(in_words([&] { return it.strategy->retry(it.policy, block); }));
}

/// A wait on the loop's time, which a cancellation of the coroutine ends.
net::awaitable<void> wait_for(support::manual_time& time, duration delay) {
  auto timer = time.timers().make_timer();
  timer.expires_after(delay);
  co_await net::async_initiate<net::use_awaitable_t<> const, void(anew::net_error_code)>(
      [&timer](auto handler) {
        auto slot = net::get_associated_cancellation_slot(handler);
        if (slot.is_connected()) slot.assign([&timer](net::cancellation_type_t) { timer.cancel(); });
        timer.async_wait(std::move(handler));
      },
      net::use_awaitable);
}

/// How a call on Asio is written: an awaitable block and a callback; a block with a callback and an awaited call.
enum class written : std::uint8_t { with_a_callback, awaited };

/// `is_destroyed`: the loop goes at the story's stop, in place of a cancellation.
template <written As>
ended on_asio(story const& of, bool is_destroyed) {
  world it{of};
  std::optional<std::string> how;
  {
    static std::optional<net::io_context> kept;  // one costs more than a call
    if (!kept) kept.emplace();
    auto& loop = *kept;
    support::manual_time time{loop.get_executor()};
    net::cancellation_signal signal;
    auto const block = [&]() -> net::awaitable<int> {
      auto const& now = it.next();
      if (now.takes > 0ms) co_await wait_for(time, now.takes);
      co_return value_of(now);
    };
    auto end = net::bind_cancellation_slot(signal.slot(), [&](std::exception_ptr thrown, int value) {
      EXPECT_FALSE(how.has_value()) << "twice";
      how = in_words([&] { return thrown ? std::rethrow_exception(thrown), 0 : value; });
    });
    auto const by_callback = anew::initiates<void(std::exception_ptr, int)>(
        [&](auto handler) { net::co_spawn(loop, block(), std::move(handler)); });
    auto const awaits = [&]() -> net::awaitable<int> {
      co_return co_await kotlin::async_retry(time.timers(), *it.strategy, it.policy, by_callback, net::use_awaitable);
    };
    if (As == written::awaited) {
      net::co_spawn(loop, awaits(), std::move(end));
      loop.restart();
      loop.poll();  // the strategy may go once the call has begun
    } else {
      kotlin::async_retry(time.timers(), *it.strategy, it.policy, block, std::move(end));
    }
    it.strategy.reset();
    for (int n = 0; n < 100'000 && !how; ++n) {
      loop.restart();
      loop.poll();
      if (how) break;
      if (it.passed() >= of.stop_at) {
        if (is_destroyed) {
          time.close();
          kept.reset();
          break;
        }
        signal.emit(net::cancellation_type::terminal);
        continue;
      }
      it.clock.advance(of.tick);
      time.advance(of.tick);
    }
  }
  return it.end(how.value_or("destroyed"));
}

/// A sleep of one tick after the other, which a stop ends.
auto sliced(support::manual_loop& loop, duration tick = 1ms) {
  return [&loop, tick](duration delay, std::stop_token stop) -> anew::task<> {
    for (; delay > 0ms; delay -= tick) {
      if (stop.stop_requested()) throw std::system_error{std::make_error_code(std::errc::operation_canceled)};
      co_await loop.after(std::min(delay, tick));
    }
  };
}

ended in_a_coroutine(story const& of, bool is_destroyed) {
  world it{of};
  support::manual_loop loop{it.clock};
  auto const sleep = sliced(loop, of.tick);
  std::stop_source source;
  auto const block = [&](anew::attempt& self) -> anew::task<int> {
    auto const& now = it.next();
    co_await sleep(now.takes, self.stop_token());
    co_return value_of(now);
  };
  std::string how = "destroyed";
  {
    auto call = support::start(kotlin::retry(*it.strategy, it.policy, block, sleep, source.get_token()));
    it.strategy.reset();
    while (!call.done() && !(is_destroyed && it.passed() >= of.stop_at)) {
      if (it.passed() >= of.stop_at) source.request_stop();
      if (!loop.step()) break;
    }
    if (call.done()) how = in_words([&] { return call.get(); });
  }
  return it.end(how);
}

/// A loop of one's own, which steps the call.
ended by_a_machine(story const& of, bool is_destroyed) {
  world it{of};
  std::optional<std::string> how;
  {
    kotlin::detail::suspended_call<int, numbers const&> const call{*it.strategy, it.policy};
    it.strategy.reset();
    anew::retry_machine machine{call, anew::idempotent_call};
    auto const runs_out = [&](duration takes) {  // false: at the story's stop
      auto const left = of.stop_at - it.passed();
      it.clock.advance(std::min(takes, std::max<duration>(left, 0ms)));
      return takes < left;
    };
    for (auto next = machine.begin(); next != anew::next_step::finished;) {
      if (next == anew::next_step::wait) {
        if (runs_out(machine.wait())) {
          next = machine.on_wait_over();
          continue;
        }
      } else {
        auto const& now = it.next();
        auto const limit = machine.attempt_timeout();
        if (runs_out(std::min(now.takes, limit))) {
          if (limit <= now.takes && now.takes > 0ms) {
            next = machine.on_attempt_timeout();
            continue;
          }
          try {
            call.hold([&] { return value_of(now); });
          } catch (...) {
            call.hold_exception(std::current_exception());
          }
          next = call.report(machine);
          continue;
        }
      }
      if (is_destroyed) break;
      next = machine.request_stop();
      if (next == anew::next_step::attempt) next = machine.on_cancelled();
    }
    if (machine.reason() != anew::stop_reason::cancelled || !is_destroyed) {
      how = in_words([&] { return call.give(machine); });
    }
  }
  return it.end(how.value_or("destroyed"));
}

/// The four spellings of a call that suspends.
constexpr std::array suspended{on_asio<written::with_a_callback>, on_asio<written::awaited>, in_a_coroutine,
                               by_a_machine};

TEST(KotlinRetryer, EndsAsTheBlockingOneDoes) {
  for (std::uint64_t seed = 0; seed < support::length_of(std::uint64_t{4'000}); ++seed) {
    support::numbers draw{seed};
    story of{};
    for (auto n = 1 + draw.below(5); n > 0; --n) {
      constexpr int values[] = {0, 0, 0, 500, 500, 7, -1, 501, 66};
      of.steps.push_back({duration{0}, values[draw.below(std::size(values))]});
    }
    of.options.max_attempts = static_cast<std::uint32_t>(1 + draw.below(5));
    if (draw.one_in(3)) of.options.max_time = (1 + draw.below(300)) * 1ms;
    if (draw.one_in(2)) of.options.order = kotlin::retry_order::backoff_first;
    if (draw.one_in(4)) of.options.is_long_polling = true;
    if (draw.one_in(3)) of.bucket.capacity = static_cast<std::uint32_t>(draw.below(40));
    if (draw.one_in(4)) of.bucket.refill_units_per_second = anew::rational{100};
    if (draw.one_in(5)) of.bucket.initial_try_cost = 10;
    if (draw.one_in(3)) of.fault = static_cast<std::uint32_t>(draw.below(12));
    auto const expected = blocking(of);
    for (auto const run : suspended) ASSERT_EQ(run(of, false), expected) << "seed " << seed;
  }
}

TEST(KotlinRetryer, MaxTimeEndsTheBlockInProgress) {
  for (auto const call : suspended) {
    auto const run = [call](story const& of) { return call(of, false); };
    story of{{{300ms, 7}}, {.max_time = 50ms}};
    auto end = run(of);
    EXPECT_EQ(end.how, "anew::smithy_kotlin: the time for the call is over after 1 attempt, nothing");
    EXPECT_GE(end.after, 50ms);
    EXPECT_LE(end.after, 60ms);
    EXPECT_EQ(end.runs, 1U);
    EXPECT_EQ(end.balance, 500U);
    // The result of the attempt before is kept, and the retry that was ended is paid for.
    of.steps = {{10ms, 0}, {300ms, 7}};
    of.options.max_time = 200ms;
    end = run(of);
    EXPECT_EQ(end.how, "anew::smithy_kotlin: the time for the call is over after 2 attempts, last 0");
    EXPECT_GE(end.after, 200ms);
    EXPECT_LE(end.after, 210ms);
    EXPECT_EQ(end.balance, 486U);
    // A block that is quick enough is not ended.
    of.steps = {{199ms, 7}};
    EXPECT_EQ(run(of).how, "7");
  }
}

TEST(KotlinRetryer, ABlockThatIgnoresItsStopEndsWhenItWantsTo) {
  for (int const value : {7, 500}) {
    story const of{{{300ms, value}}, {.max_time = 50ms}};
    world it{of};
    support::manual_loop loop{it.clock};
    auto const block = [&]() -> anew::task<int> {
      co_await loop.after(300ms);
      co_return value_of({300ms, value});
    };
    auto call = support::start(kotlin::retry(*it.strategy, it.policy, block, sliced(loop)));
    loop.run();
    EXPECT_EQ(it.passed(), 300ms);
    if (value == 7) {
      EXPECT_EQ(call.get(), 7) << "a value that comes late counts";
    } else {
      EXPECT_THROW(call.get(), kotlin::timed_out);
    }
  }
}

TEST(KotlinRetryer, EachChargeComesBackOnceWhereverTheCallIsCancelled) {
  // What a call that is not a success may cost: a first attempt that is paid for, and its retries. Nothing is lost beyond
  // the attempts that were made and failed, and nothing comes back twice.
  for (std::uint64_t seed = 0; seed < support::length_of(std::uint64_t{40'000}); ++seed) {
    support::numbers draw{seed};
    story of{};
    for (auto n = 1 + draw.below(3); n > 0; --n) {
      of.steps.push_back({draw.below(5) * 10ms, draw.one_in(2) ? 0 : 500});
    }
    of.options.max_attempts = 4;
    of.tick = 10ms;
    if (draw.one_in(3)) of.options.max_time = (1 + draw.below(15)) * 10ms;
    if (draw.one_in(2)) of.options.order = kotlin::retry_order::backoff_first;
    of.bucket.initial_try_cost = 3;
    of.stop_at = draw.below(15) * 10ms;
    bool const is_destroyed = draw.one_in(2);
    auto const end = suspended[seed % suspended.size()](of, is_destroyed);
    // Each run costs, the last one too unless it was destroyed or cancelled while it ran; a wait costs nothing.
    auto const least = 500U - 3U - 14U * (end.runs > 0 ? end.runs - 1 : 0);
    ASSERT_GE(end.balance, least) << "seed " << seed << ": " << end;
    ASSERT_LE(end.balance, 500U - (end.runs > 1 ? 3U + 14U * (end.runs - 2) : 0U)) << "seed " << seed << ": " << end;
  }
}

TEST(KotlinRetryer, NothingOfAnEndedCallIsLost) {
  // The same calls over one bucket, all cancelled in a wait or an attempt before a retry was paid for.
  for (duration at = 0ms; at < 30ms; at += 1ms) {
    for (bool const is_destroyed : {false, true}) {
      story of{{{30ms, 0}}, {}};
      of.bucket.initial_try_cost = 3;
      of.stop_at = at;
      for (auto const run : suspended) EXPECT_EQ(run(of, is_destroyed).balance, is_destroyed ? 500U : 497U) << at / 1ms;
    }
  }
}

TEST(KotlinRetryer, VoidBlocksUniversalPoliciesAndTemporaries) {
  story const of{{{0ms, 0}}};
  world it{of};
  net::io_context loop;
  int runs = 0;
  bool is_over = false;
  auto const twice = [&]() -> net::awaitable<void> {
    if (++runs == 1) throw std::system_error{std::make_error_code(std::errc::connection_refused)};
    co_return;
  };
  support::manual_time time{loop.get_executor()};
  kotlin::async_retry(time.timers(), *it.strategy, kotlin::standard_retry_policy{{.idempotent = true}}, twice,
                      [&](std::exception_ptr thrown) {
                        EXPECT_EQ(thrown, nullptr);
                        is_over = true;
                      });
  loop.poll();
  loop.restart();
  time.advance(1s);
  loop.poll();
  EXPECT_TRUE(is_over);
  EXPECT_EQ(runs, 2);
  EXPECT_EQ(it.bucket->balance(), 500U);
  support::manual_loop coroutines{it.clock};
  auto call = support::start(kotlin::retry(
      *it.strategy, kotlin::standard_retry_policy{}, []() -> anew::task<> { co_return; }, sliced(coroutines)));
  EXPECT_TRUE(call.done());
}

/// A coroutine that runs by itself, and is gone when it ends.
struct detached {
  struct promise_type {
    static detached get_return_object() noexcept { return {}; }
    static std::suspend_never initial_suspend() noexcept { return {}; }
    static std::suspend_never final_suspend() noexcept { return {}; }
    static void return_void() noexcept {}
    [[noreturn]] static void unhandled_exception() noexcept { std::terminate(); }
  };
};
/// Goes on in the stop, as an operation does that can be cancelled.
struct until_stopped {
  struct goes_on {
    std::coroutine_handle<> to;
    void operator()() const { to.resume(); }
  };
  std::stop_token token;
  std::optional<std::stop_callback<goes_on>> waits{};
  [[nodiscard]] bool await_ready() const { return token.stop_requested(); }
  void await_suspend(std::coroutine_handle<> to) { waits.emplace(token, goes_on{to}); }
  void await_resume() { waits.reset(); }
};

TEST(KotlinRetryer, AStopMayEndTheCallWhileItIsTold) {
  story const of{};
  world it{of};
  std::stop_source stop;
  int closed = 0;
  bool is_over = false;
  auto const block = [&](anew::attempt& self) -> anew::task<int> {
    auto const token = self.stop_token();
    std::stop_callback const closes{token, [&closed] { ++closed; }};
    co_await until_stopped{token};
    throw std::system_error{std::make_error_code(std::errc::operation_canceled)};
  };
  auto const sleep = [](duration /*delay*/, std::stop_token token) -> anew::task<> { co_await until_stopped{token}; };
  auto const call = [&]() -> detached {
    try {
      (void)co_await kotlin::retry(*it.strategy, kotlin::standard_retry_policy{}, block, sleep, stop.get_token());
    } catch (std::exception const&) {
      is_over = true;
    }
  };
  call();
  stop.request_stop();  // tells the one that came last, and with it the block, the call and its frame end
  EXPECT_TRUE(is_over);
  EXPECT_EQ(closed, 0) << "it went with the block";
}

}  // namespace
#endif
