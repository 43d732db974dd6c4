// SPDX-License-Identifier: BSL-1.0
// section: Calls on Asio / No executor to wait on
// An open breaker ends the call before its operation has started, so the call does not know yet where to complete.
// expect-error: anew::async_retry(strategy, operation, token) requires an executor when a gate, a pacer or a
#include <chrono>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/gate/circuit_breaker.hpp"

namespace net = anew::net;

using client =
    anew::strategy<anew::retry_all, anew::max_attempts<5>, anew::circuit_breaker<5, std::chrono::seconds{30}>>;

int main() {
  net::io_context context;
  net::steady_timer timer{context};
  auto const wait = [&](anew::attempt&, auto&& token) {
    return timer.async_wait(std::forward<decltype(token)>(token));
  };
  client const strategy{};
// [fix]
#ifdef ANEW_REJECT  // wrong
  anew::async_retry(strategy, wait, [](auto...) {});
#else  // right
  anew::async_retry(context, strategy, wait, [](auto...) {});
#endif
  // [/fix]
}
