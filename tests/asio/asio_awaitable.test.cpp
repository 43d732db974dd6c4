// SPDX-License-Identifier: BSL-1.0
// Asio's awaitable as the task of a call, with nothing of anew's that knows of Asio: its promise finds no executor in the
// parameters of our coroutine, and awaits only what it knows.
#include <chrono>
#include <exception>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/bridges/asio/initiates.hpp"
#include "anew/coroutine.hpp"

namespace {

using namespace std::chrono_literals;
namespace asio = boost::asio;
using boost::system::system_error;

using three =
    anew::strategy<anew::retry_on<system_error>, anew::no_backoff, anew::max_attempts<3>, anew::token_bucket<100>>;

// [sleep]
asio::awaitable<void> sleep_for(anew::duration delay) {
  asio::steady_timer timer{co_await asio::this_coro::executor, delay};
  co_await timer.async_wait(asio::use_awaitable);
}
// [/sleep]

/// The result of a coroutine that was run to its end, or its exception.
template <class T>
T run(asio::io_context& context, asio::awaitable<T> coroutine) {
  std::optional<T> result;
  std::exception_ptr thrown;
  asio::co_spawn(context, std::move(coroutine), [&](std::exception_ptr e, T value) {
    thrown = std::move(e);
    result.emplace(std::move(value));
  });
  context.restart();
  context.run();
  if (thrown) std::rethrow_exception(thrown);
  return *std::move(result);
}

TEST(CoroutineAsio, TheCallIsAnAwaitableOfAsios) {
  asio::io_context context;
  three const strategy;
  int calls = 0;
  auto call = anew::retry(
      strategy,
      [&](anew::attempt& self) -> asio::awaitable<std::string> {
        asio::steady_timer timer{co_await asio::this_coro::executor, 0s};
        co_await timer.async_wait(asio::use_awaitable);
        if (++calls < 3) throw system_error{asio::error::connection_reset};
        co_return std::to_string(self.number());
      },
      sleep_for);
  static_assert(std::is_same_v<decltype(call), asio::awaitable<std::string>>);
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(run(context, std::move(call)), "3");
  EXPECT_EQ(strategy.quota().balance(), 100U - 14U) << "the retry that succeeded is paid back";
}

TEST(CoroutineAsio, WhatOnlyItsPromiseKnowsIsAwaited) {
  asio::io_context context;
  asio::steady_timer timer{context};
  int calls = 0;
  auto const sleep = [&](anew::duration delay) {
    timer.expires_after(delay);
    return timer.async_wait(asio::deferred);
  };
  auto call = anew::retry(
      three{},
      [&]() -> asio::awaitable<int> {
        if (++calls < 3) throw system_error{asio::error::connection_reset};
        co_return calls;
      },
      sleep);
  EXPECT_EQ(run(context, std::move(call)), 3);
}

TEST(CoroutineAsio, AnOperationThatIsCancelledIsNotRetriedByOneWhoRetriesAll) {
  // The classifier names no exception, so it is by `cancelled_by` that Boost's system_error is known.
  asio::io_context context;
  int calls = 0;
  auto call = anew::retry(
      anew::strategy<anew::retry_all, anew::no_backoff, anew::max_attempts<3>>{},
      [&]() -> asio::awaitable<unsigned> {
        ++calls;
        throw system_error{calls < 2 ? make_error_code(asio::error::connection_reset)
                                     : make_error_code(asio::error::operation_aborted)};
        co_return 1;
      },
      sleep_for);
  EXPECT_THROW((void)run(context, std::move(call)), system_error);
  EXPECT_EQ(calls, 2);
}

TEST(CoroutineAsio, ACallThatIsCancelledInTheSleep) {
  asio::io_context context;
  anew::strategy<anew::retry_on<system_error>, anew::constant_backoff<24h>, anew::no_jitter,
                 anew::token_bucket<100>> const strategy;
  asio::cancellation_signal signal;
  std::exception_ptr thrown;
  int calls = 0;
  asio::co_spawn(context,
                 anew::retry(
                     strategy,
                     [&]() -> asio::awaitable<int> {
                       ++calls;
                       asio::post(context, [&] { signal.emit(asio::cancellation_type::terminal); });
                       throw system_error{asio::error::connection_reset};
                       co_return 1;
                     },
                     sleep_for),
                 asio::bind_cancellation_slot(signal.slot(), [&](std::exception_ptr e, int /*value*/) { thrown = e; }));
  context.run();
  ASSERT_NE(thrown, nullptr);
  try {
    std::rethrow_exception(thrown);
  } catch (system_error const& e) {
    EXPECT_EQ(e.code(), asio::error::operation_aborted);
  }
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(strategy.quota().balance(), 100U) << "the retry that was not made is given back";
}

}  // namespace
