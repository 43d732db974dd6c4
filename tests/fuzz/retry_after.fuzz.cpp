// SPDX-License-Identifier: BSL-1.0

// What must hold of the header field parsers for every input. The whole input is the field value.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "anew/bridges/http/retry_after_or_reset.hpp"
#include "anew/policies/hint/grpc_retry_delay.hpp"
#include "anew/policies/hint/retry_after.hpp"

#include "law.hpp"

namespace {

using anew::duration;
using fuzz::require;
using std::chrono::system_clock;

// An independent reading of a count: decimal text compared and multiplied as text, with no integer type to overflow.
std::optional<duration> read_as_decimal_text(std::string_view field_value, std::string_view zeros_of_the_unit) {
  auto const first = field_value.find_first_not_of(" \t");
  if (first == std::string_view::npos) return std::nullopt;
  std::string digits{field_value.substr(first, field_value.find_last_not_of(" \t") - first + 1)};
  bool rounds_up = false;
  if (auto const point = digits.find('.'); point != std::string::npos && zeros_of_the_unit.size() == 9) {
    auto const fraction = digits.substr(point + 1);
    if (fraction.empty() || point == 0 || fraction.find_first_not_of("0123456789") != std::string::npos)
      return std::nullopt;
    rounds_up = fraction.find_first_not_of('0') != std::string::npos;
    digits.erase(point);
  }
  if (digits.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  for (auto at = digits.size(); rounds_up && at != 0; --at) {
    rounds_up = digits[at - 1] == '9';
    digits[at - 1] = rounds_up ? '0' : static_cast<char>(digits[at - 1] + 1);
  }
  if (rounds_up) digits.insert(0, "1");
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
  if (digits.empty()) return duration::zero();
  digits += zeros_of_the_unit;
  auto const most = std::to_string(std::numeric_limits<std::int64_t>::max());
  if (digits.size() > most.size() || (digits.size() == most.size() && digits > most)) return duration::max();
  return duration{std::strtoll(digits.c_str(), nullptr, 10)};
}

bool starts_like_a_date(std::string_view field_value) {
  auto const first = field_value.find_first_not_of(" \t");
  auto const initial = field_value.substr(std::min(first, field_value.size()), 1);
  return initial == "S" || initial == "M" || initial == "T" || initial == "W" || initial == "F";
}

void check(std::string_view text, system_clock::time_point now) {
  auto const delay = anew::parse_retry_after(text, now);
  require(!delay || *delay >= duration::zero(), "a delay is never negative");
  require(delay == anew::parse_retry_after(text, now), "the same question has the same answer");

  std::string const padded = " \t" + std::string{text} + "\t ";
  require(delay == anew::parse_retry_after(padded, now), "blanks around the value change nothing");
  require(!anew::parse_retry_after("x" + padded, now) && !anew::parse_retry_after(padded + "x", now),
          "junk around the value is an error");

  if (auto const seconds = read_as_decimal_text(text, "000000000"))
    require(delay == seconds, "delay-seconds are read as written");
  else
    require(!delay || starts_like_a_date(text), "what is not a number is a date");
}

// A serialized google.rpc.Status. Whatever it says, one detail more is read, unless something before it is no message.
void check_details(std::string_view text) {
  constexpr std::string_view seven_seconds{"\x1a\x22\x0a\x1ax.com/google.rpc.RetryInfo\x12\x04\x0a\x02\x08\x07", 36};
  auto const delay = anew::grpc::parse_retry_delay(text);
  auto const with_more = anew::grpc::parse_retry_delay(std::string{text}.append(seven_seconds));
  constexpr std::chrono::seconds seven{7};
  require(delay.is_not_understood() || with_more == std::max(delay.value_or(seven), duration{seven}),
          "of several delays the longest counts");
  require(!delay.is_not_understood() || !anew::grpc::parse_retry_delay(std::string{seven_seconds}.append(text)),
          "what is no message has no delay");
}

// The lines of a head, in which the whole input is the value of each field.
void check_reset(std::string_view text) {
  if (text.find('\n') != std::string_view::npos) return;
  std::string const value{text};
  for (std::string const name : {"RateLimit", "RateLimit-Reset", "X-RateLimit-Reset", "Retry-After-Ms"}) {
    auto const asked = anew::http::retry_after_or_reset(std::string{name}.append(": ").append(value).append("\r\n"));
    require(!asked.forbids(), "no field of HTTP forbids a retry");
    if (name == "Retry-After-Ms") {
      auto const written = read_as_decimal_text(text, "000000");
      require(!written || asked == *written, "milliseconds count as written");
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  // Not copied to a string: its terminator would hide a read past the end.
  std::string_view const text{reinterpret_cast<char const*>(data), size};

  constexpr std::array<std::int64_t, 5> moments{0, 784'111'777, 1'700'000'000, 3'471'292'800, -1'000'000'000};
  for (auto const moment : moments) check(text, system_clock::time_point{std::chrono::seconds{moment}});
  check(text, system_clock::time_point::min());
  check(text, system_clock::time_point::max());

  // A clock taken from the input reaches the fractions of a second and the years that the list above does not.
  std::uint64_t hash = 14'695'981'039'346'656'037U;
  for (char const c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1'099'511'628'211U;
  auto const ticks = static_cast<std::int64_t>(hash >> 1U);
  check(text, system_clock::time_point{std::chrono::duration_cast<system_clock::duration>(duration{ticks})});

  require(anew::parse_milliseconds(text) == read_as_decimal_text(text, "000000"), "milliseconds are read as written");
  check_details(text);
  check_reset(text);
  return 0;
}
