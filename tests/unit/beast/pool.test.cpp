// SPDX-License-Identifier: BSL-1.0
#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/beast/http/string_body.hpp>
#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/beast.hpp"
#include "anew/hedge.hpp"
#include "anew/policies/limits/attempt_timeout.hpp"
#include "anew/testing/manual_clock.hpp"

#include "manual_timers.hpp"
#include "support/misbehaving_server.hpp"

namespace beast_pool_test {
namespace {

using namespace std::chrono_literals;
using anew::beast::pool_limits;
using demo::step;
namespace net = boost::asio;
namespace http = boost::beast::http;
using pool = anew::beast::basic_pool<anew::beast::connection, anew::testing::manual_clock>;
using exchange = pool::exchange_type;
using request_type = http::request<http::string_body>;

/// One request, and what became of it.
struct asked {
  request_type request;
  std::optional<exchange> result{};
  net::cancellation_signal signal{};
  std::function<void()> when_done = [] {};

  explicit asked(std::string const& path) : request{http::verb::get, path, 11} {}
};
struct keep {
  using cancellation_slot_type = net::cancellation_slot;
  asked* of;
  void operator()(exchange end) const {
    of->result = std::move(end);
    of->when_done();
  }
  [[nodiscard]] cancellation_slot_type get_cancellation_slot() const noexcept { return of->signal.slot(); }
};

using strategy = anew::strategy<anew::beast::classifier<>, anew::no_backoff, anew::no_jitter, anew::max_attempts<2>,
                                anew::unlimited_quota, anew::attempt_timeout<1s>>;

struct set_up {
  explicit set_up(pool_limits limits) : to_server{io.get_executor(), there.host(), port(), limits, clock} {}
  [[nodiscard]] std::string port() const { return std::to_string(there.port()); }

  void begin(asked& one, std::optional<anew::error_kind> previous = std::nullopt) {
    anew::attempt::parts parts{};
    parts.previous = previous;
    to_server.async_request(anew::attempt{parts}, one.request, keep{&one});
  }
  void turn_until(std::function<bool()> const& condition) {
    auto const limit = std::chrono::steady_clock::now() + 30s;
    io.restart();
    while (!condition() && std::chrono::steady_clock::now() < limit) io.run_one_for(100ms);
    ASSERT_TRUE(condition());
  }
  exchange ask(std::string const& path = "/", std::optional<anew::error_kind> previous = std::nullopt) {
    asked one{path};
    begin(one, previous);
    turn_until([&] { return one.result.has_value(); });
    return *std::move(one.result);
  }
  /// Two requests at once, each of which succeeds.
  void ask_two() {
    asked first{"/"}, second{"/"};
    begin(first);
    begin(second);
    turn_until([&] { return first.result && second.result; });
    for (auto const* const one : {&first, &second}) {
      EXPECT_TRUE(one->result->has_value()) << one->result->code.message();
    }
  }
  auto operation(asked& one) {
    return [this, &one](anew::attempt& self, auto token) {
      return to_server.async_request(self, one.request, std::move(token));
    };
  }

  demo::misbehaving_server there;
  net::io_context io;
  anew::testing::manual_clock clock;
  support::manual_time time{io.get_executor()};
  pool to_server;
};

TEST(BeastPool, OpensNoMoreConnectionsThanItMay) {
  set_up s{{.most = 2}};
  std::array<asked, 5> five{asked{"/"}, asked{"/"}, asked{"/"}, asked{"/"}, asked{"/"}};
  for (auto& one : five) s.begin(one);
  EXPECT_EQ(s.to_server.size(), 2U);
  EXPECT_EQ(s.to_server.waiting(), 3U);
  s.turn_until([&] { return five[4].result.has_value() && five[3].result.has_value(); });
  for (auto const& one : five) EXPECT_TRUE(one.result && one.result->has_value());
  EXPECT_EQ(s.there.connection_count(), 2U);
  EXPECT_EQ(s.there.request_count(), 5U);
  EXPECT_EQ(s.to_server.idle(), 2U);
  EXPECT_EQ(s.to_server.waiting(), 0U);
}

TEST(BeastPool, UsesTheConnectionThatWasUsedLast) {
  set_up s{{}};
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(s.ask().has_value());
  EXPECT_EQ(s.there.connection_count(), 1U);
  EXPECT_TRUE(s.ask("/", anew::error_kind::throttling).has_value());
  EXPECT_EQ(s.there.connection_count(), 1U);
  EXPECT_TRUE(s.ask("/", anew::error_kind::transient).has_value());  // it takes the place of the suspect
  EXPECT_EQ(s.there.connection_count(), 2U);
  EXPECT_EQ(s.to_server.size(), 1U);
}

TEST(BeastPool, ClosesWhatHasBeenIdleForTooLong) {
  set_up s{{.most = 2, .idle = 10s}};
  s.ask_two();
  s.clock.advance(10s - 1ns);
  s.to_server.close_idle();
  EXPECT_EQ(s.to_server.idle(), 2U);
  EXPECT_TRUE(s.ask().has_value());  // over the newer one, whose time begins again
  s.clock.advance(1ns);
  EXPECT_TRUE(s.ask().has_value());
  EXPECT_EQ(s.to_server.idle(), 1U);
  s.clock.advance(10s);
  EXPECT_TRUE(s.ask().has_value());
  EXPECT_EQ(s.there.connection_count(), 3U);
  EXPECT_EQ(s.to_server.size(), 1U);
}

TEST(BeastPool, OpensAgainWhatTheServerHasClosedWithoutAnAttempt) {
  set_up s{{.most = 2}};
  s.ask_two();
  s.there.go_down();  // resets both
  s.there.come_up();
  s.ask_two();
  EXPECT_EQ(s.there.connection_count(), 4U);
  s.there.go_down();
  auto const end = s.ask();
  EXPECT_EQ(end.code, net::error::connection_refused);
  EXPECT_FALSE(end.sent);
  EXPECT_EQ(s.to_server.size(), 1U);  // a connection that could not be opened is not kept
}

TEST(BeastPool, AnAttemptsLimitAndASignalEndTheWait) {
  set_up s{{.most = 1}};
  s.there.script("/silent", {step::silence()});
  asked silent{"/silent"};
  asked limited{"/"};
  asked stopped{"/"};
  asked last{"/"};
  s.begin(silent);
  strategy const policy{};
  anew::async_retry(s.time.timers(), policy, anew::idempotent(s.operation(limited)), keep{&limited});
  s.begin(stopped);
  s.begin(last);
  s.turn_until([&] { return s.there.request_count() == 1 && s.to_server.waiting() == 3; });
  stopped.signal.emit(net::cancellation_type::terminal);
  s.turn_until([&] { return stopped.result.has_value(); });
  EXPECT_EQ(stopped.result->code, net::error::operation_aborted);
  EXPECT_FALSE(stopped.result->sent);
  s.time.advance(1s);  // attempt 1
  s.turn_until([&] { return s.time.pending() == 1 && s.to_server.waiting() == 2; });
  EXPECT_FALSE(limited.result);
  s.time.advance(1s);  // attempt 2
  s.turn_until([&] { return limited.result.has_value(); });
  EXPECT_EQ(limited.result->code, net::error::timed_out);
  EXPECT_FALSE(limited.result->sent);
  EXPECT_EQ(s.there.request_count(), 1U);
  EXPECT_EQ(s.to_server.waiting(), 1U);
  silent.signal.emit(net::cancellation_type::terminal);
  s.turn_until([&] { return silent.result && last.result; });
  EXPECT_EQ(silent.result->code, net::error::operation_aborted);
  EXPECT_TRUE(last.result->has_value());
  EXPECT_EQ(s.there.connection_count(), 2U);
}

TEST(BeastPool, WhoIsStoppedWhenItsTurnComesLeavesItToTheNext) {
  set_up s{{.most = 1}};
  asked first{"/"};
  asked second{"/"};
  asked third{"/"};
  s.begin(first);
  s.begin(second);
  s.begin(third);
  first.when_done = [&] { second.signal.emit(net::cancellation_type::terminal); };  // it has got the connection
  s.turn_until([&] { return second.result && third.result; });
  EXPECT_EQ(second.result->code, net::error::operation_aborted);
  EXPECT_TRUE(third.result->has_value());
  EXPECT_EQ(s.there.request_count(), 2U);
  EXPECT_EQ(s.there.connection_count(), 1U);
  EXPECT_EQ(s.to_server.idle(), 1U);
}

TEST(BeastPool, HedgesUseTwoConnections) {
  set_up s{{.most = 2}};
  s.there.script("/", {step::silence(), step::status(200)});
  asked one{"/"};
  strategy const policy{};
  anew::hedge_after<10ms> const hedging{};
  anew::async_hedge(s.time.timers(), policy, hedging, anew::idempotent(s.operation(one)), keep{&one});
  s.turn_until([&] { return s.there.request_count() == 1; });
  EXPECT_EQ(s.to_server.size(), 1U);
  s.time.advance(10ms);
  s.turn_until([&] { return one.result && s.to_server.idle() == s.to_server.size(); });
  EXPECT_TRUE(one.result->has_value());
  EXPECT_EQ(s.there.connection_count(), 2U);
  EXPECT_EQ(s.to_server.size(), 1U);  // that of the attempt that lost was closed
}

TEST(BeastPool, RefusesWhatCannotBe) {
  net::io_context io;
  auto const make = [&](std::string const& host, pool_limits limits) {
    pool const made{io.get_executor(), host, "80", limits, anew::testing::manual_clock{}};
  };
  EXPECT_NO_THROW(make("127.0.0.1", {.most = 1, .idle = 0s}));
  EXPECT_THROW(make("127.0.0.1", {.most = 0}), std::invalid_argument);
  EXPECT_THROW(make("127.0.0.1", {.idle = -1ns}), std::invalid_argument);
  EXPECT_THROW(make("", {}), std::invalid_argument);
}

}  // namespace
}  // namespace beast_pool_test
