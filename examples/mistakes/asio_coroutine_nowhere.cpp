// SPDX-License-Identifier: BSL-1.0
// A coroutine runs on an executor, and a plain callback has none.
// expect-error: requires an executor for the coroutine to run on

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "anew/anew.hpp"
#include "anew/asio.hpp"

namespace net = anew::net;

int main() {
  net::io_context context;
  net::steady_timer timer{context};
  auto const wait = [&]() -> net::awaitable<void> { co_await timer.async_wait(net::use_awaitable); };
  anew::strategy<anew::retry_all, anew::max_attempts<5>> const strategy{};
// [fix]
#ifdef ANEW_REJECT  // wrong
  anew::async_retry(strategy, wait, [](auto...) {});
#else  // right
  anew::async_retry(context, strategy, wait, [](auto...) {});
#endif
  // [/fix]
}
