// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PRESETS_AZURE_HPP
#define ANEW_PRESETS_AZURE_HPP

#include <chrono>
#include <concepts>
#include <optional>
#include <string_view>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/backoff/exponential.hpp"
#include "anew/policies/classifier/any_of.hpp"
#include "anew/policies/classifier/error_code.hpp"
#include "anew/policies/classifier/http_status.hpp"
#include "anew/policies/hint/retry_after.hpp"
#include "anew/policies/hint/server.hpp"
#include "anew/policies/jitter/proportional.hpp"
#include "anew/policies/limits/max_attempts.hpp"
#include "anew/strategy/strategy.hpp"

/// Retries as the Azure SDKs do by default, with their known defects corrected.
namespace anew::inline ANEW_ABI::azure {

/// U(0.8, 1.3) times the delay. Source: azure-sdk-for-cpp, sdk/core/azure-core/src/http/retry_policy.cpp,
/// CalculateExponentialDelay. There a delay beyond the cap becomes the cap; here the window ends at the cap.
using jitter = scaled_jitter<rational{4, 5}, rational{13, 10}>;

/// Choose this for services that answer as Azure's do: 3 retries after about 0.8, 1.6 and 3.2 s, never more than 60 s,
/// after 408, 429, 500, 502, 503 and 504 and after connections that failed. `Retry-After` is obeyed.
///
/// Connections are read from `std::system_error` and `std::error_code`. For another transport replace the classifier:
/// `with<retry_policy, curl::classifier<>>`, `with<retry_policy, beast::classifier<>>`.
///
/// Source: Azure SDK design guidelines, "Retry policy" (azure-sdk-for-cpp #3998 quotes them): 3 retries, 0.8 s, 60 s;
/// RetryOptions of azure-sdk-for-cpp for the statuses, and the guidelines for 429; its retry_policy.cpp retries every
/// TransportException.
///
/// Differences, and why: a Retry-After is a least wait, and one of more than 60 s (the cap of the guidelines) ends the call with
/// `stop_reason::hint_too_long`, where the SDKs wait for whatever it says (azure-sdk-for-net #24519: five minutes;
/// azure-sdk-for-java #43882: a day). To wait up to five minutes: `with<retry_policy, server_hint<long_hint::stop, 5min>>`.
/// 500, 502, 504 and a connection that broke may have had an effect: they are retried for operations that you declare
/// `idempotent`, where the SDKs retry all. The first delay is 0.8 s as the guidelines say (azure-core for C++ began at
/// twice that).
/// Do not choose it where clients are many and share fate: it has no quota. Add one: `with<retry_policy, token_bucket<500>>`.
using retry_policy = strategy<exponential_backoff<std::chrono::milliseconds{800}, std::chrono::seconds{60}>, jitter,
                              any_of<http_status_classifier<>, error_code_classifier>, max_attempts<4>,
                              server_hint<long_hint::stop, std::chrono::seconds{60}>>;

/// The delay that a response asks for. `header(name)` returns the value of the field of that lower-case name, or nothing.
///
/// Reads `retry-after-ms`, else `x-ms-retry-after-ms`, else `retry-after`, which may be a date (azure-sdk-for-cpp reads
/// seconds only: #262, and throws on what is no number). A date counts from the response's own `date`, or from `now`
/// without one. A field that cannot be read is passed over.
template <class Header>
  requires requires(Header const& header) {
    { header(std::string_view{}) } -> std::convertible_to<std::optional<std::string_view>>;
  }
[[nodiscard]] constexpr std::optional<duration> retry_after(Header const& header,
                                                            std::chrono::system_clock::time_point now) {
  for (std::string_view const name : {"retry-after-ms", "x-ms-retry-after-ms"}) {
    if (std::optional<std::string_view> const value = header(name)) {
      if (auto const delay = parse_milliseconds(*value)) return delay;
    }
  }
  std::optional<std::string_view> const value = header("retry-after");
  if (!value) return std::nullopt;
  if (std::optional<std::string_view> const date = header("date")) {
    if (auto const answered = parse_http_date(*date, now)) return parse_retry_after(*value, *answered);
  }
  return parse_retry_after(*value, now);
}

}  // namespace anew::inline ANEW_ABI::azure

#endif
