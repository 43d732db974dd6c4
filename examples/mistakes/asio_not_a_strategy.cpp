// SPDX-License-Identifier: BSL-1.0
// What decides is a strategy, not a number of attempts.
// expect-error: requires a RetryStrategy; static_assert(anew::RetryStrategy<your_type>)
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
// [fix]
#ifdef ANEW_REJECT  // wrong
  int const strategy = 5;
#else  // right
  anew::strategy<anew::retry_all, anew::max_attempts<5>> const strategy{};
#endif
  // [/fix]
  anew::async_retry(strategy, wait, [](auto...) {});
}
