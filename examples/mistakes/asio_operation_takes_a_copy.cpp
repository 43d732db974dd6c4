// SPDX-License-Identifier: BSL-1.0
// section: Calls on Asio / An operation that takes its attempt by value
// An attempt cannot be copied: take it by reference.
// expect-error: anew::async_retry(strategy, operation, token) requires an operation that takes its attempt by reference
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include "anew/anew.hpp"
#include "anew/asio.hpp"

namespace net = anew::net;

int main() {
  net::io_context context;
  anew::strategy<anew::retry_all> const strategy{};
// [fix]
#ifdef ANEW_REJECT  // wrong
  auto const ask = [&](anew::attempt, auto&& token) {
#else  // right
  auto const ask = [&](anew::attempt&, auto&& token) {
#endif
    // [/fix]
    return net::post(context, std::forward<decltype(token)>(token));
  };
  anew::async_retry(context.get_executor(), strategy, anew::throws_only(ask), [](auto...) {});
}
