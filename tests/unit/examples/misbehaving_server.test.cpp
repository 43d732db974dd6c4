// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <gtest/gtest.h>

#include "names.hpp"
#include "support/misbehaving_server.hpp"
#include "together.hpp"

namespace examples_misbehaving_server_test {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;
using demo::misbehaving_server;
using demo::step;
using std::chrono::steady_clock;

constexpr auto longer_than_any_test = 24h;

struct answer {
  error_code error;
  unsigned status = 0;
  std::string body;
  http::fields headers;

  std::string header(std::string_view name) const { return std::string{headers[{name.data(), name.size()}]}; }
};

// A blocking client with one connection, which may have been refused.
class client {
 public:
  explicit client(misbehaving_server const& server) {
    socket_.connect({asio::ip::make_address(server.host()), server.port()}, error_);
  }

  error_code send(std::string_view text) {
    if (!error_) asio::write(socket_, asio::buffer(text.data(), text.size()), error_);
    return error_;
  }
  error_code ask(std::string const& path) { return send("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"); }

  // What arrived of the body is in the answer even when the rest of it did not.
  answer receive(bool has_body = true) {
    http::response_parser<http::string_body> parser;
    parser.skip(!has_body);
    answer got;
    http::read(socket_, buffer_, parser, got.error);
    if (!parser.is_header_done()) return got;
    auto response = parser.release();
    got.status = response.result_int();
    got.body = std::move(response.body());
    got.headers = std::move(response.base());
    return got;
  }
  answer get(std::string const& path) { return ask(path) ? answer{error_, 0, {}, {}} : receive(); }

  // How a blocking read of one more byte ends.
  error_code read_byte() {
    char byte{};
    error_code error;
    socket_.read_some(asio::buffer(&byte, 1), error);
    return error;
  }

 private:
  asio::io_context io_;
  error_code error_;
  tcp::socket socket_{io_};
  boost::beast::flat_buffer buffer_;
};

answer get(misbehaving_server const& server, std::string const& path) { return client{server}.get(path); }

/// Of so many requests, each over a connection of its own.
std::vector<unsigned> statuses_of(misbehaving_server const& server, std::string const& path, int requests) {
  std::vector<unsigned> statuses;
  for (int i = 0; i != requests; ++i) statuses.push_back(get(server, path).status);
  return statuses;
}

bool connection_ended(error_code error) { return error == asio::error::eof || error == asio::error::connection_reset; }

struct misbehaving : ::testing::Test {
  misbehaving_server server;
};

TEST_F(misbehaving, follows_the_script_and_repeats_its_last_step_or_that_of_choice) {
  server.script("/flaky", {step::status(503), step::status(429), step::status(200, "at last\n")});
  EXPECT_EQ(statuses_of(server, "/flaky", 5), (std::vector<unsigned>{503, 429, 200, 200, 200}));
  EXPECT_EQ(get(server, "/flaky").body, "at last\n");
  server.script("/flaky", {step::status(503), step::status(200)}, step::status(500));
  EXPECT_EQ(statuses_of(server, "/flaky", 4), (std::vector<unsigned>{503, 200, 500, 500}));
}

TEST_F(misbehaving, refuses_what_makes_no_sense) {
  EXPECT_THROW(server.script("/", {}), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(step::status(0)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(step::status(100)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(step::status(1000)), std::invalid_argument);
  server.script("/", {}, step::status(503));
  EXPECT_EQ(get(server, "/").status, 503U);
}

TEST_F(misbehaving, sends_no_body_where_http_has_none) {
  server.script("/gone", {step::status(204), step::status(304)});
  client one{server};
  EXPECT_EQ(one.get("/gone").status, 204U);
  EXPECT_EQ(one.get("/gone").status, 304U);
  ASSERT_FALSE(one.send("HEAD / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"));
  auto const head = one.receive(false);
  EXPECT_EQ(head.header("Content-Length"), "6");
  // The answer to the next request begins where it should: nothing was sent after the headers.
  EXPECT_EQ(one.get("/").body, "hello\n");
  EXPECT_EQ(server.connection_count(), 1U);
}

TEST_F(misbehaving, closes_in_the_body) {
  server.script("/", {step::close_in_body(3), step::close_in_body(0)});
  auto const got = get(server, "/");
  EXPECT_EQ(got.error, http::error::partial_message) << got.error.message();
  EXPECT_EQ(got.body, "hel");
  auto const none = get(server, "/");
  EXPECT_EQ(none.error, http::error::partial_message) << none.error.message();
  EXPECT_EQ(none.body, "");
}

TEST_F(misbehaving, answers_after_a_delay) {
  server.script("/", {step::delay(20ms)});
  auto const start = steady_clock::now();
  EXPECT_EQ(get(server, "/").body, "hello\n");
  EXPECT_GE(steady_clock::now() - start, 20ms);
}

TEST_F(misbehaving, outlives_clients_that_talk_nonsense_or_leave) {
  server.script("/silent", {step::silence()});
  client rude{server};
  ASSERT_FALSE(rude.send("this is not HTTP\r\n\r\n"));
  EXPECT_TRUE(connection_ended(rude.read_byte()));
  {
    client impatient{server};
    ASSERT_FALSE(impatient.ask("/silent"));
    ASSERT_TRUE(server.wait_for_requests(1));
  }
  EXPECT_EQ(get(server, "/").status, 200U);
  EXPECT_EQ(server.request_count(), 2U) << "nonsense is not counted";
}

TEST_F(misbehaving, records_requests) {
  server.script("/b", {step::status(503)});
  EXPECT_EQ(server.request_count(), 0U);
  EXPECT_EQ(server.connection_count(), 0U);
  EXPECT_FALSE(server.wait_for_requests(1, 0ns));

  auto const before = steady_clock::now();
  client one{server};
  EXPECT_EQ(one.get("/a?x=1").status, 200U);
  ASSERT_FALSE(one.send("POST /b HTTP/1.1\r\nHost: here\r\nContent-Length: 4\r\n\r\nbody"));
  EXPECT_EQ(one.receive().status, 503U);
  EXPECT_EQ(one.get("/b").status, 503U);
  auto const after = steady_clock::now();

  EXPECT_TRUE(server.wait_for_requests(3));
  EXPECT_EQ(server.request_count(), 3U);
  EXPECT_EQ(server.request_count("/a"), 1U);
  EXPECT_EQ(server.request_count("/b"), 2U);
  EXPECT_EQ(server.request_count("/c"), 0U);
  auto const requests = server.requests();
  ASSERT_EQ(requests.size(), 3U);
  EXPECT_EQ(requests[0].method, "GET");
  EXPECT_EQ(requests[0].path, "/a");
  EXPECT_EQ(requests[1].method, "POST");
  EXPECT_EQ(requests[1].path, "/b");
  EXPECT_LE(before, requests[0].time);
  EXPECT_LE(requests[0].time, requests[1].time);
  EXPECT_LE(requests[2].time, after);
}

TEST_F(misbehaving, records_headers) {
  client one{server};
  ASSERT_FALSE(one.send("GET / HTTP/1.1\r\nHost: here\r\nX-Attempt: 1\r\nx-attempt: 2\r\n\r\n"));
  EXPECT_EQ(one.receive().status, 200U);
  auto const requests = server.requests();
  ASSERT_EQ(requests.size(), 1U);
  EXPECT_EQ(requests[0].header("x-ATTEMPT"), "1");
  EXPECT_EQ(requests[0].header("host"), "here");
  EXPECT_EQ(requests[0].header("x-none"), "");
  EXPECT_EQ(requests[0].headers.size(), 3U);
}

TEST_F(misbehaving, lets_in_so_many_a_second) {
  server.script("/", {step::status(201)});
  server.limit("/", 0.0001, step::status(429), 3);  // the next one after hours
  EXPECT_EQ(statuses_of(server, "/", 5), (std::vector<unsigned>{201, 201, 201, 429, 429}));
  EXPECT_EQ(get(server, "/other").status, 200U);
  server.limit("/", 1e12, step::status(429));
  EXPECT_EQ(get(server, "/").status, 201U);
  EXPECT_EQ(get(server, "/").status, 201U);
  EXPECT_THROW(server.limit("/", 0, step::status(429)), std::invalid_argument);
  EXPECT_THROW(server.limit("/", 1, step::status(429), 0.5), std::invalid_argument);
}

TEST_F(misbehaving, gives_a_share_of_the_requests_another_step) {
  auto const play = [](misbehaving_server& at) {
    at.script("/", {step::status(201), step::status(202)});
    at.sometimes("/", 0.25, step::status(503), 7);
    at.sometimes("/", 0.5, step::status(429), 7);
    client one{at};
    std::vector<unsigned> statuses;
    for (int i = 0; i != 400; ++i) statuses.push_back(one.get("/").status);
    return statuses;
  };
  auto const statuses = play(server);
  auto const count = [&](unsigned status) { return std::count(statuses.begin(), statuses.end(), status); };
  EXPECT_EQ(count(201), 1);  // those that got another step took none of the script
  EXPECT_NEAR(static_cast<double>(count(202)), 99, 35);
  EXPECT_NEAR(static_cast<double>(count(503)), 100, 35);
  EXPECT_NEAR(static_cast<double>(count(429)), 200, 40);
  EXPECT_EQ(get(server, "/other").status, 200U);

  misbehaving_server same;
  EXPECT_EQ(play(same), statuses);

  EXPECT_THROW(server.sometimes("/", 0.5, step::status(500)), std::invalid_argument);
  EXPECT_THROW(server.sometimes("/new", -0.1, step::status(500)), std::invalid_argument);
}

TEST_F(misbehaving, answers_after_what_is_drawn) {
  server.answer_after("/", 20ms, 40ms);
  auto const begin = steady_clock::now();
  EXPECT_EQ(get(server, "/").status, 200U);
  EXPECT_GE(steady_clock::now() - begin, 20ms);
  server.sometimes("/", 1, step::delay(20ms));
  auto const again = steady_clock::now();
  EXPECT_EQ(get(server, "/").status, 200U);
  EXPECT_GE(steady_clock::now() - again, 40ms);
  EXPECT_THROW(server.answer_after("/", 2ms, 1ms), std::invalid_argument);
  EXPECT_THROW(server.answer_after("/", -1ms, 1ms), std::invalid_argument);

  server.answer_after("/", longer_than_any_test, std::chrono::nanoseconds::max());  // its end does not wait for it
  client waiting{server};
  EXPECT_FALSE(waiting.ask("/"));
  EXPECT_TRUE(server.wait_for_requests(3));
}

TEST_F(misbehaving, counts_what_it_does_not_remember) {
  EXPECT_EQ(get(server, "/a").status, 200U);
  server.remember(false);
  EXPECT_EQ(get(server, "/a").status, 200U);
  EXPECT_EQ(get(server, "/b").status, 200U);
  server.remember(true);
  EXPECT_EQ(get(server, "/c").status, 200U);
  EXPECT_EQ(server.request_count(), 4U);
  EXPECT_EQ(server.request_count("/a"), 2U);
  EXPECT_EQ(server.request_count("/b"), 1U);
  EXPECT_EQ(server.request_count("/d"), 0U);
  ASSERT_EQ(server.requests().size(), 2U);
  EXPECT_EQ(server.requests()[1].path, "/c");
  EXPECT_TRUE(server.wait_for_requests(4, 0s));
}

TEST_F(misbehaving, refuses_connections_while_it_is_down) {
  auto const port = server.port();
  for (int i = 0; i != 3; ++i) {
    server.go_down();
    server.go_down();
    EXPECT_EQ(get(server, "/").error, asio::error::connection_refused);
    server.come_up();
    server.come_up();
    EXPECT_EQ(server.port(), port);
    EXPECT_EQ(get(server, "/").status, 200U);
  }
  EXPECT_EQ(server.request_count(), 3U);
  EXPECT_EQ(server.connection_count(), 3U);
}

TEST_F(misbehaving, resets_open_connections_when_it_goes_down) {
  server.script("/silent", {step::silence()});
  server.script("/late", {step::delay(longer_than_any_test)});
  client idle{server}, silent{server}, late{server};
  EXPECT_EQ(idle.get("/").status, 200U);
  ASSERT_FALSE(silent.ask("/silent"));
  ASSERT_FALSE(late.ask("/late"));
  ASSERT_TRUE(server.wait_for_requests(3));
  server.go_down();
  for (auto* const each : {&idle, &silent, &late}) EXPECT_EQ(each->read_byte(), asio::error::connection_reset);
}

#ifdef __linux__
TEST_F(misbehaving, keeps_its_port_while_it_is_down) {
  server.go_down();
  asio::io_context io;
  tcp::socket intruder{io, tcp::v4()};
  error_code error;
  intruder.bind({asio::ip::address_v4::loopback(), server.port()}, error);
  EXPECT_EQ(error, asio::error::address_in_use);
}
#endif

TEST(misbehaving_alone, stops_whatever_is_open) {
  auto server = std::make_unique<misbehaving_server>();
  server->script("/silent", {step::silence()});
  server->script("/late", {step::delay(longer_than_any_test)});
  server->script("/endless", {step::delay(std::chrono::nanoseconds::max())});

  client mute{*server}, halfway{*server}, silent{*server}, late{*server}, endless{*server};
  ASSERT_FALSE(halfway.send("GET / HTTP/1.1\r\nHo"));
  ASSERT_FALSE(silent.ask("/silent"));
  ASSERT_FALSE(late.ask("/late"));
  ASSERT_FALSE(endless.ask("/endless"));
  ASSERT_TRUE(server->wait_for_requests(3));
  while (server->connection_count() < 5) std::this_thread::yield();

  // Already blocked in a read when the server stops; the others begin to read after it.
  error_code silent_error;
  std::thread reader{[&] { silent_error = silent.read_byte(); }};
  // Nothing but its own decision ends the server: every step above takes longer than any test.
  server.reset();
  reader.join();
  EXPECT_TRUE(connection_ended(silent_error)) << silent_error.message();
  for (auto* const each : {&mute, &halfway, &late, &endless}) {
    auto const error = each->read_byte();
    EXPECT_TRUE(connection_ended(error)) << error.message();
  }
}

TEST(misbehaving_alone, serves_many_threads_through_outages) {
  constexpr unsigned threads = 4;
  constexpr unsigned wanted = 40;
  misbehaving_server server;
  server.script("/", {step::status(503), step::reset_before_response(), step::reset_in_body(2), step::status(200)});

  std::atomic<unsigned> running{threads};
  support::together(threads + 1, [&](unsigned index) {
    while (index == threads && running != 0) {
      server.go_down();
      server.come_up();
      for (auto const& each : server.requests()) EXPECT_LE(each.connection, server.connection_count());
      auto const seen = server.request_count();
      // Some of the work between two outages has to get done, or the callers might never end.
      while (running != 0 && server.request_count() < seen + 20) std::this_thread::yield();
    }
    if (index == threads) return;
    auto one = std::make_unique<client>(server);
    for (unsigned answered = 0; answered != wanted;) {
      if (one->get("/").error) {
        one = std::make_unique<client>(server);
      } else {
        ++answered;
      }
    }
    --running;
  });
  EXPECT_GE(server.request_count("/"), threads * wanted + 2);
}

}  // namespace
}  // namespace examples_misbehaving_server_test
