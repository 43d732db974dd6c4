// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_REDIS_REDIS_TLS_HPP
#define ANEW_BRIDGES_REDIS_REDIS_TLS_HPP

#include <memory>
#include <string>

#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/redis/internal/encryption.hpp"
#include "anew/bridges/redis/internal/tls_over_openssl.hpp"

namespace anew::inline ANEW_ABI {

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
