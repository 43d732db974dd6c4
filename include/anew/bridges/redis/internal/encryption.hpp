// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_REDIS_INTERNAL_ENCRYPTION_HPP
#define ANEW_BRIDGES_REDIS_INTERNAL_ENCRYPTION_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI::detail {

/// The state of a connection that begins: `advanced` where a part of it is done, and another begins.
enum class connecting : std::uint8_t { pending, advanced, done, failed };

/// One encrypted connection over a non-blocking socket, which it does not own. No function waits.
class encrypted_connection {
 public:
  encrypted_connection() = default;
  encrypted_connection(encrypted_connection const&) = delete;
  encrypted_connection& operator=(encrypted_connection const&) = delete;
  virtual ~encrypted_connection() = default;

  [[nodiscard]] virtual connecting shake_hands() = 0;
  /// The number of bytes; 0: it would block; below: the connection is over.
  [[nodiscard]] virtual std::ptrdiff_t send(char const* bytes, std::size_t size) = 0;
  [[nodiscard]] virtual std::ptrdiff_t receive(char* bytes, std::size_t size) = 0;
  /// Why it is over, where it is known.
  [[nodiscard]] virtual std::string error() const = 0;
};

/// Encrypts the connections of a bucket. A program without it links no library for it.
class encryption {
 public:
  encryption() = default;
  encryption(encryption const&) = delete;
  encryption& operator=(encryption const&) = delete;
  virtual ~encryption() = default;

  /// Null when memory is short.
  [[nodiscard]] virtual std::unique_ptr<encrypted_connection> begin(int socket, std::string const& host) const = 0;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
