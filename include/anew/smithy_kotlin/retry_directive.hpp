// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_SMITHY_KOTLIN_RETRY_DIRECTIVE_HPP
#define ANEW_SMITHY_KOTLIN_RETRY_DIRECTIVE_HPP

#include <cstdint>

#include "anew/platform/compiler.hpp"
#include "anew/value/asked_delay.hpp"
#include "anew/value/directive.hpp"
#include "anew/value/duration.hpp"
#include "anew/value/failure.hpp"

/// The retryer of the smithy-kotlin design document, as classes with virtual functions.
namespace anew::inline ANEW_ABI::smithy_kotlin {

/// The kind of error that a policy found. `transient` is in smithy-kotlin's code since 2022, not in the document.
enum class retry_error_type : std::uint8_t { server_side, client_side, throttling, timeout, transient };

[[nodiscard]] constexpr char const* to_string(retry_error_type type) noexcept {
  switch (type) {
    case retry_error_type::server_side: return "server_side";
    case retry_error_type::client_side: return "client_side";
    case retry_error_type::throttling: return "throttling";
    case retry_error_type::timeout: return "timeout";
    case retry_error_type::transient: return "transient";
  }
  return "unknown";
}

/// Converts to the rest of the library's error kinds, and back.
[[nodiscard]] constexpr error_kind to_error_kind(retry_error_type type) noexcept {
  switch (type) {
    case retry_error_type::server_side: return error_kind::server;
    case retry_error_type::client_side: return error_kind::client;
    case retry_error_type::throttling: return error_kind::throttling;
    case retry_error_type::timeout: return error_kind::timeout;
    case retry_error_type::transient: break;
  }
  return error_kind::transient;
}
[[nodiscard]] constexpr retry_error_type to_retry_error_type(error_kind kind) noexcept {
  switch (kind) {
    case error_kind::server: return retry_error_type::server_side;
    case error_kind::client: return retry_error_type::client_side;
    case error_kind::throttling: return retry_error_type::throttling;
    case error_kind::timeout: return retry_error_type::timeout;
    case error_kind::transient: break;
  }
  return retry_error_type::transient;
}

/// A policy's answer to one result: `retry_directive::terminate_and_succeed`, `retry_directive::terminate_and_fail` or
/// `retry_directive::retry_error(reason)`, with the delay that the server asked for where it did.
class retry_directive {
 public:
  static retry_directive const terminate_and_succeed;
  static retry_directive const terminate_and_fail;
  [[nodiscard]] static constexpr retry_directive retry_error(retry_error_type reason,
                                                             asked_delay retry_after = {}) noexcept {
    return {verdict::retry, reason, retry_after};
  }

  [[nodiscard]] constexpr bool is_success() const noexcept { return verdict_ == verdict::succeed; }
  [[nodiscard]] constexpr bool is_failure() const noexcept { return verdict_ == verdict::fail; }
  [[nodiscard]] constexpr bool is_retry() const noexcept { return verdict_ == verdict::retry; }

  /// The failure, and the delay that the server asked for. Meaningful when `is_retry()`.
  [[nodiscard]] constexpr retry_error_type reason() const noexcept { return reason_; }
  [[nodiscard]] constexpr asked_delay retry_after() const noexcept { return retry_after_; }

  friend constexpr bool operator==(retry_directive const&, retry_directive const&) = default;

 private:
  enum class verdict : std::uint8_t { succeed, fail, retry };
  constexpr retry_directive(verdict v, retry_error_type reason, asked_delay retry_after) noexcept
      : retry_after_{retry_after}, verdict_{v}, reason_{reason} {}

  asked_delay retry_after_;
  verdict verdict_;
  retry_error_type reason_;
};

inline constexpr retry_directive retry_directive::terminate_and_succeed{verdict::succeed, retry_error_type::server_side,
                                                                        std::nullopt};
inline constexpr retry_directive retry_directive::terminate_and_fail{verdict::fail, retry_error_type::server_side,
                                                                     std::nullopt};

/// The same as the rest of the library's directive.
[[nodiscard]] constexpr directive to_directive(retry_directive const& d) noexcept {
  if (d.is_success()) return directive::succeed();
  if (d.is_failure()) return directive::fail();
  return directive::retry(to_error_kind(d.reason()), d.retry_after());
}

}  // namespace anew::inline ANEW_ABI::smithy_kotlin

#endif
