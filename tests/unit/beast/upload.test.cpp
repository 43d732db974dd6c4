// SPDX-License-Identifier: BSL-1.0
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/beast/core/file_stdio.hpp>
#include <boost/beast/http/basic_file_body.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/optional/optional.hpp>
#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/beast.hpp"
#include "anew/policies.hpp"
#include "anew/policies/limits/attempt_timeout.hpp"

#include "names.hpp"
#include "scripted_peer.hpp"
#include "uploads.hpp"

namespace beast_upload_test {
namespace {

using namespace anew;
using beast::connection;
using support::body_to_send;
using support::scripted_peer;
namespace net = boost::asio;
namespace http = boost::beast::http;
using exchange = connection::exchange_type;

/// A body that is taken from a reader, as from a pipe: whoever serialises it uses it up.
struct consumed_body {
  using value_type = support::reader;
  static std::uint64_t size(value_type const& /*body*/) { return body_to_send().size(); }

  struct writer {
    using const_buffers_type = net::const_buffer;
    template <bool IsRequest, class Fields>
    writer(http::header<IsRequest, Fields>& /*header*/, value_type& body) : body_{body} {}
    void init(boost::system::error_code& code) { code = {}; }
    boost::optional<std::pair<const_buffers_type, bool>> get(boost::system::error_code& code) {
      code = {};
      text_ = body_.take();
      if (text_.empty()) return boost::none;
      return {{net::buffer(text_), false}};
    }

   private:
    value_type& body_;
    std::string text_;
  };
};
static_assert(http::is_mutable_body_writer<consumed_body>::value);

struct ended {
  exchange last{};
  stop_reason reason = stop_reason::succeeded;
};

struct notes {
  using role = roles::observer;
  stop_reason* reason = nullptr;
  void on_end(end_event const& end) const { *reason = end.reason; }
};
using strategy = strategy<beast::classifier<>, no_backoff, no_jitter, max_attempts<5>, notes>;

template <class By = strategy, class Request>
ended send(scripted_peer const& peer, Request& request, [[maybe_unused]] bool is_rewound = false) {
  net::io_context io;
  connection to_server{io.get_executor(), "127.0.0.1", std::to_string(peer.port())};
  ended end;
  By const by{notes{&end.reason}};
  auto const ask = [&](attempt& self, auto token) { return to_server.async_request(self, request, std::move(token)); };
  auto const keep = [&end](exchange last) { end.last = std::move(last); };
  if constexpr (requires { request.body().begin_again(); }) {
    auto const rewind = [&request] { return request.body().begin_again(); };
    if (is_rewound) async_retry(io, by, idempotent(rewinding(ask, rewind)), keep);
  }
  if (!is_rewound) async_retry(io, by, idempotent(ask), keep);
  io.run();
  return end;
}

template <class Body>
http::request<Body> request_of(http::verb method) {
  http::request<Body> request{method, "/", 11};
  request.keep_alive(true);
  return request;
}

void check(scripted_peer const& peer, ended const& end, bool repeats) {
  auto const sent = support::bodies_at(peer);
  EXPECT_EQ(sent.size(), repeats ? 3U : 1U);
  for (auto const& body : sent) EXPECT_TRUE(body == body_to_send()) << body.size();
  EXPECT_EQ(end.last.http_status, repeats ? 200 : 503) << end.last.code.message();
  EXPECT_EQ(end.reason, repeats ? stop_reason::succeeded : stop_reason::not_replayable) << to_string(end.reason);
}

class BeastUpload : public ::testing::TestWithParam<http::verb> {};

TEST_P(BeastUpload, OfBytesIsTheSameEachTime) {
  scripted_peer const peer{{support::busy_then_well()}};
  auto request = request_of<http::string_body>(GetParam());
  request.body() = body_to_send();
  request.prepare_payload();
  check(peer, send(peer, request), true);
}

TEST_P(BeastUpload, OfAFileIsTheSameEachTime) {
  scripted_peer const peer{{support::busy_then_well()}};
  support::body_file const file;
  boost::beast::file_stdio opened;
  opened.native_handle(::fdopen(::dup(::fileno(file.get())), "r"));
  auto request = request_of<http::basic_file_body<boost::beast::file_stdio>>(GetParam());
  boost::system::error_code code;
  request.body().reset(std::move(opened), code);
  ASSERT_FALSE(code);
  request.prepare_payload();
  check(peer, send(peer, request), true);
}

TEST_P(BeastUpload, OfWhatIsUsedUpIsSentOnceOrRewound) {
  for (bool const is_rewound : {false, true}) {
    scripted_peer const peer{{support::busy_then_well()}};
    auto request = request_of<consumed_body>(GetParam());
    request.prepare_payload();
    check(peer, send(peer, request, is_rewound), is_rewound);
  }
}

TEST_P(BeastUpload, OfWhatIsUsedUpIsSentOnceThoughItTimesOut) {
  scripted_peer const peer{{{support::peer::read_request(), support::peer::silence()}}};
  auto request = request_of<consumed_body>(GetParam());
  request.prepare_payload();
  auto const end = send<with<strategy, attempt_timeout<100ms>>>(peer, request);
  EXPECT_EQ(peer.connections(), 1U);
  EXPECT_EQ(end.last.code, net::error::timed_out) << end.last.code.message();
  EXPECT_EQ(end.reason, stop_reason::not_replayable) << to_string(end.reason);
}
INSTANTIATE_TEST_SUITE_P(Beast, BeastUpload, ::testing::Values(http::verb::put, http::verb::post));

}  // namespace
}  // namespace beast_upload_test
