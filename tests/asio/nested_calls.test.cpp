// SPDX-License-Identifier: BSL-1.0
// Three services on one loop, each of which retries its calls of the next over a socket: no scope of a thread could tell
// their calls apart, and each call is told by itself whether it is nested.
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/system/system_error.hpp>
#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/policies/nesting/nested_in.hpp"
#include "anew/policies/nesting/retries_above.hpp"
#include "anew/strategy/adjusted.hpp"

namespace {

namespace net = anew::net;
using anew::retries_above;
using net::ip::tcp;

using three = anew::strategy<anew::retry_all, anew::no_backoff, anew::max_attempts<3>, anew::token_bucket<100'000>>;

/// A request is a line with the value of the field, empty without it; the service hangs up when it has failed.
net::awaitable<void> ask(tcp::endpoint service, retries_above above) {
  tcp::socket socket{co_await net::this_coro::executor};
  co_await socket.async_connect(service, net::use_awaitable);
  std::string request{above.is_nested() ? above.value().view() : std::string_view{}};
  request += '\n';
  co_await net::async_write(socket, net::buffer(request), net::use_awaitable);
  std::string answer;
  co_await net::async_read_until(socket, net::dynamic_buffer(answer), '\n', net::use_awaitable);
}

/// Answers each request by a call of the next service.
class service {
 public:
  using handler = std::function<net::awaitable<bool>(retries_above)>;
  service(net::io_context& loop, handler handle)
      : acceptor_{loop, {net::ip::address_v4::loopback(), 0}}, handle_{std::move(handle)} {
    net::co_spawn(loop, accept(), net::detached);
  }
  [[nodiscard]] tcp::endpoint endpoint() const { return acceptor_.local_endpoint(); }
  void close() { acceptor_.close(); }
  [[nodiscard]] int requests() const { return requests_; }

 private:
  net::awaitable<void> accept() {
    for (;;) {
      auto socket = co_await acceptor_.async_accept(net::use_awaitable);  // throws when it is closed
      net::co_spawn(co_await net::this_coro::executor, answer(std::move(socket)), net::detached);
    }
  }
  net::awaitable<void> answer(tcp::socket socket) {
    ++requests_;
    std::string line;
    co_await net::async_read_until(socket, net::dynamic_buffer(line), '\n', net::use_awaitable);
    line.pop_back();
    bool const succeeded = co_await handle_(line.empty() ? retries_above{} : retries_above::read(line));
    if (succeeded) co_await net::async_write(socket, net::buffer("+\n", 2), net::use_awaitable);
  }

  tcp::acceptor acceptor_;
  handler handle_;
  int requests_ = 0;
};

/// A call with three attempts, or with one if it is nested. With `tells`, its requests have the field.
net::awaitable<bool> call(three const& strategy, tcp::endpoint below, retries_above above, bool tells) {
  auto const of_this_call = anew::adjusted(strategy, anew::nested_in{above});
  auto const once = [&](anew::attempt& attempt) { return ask(below, tells ? above.below(attempt) : retries_above{}); };
  try {
    co_await anew::async_retry(of_this_call, once, net::use_awaitable);
  } catch (boost::system::system_error const&) {
    co_return false;
  }
  co_return true;
}

struct arrived {
  int front;
  int middle;
  int back;
  friend bool operator==(arrived const&, arrived const&) = default;
};

/// The requests at each service when `calls` come from a program that retries, and as many from one that does not; the
/// last service fails.
arrived after(int calls, bool tells) {
  net::io_context loop;
  three const strategy;
  service back{loop, [](retries_above) -> net::awaitable<bool> { co_return false; }};
  service middle{loop, [&](retries_above above) { return call(strategy, back.endpoint(), above, tells); }};
  service front{loop, [&](retries_above above) { return call(strategy, middle.endpoint(), above, tells); }};
  int left = 2 * calls;
  auto const over = [&](auto const&...) {
    if (--left != 0) return;
    for (auto* each : {&front, &middle, &back}) each->close();
  };
  for (int i = 0; i != calls; ++i) {
    net::co_spawn(loop, call(strategy, front.endpoint(), retries_above{}, tells), over);
    net::co_spawn(loop, ask(front.endpoint(), retries_above{}), over);
  }
  loop.run();
  return {front.requests(), middle.requests(), back.requests()};
}

TEST(NestedCalls, MultiplyWhereNoneIsTold) { EXPECT_TRUE((after(2, false) == arrived{8, 24, 72})); }

TEST(NestedCalls, OnlyTheOutermostLayerRetries) {
  // Three requests of each program that retries, and one of each that does not; the layer below it makes three of that.
  EXPECT_TRUE((after(20, true) == arrived{80, 120, 120}));
}

}  // namespace
