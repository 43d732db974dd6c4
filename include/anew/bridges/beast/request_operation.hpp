// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_BEAST_REQUEST_OPERATION_HPP
#define ANEW_BRIDGES_BEAST_REQUEST_OPERATION_HPP

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <boost/asio/buffers_iterator.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/stream_traits.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/field.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/type_traits.hpp>
#include <boost/beast/http/verb.hpp>
#include <boost/beast/http/write.hpp>

#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/beast/classifier.hpp"
#include "anew/bridges/http/retry_after_field.hpp"

/// One exchange of a `beast::connection`. The limits of its heads are in anew/bridges/http/retry_after_field.hpp: a longer head and
/// too many 1xx are `http::error::header_limit`.
namespace anew::inline ANEW_ABI::beast {

/// Input that is kept until its end arrives: a line of a head, the extension of a chunk, the trailers, in bytes. More
/// is `http::error::buffer_overflow`.
inline constexpr std::size_t most_buffered_bytes = 131'072;

namespace detail {

/// Cancels a connection at any step. A signal between two steps of a composed operation cancels nothing, and a peer
/// that never lets a step wait would outlast every signal; a closed socket ends the next step too.
template <class Connection>
struct stop_connection {
  Connection* connection;
  ::boost::asio::cancellation_type operator()(::boost::asio::cancellation_type asked) const {
    using type = ::boost::asio::cancellation_type;
    if ((asked & type::terminal) == type::none) return type::none;
    connection->stop();
    return type::terminal;
  }
};

/// Whether a response has no coding other than chunked: the request offers no other.
[[nodiscard]] bool is_plain_or_chunked(auto const& fields) {
  auto const [first, last] = fields.equal_range(::boost::beast::http::field::transfer_encoding);
  if (first == last) return true;
  auto const coding = first->value();
  return std::next(first) == last &&
         (::boost::beast::iequals(coding, "chunked") || ::boost::beast::iequals(coding, "identity"));
}

/// A body whose serialisation may change it, and which anew can put back: a file.
template <class Request>
concept HasFileBody =
    requires(Request& request, ::boost::system::error_code& code) { request.body().file().seek(0, code); };
/// False for a body that is used up by being sent.
template <class Request>
inline constexpr bool can_be_sent_again =
    !::boost::beast::http::is_mutable_body_writer<typename Request::body_type>::value || HasFileBody<Request>;

/// One request over a connection: look up, connect, shake hands, write, read, as far as is needed.
template <class Connection, class Request>
class request_operation {
  using error_code = ::boost::system::error_code;
  using tcp = ::boost::asio::ip::tcp;
  using http_error = ::boost::beast::http::error;
  using field = ::boost::beast::http::field;

 public:
  request_operation(Connection& connection, Request& request, bool fresh) noexcept
      : connection_{&connection}, request_{&request}, fresh_{fresh} {}

  void operator()(auto& self) {
    auto& c = *connection_;
    auto const pass = [](::boost::asio::cancellation_type type) { return type; };
    self.reset_cancellation_state(stop_connection<Connection>{&c}, pass);
    is_kept_ = !fresh_ && c.is_good();
    is_kept_ ? write(self) : open(self);
  }
  void operator()(auto& self, error_code code, tcp::resolver::results_type const& found) {
    if (code || is_stopped(self)) return fail(self, code);
    connect(self, found);
  }
  void operator()(auto& self, error_code code, tcp::endpoint const& /*connected*/) { connected(self, code); }
  void operator()(auto& self, error_code code) { is_connected_ ? secured(self, code) : connected(self, code); }
  void operator()(auto& self, error_code code, std::size_t bytes) {
    if (is_written_) return on_read(self, code, bytes);
    // This holds over TLS too: a server cannot read a part of a record.
    sent_ = bytes > 0;
    bool const may_go_again = code && !sent_ && can_be_sent_again<Request> && std::exchange(is_kept_, false);
    if (may_go_again && !is_stopped(self)) return open(self);
    is_written_ = true;
    if (code || is_stopped(self)) return fail(self, code);
    begin_to_read(self);
  }

 private:
  static bool read_port(std::string const& text, unsigned short& number) noexcept {
    auto const* const end = text.data() + text.size();
    auto const [rest, error] = std::from_chars(text.data(), end, number);
    return error == std::errc{} && rest == end;
  }
  static bool is_stopped(auto& self) { return self.cancelled() != ::boost::asio::cancellation_type::none; }
  void open(auto& self) {
    auto& c = *connection_;
    c.close();
    c.carrier_.renew();
    is_connected_ = false;
    error_code code;
    auto const address = ::boost::asio::ip::make_address(c.host_, code);
    unsigned short number = 0;
    if (!code && read_port(c.port_, number)) return connect(self, tcp::endpoint{address, number});
    c.resolver_.async_resolve(c.host_, c.port_, std::move(self));
  }
  void connect(auto& self, auto const& where) {
    ::boost::beast::get_lowest_layer(connection_->stream()).async_connect(where, std::move(self));
  }
  void connected(auto& self, error_code code) {
    if (code || is_stopped(self)) return fail(self, code);
    auto& c = *connection_;
    ++c.connects_;
    is_connected_ = true;
    if constexpr (Connection::carrier_type::has_handshake) {
      if (code = c.carrier_.expect(c.host_); code) return fail(self, code);
      c.carrier_.async_handshake(std::move(self));
    } else {
      write(self);
    }
  }
  void secured(auto& self, error_code code) {
    if constexpr (Connection::carrier_type::has_handshake) code = connection_->carrier_.explained(code);
    code || is_stopped(self) ? fail(self, code) : write(self);
  }
  void write(auto& self) {
    if constexpr (HasFileBody<Request>) {
      error_code code;
      request_->body().file().seek(0, code);  // an earlier attempt has read it
      if (code) return fail(self, code);
    }
    has_begun_to_write_ = true;
    ::boost::beast::http::async_write(connection_->stream(), *request_, std::move(self));
  }

  void begin_to_read(auto& self) {
    auto& c = *connection_;
    c.parser_.emplace();
    c.parser_->header_limit(most_head_bytes);
    if (c.body_limit_) c.parser_->body_limit(*c.body_limit_);
    if (request_->method() == ::boost::beast::http::verb::head) c.parser_->skip(true);
    has_begun_ = has_head_ = false;
    read(self);
  }
  // In steps, to check each. The head ends a step.
  void read(auto& self) {
    auto& c = *connection_;
    // Beast's parser, 1.81 at least, asserts that an empty body of chunks comes in no less than its five bytes.
    is_gathering_ = awaits_chunks_ && c.buffer_.size() < std::string_view{"0\r\n\r\n"}.size();
    if (is_gathering_) return c.stream().async_read_some(c.buffer_.prepare(512), std::move(self));
    awaits_chunks_ = false;
    ::boost::beast::http::async_read_some(c.stream(), c.buffer_, *c.parser_, std::move(self));
  }
  void on_read(auto& self, error_code code, std::size_t bytes) {
    auto& parser = *connection_->parser_;
    if (is_gathering_) {
      connection_->buffer_.commit(bytes);
      if (code == ::boost::asio::error::eof) code = http_error::partial_message;
      return code || is_stopped(self) ? fail(self, code) : read(self);
    }
    if (!has_head_) {
      head_bytes_ += bytes;
      has_begun_ = has_begun_ || bytes > 0;
      has_head_ = parser.is_header_done();
      if (has_head_) asked_ = beast::retry_after_of(parser.get());
      if (!code && head_bytes_ > most_head_bytes) code = http_error::header_limit;
      if (code == http_error::partial_message && !has_begun_ && !may_be_http()) code = http_error::bad_version;
      if (!code && has_head_) code = on_head();
    }
    if (!code && has_head_ && is_informational()) {
      if (++informational_ > most_informational) return fail(self, http_error::header_limit);
      return is_stopped(self) ? fail(self, code) : begin_to_read(self);
    }
    if (!code && parser.is_done()) {  // whole, and so good, whatever was asked for meanwhile
      if (!parser.keep_alive()) connection_->close();
      return finish(self, {});
    }
    if (code || is_stopped(self)) return fail(self, code);
    read(self);
  }
  // Checks that the parser omits.
  error_code on_head() {
    auto& parser = *connection_->parser_;
    auto const status = parser.get().result_int();
    bool const is_bad = status < 100 || (status == 101 && request_->find(field::upgrade) == request_->end());
    if (is_bad) {
      has_head_ = false;
      return http_error::bad_status;
    }
    if (!parser.is_done() && !is_plain_or_chunked(parser.get())) return http_error::bad_transfer_encoding;
    awaits_chunks_ = parser.chunked() && !parser.is_done();
    parser.eager(true);
    return {};
  }
  [[nodiscard]] bool is_informational() const {
    auto const status = connection_->parser_->get().result_int();
    return status < 200 && status != 101;
  }
  // The parser accepts a few bytes that cannot become a status line.
  [[nodiscard]] bool may_be_http() const {
    ::boost::beast::string_view const start{"HTTP/"};
    auto const unread = connection_->buffer_.cdata();
    std::string const head{
        ::boost::asio::buffers_begin(unread),
        ::boost::asio::buffers_begin(unread) + static_cast<std::ptrdiff_t>(std::min(unread.size(), start.size()))};
    return ::boost::beast::iequals(head, start.substr(0, head.size()));
  }

  void fail(auto& self, error_code code) {
    connection_->close();
    finish(self, is_stopped(self) ? ::boost::asio::error::operation_aborted : code);
  }
  void finish(auto& self, error_code code) {
    auto& parser = connection_->parser_;
    typename Connection::exchange_type result{{code, 0, sent_, std::nullopt, true}, {}};
    if (has_head_ && !is_informational()) {
      if (asked_ == asked_delay{}) {  // it came in a trailer, and says nothing there
        parser->get().erase(field::retry_after);
        parser->get().erase("retry-after-ms");
      }
      static_cast<transfer&>(result) = beast::transfer_of(parser->get(), code);
      result.retry_after = asked_;
      result.response = parser->release();
    }
    result.replayable = can_be_sent_again<Request> || !has_begun_to_write_;
    parser.reset();
    self.reset_cancellation_state();  // a later signal is not for the connection, which may be kept, or gone
    self.complete(std::move(result));
  }

  Connection* connection_;
  Request* request_;
  std::size_t head_bytes_ = 0;
  std::size_t informational_ = 0;
  bool fresh_;
  bool is_kept_ = false;  // the connection, and nothing of this request has left
  bool is_connected_ = false;
  bool has_begun_to_write_ = false;
  bool is_written_ = false;
  bool sent_ = false;
  bool has_begun_ = false;  // of the head that is being read
  bool has_head_ = false;
  asked_delay asked_{};         // by the head, not by a trailer
  bool awaits_chunks_ = false;  // the head was the last thing that was parsed
  bool is_gathering_ = false;
};

}  // namespace detail
}  // namespace anew::inline ANEW_ABI::beast

#endif
