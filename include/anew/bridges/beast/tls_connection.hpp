// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_BEAST_TLS_CONNECTION_HPP
#define ANEW_BRIDGES_BEAST_TLS_CONNECTION_HPP

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <optional>
#include <string>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/ssl/verify_mode.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/string_body.hpp>

#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/beast/connection.hpp"
#include "anew/bridges/beast/pool.hpp"

/// Requests over TLS. It needs OpenSSL, so anew/beast.hpp does not include it.
namespace anew::inline ANEW_ABI::beast {

using tls_stream = ::boost::asio::ssl::stream<::boost::beast::tcp_stream>;

namespace detail {

struct certificate_errors final : ::boost::system::error_category {
  [[nodiscard]] char const* name() const noexcept override { return "anew.certificate"; }
  [[nodiscard]] std::string message(int value) const override {
    return std::string{"the server's certificate was refused: "}.append(::X509_verify_cert_error_string(value));
  }
};

}  // namespace detail

/// The category of an exchange's code if the server's certificate was refused. The values are OpenSSL's `X509_V_ERR_`; the
/// message has the reason, such as "hostname mismatch". Final for every classifier of anew.
[[nodiscard]] inline ::boost::system::error_category const& certificate_category() noexcept {
  static detail::certificate_errors const category;
  return category;
}

namespace detail {

template <>
class carrier<tls_stream> {
  using error_code = ::boost::system::error_code;

 public:
  static constexpr bool has_handshake = true;
  class security {
   public:
    security(::boost::asio::ssl::context& by) noexcept : context{&by} {}  // NOLINT(*-explicit-*)
    ::boost::asio::ssl::context* context;
  };

  carrier(::boost::asio::any_io_executor const& executor, security by)
      : context_{by.context}, stream_{std::in_place, executor, *by.context} {}
  [[nodiscard]] tls_stream& stream() noexcept { return *stream_; }
  /// A session of OpenSSL is for one connection.
  void renew() {
    auto const executor = stream_->get_executor();
    stream_.emplace(executor, *context_);
  }

  /// Sets the host for SNI and for the verification. An IP address is verified, but not sent.
  [[nodiscard]] error_code expect(std::string const& host) {
    error_code code;
    stream_->set_verify_mode(::boost::asio::ssl::verify_peer, code);  // NOLINT(bugprone-unused-return-value)
    if (code) return code;
    auto* const session = stream_->native_handle();
    bool is_set = false;
    ::boost::asio::ip::make_address(host, code);
    if (!code) {
      is_set = ::X509_VERIFY_PARAM_set1_ip_asc(::SSL_get0_param(session), host.c_str()) == 1;
    } else {
      ::SSL_set_hostflags(session, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
      is_set = ::SSL_set1_host(session, host.c_str()) == 1 &&
               ::SSL_ctrl(session, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
                          const_cast<char*>(host.c_str())) == 1;
    }
    return is_set ? error_code{} : ::boost::asio::error::invalid_argument;
  }
  void async_handshake(auto&& handler) {
    stream_->async_handshake(::boost::asio::ssl::stream_base::client, std::forward<decltype(handler)>(handler));
  }
  /// Says why, where OpenSSL says only that the verification failed.
  [[nodiscard]] error_code explained(error_code code) {
    if (code.category() != ::boost::asio::error::get_ssl_category()) return code;
    if (ERR_GET_REASON(static_cast<unsigned long>(code.value())) != SSL_R_CERTIFICATE_VERIFY_FAILED) return code;
    auto const why = ::SSL_get_verify_result(stream_->native_handle());
    return why == X509_V_OK ? code : error_code{static_cast<int>(why), certificate_category()};
  }

 private:
  ::boost::asio::ssl::context* context_;
  std::optional<tls_stream> stream_;
};

}  // namespace detail

/// `basic_connection` over TLS: it differs in the stream and the handshake.
///
///     boost::asio::ssl::context trusted{boost::asio::ssl::context::tls_client};
///     trusted.set_default_verify_paths();
///     anew::beast::tls_connection to_server{executor, "example.org", "443", trusted};
///
/// The certificate must be trusted by the context, which must stay, and be made out to the host, whatever verify mode the
/// context has. If it is not, the exchange has a code of `certificate_category()`: a final failure, before a byte of the
/// request has left. A name is sent to the server (SNI), an address is not.
///
/// Each connection makes a full handshake. A server that breaks one off is retried like one that closes a connection.
/// Requires OpenSSL 1.1.1 or newer.
template <class ResponseBody>
using basic_tls_connection = basic_connection<ResponseBody, tls_stream>;
using tls_connection = basic_tls_connection<::boost::beast::http::string_body>;
/// Connections of TLS to one host, which are kept.
using tls_pool = basic_pool<tls_connection>;

}  // namespace anew::inline ANEW_ABI::beast

#endif
