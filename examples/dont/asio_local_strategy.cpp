// SPDX-License-Identifier: BSL-1.0
// An asynchronous call refers to its strategy, which must live as long.
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include "anew/asio.hpp"

#include "given.hpp"

namespace net = anew::net;

using bucket = anew::token_bucket<500>;
using client = anew::strategy<anew::constant_backoff<1ms>, bucket, anew::error_code_classifier>;

template <class Token>
auto send(net::io_context& context, Token&& token) {
  return net::async_initiate<Token, void(anew::net_error_code)>(
      [&context](auto handler) {
        net::post(context, [handler = std::move(handler)]() mutable { std::move(handler)(anew::net_error_code{}); });
      },
      token);
}
void print_end(anew::net_error_code error) { std::printf("DO    %s\n", error ? "failed" : "sent"); }

// [dont]
[[maybe_unused]] void start_and_forget(net::io_context& context) {
  client const strategy{};  // dies at the end of this function, before the call's first attempt ends
  anew::async_retry(
      strategy, [&context](auto token) { return send(context, std::move(token)); },
      net::bind_executor(context, print_end));
}
// [/dont]

// [do]
class service {
 public:
  explicit service(net::io_context& context) : context_{context} {}
  void start() {
    anew::async_retry(
        strategy_, [this](auto token) { return send(context_, std::move(token)); },
        net::bind_executor(context_, print_end));
  }

 private:
  net::io_context& context_;
  client strategy_{};  // lives as long as the service, and is shared by its calls
};
// [/do]

int main() {
  net::io_context context;
  service s{context};
  s.start();
  context.run();
}
