// SPDX-License-Identifier: BSL-1.0
// Callback APIs as they are: they copy what they are given, call it twice, forget it, and know no executor.
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/async_result.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/policies/limits/attempt_timeout.hpp"
#include "anew/policies/quota/token_bucket.hpp"

#include "async_script.hpp"
#include "manual_timers.hpp"

namespace {

using namespace std::chrono_literals;
namespace net = anew::net;
using support::code;
using callback = std::function<void(code, int)>;

code const refused = net::error::connection_refused;

using plain = anew::strategy<anew::retry_all, anew::constant_backoff<1ms>, anew::no_jitter, anew::max_attempts<4>>;
using with_bucket = anew::with<plain, anew::token_bucket<500>>;

/// An API that keeps the callbacks of a request until somebody calls them.
struct legacy_client {
  std::vector<callback> kept;

  [[nodiscard]] auto request() {
    return anew::initiates<void(code, int)>([this](auto handler) {
      callback const given{handler};
      kept.push_back(given);  // for the answer
      kept.push_back(given);  // and for its time-out
    });
  }
};

struct CallbackApi : testing::Test {
  net::io_context loop;
  support::manual_time time{loop.get_executor()};
  legacy_client client;
  int completions = 0;
  code result;
  int value = 0;

  auto count() {
    return [this](code error, int v) {
      ++completions;
      result = error;
      value = v;
    };
  }
  void turn() {
    loop.restart();
    loop.poll();
  }
};

TEST_F(CallbackApi, OfTheCopiesOfACallbackTheFirstIsHeard) {
  plain const strategy{};
  anew::async_retry(time.timers(), strategy, client.request(), count());
  ASSERT_EQ(client.kept.size(), 2U);
  client.kept[1](refused, 1);
  client.kept[0](code{}, 2);  // late: dropped
  client.kept[1](code{}, 3);
  turn();
  EXPECT_EQ(completions, 0);
  time.advance(1ms);
  turn();
  ASSERT_EQ(client.kept.size(), 4U);
  client.kept[0](code{}, 4);  // of an attempt that is over
  client.kept[2](code{}, 5);
  turn();
  EXPECT_EQ(completions, 1);
  EXPECT_EQ(value, 5);
  EXPECT_TRUE(loop.stopped());  // the copies that are left hold nothing
  for (auto const& late : client.kept) late(code{}, 6);
  EXPECT_EQ(completions, 1);
}

/// An operation that has nothing to do with executors: it hides what it is given from Asio.
TEST_F(CallbackApi, WithoutAnExecutorTheFirstWaitIsRefusedAndNoThreadStarts) {
  auto const before = support::thread_count();
  with_bucket const strategy{};
  auto const alive = std::make_shared<int>(0);
  int attempts = 0;
  auto const hidden = [&](auto&& token) {
    return net::async_initiate<decltype(token), void(code, int)>(
        [&](auto handler) {
          net::post(loop, [handler = std::move(handler), error = attempts++ == 0 ? refused : code{}]() mutable {
            std::move(handler)(error, 1);
          });
        },
        token);
  };
  anew::async_retry(strategy, hidden, [this, alive](code, int) { ++completions; });
  try {
    loop.run();
    FAIL() << "waited somewhere";
  } catch (std::logic_error const& said) {
    EXPECT_NE(std::string{said.what()}.find("Say where"), std::string::npos);
  }
  EXPECT_EQ(support::thread_count(), before);
  EXPECT_EQ(strategy.quota().balance(), 500U);
  EXPECT_EQ(alive.use_count(), 1);
  EXPECT_EQ(completions, 0);
  EXPECT_EQ(attempts, 1);

  anew::async_retry(strategy, hidden, count());  // it is the wait that needs one
  loop.restart();
  loop.run();
  EXPECT_EQ(completions, 1);
  EXPECT_EQ(support::thread_count(), before);
}

}  // namespace
