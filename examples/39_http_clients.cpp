// SPDX-License-Identifier: BSL-1.0
// HTTP clients of several kinds, each with the same strategy, against a server inside the program that answers 503 first.
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <curl/curl.h>

#include "anew/bridges/beast/classifier.hpp"
#include "anew/curl.hpp"
#include "anew/http.hpp"

#include "support/misbehaving_server.hpp"

namespace http = boost::beast::http;
using namespace std::chrono_literals;
using demo::step;

namespace {

demo::misbehaving_server* server;
std::size_t requests_before = 0;

std::size_t append(char* data, std::size_t size, std::size_t count, void* into) {
  static_cast<std::string*>(into)->append(data, size * count);
  return size * count;
}

/// A blocking GET of Beast, as its examples have it.
http::response<http::string_body> beast_get() {
  boost::asio::io_context context;
  boost::beast::tcp_stream stream{context};
  stream.connect(boost::asio::ip::tcp::endpoint{boost::asio::ip::make_address(server->host()), server->port()});
  http::request<http::empty_body> request{http::verb::get, "/", 11};
  request.set(http::field::host, "localhost");
  http::write(stream, request);
  boost::beast::flat_buffer buffer;
  http::response<http::string_body> response;
  http::read(stream, buffer, response);
  return response;
}

/// Shaped as cpr is.
namespace cpr {

struct response {
  long status_code = 0;  // 0: there was none
  std::string text{};
  std::map<std::string, std::string> header{};
};
response get() {
  auto const beast = beast_get();
  return {static_cast<long>(beast.result_int()), beast.body(), {}};
}

}  // namespace cpr

/// A type whose status no classifier finds by itself.
namespace vendor {

struct reply {
  std::string status_line;
};
reply get() { return {"HTTP/1.1 " + std::to_string(beast_get().result_int())}; }

}  // namespace vendor

}  // namespace

// [traits]
template <>
struct anew::http_traits<vendor::reply> {
  static int status(vendor::reply const& r) { return std::stoi(r.status_line.substr(9)); }  // "HTTP/1.1 503"
};
// [/traits]

namespace {

// [own_exception]
struct http_error : std::runtime_error {
  http_error(int code, std::map<std::string, std::string> fields)
      : runtime_error{"HTTP " + std::to_string(code)}, status{code}, headers{std::move(fields)} {}
  int status;
  std::map<std::string, std::string> headers;  // for Retry-After
};
struct network_error : std::runtime_error {
  using runtime_error::runtime_error;
};
using throwing = anew::with<anew::http::standard, anew::http::statuses_and<http_error, network_error>>;
// [/own_exception]

std::string get_or_throw() {
  auto const response = beast_get();
  if (response.result_int() >= 400) throw http_error{static_cast<int>(response.result_int()), {}};
  return response.body();
}

// [statuses]
using persistent = anew::with<anew::http::standard, anew::max_attempts<5>,
                              anew::http::classifier<anew::http_status_classifier<429, anew::http::any_5xx>>>;
// [/statuses]

void show(char const* client, int status) {
  std::printf("%-12s %d after %zu requests\n", client, status, server->request_count("/") - requests_before);
}

void begin() {
  requests_before = server->request_count("/");
  server->script("/", {step::status(503), step::status(200)});
}

}  // namespace

int main() {
  demo::misbehaving_server misbehaving;
  server = &misbehaving;
  anew::http::standard const strategy{};

  {
    begin();
    // [cpr]
    auto const r = anew::retry(strategy, anew::idempotent([&] { return cpr::get(); }));
    // [/cpr]
    show("cpr", static_cast<int>(r.status_code));
  }
  {
    begin();
    auto const url = server->url("/");
    std::string body;
    std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> const owner{curl_easy_init(), &curl_easy_cleanup};
    auto* const easy = owner.get();
    curl_easy_setopt(easy, CURLOPT_URL, url.c_str());
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &append);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &body);
    // [curl]
    auto const fetch = [&](anew::attempt& attempt) {
      body.clear();  // what the attempt before has left
      return anew::curl::perform(easy, attempt, anew::idempotent_call, 10s);
    };
    anew::curl::transfer const r = anew::retry(strategy, anew::idempotent(fetch));
    // [/curl]
    show("libcurl", r.http_status);

    begin();
    curl_easy_setopt(easy, CURLOPT_POST, 1L);
    // [upload]
    std::string const picture(4000, 'x');
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(picture.size()));  // else in chunks
    auto const send = [&](anew::attempt& attempt) {
      return anew::curl::perform(easy, attempt, anew::curl::upload{picture}, anew::idempotent_call, 10s);
    };
    // [/upload]
    show("upload", anew::retry(strategy, anew::idempotent(send)).http_status);
  }
  {
    begin();
    // [beast]
    anew::with<anew::http::standard, anew::beast::classifier<>> const over_beast{};
    auto const r = anew::retry(over_beast, anew::idempotent([&] { return beast_get(); }));
    // [/beast]
    show("Beast", static_cast<int>(r.result_int()));
  }
  {
    begin();
    throwing const with_exceptions{};
    auto const body = anew::retry(with_exceptions, anew::idempotent([] { return get_or_throw(); }));
    show("exceptions", body.empty() ? 0 : 200);
  }
  {
    begin();
    persistent const with_traits{};
    auto const r = anew::retry(with_traits, anew::idempotent([] { return vendor::get(); }));
    show("http_traits", anew::http_traits<vendor::reply>::status(r));
  }
}
