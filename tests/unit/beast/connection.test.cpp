// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/string_body.hpp>
#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/beast.hpp"
#include "anew/http.hpp"
#include "anew/policies/limits/attempt_timeout.hpp"

#include "names.hpp"

namespace beast_connection_test {
namespace {

using anew::beast::connection;
using anew::beast::transfer;
namespace net = boost::asio;
namespace http = boost::beast::http;
namespace sys = boost::system;
using net::ip::tcp;
using exchange = connection::exchange_type;

/// What the server does with one request: it says this and then goes on, closes, or stays silent for ever.
enum class then { goes_on, closes, resets };
struct reply {
  std::string text;
  then afterwards = then::goes_on;
};
std::string status(int code, std::string const& fields = "") {
  return std::string{"HTTP/1.1 "}.append(std::to_string(code)).append(" X\r\n").append(fields).append("\r\n");
}
std::string length(std::size_t bytes) {
  return std::string{"Content-Length: "}.append(std::to_string(bytes)).append("\r\n");
}
std::string ok(std::string const& body = "hello") { return status(200, length(body.size())).append(body); }
std::string failed(int code, std::string const& fields = "") { return status(code, length(0).append(fields)); }
reply const silence{""};

/// A server in the program's own loop: connection n gets the n-th list of replies, later ones the last list. One with no
/// reply left is closed.
struct server {
  server(net::io_context& io, std::vector<std::vector<reply>> script)
      : acceptor_{io, {net::ip::address_v4::loopback(), 0}}, script_{std::move(script)} {
    net::co_spawn(io, accept(), net::detached);
  }
  [[nodiscard]] std::string port() const { return std::to_string(acceptor_.local_endpoint().port()); }
  std::vector<std::size_t> requests;  // the connection that each came over, from 1
  std::size_t connections = 0;
  std::size_t closed = 0;

 private:
  net::awaitable<void> accept() {
    for (;;) {
      auto socket = co_await acceptor_.async_accept(net::use_awaitable);
      ++connections;
      auto const& replies = script_[std::min(connections, script_.size()) - 1];
      net::co_spawn(acceptor_.get_executor(), serve(std::move(socket), replies, connections), net::detached);
    }
  }
  net::awaitable<void> serve(tcp::socket socket, std::vector<reply> replies, std::size_t number) {
    std::string unread;
    for (auto const& answer : replies) {
      auto const header =
          co_await net::async_read_until(socket, net::dynamic_buffer(unread), "\r\n\r\n", net::use_awaitable);
      unread.erase(0, header);
      requests.push_back(number);
      if (answer.text.empty() && answer.afterwards == then::goes_on) {
        co_await net::async_read_until(socket, net::dynamic_buffer(unread), "\r\n\r\n", net::use_awaitable);  // never
      }
      co_await net::async_write(socket, net::buffer(answer.text), net::use_awaitable);
      if (answer.afterwards == then::goes_on) continue;
      if (answer.afterwards == then::resets) socket.set_option(tcp::socket::linger{true, 0});
      break;
    }
    socket.close();
    ++closed;
  }

  tcp::acceptor acceptor_;
  std::vector<std::vector<reply>> script_;
};

/// One type of handler for all: each type costs the compiler all of Beast's reading and writing again.
struct keep {
  using cancellation_slot_type = net::cancellation_slot;
  std::optional<exchange>* result;
  net::cancellation_slot slot{};
  void operator()(exchange end) const { *result = std::move(end); }
  [[nodiscard]] cancellation_slot_type get_cancellation_slot() const noexcept { return slot; }
};

struct set_up {
  explicit set_up(std::vector<std::vector<reply>> script) : there{io, std::move(script)} { request.keep_alive(true); }

  /// One exchange, without retries.
  exchange ask(std::optional<error_kind> previous = std::nullopt) {
    anew::attempt::parts parts{};
    parts.number = previous ? 2 : 1;
    parts.previous = previous;
    return complete(
        [&](auto token) { return to_server.async_request(anew::attempt{parts}, request, std::move(token)); });
  }
  template <class Initiate>
  exchange complete(Initiate initiate) {
    std::optional<exchange> result;
    initiate(keep{&result});
    turn_until([&] { return result.has_value(); });
    return result ? *std::move(result) : exchange{};
  }
  template <class Condition>
  void turn_until(Condition condition) {
    auto const limit = std::chrono::steady_clock::now() + 30s;
    while (!condition() && std::chrono::steady_clock::now() < limit) io.run_one_for(100ms);
    EXPECT_TRUE(condition());
  }
  auto asker() {
    return anew::idempotent(
        [this](anew::attempt& self, auto token) { return to_server.async_request(self, request, std::move(token)); });
  }

  net::io_context io;
  server there;
  connection to_server{io.get_executor(), "127.0.0.1", there.port()};
  http::request<http::string_body> request{http::verb::get, "/", 11};
};

using numbers = std::vector<std::size_t>;
using strategy = anew::strategy<anew::beast::classifier<>, anew::no_backoff, anew::no_jitter, anew::max_attempts<4>,
                                anew::unlimited_quota, anew::server_hint<anew::long_hint::stop, 1min>,
                                anew::attempt_timeout<anew::run_time>>;
strategy with_limit(anew::duration limit) { return strategy{anew::attempt_timeout{limit}}; }

TEST(BeastConnection, IsKept) {
  set_up s{{{{ok()}, {ok("again")}, {failed(429)}, {ok()}}}};
  EXPECT_EQ(s.to_server.connects(), 0U);
  EXPECT_EQ(s.ask().response.body(), "hello");
  EXPECT_EQ(s.ask().response.body(), "again");
  EXPECT_EQ(s.ask().http_status, 429);
  EXPECT_TRUE(s.ask(error_kind::throttling).has_value());
  EXPECT_EQ(s.to_server.connects(), 1U);
  EXPECT_EQ(s.there.requests, (numbers{1, 1, 1, 1}));
}

TEST(BeastConnection, IsMadeAnewAfterATransientErrorOrATimeOut) {
  set_up s{{{{failed(502)}, {ok()}}, {{failed(504)}, {ok()}}, {{ok()}, {ok()}}, {{ok()}}}};
  EXPECT_EQ(s.ask().http_status, 502);
  EXPECT_EQ(s.ask(error_kind::transient).http_status, 504);
  EXPECT_TRUE(s.ask(error_kind::timeout).has_value());
  EXPECT_TRUE(s.ask(error_kind::server).has_value());
  EXPECT_EQ(s.there.requests, (numbers{1, 2, 3, 4}));
}

TEST(BeastConnection, IsMadeAnewWhenTheServerHasClosedIt) {
  for (auto const how : {then::closes, then::resets}) {
    set_up s{{{{ok(), how}}, {{ok()}}}};
    EXPECT_TRUE(s.ask().has_value());
    s.turn_until([&] { return s.there.closed == 1; });
    auto const second = s.ask();  // it cost no attempt
    EXPECT_TRUE(second.has_value()) << second.code.message();
    EXPECT_EQ(s.there.requests, (numbers{1, 2}));
  }
}

TEST(BeastConnection, IsMadeAnewWhenTheServerSaysThatItCloses) {
  set_up s{{{{failed(429, "Connection: close\r\n")}, {ok()}}, {{ok()}}}};
  EXPECT_EQ(s.ask().http_status, 429);
  EXPECT_FALSE(s.to_server.stream().socket().is_open());
  EXPECT_TRUE(s.ask(error_kind::throttling).has_value());
  EXPECT_EQ(s.there.requests, (numbers{1, 2}));
}

TEST(BeastConnection, IsMadeAnewWhenTheServerSaysMoreThanItWasAsked) {
  set_up s{{{{ok().append(failed(408))}, {ok()}}, {{ok()}}}};
  EXPECT_TRUE(s.ask().has_value());
  auto const second = s.ask();
  EXPECT_EQ(second.http_status, 200);
  EXPECT_EQ(s.there.requests, (numbers{1, 2}));
}

TEST(BeastConnection, SaysWhatMayHaveBeenExecuted) {
  set_up s{{{},
            {{"HTTP/1.1 200 OK\r\nContent-Le", then::closes}},
            {{"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhel", then::closes}},
            {{"", then::closes}},
            {{"", then::resets}},
            {{ok()}}}};
  auto const verdict_of = [](exchange const& e) {
    EXPECT_FALSE(e.has_value());
    auto const verdict = anew::beast::classifier<>{}.classify(e);
    EXPECT_TRUE(verdict.is_retry()) << e.code.message();
    return verdict.what();
  };
  anew::failure const executed{error_kind::transient, retry_safety::maybe, std::nullopt};
  EXPECT_EQ(verdict_of(s.ask()), executed);  // closed after accept: the request had left
  auto const header = s.ask();
  EXPECT_EQ(verdict_of(header), executed);
  EXPECT_EQ(header.http_status, 0);
  auto const body = s.ask();
  EXPECT_EQ(verdict_of(body), executed);
  EXPECT_EQ(body.http_status, 200);  // the header was whole
  EXPECT_EQ(body.code, http::error::partial_message);
  auto const nothing = s.ask();
  EXPECT_EQ(nothing.code, http::error::end_of_stream);
  EXPECT_EQ(verdict_of(nothing), executed);
  auto const reset = s.ask();
  EXPECT_EQ(reset.code, net::error::connection_reset);
  EXPECT_EQ(verdict_of(reset), executed);
  EXPECT_TRUE(s.ask().has_value());  // each of these had a connection of its own
  EXPECT_EQ(s.there.connections, 6U);
}

TEST(BeastConnection, SaysWhatCannotHaveBeenExecuted) {
  net::io_context io;
  std::string port;
  {
    tcp::acceptor const gone{io, {net::ip::address_v4::loopback(), 0}};
    port = std::to_string(gone.local_endpoint().port());
  }
  for (auto const* const host : {"127.0.0.1", "localhost"}) {
    connection nobody{io.get_executor(), host, port};
    http::request<http::string_body> request{http::verb::get, "/", 11};
    std::optional<exchange> result;
    anew::attempt const first{anew::attempt::parts{}};
    nobody.async_request(first, request, keep{&result});
    io.restart();
    io.run();
    ASSERT_TRUE(result);
    EXPECT_EQ(result->code, net::error::connection_refused) << host;
    EXPECT_FALSE(result->sent);
    EXPECT_EQ(nobody.connects(), 0U);
    EXPECT_EQ(anew::beast::classifier<>{}.classify(*result).what(),
              (anew::failure{error_kind::transient, retry_safety::yes, std::nullopt}));
  }
}

TEST(BeastConnection, IsMadeAnewWhereNothingOfTheRequestCouldLeave) {
  set_up s{{{{ok()}}, {{ok("again")}}}};
  EXPECT_TRUE(s.ask().has_value());
  s.to_server.stream().socket().shutdown(tcp::socket::shutdown_send);  // silent, and so good as far as it can be seen
  EXPECT_EQ(s.ask().response.body(), "again");                         // it cost no attempt
  EXPECT_EQ(s.there.requests, (numbers{1, 2}));
}

TEST(BeastConnection, ReadsHeadAndInformationalResponses) {
  set_up s{{{{"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n"},
             {status(100).append(status(103, "Link: x\r\n")).append(ok("late"))},
             {ok("12345678901")}}}};
  s.request.method(http::verb::head);
  EXPECT_TRUE(s.ask().has_value());
  s.request.method(http::verb::get);
  auto const late = s.ask();
  EXPECT_EQ(late.http_status, 200);
  EXPECT_EQ(late.response.body(), "late");
  s.to_server.body_limit(10);
  auto const long_one = s.ask();
  EXPECT_EQ(long_one.code, http::error::body_limit);
  EXPECT_FALSE(anew::beast::classifier<>{}.classify(long_one).is_retry());
  EXPECT_EQ(s.there.connections, 1U);
}

TEST(BeastConnection, LimitsWhatComesBeforeTheAnswer) {
  using anew::most_head_bytes;
  using anew::most_informational;
  auto const hints = [](std::size_t count, std::size_t size) {
    std::string all;
    for (std::size_t i = 0; i < count; ++i)
      all.append(status(103, std::string{"X: "}.append(size, 'x').append("\r\n")));
    return all;
  };
  auto const field_of = [](std::size_t head) {
    std::string const rest = failed(404, "X: \r\n");
    return failed(404, std::string{"X: "}.append(head - rest.size(), 'x').append("\r\n"));
  };
  set_up s{{{{hints(most_informational, 1).append(ok())}, {hints(most_informational + 1, 1).append(ok())}},
            {{field_of(most_head_bytes)}, {field_of(most_head_bytes + 1)}},
            {{hints(2, most_head_bytes / 2).append(ok())}}}};
  EXPECT_TRUE(s.ask().has_value());
  auto const too_many = s.ask();
  EXPECT_EQ(too_many.code, http::error::header_limit);
  EXPECT_EQ(too_many.http_status, 0);
  EXPECT_EQ(s.ask().http_status, 404);
  EXPECT_EQ(s.ask().code, http::error::header_limit);
  EXPECT_EQ(s.ask().code, http::error::header_limit);
  EXPECT_EQ(s.there.connections, 3U);
}

TEST(BeastConnection, RefusesWhatIsNoAnswer) {
  auto const coded = [](std::string const& coding) {
    return status(200, "Transfer-Encoding: " + coding + "\r\n") + "x";
  };
  std::vector<std::pair<std::string, http::error>> const bad{
      {status(101), http::error::bad_status},
      {"HTTP/1.1 099 X\r\n\r\n", http::error::bad_status},
      {"HTTP/1.1 000 X\r\n\r\n", http::error::bad_status},
      {coded("gzip"), http::error::bad_transfer_encoding},
      {coded("gzip, chunked"), http::error::bad_transfer_encoding},
      {coded("chunked, chunked"), http::error::bad_transfer_encoding},
  };
  for (auto const& [answer, code] : bad) {
    set_up s{{{{answer}}}};
    auto const end = s.ask();
    EXPECT_EQ(end.code, code) << answer;
    EXPECT_FALSE(anew::beast::classifier<>{}.classify(end).is_retry()) << answer;
    EXPECT_FALSE(s.to_server.stream().socket().is_open());
  }
  set_up junk{{{{"\x15\x03\x01", then::closes}}, {{"HTT", then::closes}}}};
  EXPECT_EQ(junk.ask().code, http::error::bad_version);
  EXPECT_EQ(junk.ask().code, http::error::partial_message);
  set_up upgraded{{{{status(101, "Connection: upgrade\r\nUpgrade: x\r\n")}}}};
  upgraded.request.set(http::field::upgrade, "x");
  EXPECT_EQ(upgraded.ask().http_status, 101);
  EXPECT_TRUE(upgraded.to_server.stream().socket().is_open());
}

TEST(BeastConnection, DropsAPauseInATrailer) {
  auto const busy = [](std::string const& field) {
    return status(503, field + "Transfer-Encoding: chunked\r\n") +
           "2\r\nno\r\n0\r\nRetry-After: 50\r\nRetry-After-Ms: 60\r\nX: y\r\n\r\n";
  };
  set_up s{{{{busy("")}, {busy("Retry-After: 3\r\n")}}}};
  auto const in_trailer = s.ask();
  EXPECT_EQ(in_trailer.http_status, 503);
  EXPECT_EQ(in_trailer.retry_after, std::nullopt);
  EXPECT_EQ(in_trailer.response["Retry-After"], "");
  EXPECT_EQ(in_trailer.response["X"], "y");
  EXPECT_EQ(s.ask().retry_after, 3s);
}

/// Cancels when `when` holds, and then asks again.
void cancel_when(set_up& s, std::function<bool()> const& when, bool sent) {
  net::cancellation_signal signal;
  std::optional<exchange> result;
  anew::attempt const first{anew::attempt::parts{}};
  s.to_server.async_request(first, s.request, keep{&result, signal.slot()});
  s.turn_until(when);
  EXPECT_FALSE(result);
  signal.emit(net::cancellation_type::terminal);
  s.turn_until([&] { return result.has_value(); });
  EXPECT_EQ(result->code, net::error::operation_aborted);
  EXPECT_EQ(result->sent, sent);
  EXPECT_FALSE(anew::beast::classifier<>{}.classify(*result).is_retry());
  EXPECT_FALSE(s.to_server.stream().socket().is_open());
  s.request.body().clear();
  EXPECT_TRUE(s.ask().has_value());  // over a connection of its own
}

TEST(BeastConnection, MayBeCancelledAtEveryPoint) {
  {
    set_up s{{{{ok()}}}};  // while it connects
    cancel_when(s, [] { return true; }, false);
    EXPECT_EQ(s.there.requests.size(), 1U);
  }
  {
    set_up s{{{silence}, {{ok()}}}};  // while it writes to a server that reads no more
    s.request.body().assign(64 * 1024 * 1024, 'x');
    s.request.prepare_payload();
    auto const began = [&s] { return s.there.requests.size() == 1; };
    cancel_when(s, began, true);
    EXPECT_EQ(s.there.requests, (numbers{1, 2}));
  }
  {
    set_up s{{{silence}, {{ok()}}}};  // while it reads
    cancel_when(s, [&s] { return s.there.requests.size() == 1; }, true);
    EXPECT_EQ(s.there.requests, (numbers{1, 2}));
  }
  {
    set_up s{{{{ok()}}}};  // while a name is looked up
    connection named{s.io.get_executor(), "localhost", s.there.port()};
    net::cancellation_signal signal;
    std::optional<exchange> result;
    anew::attempt const first{anew::attempt::parts{}};
    named.async_request(first, s.request, keep{&result, signal.slot()});
    signal.emit(net::cancellation_type::terminal);
    s.turn_until([&] { return result.has_value(); });
    EXPECT_EQ(result->code, net::error::operation_aborted);
    EXPECT_FALSE(result->sent);
    EXPECT_EQ(s.there.connections, 0U);
  }
}

TEST(BeastConnection, IsKeptWhenASignalComesAfterTheEnd) {
  set_up s{{{{ok()}, {ok()}}}};
  net::cancellation_signal signal;
  std::optional<exchange> result;
  anew::attempt const first{anew::attempt::parts{}};
  s.to_server.async_request(first, s.request, keep{&result, signal.slot()});
  s.turn_until([&] { return result.has_value(); });
  signal.emit(net::cancellation_type::terminal);
  EXPECT_TRUE(s.to_server.stream().socket().is_open());
  EXPECT_TRUE(s.ask().has_value());
  EXPECT_EQ(s.there.connections, 1U);
}

TEST(BeastRetry, TakesAFreshConnectionOrTheOldOne) {
  set_up s{{{{failed(429)}, {failed(502)}}, {{ok(), then::closes}}}};
  auto const end =
      s.complete([&](auto token) { anew::async_retry(s.io, with_limit(1min), s.asker(), std::move(token)); });
  EXPECT_EQ(end.response.body(), "hello");
  EXPECT_EQ(s.there.requests, (numbers{1, 1, 2}));
}

TEST(BeastRetry, DoesNotRepeatWhatMayHaveBeenExecutedUnlessItMay) {
  set_up s{{{{"", then::closes}}, {{ok()}}}};
  auto const plain = [&](anew::attempt& self, auto token) {
    return s.to_server.async_request(self, s.request, std::move(token));
  };
  auto const end = s.complete([&](auto token) { anew::async_retry(s.io, with_limit(1min), plain, std::move(token)); });
  EXPECT_EQ(end.code, http::error::end_of_stream);
  EXPECT_EQ(s.there.connections, 1U);
}

TEST(BeastRetry, AnAttemptThatTakesTooLongIsEndedAndItsConnectionWithIt) {
  set_up s{{{silence}, {{ok()}}}};
  auto const end =
      s.complete([&](auto token) { anew::async_retry(s.io, with_limit(30ms), s.asker(), std::move(token)); });
  EXPECT_EQ(end.response.body(), "hello");
  EXPECT_EQ(s.there.requests, (numbers{1, 2}));
}

TEST(BeastClassifier, ReadsStatuses) {
  anew::beast::classifier<> const reads;
  EXPECT_EQ(reads.classify(transfer{{}, 429, true, 7s}).what(),
            (anew::failure{error_kind::throttling, retry_safety::yes, 7s}));
  EXPECT_EQ(reads.classify(transfer{http::error::partial_message, 503}).what().safety, retry_safety::yes);
  EXPECT_FALSE(reads.classify(transfer{http::error::partial_message, 404}).is_retry());
  EXPECT_FALSE(reads.classify(transfer{http::error::header_limit, 503}).is_retry());
  EXPECT_TRUE(reads.classify(transfer{http::error::partial_message, 200}).is_retry());
  EXPECT_FALSE(reads.classify(transfer{{}, 404}).is_retry());
  EXPECT_TRUE(anew::beast::classifier<anew::http_status_classifier<404>>{}.classify(transfer{{}, 404}).is_retry());
  EXPECT_EQ(reads.describe(), "beast(http_status(408,429,500,502,503,504))");
}

TEST(BeastClassifier, ReadsCodes) {
  anew::beast::classifier<> const reads;
  auto const what = [&](auto code) {
    auto const verdict = reads.classify(sys::error_code{code});
    EXPECT_TRUE(verdict.is_retry());
    return verdict.what();
  };
  anew::failure const transient{error_kind::transient, retry_safety::maybe, std::nullopt};
  EXPECT_EQ(what(net::error::eof), transient);
  EXPECT_EQ(what(http::error::end_of_stream), transient);
  EXPECT_EQ(what(http::error::partial_message), transient);
  EXPECT_EQ(what(net::error::connection_reset), transient);
  EXPECT_EQ(what(boost::beast::error::timeout),
            (anew::failure{error_kind::timeout, retry_safety::maybe, std::nullopt}));
  EXPECT_EQ(what(http::error::bad_chunk), transient);
  EXPECT_EQ(what(http::error::bad_chunk_extension), transient);
  for (auto const code :
       {sys::error_code{net::error::host_not_found}, sys::error_code{net::error::no_recovery},
        sys::error_code{net::error::host_not_found_try_again}, sys::error_code{net::error::no_data}}) {
    EXPECT_EQ(what(code), (anew::failure{error_kind::transient, retry_safety::yes, std::nullopt})) << code.message();
  }
  EXPECT_EQ(what(net::error::connection_refused).safety, retry_safety::yes);
  EXPECT_EQ(reads.classify_code(net::error::connection_reset, false).what().safety, retry_safety::yes);
  EXPECT_EQ(reads.classify_code(net::error::connection_reset, true, 3s).what().hint, 3s);
  for (auto const code : {sys::error_code{net::error::operation_aborted}, sys::error_code{http::error::header_limit},
                          sys::error_code{http::error::bad_version}, sys::error_code{net::error::no_descriptors}}) {
    EXPECT_FALSE(reads.classify(code).is_retry()) << code.message();
    EXPECT_FALSE(reads.classify_code(code, false).is_retry()) << code.message();
  }
  EXPECT_EQ(reads.classify(sys::system_error{net::error::eof}).what(), transient);
}

TEST(BeastClassifier, ReadsResponses) {
  http::response<http::string_body> response{http::status::too_many_requests, 11};
  response.set(http::field::retry_after, "7");
  using reads = anew::beast::classifier<>;
  EXPECT_EQ(reads{}.classify_result(response).what().hint, 7s);
  EXPECT_EQ(anew::http_status_classifier<>::classify_result(response).what().hint, 7s);
  response.set(http::field::retry_after, "soon");
  EXPECT_TRUE(anew::http_status_classifier<>::classify_result(response).what().hint.is_not_understood());
  EXPECT_TRUE(reads{}.classify(anew::beast::transfer_of(response)).what().hint.is_not_understood());
  response.set(http::field::retry_after, "Sun, 06 Nov 1994 08:50:00 GMT");
  response.set(http::field::date, "Sun, 06 Nov 1994 08:49:55 GMT");
  EXPECT_EQ(anew::beast::transfer_of(response).retry_after, 5s) << "of the answer's own clock";
  response.set("Retry-After-Ms", "1500.5");
  EXPECT_EQ(anew::beast::transfer_of(response).retry_after, 1501ms);
  anew::http_status_classifier<202> const named;
  for (int const status : {200, 202, 204}) {
    response.result(static_cast<unsigned>(status));
    anew::beast::exchange<http::response<http::string_body>> const whole{anew::beast::transfer_of(response), response};
    for (auto const& verdict :
         {named.classify_result(whole), anew::beast::classifier{named}.classify_result(whole),
          anew::http::classifier{named}.classify_result(whole), named.classify_result(anew::beast::transfer{whole})}) {
      EXPECT_EQ(verdict.is_retry(), status == 202) << status;
      EXPECT_EQ(verdict.is_success(), status != 202) << status;
    }
    using reader = anew::http_status_classifier<202>;
    static_assert(anew::detail::ReadsWhole<reader, anew::beast::transfer> &&
                  anew::detail::ReadsWhole<reader, std::remove_cv_t<decltype(whole)>> &&
                  anew::detail::ReadsWhole<anew::beast::classifier<reader>, std::remove_cv_t<decltype(whole)>>);
  }
  response.result(http::status::no_content);
  EXPECT_TRUE(reads{}.classify_result(response).is_success());
  EXPECT_TRUE(anew::beast::transfer_of(response).has_value());
  EXPECT_FALSE(anew::beast::transfer_of(response, net::error::eof).has_value());
  response.result(99);
  EXPECT_FALSE(anew::beast::transfer_of(response).has_value());
  EXPECT_FALSE(reads{}.classify_result(response).is_success());
}

}  // namespace
}  // namespace beast_connection_test
