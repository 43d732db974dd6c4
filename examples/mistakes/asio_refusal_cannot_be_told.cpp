// SPDX-License-Identifier: BSL-1.0
// section: Calls on Asio / A refusal that cannot be reported
// A gate or a pacer may end a call before its first attempt, and the completion has to report it: with an error first
// and default constructible values after it, or with `anew::refused_result<R>` for a single value.
// expect-error: anew::async_retry(strategy, operation, token) requires a way to complete when a gate or a pacer
// expect-error: refusal_can_be_reported<void
#include <chrono>
#include <utility>

#include <boost/asio/append.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/gate/circuit_breaker.hpp"

namespace net = anew::net;

using client =
    anew::strategy<anew::retry_all, anew::max_attempts<5>, anew::circuit_breaker<5, std::chrono::seconds{30}>>;
#ifndef ANEW_REJECT
// [fix]
template <>
struct anew::refused_result<bool> {
  static bool make(anew::stop_reason /*why*/) { return false; }
};
// [/fix]
#endif

struct timers {  // where the call waits
  net::io_context* on;
  auto get_executor() const { return on->get_executor(); }
  auto make_timer() const { return net::steady_timer{*on}; }
};

int main() {
  net::io_context context;
  auto const ask = [&](anew::attempt&, auto&& token) {
    return net::post(context, net::append(std::forward<decltype(token)>(token), true));
  };
  client const strategy{};
  anew::async_retry(timers{&context}, strategy, ask, [](auto...) {});
}
