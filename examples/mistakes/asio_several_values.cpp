// SPDX-License-Identifier: BSL-1.0
// section: Calls on Asio / A completion without an error
// The first argument reports a failure, as an error code or a `std::exception_ptr`, or a single value does. With
// several values, none of which is an error, nothing does. A pointer may mean either until `anew::result_traits` says
// which, and so may a class with a member such as `status` until a classifier reads it. The result of a coroutine is
// read in the same way.
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
