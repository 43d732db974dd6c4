// SPDX-License-Identifier: BSL-1.0
// section: Hedged calls on Asio / A hedging that forgets
// Every call would start with the initial delay and learn nothing.
// expect-error: requires a hedging that learns to outlive the call
#include <chrono>
#include <utility>

#include <boost/asio/append.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/hedge.hpp"

using namespace std::chrono_literals;
namespace net = anew::net;

int main() {
  net::io_context context;
  auto const read = [&](anew::attempt&, auto&& token) {
    return net::post(context, net::append(std::forward<decltype(token)>(token), anew::net_error_code{}));
  };
  anew::strategy<anew::retry_all, anew::max_attempts<3>> const client{};
// [fix]
#ifdef ANEW_REJECT  // wrong
  anew::async_hedge(context, client, anew::hedge_at_quantile<95, 100>{}, anew::idempotent(read),
                    [](anew::net_error_code) {});
#else  // right
  static anew::hedge_at_quantile<95, 100> const when_late{};
  anew::async_hedge(context, client, when_late, anew::idempotent(read), [](anew::net_error_code) {});
#endif
  // [/fix]
}
