// SPDX-License-Identifier: BSL-1.0
// section: Calls on Asio / No executor to wait on
// A handler without an executor (a plain function, a future) leaves the call on the executor of its operation, which
// is known once the operation has started. A coroutine has no such executor, a callback API behind `initiates()`
// cannot name one, and with a gate, a pacer or an attempt timeout the call may wait before that. Pass the executor
// first: `anew::async_retry(executor, strategy, operation, token)`. The same applies to the timer of `cancel_after`.
//
// Other operations reveal their executor only when they run. If one has no executor, the call cannot wait for its
// second attempt: it throws `std::logic_error` out of the loop's `run()` and ends.
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
