// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_HTTP_RETRY_AFTER_OR_RESET_HPP
#define ANEW_BRIDGES_HTTP_RETRY_AFTER_OR_RESET_HPP

#include <chrono>
#include <cstddef>
#include <optional>
#include <ratio>
#include <string_view>

#include "anew/base/asked_delay.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/http/retry_after_field.hpp"
#include "anew/policies/hint/retry_after.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

inline std::optional<duration> read_seconds(std::string_view text) noexcept {
  return http_field::read_decimal<std::ratio<1>>(detail::trimmed(text));
}

/// The longest `t` of the policies without a remaining request: `"day";r=0;t=30, "hour";r=5;t=9`, and as an earlier draft
/// had it `limit=9, remaining=0, reset=30`. A name may contain both separators.
inline std::optional<duration> exhausted_for(std::string_view list) noexcept {
  std::optional<duration> longest;
  std::optional<duration> remaining;
  std::optional<duration> reset;
  while (!list.empty()) {
    bool is_quoted = false;
    std::size_t end = 0;
    for (; end != list.size() && (is_quoted || (list[end] != ',' && list[end] != ';')); ++end) {
      if (list[end] == '"') is_quoted = !is_quoted;
    }
    auto const part = detail::trimmed(list.substr(0, end));
    list.remove_prefix(end == list.size() ? end : end + 1);
    auto const equals = part.find('=');
    if (part.starts_with('"') || equals == part.npos) {
      remaining = reset = std::nullopt;  // the name of the next policy
      continue;
    }
    auto const name = part.substr(0, equals);
    if (name == "r" || name == "remaining") remaining = detail::read_seconds(part.substr(equals + 1));
    if (name == "t" || name == "reset") reset = detail::read_seconds(part.substr(equals + 1));
    if (remaining == duration::zero() && reset) longest = detail::larger(*reset, longest.value_or(*reset));
  }
  return longest;
}

/// Seconds from now on, or since 1970 where they are more than 31 years. Other units are not guessed.
inline asked_delay read_reset(std::string_view text, std::chrono::system_clock::time_point now) noexcept {
  constexpr std::chrono::seconds first_date{1'000'000'000};
  constexpr std::chrono::seconds last_date{5'000'000'000};
  auto const read = detail::read_seconds(text);
  if (!read || *read > last_date) return asked_delay::not_understood();
  if (*read < first_date) return *read;
  auto const at = saturate(now.time_since_epoch());
  return *read > at ? *read - at : duration::zero();
}

asked_delay asked_or_reset(auto const& find) {
  if (auto const asked = detail::asked_by_fields(find); asked != asked_delay{}) return asked;
  if (auto const policies = find(field_name{"RateLimit", "ratelimit"})) {
    if (auto const wait = detail::exhausted_for(std::string_view{*policies})) return *wait;
  }
  constexpr struct {
    field_name remaining, reset;
  } names[]{{{"RateLimit-Remaining", "ratelimit-remaining"}, {"RateLimit-Reset", "ratelimit-reset"}},
            {{"X-RateLimit-Remaining", "x-ratelimit-remaining"}, {"X-RateLimit-Reset", "x-ratelimit-reset"}}};
  for (auto const& name : names) {
    auto const reset = find(name.reset);
    if (!reset) continue;
    auto const remaining = find(name.remaining);
    if (remaining && detail::read_seconds(std::string_view{*remaining}) != duration::zero()) return {};
    return detail::read_reset(std::string_view{*reset},
                              detail::answered_at([&] { return find(field_name{"Date", "date"}); }));
  }
  return {};
}

}  // namespace detail

namespace http {

/// The delay that a response asks for: by `Retry-After-Ms` or `Retry-After`, else the time until its rate limit, of which no
/// request remains, is reset.
///
/// It reads `RateLimit` (`"policy";r=0;t=30`), `RateLimit-Reset` and `X-RateLimit-Reset`: seconds, or seconds since 1970,
/// which count from the response's own `Date`. `RateLimit-Remaining` and `X-RateLimit-Remaining` other than 0 say that the
/// limit was not the reason. A reset that is no such number is an `asked_delay::not_understood()`.
///
/// Requires: the fields where `http::classifier` finds them, or the fields themselves
/// Cost: the search for up to eight fields
/// Choose it in `http_traits<R>::retry_after`, or set `retry_after` of a transfer, for a service whose limits these fields
/// describe. `http::classifier` does not use it: many services send a reset that is no reason to wait for.
/// Source: draft-ietf-httpapi-ratelimit-headers, 03 to 10; docs.github.com, "Rate limits for the REST API"
[[nodiscard]] asked_delay retry_after_or_reset(detail::KeepsFields auto const& answer) {
  return detail::read_fields_of(answer, [](auto const& find) { return detail::asked_or_reset(find); });
}

}  // namespace http

}  // namespace anew::inline ANEW_ABI

#endif
