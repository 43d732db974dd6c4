// SPDX-License-Identifier: BSL-1.0
// section: Hedged calls on Asio / Hedging on Asio what is not idempotent
// A retry waits until the previous attempt has ended; a hedge does not.
// expect-error: requires an operation that may run twice at the same time
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
  anew::hedge_after<10ms> const when{};
// [fix]
#ifdef ANEW_REJECT  // wrong
  anew::async_hedge(context, client, when, read, [](anew::net_error_code) {});
#else  // right
  anew::async_hedge(context, client, when, anew::idempotent(read), [](anew::net_error_code) {});
#endif
  // [/fix]
}
