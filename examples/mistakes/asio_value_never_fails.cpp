// SPDX-License-Identifier: BSL-1.0
// section: Calls on Asio / Failures that the classifier does not read
// An unsigned number is always a success unless the classifier reads it. A coroutine fails by exceptions, which the
// classifier has to read, or by their codes.
// expect-error: requires a classifier that reads how the operation fails
#include <utility>

#include <boost/asio/append.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include "anew/anew.hpp"
#include "anew/asio.hpp"

namespace net = anew::net;

struct is_server_error {
  bool operator()(unsigned status) const { return status >= 500; }
};
// [fix]
#ifdef ANEW_REJECT  // wrong
using client = anew::strategy<anew::retry_all, anew::max_attempts<5>>;
#else  // right
using client = anew::strategy<anew::retry_if<is_server_error>, anew::max_attempts<5>>;
#endif
// [/fix]

int main() {
  net::io_context context;
  auto const ask = [&](anew::attempt&, auto&& token) {
    return net::post(context, net::append(std::forward<decltype(token)>(token), 200U));
  };
  client const strategy{};
  anew::async_retry(strategy, ask, [](auto...) {});
}
