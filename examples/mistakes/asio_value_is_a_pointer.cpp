// SPDX-License-Identifier: BSL-1.0
// section: Calls on Asio / A completion without an error
// Is a null pointer a failure? Only the author knows.
// expect-error: requires a value that says whether it is a success
#include <type_traits>
#include <utility>

#include <boost/asio/append.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include "anew/anew.hpp"
#include "anew/asio.hpp"

namespace net = anew::net;

struct page {};
#ifndef ANEW_REJECT
// [fix]
template <>
struct anew::result_traits<page*> {
  static bool is_success(page* const& p) noexcept { return p != nullptr; }
  static std::false_type error(page* const& /*p*/) noexcept { return {}; }
};
// [/fix]
#endif

int main() {
  net::io_context context;
  page front;
  auto const fetch = [&](anew::attempt&, auto&& token) {
    return net::post(context, net::append(std::forward<decltype(token)>(token), &front));
  };
  anew::strategy<anew::retry_all, anew::max_attempts<5>> const strategy{};
  anew::async_retry(strategy, fetch, [](auto...) {});
}
