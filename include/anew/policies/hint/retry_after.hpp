// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_HINT_RETRY_AFTER_HPP
#define ANEW_POLICIES_HINT_RETRY_AFTER_HPP

// Defines `anew::parse_retry_after`, `anew::parse_http_date` and `anew::parse_milliseconds`: the delay that a server asked for in a header
// field.

#include <array>
#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <ratio>
#include <string_view>

#include "anew/base/duration.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {
namespace detail::http_field {

struct civil_time {
  int year, month, day, hour, minute, second;
  friend constexpr auto operator<=>(civil_time const&, civil_time const&) = default;
};

inline constexpr std::array<std::string_view, 7> day_names{"Monday", "Tuesday",  "Wednesday", "Thursday",
                                                           "Friday", "Saturday", "Sunday"};
inline constexpr std::array<std::string_view, 12> month_names{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                              "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

constexpr bool is_digit(char c) noexcept { return '0' <= c && c <= '9'; }

// After the first read that does not match, all others fail too: a grammar is a chain of reads and one question.
class reader {
 public:
  constexpr explicit reader(std::string_view text) noexcept : rest_{text} {}

  constexpr reader& literal(std::string_view expected) noexcept {
    good_ = good_ && rest_.starts_with(expected);
    if (good_) rest_.remove_prefix(expected.size());
    return *this;
  }

  constexpr reader& number(int& value, std::size_t digits) noexcept {
    good_ = good_ && rest_.size() >= digits;
    value = 0;
    for (; good_ && digits != 0; --digits) {
      good_ = is_digit(rest_.front());
      value = value * 10 + (rest_.front() - '0');
      rest_.remove_prefix(1);
    }
    return *this;
  }

  // The first `length` characters of a name, or the whole name; its position, counted from 1, is the value.
  template <std::size_t N>
  constexpr reader& name(int& value, std::array<std::string_view, N> const& names,
                         std::size_t length = std::string_view::npos) noexcept {
    value = 0;
    for (std::size_t i = 0; i != N && value == 0; ++i)
      if (rest_.starts_with(names[i].substr(0, length))) value = static_cast<int>(i) + 1;
    good_ = good_ && value != 0;
    return good_ ? literal(names[static_cast<std::size_t>(value - 1)].substr(0, length)) : *this;
  }

  constexpr reader& time_of_day(civil_time& t) noexcept {
    return number(t.hour, 2).literal(":").number(t.minute, 2).literal(":").number(t.second, 2);
  }

  constexpr bool next_is(char c) const noexcept { return good_ && rest_.starts_with(c); }
  constexpr bool finished() const noexcept { return good_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool good_ = true;
};

constexpr bool read_imf_fixdate(std::string_view text, civil_time& t) noexcept {
  int weekday{};
  reader in{text};
  in.name(weekday, day_names, 3).literal(", ").number(t.day, 2).literal(" ").name(t.month, month_names);
  return in.literal(" ").number(t.year, 4).literal(" ").time_of_day(t).literal(" GMT").finished();
}

constexpr bool read_asctime_date(std::string_view text, civil_time& t) noexcept {
  int weekday{};
  reader in{text};
  in.name(weekday, day_names, 3).literal(" ").name(t.month, month_names).literal(" ");
  if (in.next_is(' '))
    in.literal(" ").number(t.day, 1);
  else
    in.number(t.day, 2);
  return in.literal(" ").time_of_day(t).literal(" ").number(t.year, 4).finished();
}

constexpr bool read_rfc850_date(std::string_view text, civil_time& t, civil_time const& fifty_years_ahead) noexcept {
  int weekday{};
  reader in{text};
  in.name(weekday, day_names).literal(", ").number(t.day, 2).literal("-").name(t.month, month_names);
  if (!in.literal("-").number(t.year, 2).literal(" ").time_of_day(t).literal(" GMT").finished()) return false;
  // The two digits mean the latest year that is no more than 50 years ahead.
  t.year += fifty_years_ahead.year / 100 * 100;
  if (t > fifty_years_ahead) t.year -= 100;
  return true;
}

constexpr civil_time fifty_years_after(std::int64_t unix_seconds) noexcept {
  // Years 0 to 9999: a clock with coarse ticks reaches further than chrono's calendar does.
  constexpr std::int64_t first = -62'167'219'200, last = 253'402'300'799;
  std::int64_t const s = unix_seconds < first ? first : unix_seconds > last ? last : unix_seconds;
  std::chrono::sys_seconds const time{std::chrono::seconds{s}};
  auto const day = std::chrono::floor<std::chrono::days>(time);
  std::chrono::year_month_day const date{day};
  auto const second = static_cast<int>((time - day).count());
  return {static_cast<int>(date.year()) + 50,
          static_cast<int>(static_cast<unsigned>(date.month())),
          static_cast<int>(static_cast<unsigned>(date.day())),
          second / 3600,
          second / 60 % 60,
          second % 60};
}

constexpr std::optional<std::int64_t> to_unix_seconds(civil_time const& t) noexcept {
  std::chrono::year_month_day const date{std::chrono::year{t.year}, std::chrono::month{static_cast<unsigned>(t.month)},
                                         std::chrono::day{static_cast<unsigned>(t.day)}};
  bool const leap_second = t.hour == 23 && t.minute == 59 && t.second == 60;
  if (!date.ok() || t.hour > 23 || t.minute > 59 || (t.second > 59 && !leap_second)) return std::nullopt;
  std::int64_t const days = std::chrono::sys_days{date}.time_since_epoch().count();
  return days * 86'400 + t.hour * 3'600 + t.minute * 60 + t.second;
}

// One or more digits, counting Periods, and nothing else. A larger number saturates, however many digits it has.
template <class Period>
constexpr std::optional<duration> read_count(std::string_view text, std::int64_t more = 0) noexcept {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  if (text.empty()) return std::nullopt;
  std::int64_t value = 0;
  for (char const c : text) {
    if (!is_digit(c)) return std::nullopt;
    std::int64_t const digit = c - '0';
    value = value > (most - digit) / 10 ? most : value * 10 + digit;
  }
  return saturate(std::chrono::duration<std::int64_t, Period>{value > most - more ? most : value + more});
}

// A decimal number of Periods, whose fraction is rounded up: a client that comes back earlier than it was asked to is what
// the field is to prevent.
template <class Period>
constexpr std::optional<duration> read_decimal(std::string_view text) noexcept {
  auto const point = text.find('.');
  if (point == text.npos) return read_count<Period>(text);
  auto const fraction = text.substr(point + 1);
  if (!read_count<Period>(fraction)) return std::nullopt;
  return read_count<Period>(text.substr(0, point), fraction.find_first_not_of('0') == fraction.npos ? 0 : 1);
}

}  // namespace detail::http_field

/// Reads an HTTP-date, as the fields `Date` and `Retry-After` have it; nothing for any other text. `now` tells the
/// century of a date of RFC 850. Never throws; no allocation, no locale, no clock.
[[nodiscard]] constexpr std::optional<std::chrono::sys_seconds> parse_http_date(
    std::string_view field_value, std::chrono::system_clock::time_point now) noexcept {
  namespace http = detail::http_field;
  std::string_view const text = detail::trimmed(field_value);
  auto const seconds = std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch()).count();
  http::civil_time date{};
  if (!http::read_imf_fixdate(text, date) && !http::read_asctime_date(text, date) &&
      !http::read_rfc850_date(text, date, http::fifty_years_after(seconds)))
    return std::nullopt;
  auto const instant = http::to_unix_seconds(date);
  if (!instant) return std::nullopt;
  return std::chrono::sys_seconds{std::chrono::seconds{*instant}};
}

/// Reads the value of HTTP's `Retry-After` field: how long after `now` the server wants no request.
///
/// Accepts:  delay-seconds of any number of digits, and the three forms of HTTP-date (IMF-fixdate, RFC 850 with its
///           two-digit year, asctime), case-sensitive as the standard has them. Spaces and tabs around it are
///           skipped. The name of the day need not be the right one: it does not change the instant. 23:59:60 is read.
///           `64.57` is no delay of the standard, and servers send it: it is rounded up, to 65 s.
/// Requires: `now` is the time of the response's own `Date` (parse_http_date), or the current time. Only dates use it.
/// Returns:  the delay, never negative: 0 for a date that has passed, `duration::max()` for what does not fit. An
///           absurd delay (years) is still what the server said: the strategy decides what to do with it.
/// Fails:    `std::nullopt` for everything else: nothing, a sign, junk before or after, a date or time of day
///           that does not exist. Never throws.
/// Cost:     linear in the text; no allocation, no locale, no clock. Usable in constant expressions, thread-safe.
/// Choose it for responses of HTTP servers (429, 503, 3xx). For fields that count milliseconds: parse_milliseconds.
/// Source:   RFC 9110, sections 10.2.3 (Retry-After) and 5.6.7 (dates, the 50-year rule).
[[nodiscard]] constexpr std::optional<duration> parse_retry_after(std::string_view field_value,
                                                                  std::chrono::system_clock::time_point now) noexcept {
  namespace http = detail::http_field;
  std::string_view const text = detail::trimmed(field_value);
  if (auto const delay = http::read_decimal<std::ratio<1>>(text)) return delay;

  // Whole seconds and a fraction that is not negative: a difference of the clock's own time points might overflow.
  auto whole = std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch());
  auto fraction = now.time_since_epoch() - whole;
  if (fraction < fraction.zero()) {
    fraction += std::chrono::seconds{1};
    whole -= std::chrono::seconds{1};
  }

  auto const date = parse_http_date(text, now);
  if (!date) return std::nullopt;
  auto const instant = date->time_since_epoch();
  if (instant <= whole) return duration::zero();
  auto const delay = detail::saturate(instant - whole);
  return delay == duration::max() ? delay : delay - std::chrono::duration_cast<duration>(fraction);
}

/// Reads a field that counts milliseconds: `x-amz-retry-after`, `retry-after-ms`.
///
/// Accepts:  one or more digits, with spaces and tabs around them.
/// Returns:  the delay, never negative; `duration::max()` for what does not fit.
/// Fails:    `std::nullopt` for everything else: nothing, a sign (so any negative delay), decimals, a unit.
///           Never throws.
/// Cost:     linear in the text; no allocation, no locale. Usable in constant expressions, thread-safe.
/// Choose it for the fields above. Not for `Retry-After`, which counts seconds or names a date: parse_retry_after.
/// Source:   the AWS SDKs' retry behaviour (`x-amz-retry-after`), Azure's and OpenAI's `retry-after-ms`.
[[nodiscard]] constexpr std::optional<duration> parse_milliseconds(std::string_view field_value) noexcept {
  return detail::http_field::read_count<std::milli>(detail::trimmed(field_value));
}

}  // namespace anew::inline ANEW_ABI

#endif
