// SPDX-License-Identifier: BSL-1.0
// section: Calls on Asio / Error codes that the classifier does not read
// The default classifier asks the error whether it may be retried, and an error code does not say. Compose
// `error_code_classifier`, `retry_on_codes<...>` or a predicate. A classifier of `std::error_code` reads Boost's
// codes, too.
// expect-error: requires a classifier that reads error codes
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/classifier/error_code.hpp"

namespace net = anew::net;

// [fix]
#ifdef ANEW_REJECT  // wrong
using client = anew::strategy<anew::max_attempts<5>>;
#else  // right
using client = anew::strategy<anew::error_code_classifier, anew::max_attempts<5>>;
#endif
// [/fix]

int main() {
  net::io_context context;
  net::steady_timer timer{context};
  auto const wait = [&](anew::attempt&, auto&& token) {
    return timer.async_wait(std::forward<decltype(token)>(token));
  };
  client const strategy{};
  anew::async_retry(strategy, wait, [](auto...) {});
}
