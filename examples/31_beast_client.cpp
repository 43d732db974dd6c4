// SPDX-License-Identifier: BSL-1.0
// An HTTP client on Boost.Beast in a coroutine: a connection that is kept after throttling and made anew after a
// transient error, and attempts that end when they take too long.
#include <chrono>
#include <cstdio>
#include <exception>
#include <initializer_list>
#include <string>
#include <utility>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/verb.hpp>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/beast.hpp"
#include "anew/policies/limits/attempt_timeout.hpp"

#include "support/misbehaving_server.hpp"

using namespace std::chrono_literals;
using demo::step;
namespace net = boost::asio;
namespace http = boost::beast::http;

namespace {

// [strategy]
using patient =
    anew::strategy<anew::beast::classifier<>, anew::exponential_backoff<10ms, 1s>, anew::full_jitter,
                   anew::token_bucket<500>, anew::max_attempts<4>, anew::server_hint<>, anew::attempt_timeout<2s>>;
// [/strategy]

// [client]
class client {
 public:
  using answer = anew::beast::connection::exchange_type;

  client(net::any_io_executor executor, std::string host, std::string port)
      : to_server_{std::move(executor), std::move(host), std::move(port)} {}

  net::awaitable<answer> get(std::string const& path) {
    http::request<http::empty_body> request{http::verb::get, path, 11};
    request.set(http::field::host, "example.org");
    auto const ask = [&](anew::attempt& attempt, auto token) {
      return to_server_.async_request(attempt, request, std::move(token));
    };
    co_return co_await anew::async_retry(strategy_, anew::idempotent(ask), net::use_awaitable);
  }
  [[nodiscard]] std::size_t connects() const noexcept { return to_server_.connects(); }

 private:
  patient strategy_;  // one for all calls: they share the quota
  anew::beast::connection to_server_;
};
// [/client]

net::awaitable<void> fetch_all(client& c) {
  for (std::string const path : {"/well", "/busy", "/weak", "/torn", "/gone", "/later"}) {
    // [get]
    auto const answer = co_await c.get(path);
    if (answer.has_value()) {
      std::printf("%-6s %d, %zu bytes", path.c_str(), answer.http_status, answer.response.body().size());
    } else {
      std::printf("%-6s %s", path.c_str(), answer.code ? answer.code.message().c_str() : "status ");
      if (!answer.code) std::printf("%d", answer.http_status);
    }
    // [/get]
    std::printf("; connections so far: %zu\n", c.connects());
  }
}

}  // namespace

int main() {
  demo::misbehaving_server server;
  server.script("/well", {step::status(200)});
  server.script("/busy", {step::status(429).retry_after(0s), step::status(429), step::status(200)});
  server.script("/weak", {step::status(502), step::status(503), step::status(200)});
  server.script("/torn", {step::close_in_body(3), step::reset_before_response(), step::status(200)});
  server.script("/gone", {step::status(404)});
  server.script("/later", {step::status(503).retry_after(3600s)});

  net::io_context io;
  client c{io.get_executor(), server.host(), std::to_string(server.port())};
  net::co_spawn(io, fetch_all(c), [](std::exception_ptr const& thrown) {
    if (thrown) std::rethrow_exception(thrown);
  });
  io.run();
  std::printf("%zu requests\n", server.request_count());
}
