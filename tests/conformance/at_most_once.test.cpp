// SPDX-License-Identifier: BSL-1.0
// A request is sent at most as often as attempts are reported, and at most once where nothing was declared: over every
// driver, against a peer that executes a request and dies at any byte of it or of the answer, on kept and new connections.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/verb.hpp>
#include <curl/curl.h>
#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/beast.hpp"
#include "anew/boost_system.hpp"
#include "anew/curl.hpp"
#include "anew/hedge.hpp"

#include "easy_handle.hpp"
#include "scripted_peer.hpp"

namespace {

using namespace std::chrono_literals;
namespace net = boost::asio;
namespace http = boost::beast::http;
namespace peer = support::peer;
using anew::declared;
using net::ip::tcp;
using support::peer_script;
using support::scripted_peer;

constexpr std::string_view answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

/// What a call says of itself.
struct told {
  std::uint32_t attempts = 0;
  bool good = false;
};

/// Hears how many attempts a call reports.
struct hears_the_end {
  using role = anew::roles::observer;
  std::uint32_t* attempts;
  void on_end(anew::end_event const& event) const { *attempts = event.attempts; }
};

template <class Classifier>
using strategy_of = anew::strategy<Classifier, anew::no_backoff, anew::no_jitter, anew::unlimited_quota,
                                   anew::max_attempts<3>, hears_the_end>;

/// Calls `f` with the operation as it is declared.
template <declared How, class Op, class F>
decltype(auto) declare(Op operation, F f) {
  if constexpr (How == declared::idempotent) {
    return f(anew::idempotent(std::move(operation)));
  } else if constexpr (How == declared::one_shot) {
    return f(anew::one_shot(std::move(operation)));
  } else {
    return f(std::move(operation));
  }
}

/// A handle that POSTs three bytes.
struct easy : support::easy_handle {
  easy() {
    curl_easy_setopt(get(), CURLOPT_POSTFIELDS, "pay");
    curl_easy_setopt(get(), CURLOPT_TIMEOUT_MS, 20'000L);
  }
};

// Each of these makes calls over connections that it keeps.

template <declared How>
struct over_easy {
  explicit over_easy(scripted_peer const& there) : there_{there} {}
  told call(std::string const& target) {
    told said;
    handle_.to(there_.url(target));
    auto const once = [&](anew::attempt& self) {
      return anew::curl::perform(handle_.get(), self, anew::curl::own_body, anew::call_declaration<How>{}, 20s);
    };
    strategy_of<anew::curl::classifier<>> const strategy{hears_the_end{&said.attempts}};
    said.good = declare<How>(once, [&](auto&& op) { return anew::retry(strategy, op); }).has_value();
    return said;
  }

 private:
  scripted_peer const& there_;
  easy handle_;
};

template <declared How>
struct over_multi {
  explicit over_multi(scripted_peer const& there) : there_{there} {}
  told call(std::string const& target) {
    told said;
    handle_.to(there_.url(target));
    strategy_of<anew::curl::classifier<>> const strategy{hears_the_end{&said.attempts}};
    auto const done = [&](anew::curl::ended_call const& end) { said = {end.attempts, end.has_value()}; };
    declare<How>(anew::curl::with_upload(anew::curl::own_body),
                 [&](auto&& op) { calls_.add(handle_.get(), strategy, op, done); });
    EXPECT_EQ(calls_.run(), CURLM_OK);
    return said;
  }

 private:
  scripted_peer const& there_;
  easy handle_;
  anew::curl::multi_retry<> calls_;
};

/// An event loop, which is run until a call is over.
struct loop {
  void run(auto start) {
    context.restart();
    start();
    context.run_for(20s);
    EXPECT_TRUE(context.stopped()) << "not over";
  }
  net::io_context context{1};
};

http::request<http::string_body> request(std::string const& target) {
  http::request<http::string_body> made{http::verb::post, target, 11};
  made.set(http::field::host, "here");
  made.body() = "pay";
  made.prepare_payload();
  return made;
}

template <declared How>
struct over_beast {
  explicit over_beast(scripted_peer const& there)
      : to_{loop_.context.get_executor(), "127.0.0.1", std::to_string(there.port())} {}
  told call(std::string const& target) {
    told said;
    auto what = request(target);
    auto const once = [&](anew::attempt& self, auto token) { return to_.async_request(self, what, std::move(token)); };
    strategy_of<anew::beast::classifier<>> const strategy{hears_the_end{&said.attempts}};
    loop_.run([&] {
      declare<How>(once, [&](auto&& op) {
        anew::async_retry(strategy, std::move(op), [&](auto const& got) { said.good = got.has_value(); });
      });
    });
    return said;
  }

 private:
  loop loop_;
  anew::beast::connection to_;
};

/// Hedging needs a connection for each of the attempts that are under way together.
struct over_hedging {
  explicit over_hedging(scripted_peer const& there)
      : first_{loop_.context.get_executor(), "127.0.0.1", std::to_string(there.port())},
        second_{loop_.context.get_executor(), "127.0.0.1", std::to_string(there.port())} {}
  told call(std::string const& target) {
    told said;
    auto what = request(target);
    auto const once = [&](anew::attempt& self, auto token) {
      return (self.number() % 2 == 1 ? first_ : second_).async_request(self, what, std::move(token));
    };
    strategy_of<anew::beast::classifier<>> const strategy{hears_the_end{&said.attempts}};
    anew::hedge_after<20us> const hedging;
    loop_.run([&] {
      anew::async_hedge(loop_.context.get_executor(), strategy, hedging, anew::idempotent(once),
                        [&](auto const& got) { said.good = got.has_value(); });
    });
    return said;
  }

 private:
  loop loop_;
  anew::beast::connection first_;
  anew::beast::connection second_;
};

/// An operation of the program's own: it keeps a socket, and expects the answer to be as long as it is.
template <declared How>
struct over_asio {
  explicit over_asio(scripted_peer const& there) : port_{there.port()} {}
  told call(std::string const& target) {
    told said;
    auto const once = [&](anew::attempt& self, auto token) {
      return net::co_spawn(loop_.context, exchange(self.connection() == anew::connection_hint::fresh, target),
                           std::move(token));
    };
    strategy_of<anew::boost_system::classifier<>> const strategy{hears_the_end{&said.attempts}};
    loop_.run([&] {
      declare<How>(once, [&](auto&& op) {
        anew::async_retry(strategy, std::move(op),
                          [&](std::exception_ptr const& thrown, auto const& code) { said.good = !thrown && !code; });
      });
    });
    return said;
  }

 private:
  net::awaitable<boost::system::error_code> exchange(bool fresh, std::string target) {
    boost::system::error_code code;
    auto token = net::redirect_error(net::use_awaitable, code);
    if (fresh) socket_.close();
    if (!socket_.is_open()) co_await socket_.async_connect({net::ip::address_v4::loopback(), port_}, token);
    std::string const request = "POST " + target + " HTTP/1.1\r\nContent-Length: 3\r\n\r\npay";
    if (!code) co_await net::async_write(socket_, net::buffer(request), token);
    std::string got(answer.size(), '\0');
    if (!code) co_await net::async_read(socket_, net::buffer(got), token);
    if (code) socket_.close();
    co_return code;
  }

  loop loop_;
  std::uint16_t port_;
  tcp::socket socket_{loop_.context};
};

/// How a connection dies. `in_request`: after so many bytes of a request, which is not executed; else it is executed, and
/// so many bytes of the answer are sent.
struct death {
  bool in_request;
  std::size_t bytes;
  bool by_reset;
  bool kept;  // the connection has answered a request before
  bool each;  // of all connections, or of the first only

  [[nodiscard]] peer_script script(std::size_t connection) const {
    peer_script steps;
    if (!each && connection > 1) return {peer::read_request(), peer::send(std::string{answer}), peer::again()};
    if (kept) steps = {peer::read_request(), peer::send(std::string{answer})};
    steps.push_back(in_request ? peer::read_bytes(bytes) : peer::read_request());
    if (!in_request) steps.push_back(peer::send(std::string{answer.substr(0, bytes)}));
    steps.push_back(by_reset ? peer::reset() : peer::finish());
    return steps;
  }
  friend std::ostream& operator<<(std::ostream& out, death const& d) {
    return out << (d.by_reset ? "RST" : "FIN") << " after " << d.bytes << " bytes of "
               << (d.in_request ? "the request" : "the answer") << (d.kept ? " on a kept connection" : "")
               << (d.each ? ", each time" : "");
  }
};

/// What was seen, so that a test that sees nothing fails.
struct seen {
  std::uint64_t runs = 0, executed = 0, attempts = 0, good = 0, connections = 0;
};

template <class Client>
void live_through(death const& how, declared what, seen& all) {
  scripted_peer const there{[how](std::size_t connection) { return how.script(connection); }};
  Client client{there};
  for (auto const* const target : {"/1", "/2"}) {
    auto const said = client.call(target);
    auto const executed = there.executed(target);
    EXPECT_LE(executed, said.attempts) << target << ", " << how;
    if (what != declared::idempotent) {
      EXPECT_LE(executed, 1U) << target << ", " << how;
    }
    // Only a whole answer is one.
    if (how.each && !how.kept && (how.in_request || how.bytes < answer.size())) {
      EXPECT_FALSE(said.good) << target << ", " << how;
    }
    all.executed += executed;
    all.attempts += said.attempts;
    all.good += said.good ? 1 : 0;
  }
  all.connections += there.connections();
  ++all.runs;
}

template <class Client>
std::size_t request_size() {
  scripted_peer const there{{{peer::read_request(), peer::send(std::string{answer}), peer::finish()}}};
  Client client{there};
  EXPECT_TRUE(client.call("/1").good);
  auto const requests = there.requests();
  return requests.empty() ? 0 : requests.front().head.size() + requests.front().body.size();
}

/// Every death there is.
template <class Client>
seen press(declared what) {
  seen all;
  auto const whole_request = request_size<Client>();
  for (bool const kept : {false, true}) {
    for (bool const by_reset : {false, true}) {
      for (std::size_t bytes = 0; bytes < whole_request; ++bytes) {
        live_through<Client>({true, bytes, by_reset, kept, false}, what, all);
      }
      for (std::size_t bytes = 0; bytes <= answer.size(); ++bytes) {
        live_through<Client>({false, bytes, by_reset, kept, false}, what, all);
        live_through<Client>({false, bytes, by_reset, kept, true}, what, all);
      }
      if (testing::Test::HasFailure()) return all;
    }
  }
  EXPECT_GT(all.executed, all.runs / 2);
  EXPECT_GT(all.good, all.runs / 2);
  if (what == declared::idempotent) {
    EXPECT_GT(all.attempts, 2 * all.runs);  // there is something to repeat
    EXPECT_GT(all.good, all.runs);
  }
  return all;
}

template <template <declared> class Over>
void press_all() {
  press<Over<declared::nothing>>(declared::nothing);
  press<Over<declared::idempotent>>(declared::idempotent);
  press<Over<declared::one_shot>>(declared::one_shot);
}

TEST(AtMostOnce, OverCurlEasy) { press_all<over_easy>(); }
TEST(AtMostOnce, OverCurlMulti) { press_all<over_multi>(); }
TEST(AtMostOnce, OverBeast) { press_all<over_beast>(); }
TEST(AtMostOnce, OverAsio) { press_all<over_asio>(); }
TEST(AtMostOnce, OverHedging) { press<over_hedging>(declared::idempotent); }

/// A server that answers the first request of a connection, and executes the second one and closes.
template <class Client>
void pay_twice() {
  scripted_peer const there{
      {{peer::read_request(), peer::send(std::string{answer}), peer::read_request(), peer::close()}}};
  Client client{there};
  EXPECT_TRUE(client.call("/1").good);
  EXPECT_EQ(client.call("/2").attempts, 1U);
  EXPECT_EQ(there.executed(), 2U);
}
template <template <declared> class... Over>
void all_pay_twice() {
  (pay_twice<Over<declared::nothing>>(), ...);
  (pay_twice<Over<declared::one_shot>>(), ...);
}

TEST(AtMostOnce, TwoPaymentsAreTwo) { all_pay_twice<over_easy, over_multi, over_beast, over_asio>(); }

/// What is not declared idempotent is safe by what libcurl documents alone.
TEST(AtMostOnce, WhatIsNotDeclaredNeedsNoOptionOfRtsp) {
  for (bool const by_reset : {false, true}) {
    death const how{false, 0, by_reset, true, false};
    scripted_peer const there{[how](std::size_t connection) { return how.script(connection); }};
    easy const handle;
    anew::attempt const first{anew::attempt::parts{}};
    for (auto const* const target : {"/1", "/2"}) {
      anew::curl::answer_head head;
      handle.to(there.url(target));
      ASSERT_EQ(anew::curl::prepare(handle.get(), first, head, 20s), CURLE_OK);
      curl_easy_setopt(handle.get(), CURLOPT_RTSP_REQUEST, static_cast<long>(CURL_RTSPREQ_OPTIONS));
      EXPECT_TRUE(anew::curl::transfer_of(handle.get(), curl_easy_perform(handle.get()), head).has_value());
      EXPECT_EQ(there.executed(target), 1U);
    }
  }
}

/// What the bridge has to prevent: without it libcurl sends a POST twice when a kept connection dies.
TEST(AtMostOnce, LibcurlAloneSendsTwice) {
  death const how{false, 0, false, true, false};
  scripted_peer const there{[how](std::size_t connection) { return how.script(connection); }};
  easy const handle;
  for (auto const* const target : {"/1", "/2"}) {
    handle.to(there.url(target));
    EXPECT_EQ(curl_easy_perform(handle.get()), CURLE_OK);
  }
  EXPECT_EQ(there.executed("/1"), 1U);
  EXPECT_EQ(there.executed("/2"), 2U);
}

}  // namespace
