// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_FAILURE_HPP
#define ANEW_BASE_FAILURE_HPP

#include <concepts>
#include <cstdint>
#include <optional>

#include "anew/base/asked_delay.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

/// Whether the operation may run again after an error. `maybe`: the operation may have taken effect already, so only an
/// operation that is declared `idempotent` runs again.
enum class retry_safety : std::uint8_t { no, maybe, yes };

/// The kind of an error. It determines the price of a retry, and whether a connection is reused.
enum class error_kind : std::uint8_t {
  transient,   ///< a connection broke, a server failed for a moment
  throttling,  ///< the service asked for fewer requests
  timeout,     ///< no answer in time
  server,      ///< the server's fault, nothing more known
  client,      ///< the caller's fault, and yet worth another attempt
};

namespace detail {
inline constexpr error_kind every_kind[]{error_kind::transient, error_kind::throttling, error_kind::timeout,
                                         error_kind::server, error_kind::client};
}  // namespace detail

/// Whose fault it was, in the words of Smithy's `ErrorInfo`.
enum class ANEW_VISIBLE error_fault : std::uint8_t { client, server, other };

[[nodiscard]] constexpr char const* to_string(error_kind kind) noexcept {
  return detail::name_in({"transient", "throttling", "timeout", "server", "client"}, kind);
}

/// The number of a call's failures of each kind, for policies that count by kind.
class kind_counts {
 public:
  [[nodiscard]] constexpr std::uint32_t of(error_kind kind) const noexcept {
    return of_[static_cast<unsigned char>(kind)];
  }
  constexpr void add(error_kind kind) noexcept {
    auto& count = of_[static_cast<unsigned char>(kind)];
    if (count != ~std::uint32_t{0}) ++count;
  }
  /// The sum of the kinds for which `is_named(kind)` is false; saturates.
  [[nodiscard]] constexpr std::uint32_t of_others(auto const& is_named) const {
    std::uint32_t sum = 0;
    for (auto kind : detail::every_kind) {
      auto const count = is_named(kind) ? 0U : of(kind);
      sum = count > ~std::uint32_t{0} - sum ? ~std::uint32_t{0} : sum + count;
    }
    return sum;
  }

 private:
  std::uint32_t of_[5]{};
};

/// The progress of a call after a failure, for policies that distinguish kinds of errors.
struct call_progress {
  std::uint32_t attempts;  ///< made so far, at least 1
  error_kind kind;         ///< of the last failure
  kind_counts counts;      ///< of all failures, the last included
};

/// A classifier's findings about a failed attempt: all that a strategy's decision depends on.
struct failure {
  error_kind kind = error_kind::transient;
  retry_safety safety = retry_safety::yes;
  asked_delay hint{};  ///< what the server said about the next attempt; its delay is never negative

  friend constexpr bool operator==(failure const&, failure const&) = default;
};

/// An error that says itself whether it may be retried (Smithy's `RetryInfo`). Only `is_retry_safe()` is required.
///
/// | expression          | returns                   | when absent |
/// |---------------------|---------------------------|-------------|
/// | `e.is_retry_safe()` | `retry_safety`            | required    |
/// | `e.is_throttle()`   | `bool`                    | false       |
/// | `e.is_timeout()`    | `bool`                    | false       |
/// | `e.retry_after()`   | `std::optional<duration>` | no hint     |
template <class E>
concept RetryInfo = requires(E const& e) {
  { e.is_retry_safe() } -> std::same_as<retry_safety>;
};

/// An error that says whose fault it was (Smithy's `ErrorInfo`).
template <class E>
concept ErrorInfo = requires(E const& e) {
  { e.fault() } -> std::same_as<error_fault>;
};

/// Does the same for a type that you cannot edit: specialise it with the same functions, static and with the error as a
/// parameter.
///
///     template <> struct anew::retry_traits<their_error> {
///       static anew::retry_safety is_retry_safe(their_error const& e);
///       static bool is_throttle(their_error const& e);                         // optional, as are the others
///     };
template <class E>
struct retry_traits {};

/// A base for exceptions that say whether they may be retried, whatever other base they have. The default classifier
/// catches it: `struct busy : std::runtime_error, anew::retry_info { ... };`.
class ANEW_VISIBLE retry_info {
 public:
  retry_info() = default;
  retry_info(retry_info const&) = default;
  retry_info& operator=(retry_info const&) = default;
  virtual ~retry_info() = default;

  [[nodiscard]] virtual retry_safety is_retry_safe() const = 0;
  [[nodiscard]] virtual bool is_throttle() const { return false; }
  [[nodiscard]] virtual bool is_timeout() const { return false; }
  /// The delay that the server asked for.
  [[nodiscard]] virtual std::optional<duration> retry_after() const { return std::nullopt; }
};

namespace detail {

template <class E>
concept TraitedRetryInfo = requires(E const& e) {
  { retry_traits<E>::is_retry_safe(e) } -> std::same_as<retry_safety>;
};

}  // namespace detail

/// An error that says whether it may be retried: itself (`RetryInfo`), or by `anew::retry_traits`, which takes
/// precedence.
template <class E>
concept SaysWhetherToRetry = RetryInfo<E> || detail::TraitedRetryInfo<E>;

/// Reads the functions of an error. A negative `retry_after()` is no delay; see `asked_delay`.
template <SaysWhetherToRetry E>
[[nodiscard]] constexpr failure read_failure(E const& e) {
  failure result{};
  bool throttle = false;
  bool timeout = false;
  if constexpr (detail::TraitedRetryInfo<E>) {
    using traits = retry_traits<E>;
    result.safety = traits::is_retry_safe(e);
    if constexpr (requires { traits::is_throttle(e); }) throttle = traits::is_throttle(e);
    if constexpr (requires { traits::is_timeout(e); }) timeout = traits::is_timeout(e);
    if constexpr (requires { traits::retry_after(e); }) result.hint = traits::retry_after(e);
  } else {
    result.safety = e.is_retry_safe();
    if constexpr (requires { e.is_throttle(); }) throttle = e.is_throttle();
    if constexpr (requires { e.is_timeout(); }) timeout = e.is_timeout();
    if constexpr (requires { e.retry_after(); }) result.hint = e.retry_after();
    if constexpr (ErrorInfo<E>) {
      if (e.fault() == error_fault::server) result.kind = error_kind::server;
      if (e.fault() == error_fault::client) result.kind = error_kind::client;
    }
  }
  if (throttle) {
    result.kind = error_kind::throttling;
  } else if (timeout) {
    result.kind = error_kind::timeout;
  }
  return result;
}

}  // namespace anew::inline ANEW_ABI

#endif
