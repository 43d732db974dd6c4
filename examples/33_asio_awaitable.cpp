// SPDX-License-Identifier: BSL-1.0
// A coroutine that is retried as a whole: connect, ask, read. It fails by exceptions, and they are read by their codes.
#include <chrono>
#include <cstdio>
#include <string>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/policies.hpp"

using namespace std::chrono_literals;
namespace net = anew::net;
using net::ip::tcp;

// Hangs up on its first two callers, and answers the third one.
net::awaitable<void> serve(tcp::acceptor& acceptor) {
  for (int caller = 1; caller <= 3; ++caller) {
    auto socket = co_await acceptor.async_accept(net::use_awaitable);
    std::string asked;
    co_await net::async_read_until(socket, net::dynamic_buffer(asked), '\n', net::use_awaitable);
    if (caller == 3) co_await net::async_write(socket, net::buffer("hello\n", 6), net::use_awaitable);
  }
}

// [strategy]
struct is_eof {
  bool operator()(anew::net_error_code const& error) const { return error == net::error::eof; }
};
using client = anew::strategy<anew::any_of<anew::error_code_classifier, anew::idempotent_only<anew::retry_if<is_eof>>>,
                              anew::constant_backoff<1ms>, anew::no_jitter, anew::max_attempts<5>>;
// [/strategy]

// [coroutine]
net::awaitable<void> ask(client const& strategy, tcp::endpoint service) {
  auto const once = [&](anew::attempt& attempt) -> net::awaitable<std::string> {
    std::printf("attempt %u\n", attempt.number());
    tcp::socket socket{co_await net::this_coro::executor};
    co_await socket.async_connect(service, net::use_awaitable);
    co_await net::async_write(socket, net::buffer("who is there?\n", 14), net::use_awaitable);
    std::string answer;
    co_await net::async_read_until(socket, net::dynamic_buffer(answer), '\n', net::use_awaitable);
    co_return answer;
  };
  std::string const answer = co_await anew::async_retry(strategy, anew::idempotent(once), net::use_awaitable);
  std::printf("%s", answer.c_str());
}
// [/coroutine]

int main() {
  net::io_context context;
  tcp::acceptor acceptor{context, {net::ip::address_v4::loopback(), 0}};
  client const strategy{};
  net::co_spawn(context, serve(acceptor), net::detached);
  net::co_spawn(context, ask(strategy, acceptor.local_endpoint()), net::detached);
  context.run();
}
