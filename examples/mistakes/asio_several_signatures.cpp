// SPDX-License-Identifier: BSL-1.0
// section: Calls on Asio / Several completion signatures
// An operation that completes in one of two ways has two signatures, but a call has one. Convert both to one form
// inside `anew::initiates<Signature>`.
// expect-error: anew::async_retry(strategy, operation, token) requires an operation with exactly one completion
#include <cstddef>
#include <utility>

#include <boost/asio/async_result.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/classifier/error_code.hpp"

namespace net = anew::net;

/// Completes with an error alone, or with no error and a number of bytes.
template <class Token>
auto async_fetch(net::io_context& context, Token&& token) {
  auto const begin = [&context](auto handler) {
    net::post(context, [h = std::move(handler)]() mutable { std::move(h)(anew::net_error_code{}, std::size_t{7}); });
  };
  return net::async_initiate<Token, void(anew::net_error_code), void(anew::net_error_code, std::size_t)>(begin, token);
}

int main() {
  net::io_context context;
  anew::strategy<anew::error_code_classifier, anew::max_attempts<5>> const strategy{};
// [fix]
#ifdef ANEW_REJECT  // wrong
  auto const fetch = [&](auto&& token) { return async_fetch(context, std::forward<decltype(token)>(token)); };
#else  // right
  auto const fetch = anew::initiates<void(anew::net_error_code, std::size_t)>([&](auto handler) {
    async_fetch(context, [h = std::move(handler)](anew::net_error_code error, std::size_t bytes = 0) mutable {
      std::move(h)(error, bytes);
    });
  });
#endif
  // [/fix]
  anew::async_retry(context, strategy, fetch, [](auto...) {});
}
