// SPDX-License-Identifier: BSL-1.0
// section: Calls on Asio / Nesting on an event loop
// `nesting_guard` detects on the thread's stack that a call was made inside another call's attempt. An asynchronous
// call leaves that stack while it waits. Share a quota between the layers instead, or give the inner call
// `max_attempts<1>`.
// expect-error: anew::async_retry(strategy, operation, token) requires a strategy without nesting_guard
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/nesting/nesting_guard.hpp"

namespace net = anew::net;

// [fix]
#ifdef ANEW_REJECT  // wrong
using inner = anew::strategy<anew::retry_all, anew::nesting_guard<>>;
#else  // right
using inner = anew::strategy<anew::retry_all, anew::max_attempts<1>>;  // the outer call does the retrying
#endif
// [/fix]

int main() {
  net::io_context context;
  net::steady_timer timer{context};
  auto const wait = [&](anew::attempt&, auto&& token) {
    return timer.async_wait(std::forward<decltype(token)>(token));
  };
  inner const strategy{};
  anew::async_retry(strategy, wait, [](auto...) {});
}
