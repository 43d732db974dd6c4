// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PRESETS_AWS_ERROR_HPP
#define ANEW_PRESETS_AWS_ERROR_HPP

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "anew/base/asked_delay.hpp"
#include "anew/base/attempt.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/random_source.hpp"
#include "anew/base/thread_random.hpp"
#include "anew/policies/hint/retry_after.hpp"

namespace anew::inline ANEW_ABI {

/// The field's name, as HTTP/2 writes it.
inline constexpr std::string_view amz_retry_after_field = "x-amz-retry-after";

/// Reads the value of `x-amz-retry-after`: milliseconds to wait before the next request.
///
/// Accepts:  one or more digits, with the spaces and tabs around them that HTTP permits.
/// Returns:  the delay, never negative. The strategy bounds it: `clamped_hint<5s>`.
/// Fails:    `std::nullopt` for everything else, and the SDKs then go by their backoff: nothing, a sign, decimals, an
///           exponent. Never throws.
/// Cost:     linear in the text; no allocation, no locale. Usable in constant expressions, thread-safe.
/// Choose it for AWS. For other fields that count milliseconds: parse_milliseconds.
/// Source:   AWS SDKs since 2026 (integer, milliseconds, invalid and negative ones ignored). Some are more lenient:
///           "+1500" is read by botocore, Rust, Kotlin and Java, "1500.5" by JavaScript.
[[nodiscard]] constexpr std::optional<duration> parse_amz_retry_after(std::string_view field_value) noexcept {
  return parse_milliseconds(field_value);
}

}  // namespace anew::inline ANEW_ABI

namespace anew::inline ANEW_ABI::aws {

/// Why there is no response.
enum class connection_error : std::uint8_t {
  none,             ///< there is one
  not_sent,         ///< the connection was refused: the request was not executed
  connect_timeout,  ///< the connection was not made in time: the request was not executed
  broken,           ///< the connection broke: the request may have been executed
  timeout,          ///< no response in time: the request may have been executed
};

/// A failure of a service or of the connection to it, for programs without their own error type.
struct error {
  int status = 0;                         ///< of HTTP; 0 where there is no response
  std::string code{};                     ///< as the response has it: "SlowDown", "com.amazonaws.sqs#Throttling"
  std::string message{};                  ///< for people
  std::optional<duration> retry_after{};  ///< what `parse_amz_retry_after` made of `x-amz-retry-after`
  connection_error connection = connection_error::none;
  bool clock_skew_corrected = false;  ///< the next request will be signed by a clock set right meanwhile
};

/// Says how to read an error type of your own that has no members `status()` and `code()`: specialise with these
/// functions, static and taking the error. Any may be absent, but not both of the first two.
///
/// | function                      | returns                   | when absent       |
/// |-------------------------------|---------------------------|-------------------|
/// | `status(e)`, `e.status()`     | number                    | 0: no response    |
/// | `code(e)`, `e.code()`         | what a `std::string_view` is made of | no code |
/// | `retry_after(e)`, `e.retry_after()` | `std::optional<duration>` | no hint     |
/// | `connection(e)`, `e.connection()` | `aws::connection_error` | none            |
/// | `clock_skew_corrected(e)`, `e.clock_skew_corrected()` | `bool` | false        |
template <class E>
struct error_traits {};

template <>
struct error_traits<error> {
  [[nodiscard]] static int status(error const& e) noexcept { return e.status; }
  [[nodiscard]] static std::string_view code(error const& e) noexcept { return e.code; }
  [[nodiscard]] static std::optional<duration> const& retry_after(error const& e) noexcept { return e.retry_after; }
  [[nodiscard]] static connection_error connection(error const& e) noexcept { return e.connection; }
  [[nodiscard]] static bool clock_skew_corrected(error const& e) noexcept { return e.clock_skew_corrected; }
};

/// The same for operations that throw. Derive from it, and from `anew::retry_info` where a modeled error knows more.
class ANEW_VISIBLE service_exception : public std::runtime_error {
 public:
  explicit service_exception(aws::error e) : std::runtime_error{text_of(e)}, error_{std::move(e)} {}

  [[nodiscard]] aws::error const& details() const noexcept { return error_; }

 private:
  static std::string text_of(aws::error const& e) {
    std::string text{e.code.empty() ? "error" : e.code};
    if (e.status != 0) text.append(" (HTTP ").append(std::to_string(e.status)).append(")");
    if (!e.message.empty()) text.append(": ").append(e.message);
    return text;
  }

  aws::error error_;
};

namespace detail {

template <class E>
concept TraitedStatus = requires(E const& e) {
  { error_traits<E>::status(e) } -> std::convertible_to<int>;
};
template <class E>
concept TraitedCode = requires(E const& e) {
  { error_traits<E>::code(e) } -> std::convertible_to<std::string_view>;
};
template <class E>
concept MemberStatus = requires(E const& e) {
  { e.status() } -> std::convertible_to<int>;
};
template <class E>
concept MemberCode = requires(E const& e) {
  { e.code() } -> std::convertible_to<std::string_view>;
};

template <class E>
concept HasStatus = TraitedStatus<E> || MemberStatus<E>;
template <class E>
concept HasCode = TraitedCode<E> || MemberCode<E>;
/// An error, or a response, of a service.
template <class E>
concept OfService = HasStatus<E> || HasCode<E>;

template <class E>
constexpr int status_of(E const& e) {
  if constexpr (TraitedStatus<E>) return static_cast<int>(error_traits<E>::status(e));
  if constexpr (MemberStatus<E>) return static_cast<int>(e.status());
  return 0;
}

/// As the error has it: use it in the same expression, for it may be a value.
template <class E>
constexpr decltype(auto) code_of(E const& e) {
  if constexpr (TraitedCode<E>) {
    return error_traits<E>::code(e);
  } else if constexpr (MemberCode<E>) {
    return e.code();
  } else {
    return std::string_view{};
  }
}

template <class E>
constexpr asked_delay hint_of(E const& e) {
  if constexpr (requires { error_traits<E>::retry_after(e); }) return error_traits<E>::retry_after(e);
  if constexpr (requires { e.retry_after(); }) return e.retry_after();
  return {};
}

template <class E>
constexpr connection_error connection_of(E const& e) {
  if constexpr (requires { error_traits<E>::connection(e); }) return error_traits<E>::connection(e);
  if constexpr (requires { requires std::same_as<decltype(e.connection()), connection_error>; }) return e.connection();
  return connection_error::none;
}

template <class E>
constexpr bool is_clock_corrected(E const& e) {
  if constexpr (requires { error_traits<E>::clock_skew_corrected(e); }) return error_traits<E>::clock_skew_corrected(e);
  if constexpr (requires { e.clock_skew_corrected(); }) return e.clock_skew_corrected();
  return false;
}

}  // namespace detail

/// The fields by which a service sees which requests are attempts of one call.
inline constexpr std::string_view invocation_id_field = "amz-sdk-invocation-id";
inline constexpr std::string_view sdk_request_field = "amz-sdk-request";

/// The value of `amz-sdk-request`; a `max` of zero is not written.
[[nodiscard]] inline std::string sdk_request_value(std::uint32_t attempt, std::uint32_t max = 0) {
  auto value = std::string{"attempt="}.append(std::to_string(attempt));
  return max == 0 ? value : value.append("; max=").append(std::to_string(max));
}

/// The headers by which the attempts of one call identify themselves to the service. Make one before the call, and use
/// it in every attempt.
///
///     anew::aws::invocation const call{};
///     auto const answer = anew::retry(strategy, [&](anew::attempt& attempt) {
///       request.set(anew::aws::invocation_id_field, call.id());
///       request.set(anew::aws::sdk_request_field, call.sdk_request(attempt, strategy.max_attempts().value()));
///       ...
///     });
///
/// Cost: two random numbers.
/// Source: Smithy and AWS SDKs: a UUID of version 4, the same for all attempts of a call; `attempt=N; max=M`
class invocation {
 public:
  /// An id by the calling thread's generator. Ids name calls in logs: they are no secrets.
  invocation() noexcept : invocation{thread_random{}} {}
  constexpr explicit invocation(RandomSource auto&& random) {
    std::uint64_t const high = (random() & ~std::uint64_t{0xf000}) | 0x4000U;
    std::uint64_t const low = (random() & ~(std::uint64_t{3} << 62U)) | (std::uint64_t{2} << 62U);
    std::size_t at = 0;
    for (unsigned digit = 0; digit != 32; ++digit) {
      if (digit == 8 || digit == 12 || digit == 16 || digit == 20) id_[at++] = '-';
      auto const word = digit < 16 ? high : low;
      id_[at++] = "0123456789abcdef"[(word >> (60U - 4U * (digit % 16U))) & 15U];
    }
  }

  /// The value of `amz-sdk-invocation-id`: "xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx".
  [[nodiscard]] constexpr std::string_view id() const noexcept { return {id_.data(), id_.size() - 1}; }
  [[nodiscard]] constexpr char const* c_str() const noexcept { return id_.data(); }

  /// The value of `amz-sdk-request`: "attempt=2; max=3", or "attempt=2" of a strategy whose attempts have no limit.
  [[nodiscard]] static std::string sdk_request(attempt const& current, std::uint32_t max = 0) {
    return sdk_request_value(current.number(), max);
  }

 private:
  std::array<char, 37> id_{};
};

}  // namespace anew::inline ANEW_ABI::aws

#endif
