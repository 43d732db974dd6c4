// SPDX-License-Identifier: BSL-1.0
#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/beast/http/string_body.hpp>
#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/beast.hpp"
#include "anew/bridges/beast/tls_connection.hpp"
#include "anew/policies/limits/attempt_timeout.hpp"

#include "length.hpp"
#include "pinned.hpp"
#include "rejection.hpp"
#include "scripted_peer.hpp"
#include "support/tls_front.hpp"

namespace beast_tls_connection_test {
namespace {

using namespace std::chrono_literals;
using demo::tls_front;
using support::scripted_peer;
namespace beast = anew::beast;
namespace net = boost::asio;
namespace http = boost::beast::http;
namespace peer = support::peer;
using exchange = beast::tls_connection::exchange_type;
using request_type = http::request<http::string_body>;

/// No attempt has a limit, except against a server that stays silent.
template <int Attempts>
using strategy =
    anew::strategy<anew::beast::classifier<>, anew::exponential_backoff<1ms, 20ms>, anew::full_jitter,
                   anew::max_attempts<Attempts>, anew::unlimited_quota, anew::attempt_timeout<anew::run_time>>;

std::string ok(std::string_view fields = "Content-Length: 5\r\n") {
  return std::string{"HTTP/1.1 200 X\r\n"}.append(fields).append("\r\nhello");
}
support::peer_script const answers{peer::read_request(), peer::send(ok()), peer::again()};

demo::certificate const& good() {
  static auto const made = demo::make_certificate("DNS:localhost,IP:127.0.0.1");
  return made;
}
/// Trusts that certificate and no other.
struct trust : net::ssl::context {
  explicit trust(demo::certificate const& by) : net::ssl::context{net::ssl::context::tls_client} {
    add_certificate_authority(net::buffer(by.pem));
  }
};
/// Trusts the test's certificate. The context must outlive the connection.
net::ssl::context& trusted() {
  static trust by{good()};
  return by;
}

/// One type of handler for all requests, over a pool that may have one connection: each type costs the compiler all of Beast and
/// Serves TLS again.
struct keep {
  using cancellation_slot_type = net::cancellation_slot;
  std::function<void(exchange)> to;
  net::cancellation_slot slot{};
  void operator()(exchange end) const { to(std::move(end)); }
  [[nodiscard]] cancellation_slot_type get_cancellation_slot() const noexcept { return slot; }
};
struct asks {
  beast::tls_pool* to_server;
  request_type* request;
  std::atomic<unsigned>* attempts;
  template <class Token>
  auto operator()(anew::attempt& self, Token token) const {
    ++*attempts;
    auto const begin = [this, &self](auto handler) {
      auto const slot = net::get_associated_cancellation_slot(handler);
      auto const kept = std::make_shared<decltype(handler)>(std::move(handler));
      to_server->async_request(self, *request, keep{[kept](exchange end) { std::move (*kept)(std::move(end)); }, slot});
    };
    return net::async_initiate<Token, void(exchange)>(begin, token);
  }
};

struct set_up : support::pinned {
  explicit set_up(std::string const& host, std::uint16_t port, net::ssl::context& by = trusted())
      : to_server{io.get_executor(), host, std::to_string(port), by, {.most = 1}} {}

  exchange ask(std::string const& path = "/") {
    request.target(path);
    std::optional<exchange> result;
    to_server.async_request(anew::attempt{anew::attempt::parts{}}, request, end_in(result));
    run();
    return *std::move(result);
  }
  /// Makes four attempts with that limit.
  exchange retry(anew::duration limit = 1min) {
    std::optional<exchange> result;
    strategy<4> const policy{anew::attempt_timeout{limit}};
    anew::async_retry(io, policy, asks{&to_server, &request, &attempts}, end_in(result));
    run();
    return *std::move(result);
  }
  static keep end_in(std::optional<exchange>& result) {
    return keep{[&result](exchange end) { result = std::move(end); }};
  }
  void run() {
    io.restart();
    io.run();
  }

  net::io_context io;
  request_type request{http::verb::post, "/", 11};
  std::atomic<unsigned> attempts = 0;
  beast::tls_pool to_server;
};

TEST(BeastTls, KeepsTheConnectionAndNamesTheServer) {
  scripted_peer there{{answers}};
  tls_front front{good(), there.port()};
  set_up by_name{"localhost", front.port()};
  for (int i = 0; i < 3; ++i) {
    auto const end = by_name.ask();
    EXPECT_EQ(end.response.body(), "hello") << end.code.message();
  }
  EXPECT_EQ(front.connections(), 1U);  // session tickets do not make a connection bad
  EXPECT_EQ(front.asked_name(), "localhost");
  set_up by_address{"127.0.0.1", front.port()};
  EXPECT_TRUE(by_address.ask().has_value());
  EXPECT_EQ(front.asked_name(), "");
  EXPECT_EQ(front.handshakes(), 2U);
}

TEST(BeastTls, AWrongCertificateIsFinalAndSaysWhy) {
  struct row {
    char const* what;
    char const* host;
    char const* names;
    int days;
    bool is_trusted;
    char const* reason;
  };
  for (auto const& [what, host, names, days, is_trusted, reason] : {
           row{"another name", "localhost", "DNS:example.org", 1, true, "hostname mismatch"},
           row{"an address in the place of the name", "localhost", "IP:127.0.0.1", 1, true, "hostname mismatch"},
           row{"a name in the place of the address", "127.0.0.1", "DNS:127.0.0.1", 1, true, "IP address mismatch"},
           row{"a part of a name", "localhost", "DNS:local*", 1, true, "hostname mismatch"},
           row{"over", "localhost", "DNS:localhost", -1, true, "certificate has expired"},
           row{"of nobody that is trusted", "localhost", "DNS:localhost", 1, false, "self-signed certificate"},
       }) {
    auto const shown = demo::make_certificate(names, days);
    trust by{is_trusted ? shown : good()};
    by.set_verify_mode(net::ssl::verify_none);  // what the context says makes no difference
    scripted_peer there{{answers}};
    tls_front front{shown, there.port()};
    set_up s{host, front.port(), by};
    auto const end = s.retry();
    EXPECT_EQ(&end.code.category(), &beast::certificate_category()) << what << ": " << end.code.message();
    EXPECT_NE(end.code.message().find(reason), std::string::npos) << what << ": " << end.code.message();
    EXPECT_FALSE(end.sent) << what;
    EXPECT_EQ(s.attempts, 1U) << what;
    EXPECT_EQ(front.connections(), 1U) << what;
    EXPECT_EQ(there.executed(), 0U) << what;
  }
}

TEST(BeastTls, IsMadeAnewWhenTheServerHasClosedIt) {
  for (bool const announces : {true, false}) {
    scripted_peer there{{{peer::read_request(), peer::send(ok()), peer::close()}, answers}};
    auto front = std::make_unique<tls_front>(good(), there.port(), tls_front::settings{.announces_the_end = announces});
    set_up s{"127.0.0.1", front->port()};
    EXPECT_TRUE(s.ask().has_value());
    auto const port = front->port();
    front.reset();
    front = std::make_unique<tls_front>(good(), there.port(), tls_front::settings{.port = port});
    auto const end = s.ask();
    EXPECT_TRUE(end.has_value()) << end.code.message();
    EXPECT_EQ(there.executed(), 2U);
    EXPECT_EQ(front->handshakes(), 1U);  // of the second server
  }
}

TEST(BeastTls, TellsTheEndOfABodyFromATruncatedOne) {
  for (bool const announces : {true, false}) {
    scripted_peer there{{{peer::read_request(), peer::send(ok("")), peer::close()}}};
    tls_front front{good(), there.port(), {.announces_the_end = announces}};
    set_up s{"127.0.0.1", front.port()};
    auto const end = s.ask();
    EXPECT_EQ(end.has_value(), announces) << end.code.message();
    if (announces) continue;
    EXPECT_EQ(end.code, net::ssl::error::stream_truncated);
    EXPECT_EQ(beast::classifier<>{}.classify(end).what(),
              (anew::failure{anew::error_kind::transient, anew::retry_safety::maybe, std::nullopt}));
  }
}

TEST(BeastTls, ABrokenHandshakeIsRetriedThoughNothingIsDeclared) {
  scripted_peer there{{{peer::read_bytes(20), peer::close()}}};
  set_up s{"127.0.0.1", there.port()};
  auto const end = s.retry();
  EXPECT_FALSE(end.has_value());
  EXPECT_FALSE(end.sent);
  EXPECT_EQ(s.attempts, 4U);
  EXPECT_EQ(there.connections(), 4U);
  scripted_peer other{{{peer::send("HTTP/1.1 400 Bad Request\r\n\r\n"), peer::finish()}}};
  set_up plain{"127.0.0.1", other.port()};
  EXPECT_FALSE(plain.retry().has_value());
  EXPECT_EQ(plain.attempts, 1U);  // a server without TLS is a final failure
}

TEST(BeastTls, ALimitEndsAHandshakeThatIsNotAnswered) {
  scripted_peer there{{{peer::silence()}}};
  set_up s{"127.0.0.1", there.port()};
  auto const end = s.retry(20ms);
  EXPECT_EQ(end.code, net::error::timed_out);
  EXPECT_FALSE(end.sent);
}

TEST(BeastTls, CarriesLongBodies) {
  scripted_peer there{{answers}};
  tls_front front{good(), there.port()};
  set_up s{"127.0.0.1", front.port()};
  s.request.body().assign(1'000'000, 'x');
  s.request.prepare_payload();
  auto const end = s.ask();
  EXPECT_TRUE(end.has_value()) << end.code.message();
  EXPECT_EQ(there.requests().at(0).body, s.request.body());
}

TEST(BeastTls, RequiresAHost) {
  net::io_context io;
  EXPECT_REJECTED((beast::tls_connection{io.get_executor(), "", "443", trusted()}),
                  "anew::beast::connection: the host must be a name or an address, but is empty");
}

/// A client with a loop, a pool and a thread of its own: so many lines of calls one after the other, each with an identity in
/// its path. Every second one is declared idempotent.
class client : support::pinned {
 public:
  client(unsigned number, std::uint16_t port, unsigned calls)
      : to_server_{io_.get_executor(), "127.0.0.1", std::to_string(port), trusted(), {.most = 3}},
        name_{std::to_string(number)},
        left_{calls} {}

  struct call {
    explicit call(std::string path) : request{http::verb::post, path, 11}, id{std::move(path)} {}
    request_type request;
    std::string id;
    std::atomic<unsigned> attempts = 0;
    unsigned ends = 0;
    bool is_idempotent = false;
    exchange result{};
  };

  void run() {
    for (int line = 0; line < 6; ++line) next();
    io_.run();
  }
  std::vector<std::unique_ptr<call>> const& calls() const { return calls_; }

 private:
  void next() {
    if (left_ == 0) return;
    --left_;
    auto& one = *calls_.emplace_back(std::make_unique<call>("/" + name_ + "-" + std::to_string(calls_.size())));
    one.request.keep_alive(true);
    one.is_idempotent = calls_.size() % 2 == 0;
    keep const done{[this, &one](exchange end) {
      ++one.ends;
      one.result = std::move(end);
      next();
    }};
    asks const ask{&to_server_, &one.request, &one.attempts};
    one.is_idempotent ? anew::async_retry(io_, policy_, anew::idempotent(ask), done)
                      : anew::async_retry(io_, policy_, ask, done);
  }

  net::io_context io_{1};
  beast::tls_pool to_server_;
  strategy<1000> policy_{anew::attempt_timeout{1min}};
  std::string name_;
  unsigned left_;
  std::vector<std::unique_ptr<call>> calls_;
};

TEST(BeastTls, NoCallIsLostAndNoneRunsTwiceWhileTheServerIsKilledAndRestarted) {
  unsigned const restarts = support::is_full_length() ? 50 : 3;
  unsigned const calls_between = 40;
  scripted_peer ledger{{answers}};  // it stays, and knows what was executed
  auto front = std::make_unique<tls_front>(good(), ledger.port());
  auto const port = front->port();
  auto const per_client = calls_between * (restarts + 1) / 2;
  client first{1, port, per_client};
  client second{2, port, per_client};
  std::thread one{[&] { first.run(); }};
  std::thread other{[&] { second.run(); }};
  unsigned made = 0;
  for (; made < restarts; ++made) {
    auto const next = ledger.executed() + calls_between / 2;
    auto const limit = std::chrono::steady_clock::now() + 1min;
    while (ledger.executed() < next && std::chrono::steady_clock::now() < limit) std::this_thread::yield();
    front.reset();
    front = std::make_unique<tls_front>(good(), ledger.port(), tls_front::settings{.port = port});
  }
  one.join();
  other.join();

  std::map<std::string, unsigned> executions;
  for (auto const& request : ledger.requests()) ++executions[request.target];
  std::size_t calls = 0;
  std::size_t unsure = 0;
  std::size_t attempts = 0;
  for (auto const* const of : {&first, &second}) {
    for (auto const& call : of->calls()) {
      ++calls;
      attempts += call->attempts;
      auto const executed = executions[call->id];
      auto const& end = call->result;
      EXPECT_EQ(call->ends, 1U) << call->id;
      if (call->is_idempotent || end.has_value()) {
        EXPECT_TRUE(end.has_value()) << call->id << ": " << end.code.message();
        EXPECT_GE(executed, 1U) << call->id;
      } else {
        ++unsure;
        EXPECT_TRUE(end.sent) << call->id << ": " << end.code.message();
      }
      EXPECT_LE(executed, call->is_idempotent ? call->attempts.load() : 1U) << call->id;
    }
  }
  EXPECT_EQ(calls, std::size_t{per_client} * 2);
  EXPECT_EQ(made, restarts);
  EXPECT_GT(attempts, calls) << "no restart was felt";
  std::printf("%u restarts, %zu calls, %zu attempts, %zu executions, %zu undeclared calls broken off\n", restarts,
              calls, attempts, ledger.executed(), unsure);
}

}  // namespace
}  // namespace beast_tls_connection_test
