// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_REDIS_REDIS_TLS_HPP
#define ANEW_BRIDGES_REDIS_REDIS_TLS_HPP

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <climits>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "anew/base/internal/shown.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/invalid_argument.hpp"
#include "anew/bridges/redis/internal/with_hiredis.hpp"
#include "anew/bridges/redis/redis_settings.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

template <auto Free>
struct freed_by {
  template <class T>
  void operator()(T* of) const noexcept {
    Free(of);
  }
};
using openssl_context = std::unique_ptr<SSL_CTX, freed_by<::SSL_CTX_free>>;
using openssl_session = std::unique_ptr<SSL, freed_by<::SSL_free>>;

/// The oldest error of this thread, which is the cause of the others.
inline std::string openssl_error() {
  auto const code = ::ERR_get_error();
  ::ERR_clear_error();
  auto const* const text = code != 0 ? ::ERR_reason_error_string(code) : nullptr;
  return text != nullptr ? text : "";
}

class connection_over_openssl final : public encrypted_connection {
 public:
  explicit connection_over_openssl(openssl_session session) noexcept : session_{std::move(session)} {}

  connecting shake_hands() override {
    int const result = quietly([this] { return ::SSL_do_handshake(session_.get()); });
    if (result == 1) return connecting::done;
    if (!would_block(result)) {
      auto const found = ::SSL_get_verify_result(session_.get());
      if (found != X509_V_OK) {
        error_ = std::string{"the server's certificate is refused: "}.append(::X509_verify_cert_error_string(found));
      }
      return connecting::failed;
    }
    auto const state = static_cast<int>(::SSL_get_state(session_.get()));
    return std::exchange(state_, state) != state ? connecting::advanced : connecting::pending;
  }
  std::ptrdiff_t send(char const* bytes, std::size_t size) override {
    return moved(quietly([&] { return ::SSL_write(session_.get(), bytes, at_most(size)); }));
  }
  std::ptrdiff_t receive(char* bytes, std::size_t size) override {
    return moved(quietly([&] { return ::SSL_read(session_.get(), bytes, at_most(size)); }));
  }
  std::string error() const override { return error_; }

 private:
  /// OpenSSL's own socket raises SIGPIPE where the server has closed the connection.
  static int quietly(auto const& action) {
    ::ERR_clear_error();
    return redis::detail::without_sigpipe(action);
  }
  static int at_most(std::size_t size) noexcept { return size < INT_MAX ? static_cast<int>(size) : INT_MAX; }
  std::ptrdiff_t moved(int result) {
    if (result > 0) return result;
    return would_block(result) ? 0 : -1;
  }
  bool would_block(int result) {
    int const why = ::SSL_get_error(session_.get(), result);
    if (why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE) return true;
    error_ = openssl_error();
    return false;
  }

  openssl_session session_;
  int state_ = -1;
  std::string error_{};
};

class tls_over_openssl final : public encryption {
 public:
  tls_over_openssl(std::string const& ca_file, std::string const& certificate_file, std::string const& key_file,
                   std::string name)
      : context_{::SSL_CTX_new(::TLS_client_method())}, name_{std::move(name)} {
    require(certificate_file.empty() == key_file.empty(), "certificate_file and key_file must be set together",
            certificate_file.empty() ? key_file : certificate_file);
    require(context_ != nullptr && ::SSL_CTX_set_min_proto_version(context_.get(), TLS1_2_VERSION),
            "OpenSSL must be able to begin", "");
    auto* const context = context_.get();
    ::SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    ::SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
    require((ca_file.empty() ? ::SSL_CTX_set_default_verify_paths(context)
                             : ::SSL_CTX_load_verify_locations(context, ca_file.c_str(), nullptr)) == 1,
            "ca_file must be a file of certificates in PEM", ca_file);
    if (certificate_file.empty()) return;
    require(::SSL_CTX_use_certificate_chain_file(context, certificate_file.c_str()) == 1,
            "certificate_file must be a file of certificates in PEM", certificate_file);
    require(::SSL_CTX_use_PrivateKey_file(context, key_file.c_str(), SSL_FILETYPE_PEM) == 1,
            "key_file must be the key of certificate_file in PEM", key_file);
  }

  std::unique_ptr<encrypted_connection> begin(int socket, std::string const& host) const override {
    openssl_session session{::SSL_new(context_.get())};
    if (session == nullptr || ::SSL_set_fd(session.get(), socket) != 1) return nullptr;
    ::SSL_set_connect_state(session.get());
    return is_for(session.get(), name_.empty() ? host : name_)
               ? std::make_unique<connection_over_openssl>(std::move(session))
               : nullptr;
  }

 private:
  static void require(bool holds, char const* requirement, std::string const& value) {
    if (holds) return;
    auto const why = openssl_error();
    detail::invalid_argument("redis_tls", requirement, shown(value).append(why.empty() ? "" : " (" + why + ")"));
  }
  /// The certificate must be for that name or address.
  static bool is_for(SSL* session, std::string const& name) noexcept {
    unsigned char address[16];
    bool const is_address =
        ::inet_pton(AF_INET, name.c_str(), address) == 1 || ::inet_pton(AF_INET6, name.c_str(), address) == 1;
    if (is_address) return ::X509_VERIFY_PARAM_set1_ip_asc(::SSL_get0_param(session), name.c_str()) == 1;
    // RFC 9525 has no common names.
    ::SSL_set_hostflags(session, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT);
    return ::SSL_set1_host(session, name.c_str()) == 1 &&
           ::SSL_ctrl(session, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
                      const_cast<char*>(name.c_str())) == 1;
  }

  openssl_context context_;
  std::string name_;
};

}  // namespace detail

/// TLS for the connections of a `redis_bucket`, by OpenSSL.
///
/// `redis_bucket{{.name = "orders", .host = "redis.internal", .port = 6380, .tls = redis_tls{.ca_file = "ca.pem"}}}`. The
/// server's certificate must be valid, signed by a CA that you trust, and for the name. The handshake has the limit of
/// the connection. The version is TLS 1.2 or later.
///
/// Requires: files in PEM that can be read; certificate_file and key_file together; a name where the host is a path. Link
/// with `-lssl -lcrypto`, 1.1.1 or later. Without this header a program needs no OpenSSL
/// Cost: the calls that make the handshake compute for about 1 ms (P-256, OpenSSL 3.0), once for each connection
/// Choose it where the network between your program and Redis is not yours alone. Not over a Unix socket.
/// Source: RFC 8446; the name: RFC 9525
struct redis_tls {
  std::string ca_file{};           ///< of the CAs that you trust; empty: those of the system
  std::string certificate_file{};  ///< of this client, with its chain; empty: it sends none
  std::string key_file{};          ///< of that certificate
  std::string name{};              ///< that the server's certificate must be for; empty: the host of the settings

  /// For `redis_settings::tls`. Reads the files now: throws `std::invalid_argument` where one cannot be used.
  // NOLINTNEXTLINE(google-explicit-constructor): it is written as a setting
  operator std::shared_ptr<detail::encryption const>() const {
    return std::make_shared<detail::tls_over_openssl const>(ca_file, certificate_file, key_file, name);
  }
};

}  // namespace anew::inline ANEW_ABI

#endif
