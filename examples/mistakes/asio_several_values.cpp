// SPDX-License-Identifier: BSL-1.0
// Of several values none is the error, unless the first one is.
// expect-error: requires a completion that says whether it failed
#include <utility>

#include <boost/asio/append.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include "anew/anew.hpp"
#include "anew/asio.hpp"

namespace net = anew::net;

int main() {
  net::io_context context;
  auto const ask = [&](anew::attempt&, auto&& token) {
// [fix]
#ifdef ANEW_REJECT  // wrong
    return net::post(context, net::append(std::forward<decltype(token)>(token), true, 200));
#else  // right
    return net::post(context, net::append(std::forward<decltype(token)>(token), anew::net_error_code{}, 200));
#endif
    // [/fix]
  };
  anew::strategy<anew::retry_all, anew::max_attempts<5>> const strategy{};
  anew::async_retry(strategy, ask, [](auto...) {});
}
