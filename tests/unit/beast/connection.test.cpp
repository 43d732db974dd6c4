// SPDX-License-Identifier: BSL-1.0
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/http/string_body.hpp>
#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/beast.hpp"
#include "anew/http.hpp"
#include "anew/policies/limits/attempt_timeout.hpp"

#include "names.hpp"
#include "scripted_peer.hpp"

namespace beast_connection_test {
namespace {

using anew::beast::connection;
using anew::beast::transfer;
namespace net = boost::asio;
namespace http = boost::beast::http;
namespace sys = boost::system;
namespace peer = support::peer;
using net::ip::tcp;
using exchange = connection::exchange_type;

std::string status(int code, std::string const& fields = "") {
  return std::string{"HTTP/1.1 "}.append(std::to_string(code)).append(" X\r\n").append(fields).append("\r\n");
}
std::string length(std::size_t bytes) {
  return std::string{"Content-Length: "}.append(std::to_string(bytes)).append("\r\n");
}
std::string ok(std::string const& body = "hello") { return status(200, length(body.size())).append(body); }
std::string failed(int code, std::string const& fields = "") { return status(code, length(0).append(fields)); }
/// A connection that answers requests with these texts, and closes.
support::peer_script says(std::initializer_list<std::string> texts) {
  support::peer_script steps;
  for (auto const& text : texts) steps.insert(steps.end(), {peer::read_request(), peer::send(text)});
  return steps;
}
support::peer_script const silence{peer::read_request(), peer::silence()};

using numbers = std::vector<std::size_t>;

/// One type of handler for all: each type costs the compiler all of Beast's reading and writing again.
struct keep {
  using cancellation_slot_type = net::cancellation_slot;
  std::optional<exchange>* result;
  net::cancellation_slot slot{};
  void operator()(exchange end) const { *result = std::move(end); }
  [[nodiscard]] cancellation_slot_type get_cancellation_slot() const noexcept { return slot; }
};

struct set_up {
  explicit set_up(std::vector<support::peer_script> scripts) : there{std::move(scripts)} { request.keep_alive(true); }

  /// The connection that each request came over, from 1.
  [[nodiscard]] numbers over() const {
    numbers all;
    for (auto const& one : there.requests()) all.push_back(one.connection);
    return all;
  }

  /// One exchange, without retries.
  exchange ask(std::optional<error_kind> previous = std::nullopt) {
    anew::attempt::parts parts{};
    parts.number = previous ? 2 : 1;
    parts.previous = previous;
    return complete(
        [&](auto token) { return to_server.async_request(anew::attempt{parts}, request, std::move(token)); });
  }
  exchange complete(auto initiate) {
    std::optional<exchange> result;
    initiate(keep{&result});
    turn_until([&] { return result.has_value(); });
    return result ? *std::move(result) : exchange{};
  }
  void turn_until(auto condition) {
    auto const limit = std::chrono::steady_clock::now() + 30s;
    io.restart();
    while (!condition() && std::chrono::steady_clock::now() < limit) io.run_one_for(100ms);
    EXPECT_TRUE(condition());
  }
  exchange retry(auto const& by, auto operation) {
    return complete([&](auto token) { anew::async_retry(io, by, operation, std::move(token)); });
  }
  auto asker() {
    return anew::idempotent(
        [this](anew::attempt& self, auto token) { return to_server.async_request(self, request, std::move(token)); });
  }

  net::io_context io;
  support::scripted_peer there;
  connection to_server{io.get_executor(), "127.0.0.1", std::to_string(there.port())};
  http::request<http::string_body> request{http::verb::get, "/", 11};
};

using strategy = anew::strategy<anew::beast::classifier<>, anew::no_backoff, anew::no_jitter, anew::max_attempts<4>,
                                anew::unlimited_quota, anew::server_hint<anew::long_hint::stop, 1min>,
                                anew::attempt_timeout<anew::run_time>>;
strategy with_limit(anew::duration limit) { return strategy{anew::attempt_timeout{limit}}; }

TEST(BeastConnection, IsKept) {
  set_up s{{says({ok(), ok("again"), failed(429), ok()})}};
  EXPECT_EQ(s.to_server.connects(), 0U);
  EXPECT_EQ(s.ask().response.body(), "hello");
  EXPECT_EQ(s.ask().response.body(), "again");
  EXPECT_EQ(s.ask().http_status, 429);
  EXPECT_TRUE(s.ask(error_kind::throttling).has_value());
  EXPECT_EQ(s.to_server.connects(), 1U);
  EXPECT_EQ(s.over(), (numbers{1, 1, 1, 1}));
}

TEST(BeastConnection, IsMadeAnewAfterATransientErrorOrATimeOut) {
  set_up s{{says({failed(502), ok()}), says({failed(504), ok()}), says({ok(), ok()}), says({ok()})}};
  EXPECT_EQ(s.ask().http_status, 502);
  EXPECT_EQ(s.ask(error_kind::transient).http_status, 504);
  EXPECT_TRUE(s.ask(error_kind::timeout).has_value());
  EXPECT_TRUE(s.ask(error_kind::server).has_value());
  EXPECT_EQ(s.over(), (numbers{1, 2, 3, 4}));
}

TEST(BeastConnection, IsMadeAnewWhenTheServerHasClosedIt) {
  for (auto const& how : {peer::close(), peer::reset()}) {
    set_up s{{{peer::read_request(), peer::send(ok()), how}, says({ok()})}};
    EXPECT_TRUE(s.ask().has_value());
    s.to_server.stream().socket().wait(tcp::socket::wait_read);
    auto const second = s.ask();  // it cost no attempt
    EXPECT_TRUE(second.has_value()) << second.code.message();
    EXPECT_EQ(s.over(), (numbers{1, 2}));
  }
}

TEST(BeastConnection, IsMadeAnewWhenTheServerSaysThatItCloses) {
  set_up s{{says({failed(429, "Connection: close\r\n"), ok()}), says({ok()})}};
  EXPECT_EQ(s.ask().http_status, 429);
  EXPECT_FALSE(s.to_server.stream().socket().is_open());
  EXPECT_TRUE(s.ask(error_kind::throttling).has_value());
  EXPECT_EQ(s.over(), (numbers{1, 2}));
}

TEST(BeastConnection, IsMadeAnewWhenTheServerSaysMoreThanItWasAsked) {
  set_up s{{says({ok().append(failed(408)), ok()}), says({ok()})}};
  EXPECT_TRUE(s.ask().has_value());
  auto const second = s.ask();
  EXPECT_EQ(second.http_status, 200);
  EXPECT_EQ(s.over(), (numbers{1, 2}));
}

TEST(BeastConnection, IsMadeAnewWhereNothingOfTheRequestCouldLeave) {
  set_up s{{says({ok()}), says({ok("again")})}};
  EXPECT_TRUE(s.ask().has_value());
  s.to_server.stream().socket().shutdown(tcp::socket::shutdown_send);  // silent, and so good as far as it can be seen
  EXPECT_EQ(s.ask().response.body(), "again");                         // it cost no attempt
  EXPECT_EQ(s.over(), (numbers{1, 2}));
}

TEST(BeastConnection, LimitsABody) {
  set_up s{{says({ok("12345678901")})}};
  s.to_server.body_limit(10);
  auto const end = s.ask();
  EXPECT_EQ(end.code, http::error::body_limit);
  EXPECT_FALSE(anew::beast::classifier<>{}.classify(end).is_retry());
}

TEST(BeastConnection, LimitsAllHeadsOfAnAnswerTogether) {
  auto const half = status(103, std::string{"X: "}.append(anew::most_head_bytes / 2, 'x').append("\r\n"));
  set_up s{{says({half + half + ok()})}};
  auto const end = s.ask();
  EXPECT_EQ(end.code, http::error::header_limit);
  EXPECT_EQ(end.http_status, 0);
}

TEST(BeastConnection, SaysWhyAnAnswerIsNone) {
  for (auto const& [answer, code] :
       {std::pair{status(101), http::error::bad_status},
        {status(200, "Transfer-Encoding: gzip\r\n") + "x", http::error::bad_transfer_encoding}}) {
    set_up s{{says({answer})}};
    EXPECT_EQ(s.ask().code, code);
    EXPECT_FALSE(s.to_server.stream().socket().is_open());
  }
  set_up upgraded{{says({status(101, "Connection: upgrade\r\nUpgrade: x\r\n")})}};
  upgraded.request.set(http::field::upgrade, "x");
  EXPECT_EQ(upgraded.ask().http_status, 101);
  EXPECT_TRUE(upgraded.to_server.stream().socket().is_open());
}

TEST(BeastConnection, DropsAPauseInATrailer) {
  auto const busy = [](std::string const& field) {
    return status(503, field + "Transfer-Encoding: chunked\r\n") +
           "2\r\nno\r\n0\r\nRetry-After: 50\r\nRetry-After-Ms: 60\r\nX: y\r\n\r\n";
  };
  set_up s{{says({busy(""), busy("Retry-After: 3\r\n")})}};
  auto const in_trailer = s.ask();
  EXPECT_EQ(in_trailer.http_status, 503);
  EXPECT_EQ(in_trailer.retry_after, std::nullopt);
  EXPECT_EQ(in_trailer.response["Retry-After"], "");
  EXPECT_EQ(in_trailer.response["X"], "y");
  EXPECT_EQ(s.ask().retry_after, 3s);
}

/// Cancels when `when` holds, and then asks again.
void cancel_when(set_up& s, connection& to, std::function<bool()> const& when, bool sent) {
  net::cancellation_signal signal;
  std::optional<exchange> result;
  anew::attempt const first{anew::attempt::parts{}};
  to.async_request(first, s.request, keep{&result, signal.slot()});
  s.turn_until(when);
  EXPECT_FALSE(result);
  signal.emit(net::cancellation_type::terminal);
  s.turn_until([&] { return result.has_value(); });
  EXPECT_EQ(result->code, net::error::operation_aborted);
  EXPECT_EQ(result->sent, sent);
  EXPECT_FALSE(anew::beast::classifier<>{}.classify(*result).is_retry());
  EXPECT_FALSE(to.stream().socket().is_open());
  s.request.body().clear();
  s.request.prepare_payload();
  EXPECT_TRUE(s.ask().has_value());  // over a connection of its own
}

TEST(BeastConnection, MayBeCancelledAtEveryPoint) {
  {
    set_up s{{says({ok()})}};  // while it connects
    cancel_when(s, s.to_server, [] { return true; }, false);
    EXPECT_EQ(s.there.executed(), 1U);
    EXPECT_EQ(s.to_server.connects(), 1U);
  }
  {
    std::atomic<bool> began = false;  // while it writes to a server that reads no more
    auto const begin = peer::choose([&began](auto const& /*none*/) { return began = true, support::peer_script{}; });
    set_up s{{{peer::read_bytes(20), begin, peer::wait()}, says({ok()})}};
    s.request.body().assign(64 * 1024 * 1024, 'x');
    s.request.prepare_payload();
    cancel_when(s, s.to_server, [&began] { return began.load(); }, true);
    EXPECT_EQ(s.over(), numbers{2});
  }
  {
    set_up s{{silence, says({ok()})}};  // while it reads
    cancel_when(s, s.to_server, [&s] { return s.there.executed() == 1; }, true);
    EXPECT_EQ(s.over(), (numbers{1, 2}));
  }
  {
    set_up s{{says({ok()})}};  // while a name is looked up
    connection named{s.io.get_executor(), "localhost", std::to_string(s.there.port())};
    cancel_when(s, named, [] { return true; }, false);
    EXPECT_EQ(s.there.connections(), 1U);  // that of the second request
  }
}

TEST(BeastConnection, IsKeptWhenASignalComesAfterTheEnd) {
  set_up s{{says({ok(), ok()})}};
  net::cancellation_signal signal;
  std::optional<exchange> result;
  anew::attempt const first{anew::attempt::parts{}};
  s.to_server.async_request(first, s.request, keep{&result, signal.slot()});
  s.turn_until([&] { return result.has_value(); });
  signal.emit(net::cancellation_type::terminal);
  EXPECT_TRUE(s.to_server.stream().socket().is_open());
  EXPECT_TRUE(s.ask().has_value());
  EXPECT_EQ(s.there.connections(), 1U);
}

TEST(BeastRetry, TakesAFreshConnectionOrTheOldOne) {
  set_up s{{says({failed(429), failed(502)}), says({ok()})}};
  auto const end = s.retry(with_limit(1min), s.asker());
  EXPECT_EQ(end.response.body(), "hello");
  EXPECT_EQ(s.over(), (numbers{1, 1, 2}));
}

TEST(BeastRetry, DoesNotRepeatWhatMayHaveBeenExecutedUnlessItMay) {
  set_up s{{says({""}), says({ok()})}};
  auto const plain = [&](anew::attempt& self, auto token) {
    return s.to_server.async_request(self, s.request, std::move(token));
  };
  auto const end = s.retry(with_limit(1min), plain);
  EXPECT_EQ(end.code, http::error::end_of_stream);
  EXPECT_EQ(s.there.connections(), 1U);
}

TEST(BeastRetry, AnAttemptThatTakesTooLongIsEndedAndItsConnectionWithIt) {
  set_up s{{silence, says({ok()})}};
  auto const end = s.retry(with_limit(30ms), s.asker());
  EXPECT_EQ(end.response.body(), "hello");
  EXPECT_EQ(s.over(), (numbers{1, 2}));
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
  using row = std::pair<anew::failure, std::vector<sys::error_code>>;
  anew::failure const transient{error_kind::transient, retry_safety::maybe, std::nullopt};
  for (auto const& [what, codes] :
       {row{transient,
            {net::error::eof, http::error::end_of_stream, http::error::partial_message, net::error::connection_reset,
             http::error::bad_chunk, http::error::bad_chunk_extension}},
        row{{error_kind::timeout, retry_safety::maybe, std::nullopt}, {boost::beast::error::timeout}},
        row{{error_kind::transient, retry_safety::yes, std::nullopt},
            {net::error::host_not_found, net::error::no_recovery, net::error::host_not_found_try_again,
             net::error::no_data, net::error::connection_refused}}}) {
    for (auto const& code : codes) EXPECT_EQ(reads.classify(code), anew::directive::retry(what)) << code.message();
  }
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
