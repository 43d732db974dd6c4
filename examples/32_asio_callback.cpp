// SPDX-License-Identifier: BSL-1.0
// An asynchronous operation that is retried on Asio's event loop, and a plain function that hears how it ended.
#include <chrono>
#include <cstdio>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/policies/classifier/error_code.hpp"

using namespace std::chrono_literals;
namespace net = anew::net;
using net::ip::tcp;

int main() {
  net::io_context context;
  tcp::acceptor service{context, tcp::v4()};
  service.bind({net::ip::address_v4::loopback(), 0});  // it has a port, and does not listen yet

  // [call]
  using client =
      anew::strategy<anew::error_code_classifier, anew::constant_backoff<1ms>, anew::no_jitter, anew::max_attempts<5>>;
  client const strategy{};
  tcp::socket socket{context};
  auto const connect = [&](anew::attempt& attempt, auto&& token) {
    std::printf("attempt %u\n", attempt.number());
    if (attempt.number() == 3) service.listen();
    if (attempt.is_retry()) socket.close();
    return socket.async_connect(service.local_endpoint(), std::forward<decltype(token)>(token));
  };
  anew::async_retry(strategy, connect,
                    [&](anew::net_error_code error) { std::printf("%s\n", error ? "no connection" : "connected"); });
  context.run();
  // [/call]

  // [failure]
  service.close();
  socket.close();
  tcp::acceptor nobody{context, tcp::v4()};
  nobody.bind({net::ip::address_v4::loopback(), 0});
  anew::async_retry(
      strategy,
      [&](auto&& token) {
        socket.close();
        return socket.async_connect(nobody.local_endpoint(), std::forward<decltype(token)>(token));
      },
      [](anew::net_error_code error) {
        std::printf("after five attempts: %s\n", error == net::error::connection_refused ? "refused" : "another error");
      });
  context.restart();
  context.run();
  // [/failure]
}
