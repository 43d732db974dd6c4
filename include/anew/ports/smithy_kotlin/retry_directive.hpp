// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_SMITHY_KOTLIN_RETRY_DIRECTIVE_HPP
#define ANEW_PORTS_SMITHY_KOTLIN_RETRY_DIRECTIVE_HPP

#include <cstdint>

#include "anew/base/asked_delay.hpp"
#include "anew/base/directive.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"

/// The retryer of the smithy-kotlin design document, as classes with virtual functions.
namespace anew::inline ANEW_ABI::smithy_kotlin {

/// The kind of error that a policy found. `transient` is in smithy-kotlin's code since 2022, not in the document.
enum class retry_error_type : std::uint8_t {
  server_side = static_cast<std::uint8_t>(error_kind::server),
  client_side = static_cast<std::uint8_t>(error_kind::client),
  throttling = static_cast<std::uint8_t>(error_kind::throttling),
  timeout = static_cast<std::uint8_t>(error_kind::timeout),
  transient = static_cast<std::uint8_t>(error_kind::transient),
};

/// Converts to the rest of the library's error kinds.
[[nodiscard]] constexpr error_kind to_error_kind(retry_error_type type) noexcept {
  return static_cast<error_kind>(type);
}
/// Converts from the rest of the library's error kinds.
[[nodiscard]] constexpr retry_error_type to_retry_error_type(error_kind kind) noexcept {
  return static_cast<retry_error_type>(kind);
}

/// A policy's answer to one result: `retry_directive::terminate_and_succeed`, `retry_directive::terminate_and_fail` or
/// `retry_directive::retry_error(reason)`, with the delay that the server asked for where it did.
class retry_directive {
 public:
  static retry_directive const terminate_and_succeed;
  static retry_directive const terminate_and_fail;
  [[nodiscard]] static constexpr retry_directive retry_error(retry_error_type reason,
                                                             asked_delay retry_after = {}) noexcept {
    return retry_directive{directive::retry(to_error_kind(reason), retry_after)};
  }

  [[nodiscard]] constexpr bool is_success() const noexcept { return meaning_.is_success(); }
  [[nodiscard]] constexpr bool is_failure() const noexcept { return meaning_.is_failure(); }
  [[nodiscard]] constexpr bool is_retry() const noexcept { return meaning_.is_retry(); }

  /// The failure, and the delay that the server asked for. Meaningful when `is_retry()`.
  [[nodiscard]] constexpr retry_error_type reason() const noexcept { return to_retry_error_type(meaning_.what().kind); }
  [[nodiscard]] constexpr asked_delay retry_after() const noexcept { return meaning_.what().hint; }

  friend constexpr bool operator==(retry_directive const&, retry_directive const&) = default;

 private:
  friend constexpr directive to_directive(retry_directive const& d) noexcept;
  constexpr explicit retry_directive(directive meaning) noexcept : meaning_{meaning} {}

  directive meaning_;
};

inline constexpr retry_directive retry_directive::terminate_and_succeed{directive::succeed()};
inline constexpr retry_directive retry_directive::terminate_and_fail{directive::fail()};

/// Converts to a classifier's answer.
[[nodiscard]] constexpr directive to_directive(retry_directive const& d) noexcept { return d.meaning_; }

}  // namespace anew::inline ANEW_ABI::smithy_kotlin

#if !ANEW_EXCEPTIONS
/// Replaces the retryer where there are no exceptions: one sentence that says so.
namespace anew::inline ANEW_ABI::smithy_kotlin {

namespace detail {

template <class... Dependent>
struct retryer_without_exceptions {
  static_assert(sizeof...(Dependent) != sizeof...(Dependent),
                "anew::smithy_kotlin's retryer requires exceptions; it reports every failure by throwing, as its "
                "design document says. Use anew::retry(strategy, operation), which works without exceptions");
};

}  // namespace detail

template <class...>
using attempt_result = detail::retryer_without_exceptions<>;
template <class...>
using retry_policy = detail::retryer_without_exceptions<>;
template <class...>
using acceptor_retry_policy = detail::retryer_without_exceptions<>;
template <class...>
using policy_backoff_delayer = detail::retryer_without_exceptions<>;
using adaptive_rate_limiter = detail::retryer_without_exceptions<>;
using adaptive_retry_strategy = detail::retryer_without_exceptions<>;
using backoff_delayer = detail::retryer_without_exceptions<>;
using exponential_backoff_with_jitter = detail::retryer_without_exceptions<>;
using infinite_token_bucket = detail::retryer_without_exceptions<>;
using retry_failure = detail::retryer_without_exceptions<>;
using retry_hooks = detail::retryer_without_exceptions<>;
using retry_strategy = detail::retryer_without_exceptions<>;
using retry_token = detail::retryer_without_exceptions<>;
using retry_token_bucket = detail::retryer_without_exceptions<>;
using standard_retry_policy = detail::retryer_without_exceptions<>;
using standard_retry_strategy = detail::retryer_without_exceptions<>;
using standard_retry_token_bucket = detail::retryer_without_exceptions<>;
using universal_retry_policy = detail::retryer_without_exceptions<>;

}  // namespace anew::inline ANEW_ABI::smithy_kotlin
#endif

#endif
