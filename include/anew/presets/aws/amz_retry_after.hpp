// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PRESETS_AWS_AMZ_RETRY_AFTER_HPP
#define ANEW_PRESETS_AWS_AMZ_RETRY_AFTER_HPP

// Defines `anew::parse_amz_retry_after`: what an AWS service asked for in the header field `x-amz-retry-after`.

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/hint/retry_after.hpp"

namespace anew::inline ANEW_ABI {

/// The field's name, as HTTP/2 writes it.
inline constexpr std::string_view amz_retry_after_field = "x-amz-retry-after";

/// Reads the value of `x-amz-retry-after`: milliseconds to wait before the next request.
///
/// Accepts:  one or more digits, with the spaces and tabs around them that HTTP permits.
/// Returns:  the delay, never negative. The strategy bounds it: `clamped_hint<5s>`.
/// Fails:    `std::nullopt` for everything else, and the SDKs then go by their backoff: nothing, a sign, decimals, an
///           exponent, a count beyond 64 bits. Never throws.
/// Cost:     linear in the text; no allocation, no locale. Usable in constant expressions, thread-safe.
/// Choose it for AWS. For other fields that count milliseconds: parse_milliseconds, which takes absurd counts for
/// "never".
/// Source:   AWS SDKs since 2026 (integer, milliseconds, invalid and negative ones ignored). Some are more lenient:
///           "+1500" is read by botocore, Rust, Kotlin and Java, "1500.5" by JavaScript.
[[nodiscard]] constexpr std::optional<duration> parse_amz_retry_after(std::string_view field_value) noexcept {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  auto const text = detail::http_field::trim(field_value);
  if (text.empty()) return std::nullopt;
  std::int64_t count = 0;
  for (char const c : text) {
    if (!detail::http_field::is_digit(c)) return std::nullopt;
    std::int64_t const digit = c - '0';
    if (count > (most - digit) / 10) return std::nullopt;
    count = count * 10 + digit;
  }
  return detail::saturate(std::chrono::duration<std::int64_t, std::milli>{count});
}

}  // namespace anew::inline ANEW_ABI

#endif
