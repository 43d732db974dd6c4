// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_EXT_BEAST_HPP
#define ANEW_EXT_BEAST_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/compose.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>

#include "anew/attempt.hpp"
#include "anew/ext/beast_classifier.hpp"

namespace anew::beast {

namespace detail {

template <class Connection, class Request>
class request_operation;

}  // namespace detail

/// A connection to one server for one request at a time. It is made by the first request, kept while that is good, and
/// made anew
///
/// * for an attempt whose `connection()` is `fresh`: after a transient error or a time-out;
/// * after an attempt that failed or was cancelled: nobody knows where in the stream it was;
/// * when the server has closed it meanwhile, or has said that it would.
///
///     auto const ask = [&](anew::attempt& self, auto token) {
///       return to_server.async_request(self, request, std::move(token));
///     };
///     anew::async_retry(strategy, anew::idempotent(ask), token);   // with beast::classifier<>
///
/// It has no limits of time by itself: compose `attempt_timeout`, and the attempt is cancelled. Cancellation is terminal.
/// A name that is being looked up holds a cancelled attempt up, as Asio's resolver cannot leave `getaddrinfo`; a numeric
/// address is not looked up. Its members are for one thread at a time, or a strand: give it that executor.
/// It speaks HTTP/1.1 in plain text. For TLS write your own in the image of this: `beast::classifier` is the greater part.
template <class ResponseBody = ::boost::beast::http::string_body>
class basic_connection {
 public:
  using response_type = ::boost::beast::http::response<ResponseBody>;
  using exchange_type = exchange<response_type>;
  using executor_type = ::boost::asio::any_io_executor;

  basic_connection(executor_type executor, std::string host, std::string port)
      : stream_{executor}, resolver_{executor}, host_{std::move(host)}, port_{std::move(port)} {}
  basic_connection(basic_connection const&) = delete;
  basic_connection& operator=(basic_connection const&) = delete;
  ~basic_connection() = default;

  [[nodiscard]] executor_type get_executor() noexcept { return stream_.get_executor(); }
  [[nodiscard]] ::boost::beast::tcp_stream& stream() noexcept { return stream_; }
  /// How often a connection was made.
  [[nodiscard]] std::size_t connects() const noexcept { return connects_; }

  /// A longer body of a response is an error. Without a call: Beast's limit of 8 MB.
  void body_limit(std::uint64_t bytes) noexcept { body_limit_ = bytes; }

  /// Sends the request and reads the response: `void(exchange<response<ResponseBody>>)`. An error code is never thrown; it is
  /// in the exchange. The request and this must stay until then. The attempt need not.
  template <class Request, class Token>
  auto async_request(attempt const& self, Request& request, Token&& token) {
    return ::boost::asio::async_compose<Token, void(exchange_type)>(
        detail::request_operation<basic_connection, Request>{*this, request,
                                                             self.connection() == connection_hint::fresh},
        token, stream_);
  }

  void close() noexcept {
    ::boost::system::error_code ignored;
    stream_.socket().close(ignored);  // NOLINT(bugprone-unused-return-value): it is in the argument
    buffer_.clear();
  }

 private:
  template <class Connection, class Request>
  friend class detail::request_operation;
  using tcp = ::boost::asio::ip::tcp;

  /// Open, and silent: one that the server has closed is at its end, and whatever it says unasked is no good sign.
  [[nodiscard]] bool is_good() {
    auto& socket = stream_.socket();
    if (!socket.is_open() || buffer_.size() > 0) return false;
    ::boost::system::error_code code;
    socket.non_blocking(true, code);  // NOLINT(bugprone-unused-return-value): it is in the argument
    char byte{};
    if (!code) socket.receive(::boost::asio::buffer(&byte, 1), tcp::socket::message_peek, code);
    return code == ::boost::asio::error::would_block || code == ::boost::asio::error::try_again;
  }

  ::boost::beast::tcp_stream stream_;
  tcp::resolver resolver_;
  std::string host_;
  std::string port_;
  ::boost::beast::flat_buffer buffer_;
  std::optional<::boost::beast::http::response_parser<ResponseBody>> parser_;
  std::optional<std::uint64_t> body_limit_;
  std::size_t connects_ = 0;
};

using connection = basic_connection<>;

namespace detail {

/// One request over a connection: look up, connect, write, read, as far as is needed.
template <class Connection, class Request>
class request_operation {
  using error_code = ::boost::system::error_code;
  using tcp = ::boost::asio::ip::tcp;

 public:
  request_operation(Connection& connection, Request& request, bool fresh) noexcept
      : connection_{&connection}, request_{&request}, fresh_{fresh} {}

  template <class Self>
  void operator()(Self& self) {
    auto& c = *connection_;
    if (!fresh_ && c.is_good()) return write(self);
    c.close();
    error_code code;
    auto const address = ::boost::asio::ip::make_address(c.host_, code);
    unsigned short number = 0;
    if (!code && read_port(c.port_, number)) return connect(self, tcp::endpoint{address, number});
    auto slot = ::boost::asio::get_associated_cancellation_slot(self);
    if (slot.is_connected()) {  // the resolver does not know of slots
      slot.assign([resolver = &c.resolver_](::boost::asio::cancellation_type) { resolver->cancel(); });
    }
    c.resolver_.async_resolve(c.host_, c.port_, std::move(self));
  }
  template <class Self>
  void operator()(Self& self, error_code code, tcp::resolver::results_type const& found) {
    auto slot = ::boost::asio::get_associated_cancellation_slot(self);
    if (slot.is_connected()) slot.clear();
    if (!code && self.cancelled() != ::boost::asio::cancellation_type::none)
      code = ::boost::asio::error::operation_aborted;
    if (code) return fail(self, code);
    connect(self, found);
  }
  template <class Self>
  void operator()(Self& self, error_code code, tcp::endpoint const& /*connected*/) {
    connected(self, code);
  }
  template <class Self>
  void operator()(Self& self, error_code code) {
    connected(self, code);
  }
  template <class Self>
  void operator()(Self& self, error_code code, std::size_t bytes) {
    auto& c = *connection_;
    if (!is_written_) {
      sent_ = bytes > 0;
      is_written_ = true;
      if (code) return fail(self, code);
      return read(self);
    }
    if (code) return fail(self, code);
    auto const status = c.parser_->get().result_int();
    if (status < 200 && status != 101) return read(self);  // 100 Continue and the like: the response is still to come
    if (!c.parser_->keep_alive()) c.close();
    finish(self, {});
  }

 private:
  static bool read_port(std::string const& text, unsigned short& number) noexcept {
    unsigned long value = 0;
    for (char const digit : text) {
      if (digit < '0' || digit > '9') return false;
      value = value * 10 + static_cast<unsigned long>(digit - '0');
      if (value > 65535) return false;
    }
    number = static_cast<unsigned short>(value);
    return !text.empty();
  }
  template <class Self, class Where>
  void connect(Self& self, Where const& where) {
    connection_->stream_.async_connect(where, std::move(self));
  }
  template <class Self>
  void connected(Self& self, error_code code) {
    if (code) return fail(self, code);
    ++connection_->connects_;
    write(self);
  }
  template <class Self>
  void write(Self& self) {
    ::boost::beast::http::async_write(connection_->stream_, *request_, std::move(self));
  }
  template <class Self>
  void read(Self& self) {
    auto& c = *connection_;
    c.parser_.emplace();
    if (c.body_limit_) c.parser_->body_limit(*c.body_limit_);
    if (request_->method() == ::boost::beast::http::verb::head) c.parser_->skip(true);
    ::boost::beast::http::async_read(c.stream_, c.buffer_, *c.parser_, std::move(self));
  }
  template <class Self>
  void fail(Self& self, error_code code) {
    connection_->close();
    finish(self, code);
  }
  template <class Self>
  void finish(Self& self, error_code code) {
    auto& parser = connection_->parser_;
    typename Connection::exchange_type result{{code, 0, sent_, std::nullopt}, {}};
    if (is_written_ && parser && parser->is_header_done()) {
      static_cast<transfer&>(result) = beast::transfer_of(parser->get(), code);
      result.response = parser->release();
    }
    parser.reset();
    self.complete(std::move(result));
  }

  Connection* connection_;
  Request* request_;
  bool fresh_;
  bool is_written_ = false;
  bool sent_ = false;
};

}  // namespace detail
}  // namespace anew::beast

#endif
