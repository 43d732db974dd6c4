// SPDX-License-Identifier: BSL-1.0
// section: Calls on Asio / An unknown completion signature
// The completion signature is deduced from the result of initiating the operation with a token. Return that result;
// if there is nothing to return, state the signature with `anew::initiates<>`.
// expect-error: anew::async_retry(strategy, operation, token) requires an operation that returns the result of
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
  auto const wait = [&](anew::attempt&, auto&& token) {
// [fix]
#ifdef ANEW_REJECT  // wrong
    timer.async_wait(std::forward<decltype(token)>(token));
#else  // right
    return timer.async_wait(std::forward<decltype(token)>(token));
#endif
    // [/fix]
  };
  anew::async_retry(strategy, wait, [](auto...) {});
}
