// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_BEAST_CONNECTION_HPP
#define ANEW_BRIDGES_BEAST_CONNECTION_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/compose.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/stream_traits.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include "anew/base/attempt.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/internal/immovable.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/beast/classifier.hpp"
#include "anew/bridges/beast/request_operation.hpp"

namespace anew::inline ANEW_ABI::beast {

namespace detail {

/// Makes, secures and replaces the stream of a connection. The specialisation for TLS is in tls_connection.hpp.
template <class Stream>
class carrier {
 public:
  static constexpr bool has_handshake = false;
  struct security {};

  carrier(::boost::asio::any_io_executor const& executor, security /*none*/) : stream_{executor} {}
  [[nodiscard]] Stream& stream() noexcept { return stream_; }
  void renew() noexcept {}

 private:
  Stream stream_;
};

}  // namespace detail

/// A connection to one server for one request at a time. The first request opens it, later requests reuse it while it
/// is good, and it is opened again
///
/// * for an attempt whose `connection()` is `fresh`: after a transient error, a timeout or a server's error;
/// * after an attempt that failed or was cancelled, because the position in the stream is unknown;
/// * if the server has closed it meanwhile, or has announced it. This costs no attempt, unless a byte of the request had left.
///
///     auto const ask = [&](anew::attempt& self, auto token) {
///       return to_server.async_request(self, request, std::move(token));
///     };
///     anew::async_retry(strategy, anew::idempotent(ask), token);   // with beast::classifier<>
///
/// It has no time limit of its own: compose `attempt_timeout`, which cancels the attempt. Cancellation is terminal,
/// closes the connection, and takes effect at once, whatever the server sends or withholds. Only the look-up of a name
/// cannot be cancelled: Asio's resolver waits for `getaddrinfo`, so the attempt ends when that returns. A numeric
/// address is not looked up.
///
/// The connection limits what the server sends: `most_head_bytes`, `most_informational`, `most_buffered_bytes`, `body_limit()`.
/// Trailers are parsed and kept among the fields of the response, but a `Retry-After` there is dropped. A 101 for a request
/// without an `Upgrade` field is an error, and so is a transfer coding other than `chunked`.
///
/// Use its members from one thread at a time, or from a strand, whose executor you pass to the constructor.
/// It speaks HTTP/1.1: in plain text over Beast's `tcp_stream`, over TLS as `tls_connection`. `beast::pool` has several.
template <class ResponseBody = ::boost::beast::http::string_body, class Stream = ::boost::beast::tcp_stream>
class basic_connection : pinned::immovable<basic_connection<ResponseBody, Stream>> {
  using carrier_type = detail::carrier<Stream>;

 public:
  using response_type = ::boost::beast::http::response<ResponseBody>;
  using exchange_type = exchange<response_type>;
  using executor_type = ::boost::asio::any_io_executor;
  using security_type = typename carrier_type::security;  ///< of a plain connection: empty

  basic_connection(executor_type const& executor, std::string host, std::string port, security_type security = {})
      : carrier_{executor, security}, resolver_{executor}, host_{std::move(host)}, port_{std::move(port)} {
    anew::detail::require(!host_.empty(), "beast::connection", "the host must be a name or an address", "empty");
  }

  [[nodiscard]] executor_type get_executor() noexcept { return stream().get_executor(); }
  [[nodiscard]] Stream& stream() noexcept { return carrier_.stream(); }
  [[nodiscard]] bool is_open() noexcept { return socket().is_open(); }
  /// How many connections have been opened.
  [[nodiscard]] std::size_t connects() const noexcept { return connects_; }

  /// A longer body of a response is an error. Without a call: Beast's limit of 8 MB.
  void body_limit(std::uint64_t bytes) noexcept { body_limit_ = bytes; }

  /// Sends the request and reads the response: `void(exchange<response<ResponseBody>>)`. An error code is never thrown; it is
  /// in the exchange. The request and this must stay until then. The attempt need not. Each attempt sends the whole body: a
  /// `file_body` from the beginning of its file; a body of your own whose writer may change it (Beast's
  /// `is_mutable_body_writer`) is sent once, unless the operation is `anew::rewinding`.
  template <class Request, class Token>
  auto async_request(attempt const& self, Request& request, Token&& token) {
    return ::boost::asio::async_compose<Token, void(exchange_type)>(
        detail::request_operation<basic_connection, Request>{*this, request,
                                                             self.connection() == connection_hint::fresh},
        token, stream());
  }

  void close() noexcept {
    ::boost::system::error_code ignored;
    socket().close(ignored);  // NOLINT(bugprone-unused-return-value): it is in the argument
    buffer_.clear();
  }

 private:
  template <class Connection, class Request>
  friend class detail::request_operation;
  template <class Connection>
  friend struct detail::stop_connection;
  using tcp = ::boost::asio::ip::tcp;

  [[nodiscard]] tcp::socket& socket() noexcept { return ::boost::beast::get_lowest_layer(stream()).socket(); }
  void stop() noexcept {
    ::boost::system::error_code ignored;
    resolver_.cancel();
    socket().close(ignored);  // NOLINT(bugprone-unused-return-value): it is in the argument
  }
  /// True if it is open and has nothing to read: neither the end of the stream nor unexpected data. Over TLS the read
  /// also consumes records without data, such as session tickets.
  [[nodiscard]] bool is_good() {
    if (!is_open() || buffer_.size() > 0) return false;
    ::boost::system::error_code code;
    socket().non_blocking(true, code);  // NOLINT(bugprone-unused-return-value): it is in the argument
    char byte{};
    if (!code) stream().read_some(::boost::asio::buffer(&byte, 1), code);
    return code == ::boost::asio::error::would_block || code == ::boost::asio::error::try_again;
  }

  carrier_type carrier_;
  tcp::resolver resolver_;
  std::string host_;
  std::string port_;
  ::boost::beast::flat_buffer buffer_{most_buffered_bytes};
  std::optional<::boost::beast::http::response_parser<ResponseBody>> parser_;
  std::optional<std::uint64_t> body_limit_;
  std::size_t connects_ = 0;
};

using connection = basic_connection<>;

}  // namespace anew::inline ANEW_ABI::beast

#endif
