// SPDX-License-Identifier: BSL-1.0
// section: Calls on Asio / A relocatable operation that cannot be copied
// The first attempt is made by a copy of a relocatable operation, and the retries by the operation.
// expect-error: anew::relocatable(operation) requires an operation that can be copied
#include <memory>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/operation/relocatable.hpp"

namespace net = anew::net;

int main() {
  net::io_context context;
  auto timer = std::make_unique<net::steady_timer>(context);
  anew::strategy<anew::retry_all, anew::max_attempts<5>> const strategy{};
// [fix]
#ifdef ANEW_REJECT  // wrong
  auto wait = [own = std::move(timer)](auto&& token) {
#else  // right
  auto wait = [&own = timer](auto&& token) {
#endif
    return own->async_wait(std::forward<decltype(token)>(token));
  };
  // [/fix]
  anew::async_retry(context, strategy, anew::relocatable(std::move(wait)), [](auto...) {});
  context.run();
}
