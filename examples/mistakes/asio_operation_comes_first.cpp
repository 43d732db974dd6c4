// SPDX-License-Identifier: BSL-1.0
// section: Calls on Asio / An asynchronous call without a strategy
// The strategy comes first, then the operation, then the completion token.
// expect-error: requires the strategy before the operation
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
  anew::strategy<anew::retry_all, anew::max_attempts<5>> const strategy{};
// [fix]
#ifdef ANEW_REJECT  // wrong
  anew::async_retry(wait, strategy, [](auto...) {});
#else  // right
  anew::async_retry(strategy, wait, [](auto...) {});
#endif
  // [/fix]
}
