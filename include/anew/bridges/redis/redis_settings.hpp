// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_REDIS_REDIS_SETTINGS_HPP
#define ANEW_BRIDGES_REDIS_REDIS_SETTINGS_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "anew/base/duration.hpp"
#include "anew/base/internal/immovable.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/quota/retry_costs.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

/// The progress of a handshake: `advanced` after each step but the last.
enum class connecting : std::uint8_t { pending, advanced, done, failed };

/// One encrypted connection over a non-blocking socket, which it does not own. No function waits.
class encrypted_connection : pinned::immovable<encrypted_connection> {
 public:
  virtual ~encrypted_connection() = default;

  [[nodiscard]] virtual connecting shake_hands() = 0;
  /// Returns the number of bytes; 0 if it would block; a negative number if the connection has ended.
  [[nodiscard]] virtual std::ptrdiff_t send(char const* bytes, std::size_t size) = 0;
  [[nodiscard]] virtual std::ptrdiff_t receive(char* bytes, std::size_t size) = 0;
  /// Returns why the connection ended, if that is known.
  [[nodiscard]] virtual std::string error() const = 0;
};

/// Encrypts the connections of a bucket. A program without it links no library for it.
class encryption : pinned::immovable<encryption> {
 public:
  virtual ~encryption() = default;

  /// Null when memory is short.
  [[nodiscard]] virtual std::unique_ptr<encrypted_connection> begin(int socket, std::string const& host) const = 0;
};

}  // namespace detail

/// How a `redis_bucket` decides while Redis does not answer and its lease is over.
enum class when_redis_is_away : std::uint8_t {
  refuse,  ///< it is refused
  share,   ///< it is paid by a local bucket of `capacity / processes` tokens, which successes refill
  grant,   ///< it is granted, without a limit
};

/// The settings of a `redis_bucket`: where Redis is, and the numbers of the bucket.
struct redis_settings {
  std::string name{};              ///< of the bucket: those with one name share it. The key is `{name}`
  std::string host = "127.0.0.1";  ///< a name, an address, or a path that begins with `/`: a Unix socket
  std::uint16_t port = 6379;
  std::string user{};      ///< empty: the default user
  std::string password{};  ///< empty: no AUTH
  std::uint32_t database = 0;
  std::shared_ptr<detail::encryption const> tls{};  ///< null: none; a `redis_tls` of anew/bridges/redis/redis_tls.hpp

  std::uint32_t capacity = 500;  ///< tokens of the whole fleet
  std::uint32_t first = 0;       ///< tokens of a bucket that Redis does not have yet
  retry_costs costs{};           ///< as of a token_bucket
  std::uint32_t lease = 56;      ///< tokens that a process takes in advance
  std::uint32_t batch = 32;      ///< successes that a process hands over together
  when_redis_is_away away = when_redis_is_away::refuse;
  std::uint32_t processes = 1;  ///< of the fleet: for when_redis_is_away::share

  duration lease_for{1'000'000'000};         ///< how long a lease may be spent, from when it was asked for
  duration patience{5'000'000};              ///< how long after its backoff a retry waits for the answer
  duration limit{200'000'000};               ///< of an exchange with Redis, and of a connection that begins
  duration empty_for{100'000'000};           ///< how long "empty" is remembered
  duration time_to_live{3'600'000'000'000};  ///< of the key, from the last exchange
};

}  // namespace anew::inline ANEW_ABI

#endif
