// SPDX-License-Identifier: BSL-1.0
// section: Calls on Asio / An asynchronous call without a strategy
// The order is strategy, operation, completion token. An executor, a context or a source of timers may come first.
// expect-error: anew::async_retry(strategy, operation, token) requires a RetryStrategy
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "anew/anew.hpp"
#include "anew/asio.hpp"

namespace net = anew::net;

int main() {
  net::io_context context;
  net::steady_timer timer{context};
  auto const wait = [&](anew::attempt&, auto&& token) {
    return timer.async_wait(std::forward<decltype(token)>(token));
  };
// [fix]
#ifdef ANEW_REJECT  // wrong
  int const strategy = 5;
#else  // right
  anew::strategy<anew::retry_all, anew::max_attempts<5>> const strategy{};
#endif
  // [/fix]
  anew::async_retry(strategy, wait, [](auto...) {});
}
