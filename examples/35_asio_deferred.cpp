// SPDX-License-Identifier: BSL-1.0
// A retried operation is an asynchronous operation like any other: it can be kept, begun later, and begun again.
#include <chrono>
#include <cstdio>
#include <utility>

#include <boost/asio/append.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "anew/anew.hpp"
#include "anew/asio.hpp"

using namespace std::chrono_literals;
namespace net = anew::net;

using client = anew::strategy<anew::retry_all, anew::constant_backoff<1ms>, anew::no_jitter, anew::max_attempts<3>>;

int main() {
  net::io_context context;
  client const strategy{};
  int sent = 0;
  auto const send = [&](anew::attempt& attempt, auto&& token) {
    std::printf("  attempt %u\n", attempt.number());
    anew::net_error_code error;
    if (attempt.number() == 1) error = net::error::try_again;
    return net::post(context, net::append(std::forward<decltype(token)>(token), error, ++sent));
  };

  // [deferred]
  auto message = anew::async_retry(context, strategy, send, net::deferred);
  std::printf("nothing has begun: %d sent\n", sent);

  message([](anew::net_error_code, int number) { std::printf("first message: %d sent\n", number); });
  context.run();

  auto const again = [&]() -> net::awaitable<void> {
    int const number = co_await message(net::use_awaitable);  // a new call, which counts from one
    std::printf("second message: %d sent\n", number);
  };
  net::co_spawn(context, again, net::detached);
  context.restart();
  context.run();
  // [/deferred]
}
