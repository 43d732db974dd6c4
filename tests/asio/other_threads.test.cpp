// SPDX-License-Identifier: BSL-1.0
// Completions that come from another thread than the one where their call is at home.
#include <functional>
#include <future>
#include <thread>
#include <utility>
#include <vector>

#include <boost/asio/append.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_future.hpp>
#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/hedge.hpp"

#include "asio_names.hpp"

namespace {

using callback = std::function<void(error_code, int)>;

anew::strategy<anew::retry_all, anew::constant_backoff<1ms>, anew::no_jitter, anew::max_attempts<4>> const strategy{};

/// An API that calls back from a thread of each call. It is empty, and so needs no call for its first attempt.
struct far_away {
  static inline std::vector<std::thread> threads;
  static inline std::thread::id home;
  static void join() {
    for (auto& one : threads) one.join();
    threads.clear();
  }
  void operator()(auto handler) const {
    EXPECT_EQ(std::this_thread::get_id(), home);
    error_code const error = threads.empty() ? net::error::connection_refused : error_code{};
    threads.emplace_back([given = callback{handler}, error] { given(error, 7); });
  }
};

struct AsioOtherThreads : testing::Test {
  net::io_context loop;
  int value = 0;
  void SetUp() override { far_away::home = std::this_thread::get_id(); }
  auto is_home() {
    return [this](error_code error, int of) {
      EXPECT_EQ(std::this_thread::get_id(), far_away::home);
      EXPECT_FALSE(error);
      value = of;
    };
  }
  void expect_two_threads() {
    loop.run();
    EXPECT_EQ(value, 7);
    EXPECT_EQ(far_away::threads.size(), 2U);
    far_away::join();
  }
};

TEST_F(AsioOtherThreads, ACallbackIsHeardWhereTheCallIsAtHome) {
  anew::async_retry(loop, strategy, anew::initiates<void(error_code, int)>(far_away{}), is_home());
  expect_two_threads();
}

TEST_F(AsioOtherThreads, ACallbackOfAHedgedCallIsHeardThereToo) {
  anew::async_hedge(loop, strategy, anew::hedge_after<10ms>{},
                    anew::idempotent(anew::initiates<void(error_code, int)>(far_away{})), is_home());
  expect_two_threads();
}

TEST_F(AsioOtherThreads, AHedgedCallThatIsBegunOutsideItsStrandRunsInsideIt) {
  net::thread_pool pool{2};
  auto const strand = net::make_strand(pool);
  for (int i = 0; i < 200; ++i) {
    auto operation = anew::idempotent([&](anew::attempt&, auto&& token) {
      EXPECT_TRUE(strand.running_in_this_thread());
      return net::post(pool, net::append(std::forward<decltype(token)>(token), error_code{}, 5));
    });
    auto future = anew::async_hedge(strand, strategy, anew::hedge_at_once<2>{}, operation, net::use_future);
    EXPECT_EQ(future.get(), 5);
  }
  pool.join();
}

}  // namespace
