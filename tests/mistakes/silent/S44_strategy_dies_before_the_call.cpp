// SPDX-License-Identifier: BSL-1.0
// Meant: the call keeps the strategy alive, which it refers to.
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include "anew/asio.hpp"

#include "given.hpp"

namespace asio = boost::asio;

struct count {
  using role = anew::roles::observer;
  void on_end(anew::end_event const&) const { std::printf("%s\n", is_alive ? "well" : "the strategy is gone"); }
  bool is_alive = true;
  explicit count(bool* told) : gone{told} {}
  bool* gone;
};

void start(asio::io_context& io) {
  using client = thrice<anew::retry_all, anew::token_bucket<500>>;
  client const strategy{};
  auto const send = [&io](auto token) {
    return asio::async_initiate<decltype(token), void(boost::system::error_code)>(
        [&io](auto handler) {
          asio::post(io, [handler = std::move(handler)]() mutable { std::move(handler)(boost::system::error_code{}); });
        },
        token);
  };
  anew::async_retry(strategy, send, asio::bind_executor(io, [](boost::system::error_code) {}));
}

int main() {
  asio::io_context io;
  start(io);
  std::puts("started");
}
