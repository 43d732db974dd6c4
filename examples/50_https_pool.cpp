// SPDX-License-Identifier: BSL-1.0
// An HTTPS client with a pool of connections: calls at the same time, a server that is restarted, and a certificate that is made
// out to another host.
// [includes]
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <string>
#include <utility>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/verb.hpp>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/beast.hpp"
#include "anew/bridges/beast/tls_connection.hpp"
#include "anew/policies/limits/attempt_timeout.hpp"

using namespace std::chrono_literals;
namespace net = boost::asio;
namespace http = boost::beast::http;
// [/includes]

#include "support/misbehaving_server.hpp"
#include "support/tls_front.hpp"

namespace {

using demo::step;

// [client]
using patient =
    anew::strategy<anew::beast::classifier<>, anew::exponential_backoff<10ms, 1s>, anew::full_jitter,
                   anew::token_bucket<500>, anew::max_attempts<4>, anew::server_hint<>, anew::attempt_timeout<2s>>;

class client {
 public:
  client(net::any_io_executor executor, std::string host, std::string port, net::ssl::context& trusted)
      : host_{std::move(host)},
        to_server_{std::move(executor), host_, std::move(port), trusted, {.most = 2, .idle = 30s}} {}

  net::awaitable<std::string> get(std::string path) {
    http::request<http::empty_body> request{http::verb::get, path, 11};
    request.set(http::field::host, host_);
    auto const ask = [&](anew::attempt& attempt, auto token) {
      return to_server_.async_request(attempt, request, std::move(token));
    };
    auto const answer = co_await anew::async_retry(strategy_, anew::idempotent(ask), net::use_awaitable);
    if (answer.code) co_return path + ": " + answer.code.message();
    co_return path + ": " + std::to_string(answer.http_status);
  }
  [[nodiscard]] std::size_t connections() const { return to_server_.size(); }

 private:
  std::string host_;
  patient strategy_;  // one for all calls: they share the quota
  anew::beast::tls_pool to_server_;
};

void print(std::exception_ptr const& thrown, std::string const& line) {
  if (thrown) std::rethrow_exception(thrown);
  std::puts(line.c_str());
}
// [/client]

void fetch(std::string const& host, std::uint16_t at, demo::certificate const& authority,
           demo::misbehaving_server& server) {
  auto const port = std::to_string(at);
  // [trust]
  net::ssl::context trusted{net::ssl::context::tls_client};
  trusted.set_default_verify_paths();  // the authorities of the system
  // [/trust]
  trusted.add_certificate_authority(net::buffer(authority.pem));
  // [calls]
  net::io_context io;
  client to_server{io.get_executor(), host, port, trusted};
  for (int i = 0; i < 6; ++i) net::co_spawn(io, to_server.get("/"), print);
  io.run();
  std::printf("%zu connections\n", to_server.connections());
  // [/calls]
  if (to_server.connections() == 0) return;
  server.go_down();  // and so are the connections that rest
  server.come_up();
  io.restart();
  net::co_spawn(io, to_server.get("/weak"), print);
  io.run();
}

}  // namespace

int main() {
  demo::misbehaving_server server;
  server.script("/weak", {step::status(503), step::status(200)});
  auto const own = demo::make_certificate("DNS:localhost");
  {
    demo::tls_front const front{own, server.port()};
    fetch("localhost", front.port(), own, server);
  }
  auto const of_another = demo::make_certificate("DNS:example.org");
  demo::tls_front const front{of_another, server.port()};
  fetch("localhost", front.port(), of_another, server);
  std::printf("%zu requests\n", server.request_count());
}
