// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_LOAD_TLS_HPP
#define ANEW_LOAD_TLS_HPP

// A stream over a socket, with TLS or without. TLS requires OpenSSL.

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <boost/asio/async_result.hpp>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#ifdef ANEW_LOAD_HAS_TLS
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#endif

#include "target.hpp"

namespace anew_load {

#ifdef ANEW_LOAD_HAS_TLS
inline constexpr bool has_tls = true;
using tls_context = boost::asio::ssl::context;
#else
inline constexpr bool has_tls = false;
struct tls_context {};
#endif

/// `authorities`: a file of certificates in PEM that are trusted in the place of the system's. Throws
/// anew_get::usage_error for a file that has none. Null without OpenSSL.
[[nodiscard]] std::unique_ptr<tls_context> make_tls_context(std::optional<std::string> const& authorities,
                                                            bool verifies);

class transport {
 public:
  using socket_type = boost::asio::basic_stream_socket<boost::asio::ip::tcp, boost::asio::io_context::executor_type>;
  using executor_type = socket_type::executor_type;

  explicit transport(boost::asio::io_context& io) : socket_{io} {}

  [[nodiscard]] executor_type get_executor() { return socket_.get_executor(); }
  [[nodiscard]] socket_type& socket() noexcept { return socket_; }
  [[nodiscard]] socket_type const& socket() const noexcept { return socket_; }

  template <class Buffers, class Token>
  auto async_read_some(Buffers const& into, Token&& token) {
    return boost::asio::async_initiate<Token, void(boost::system::error_code, std::size_t)>(
        [this](auto handler, Buffers const& buffers) {
#ifdef ANEW_LOAD_HAS_TLS
          if (tls_) return tls_->async_read_some(buffers, std::move(handler));
#endif
          socket_.async_read_some(buffers, std::move(handler));
        },
        token, into);
  }
  template <class Buffers, class Token>
  auto async_write_some(Buffers const& from, Token&& token) {
    return boost::asio::async_initiate<Token, void(boost::system::error_code, std::size_t)>(
        [this](auto handler, Buffers const& buffers) {
#ifdef ANEW_LOAD_HAS_TLS
          if (tls_) return tls_->async_write_some(buffers, std::move(handler));
#endif
          socket_.async_write_some(buffers, std::move(handler));
        },
        token, from);
  }
  /// Writes as much as the socket takes without waiting. Over TLS `from` must fit one record.
  template <class Buffers>
  std::size_t write_at_once(Buffers const& from, boost::system::error_code& error) {
#ifdef ANEW_LOAD_HAS_TLS
    if (tls_) return tls_->write_some(from, error);
#endif
    return socket_.write_some(from, error);
  }
  /// After the socket is connected, and before anything is sent.
  template <class Handler>
  void async_handshake(tls_context& by, target const& to, Handler handler) {
#ifdef ANEW_LOAD_HAS_TLS
    begin_tls(by, to);
    tls_->async_handshake(boost::asio::ssl::stream_base::client, std::move(handler));
#else
    static_cast<void>(by);
    static_cast<void>(to);
    std::move(handler)(boost::asio::error::operation_not_supported, 0);
#endif
  }
  /// Why the certificate of the server was refused; empty where it was not.
  [[nodiscard]] std::string refusal();
  /// For another connection.
  void reset();

 private:
  socket_type socket_;
#ifdef ANEW_LOAD_HAS_TLS
  void begin_tls(tls_context& by, target const& to);
  std::optional<boost::asio::ssl::stream<socket_type&>> tls_;
#endif
};

}  // namespace anew_load

#endif
