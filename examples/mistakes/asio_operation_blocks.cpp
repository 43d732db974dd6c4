// SPDX-License-Identifier: BSL-1.0
// section: Calls on Asio / Not an asynchronous operation
// An operation takes a completion token, behind `anew::attempt&` or alone, or it is a coroutine that returns
// `awaitable<T>`. One that blocks is for `retry()`. One that takes a handler of one type only is an operation with
// `anew::initiates<void(error_code)>(operation)`.
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
