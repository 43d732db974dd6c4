// SPDX-License-Identifier: BSL-1.0
// section: Calls on Asio / A relocatable operation that changes itself
// The first attempt is made by a copy of a relocatable operation. A change in that copy would be lost for the second
// attempt.
// expect-error: anew::relocatable(operation) requires an operation that can be called as const
#include <chrono>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/operation/relocatable.hpp"

namespace net = anew::net;

int main() {
  net::io_context context;
  net::steady_timer timer{context};
  anew::strategy<anew::retry_all, anew::max_attempts<5>> const strategy{};
  int calls = 0;
// [fix]
#ifdef ANEW_REJECT  // wrong
  auto const wait = [&timer, calls](auto&& token) mutable {
#else  // right
  auto const wait = [&timer, &calls](auto&& token) {
#endif
    ++calls;
    return timer.async_wait(std::forward<decltype(token)>(token));
  };
  // [/fix]
  anew::async_retry(context, strategy, anew::relocatable(wait), [](auto...) {});
}
