// SPDX-License-Identifier: BSL-1.0
// section: Calls on Asio / Not an asynchronous operation
// An operation takes a completion token, alone or after `anew::attempt&`, or it is a coroutine that returns
// `awaitable<T>`. For a blocking operation use `retry()`. For an operation with one fixed handler type state the
// signature: `anew::initiates<void(error_code)>(operation)`.
// expect-error: requires an asynchronous operation
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "anew/anew.hpp"
#include "anew/asio.hpp"

namespace net = anew::net;

int main() {
  net::io_context context;
  net::steady_timer timer{context};
  anew::strategy<anew::retry_all, anew::max_attempts<5>> const strategy{};
// [fix]
#ifdef ANEW_REJECT  // wrong
  auto const wait = [&] { timer.wait(); };
#else  // right
  auto const wait = [&](auto&& token) { return timer.async_wait(std::forward<decltype(token)>(token)); };
#endif
  // [/fix]
  anew::async_retry(strategy, wait, [](auto...) {});
}
