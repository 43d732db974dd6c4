// SPDX-License-Identifier: BSL-1.0
// A thread that blocks for the answer while the event loop runs in another one.
#include <chrono>
#include <cstdio>
#include <thread>
#include <utility>

#include <boost/asio/append.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_future.hpp>

#include "anew/anew.hpp"
#include "anew/asio.hpp"

using namespace std::chrono_literals;
namespace net = anew::net;

int main() {
  net::io_context context;
  auto const work = net::make_work_guard(context);
  std::jthread loop{[&] { context.run(); }};

  // [call]
  using client = anew::strategy<anew::retry_all, anew::constant_backoff<1ms>, anew::no_jitter, anew::max_attempts<3>>;
  client const strategy{};
  auto const measure = [&](anew::attempt& attempt, auto&& token) {
    anew::net_error_code error;
    if (!attempt.is_retry()) error = net::error::try_again;
    return net::post(context, net::append(std::forward<decltype(token)>(token), error, 20 + attempt.number()));
  };
  auto future = anew::async_retry(context, strategy, measure, net::use_future);
  std::printf("measured %u\n", future.get());
  // [/call]

  // [failure]
  auto const broken = [&](auto&& token) {
    return net::post(context, net::append(std::forward<decltype(token)>(token),
                                          anew::net_error_code{net::error::connection_refused}));
  };
  auto nothing = anew::async_retry(context, strategy, broken, net::use_future);
  try {
    nothing.get();
  } catch (anew::net_system_error const& error) {
    std::printf("%s\n", error.code() == net::error::connection_refused ? "refused" : "another error");
  }
  // [/failure]
  context.stop();
}
