// SPDX-License-Identifier: BSL-1.0
// The five clients of docs/how_to/retry_http.md, each of its own kind, against a server that resets the first
// connection, answers 503 with Retry-After: 1, and then answers. No test waits: the sleepers record.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <curl/curl.h>
#include <gtest/gtest.h>

#include "anew/asio.hpp"
#include "anew/beast.hpp"
#include "anew/curl.hpp"
#include "anew/http.hpp"

#include "manual_timers.hpp"
#include "support/misbehaving_server.hpp"

namespace {

using namespace std::chrono_literals;
namespace net = boost::asio;
namespace http = boost::beast::http;
using demo::step;
using durations = std::vector<anew::duration>;

struct easy_deleter {
  void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};
using easy_handle = std::unique_ptr<CURL, easy_deleter>;

std::size_t append(char* data, std::size_t /*one*/, std::size_t size, void* to) {
  static_cast<std::string*>(to)->append(data, size);
  return size;
}

class HttpClients : public ::testing::Test {
 protected:
  HttpClients() {
    server.script("/x", {step::reset_before_response(), step::status(503).retry_after(1s), step::status(200)});
  }

  /// Two waits: a jittered one of at most half a second, and the second that the server asked for.
  void expect_the_waits() const {
    ASSERT_EQ(waits.size(), 2U);
    EXPECT_LE(waits[0], 500ms);
    EXPECT_EQ(waits[1], 1s);  // the jittered delay of the second retry is at most that
    EXPECT_EQ(server.request_count("/x"), 3U);
  }

  [[nodiscard]] easy_handle make_easy() {
    easy_handle easy{curl_easy_init()};
    url = server.url("/x");
    curl_easy_setopt(easy.get(), CURLOPT_URL, url.c_str());
    curl_easy_setopt(easy.get(), CURLOPT_WRITEFUNCTION, append);
    curl_easy_setopt(easy.get(), CURLOPT_WRITEDATA, &body);
    return easy;
  }
  /// A client that reports what libcurl does: the status, 0 without a response, and the head.
  [[nodiscard]] std::pair<CURLcode, long> plain_get(std::string* head) {
    auto const easy = make_easy();
    curl_easy_setopt(easy.get(), CURLOPT_HEADERFUNCTION, append);
    curl_easy_setopt(easy.get(), CURLOPT_HEADERDATA, head);
    auto const code = curl_easy_perform(easy.get());
    long status = 0;
    curl_easy_getinfo(easy.get(), CURLINFO_RESPONSE_CODE, &status);
    return {code, status};
  }

  demo::misbehaving_server server;
  durations waits;
  anew::http::standard const strategy{};
  std::string url, body;

  auto sleep() {
    return [this](anew::duration d) { waits.push_back(d); };
  }
};

struct response {
  int status;
  std::string headers;
};

TEST_F(HttpClients, AStatusAsAMember) {
  auto const get = [&] {
    response answer{};
    answer.status = static_cast<int>(plain_get(&answer.headers).second);
    return answer;
  };
  EXPECT_EQ(anew::retry(strategy, anew::idempotent(get), sleep()).status, 200);
  expect_the_waits();
}

TEST_F(HttpClients, LibcurlEasy) {
  auto const easy = make_easy();
  auto const get = [&](anew::attempt& attempt) {
    body.clear();
    return anew::curl::perform(easy.get(), attempt, anew::idempotent_call);
  };
  EXPECT_TRUE(anew::retry(strategy, anew::idempotent(get), sleep()).has_value());
  EXPECT_EQ(body, "hello\n");
  expect_the_waits();
}

// Shaped as cpr's.
struct cpr_like {
  long status_code = 0;
  std::map<std::string, std::string> header{};
  struct {
    enum class code_type { OK, RECV_ERROR, COULDNT_CONNECT } code{};
  } error{};
};

TEST_F(HttpClients, AStatusOfZeroWithoutAResponse) {
  auto const get = [&] {
    cpr_like answer;
    std::string head;
    auto const [code, status] = plain_get(&head);
    answer.status_code = status;
    if (code != CURLE_OK) answer.error.code = decltype(answer.error.code)::RECV_ERROR;
    if (head.find("Retry-After: 1\r\n") != head.npos) answer.header["Retry-After"] = "1";
    return answer;
  };
  EXPECT_EQ(anew::retry(strategy, anew::idempotent(get), sleep()).status_code, 200);
  expect_the_waits();
}

http::response<http::string_body> beast_get(demo::misbehaving_server const& server) {
  net::io_context context;
  boost::beast::tcp_stream stream{context};
  stream.connect(net::ip::tcp::endpoint{net::ip::make_address(server.host()), server.port()});
  http::request<http::empty_body> request{http::verb::get, "/x", 11};
  request.set(http::field::host, "localhost");
  http::write(stream, request);
  boost::beast::flat_buffer buffer;
  http::response<http::string_body> answer;
  http::read(stream, buffer, answer);
  return answer;
}

TEST_F(HttpClients, Beast) {
  anew::with<anew::http::standard, anew::beast::classifier<>> const beast_strategy{};
  auto const get = [&] { return beast_get(server); };
  EXPECT_EQ(anew::retry(beast_strategy, anew::idempotent(get), sleep()).result(), http::status::ok);
  expect_the_waits();
}

TEST_F(HttpClients, BeastOnAsio) {
  net::io_context context;
  anew::beast::connection connection{context.get_executor(), server.host(), std::to_string(server.port())};
  http::request<http::empty_body> request{http::verb::get, "/x", 11};
  request.set(http::field::host, "localhost");
  auto const ask = [&](anew::attempt& attempt, auto token) {
    return connection.async_request(attempt, request, std::move(token));
  };
  support::manual_time time{context.get_executor()};
  std::optional<anew::beast::connection::exchange_type> answer;
  anew::async_retry(time.timers(), strategy, anew::idempotent(ask),
                    [&](anew::beast::connection::exchange_type e) { answer = std::move(e); });
  std::size_t halves_waited = 0;
  while (!answer) {
    context.restart();
    if (time.pending() > 0) {
      time.advance(500ms);  // the longest wait of the first retry, and half of what the server asks for then
      ++halves_waited;
    }
    if (time.pending() == 0) context.run_one();
  }
  EXPECT_EQ(answer->http_status, 200);
  EXPECT_EQ(halves_waited, 3U);
  EXPECT_EQ(server.request_count("/x"), 3U);
}

TEST_F(HttpClients, ACoroutineOfBeast) {
  anew::with<anew::http::standard, anew::beast::classifier<>> const beast_strategy{};
  net::io_context context;
  auto const get = [&]() -> net::awaitable<http::response<http::string_body>> {
    boost::beast::tcp_stream stream{context};
    co_await stream.async_connect(net::ip::tcp::endpoint{net::ip::make_address(server.host()), server.port()},
                                  net::use_awaitable);
    http::request<http::empty_body> request{http::verb::get, "/x", 11};
    request.set(http::field::host, "localhost");
    co_await http::async_write(stream, request, net::use_awaitable);
    boost::beast::flat_buffer buffer;
    http::response<http::string_body> answer;
    co_await http::async_read(stream, buffer, answer, net::use_awaitable);
    co_return answer;
  };
  support::manual_time time{context.get_executor()};
  std::optional<unsigned> status;
  anew::async_retry(time.timers(), beast_strategy, anew::idempotent(get),
                    [&](std::exception_ptr const& error, http::response<http::string_body> const& answer) {
                      status = error ? 0 : answer.result_int();
                    });
  while (!status) {
    context.restart();
    if (time.pending() > 0) time.advance(500ms);
    if (time.pending() == 0) context.run_one();
  }
  EXPECT_EQ(*status, 200U);
  EXPECT_EQ(server.request_count("/x"), 3U);
}

TEST_F(HttpClients, ExceptionsAndStatus) {
  auto const get = [&] {
    response answer{};
    auto const [code, status] = plain_get(&answer.headers);
    if (code != CURLE_OK) throw std::system_error{make_error_code(std::errc::connection_reset)};
    answer.status = static_cast<int>(status);
    return answer;
  };
  EXPECT_EQ(anew::retry(strategy, anew::idempotent(get), sleep()).status, 200);
  expect_the_waits();
}

TEST_F(HttpClients, ARefusedConnectionIsTriedAgainWhateverIsDeclared) {
  server.go_down();
  auto const easy = make_easy();
  auto const post = [&](anew::attempt& attempt) { return anew::curl::perform(easy.get(), attempt); };
  auto const over_curl = anew::retry_outcome(strategy, post, sleep());
  EXPECT_EQ(over_curl.attempts(), 3U);
  anew::with<anew::http::standard, anew::beast::classifier<>> const beast_strategy{};
  int calls = 0;
  auto const send = [&] {
    ++calls;
    return beast_get(server);
  };
  EXPECT_THROW((void)anew::retry(beast_strategy, send, sleep()), boost::system::system_error);
  EXPECT_EQ(calls, 3);
}

TEST_F(HttpClients, APostIsNotSentTwice) {
  auto const easy = make_easy();
  auto const post = [&](anew::attempt& attempt) { return anew::curl::perform(easy.get(), attempt); };
  auto const end = anew::retry_outcome(strategy, post, sleep());
  EXPECT_EQ(end.reason(), anew::stop_reason::not_idempotent);
  EXPECT_EQ(server.request_count("/x"), 1U);
}

}  // namespace
