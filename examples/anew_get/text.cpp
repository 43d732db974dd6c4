// SPDX-License-Identifier: BSL-1.0
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <utility>

#include "text.hpp"

namespace anew_get {

namespace {

struct unit {
  std::string_view name;
  std::int64_t nanoseconds;
};
constexpr std::array units{unit{"ns", 1},
                           unit{"us", 1'000},
                           unit{"ms", 1'000'000},
                           unit{"s", 1'000'000'000},
                           unit{"m", 60'000'000'000},
                           unit{"h", 3'600'000'000'000}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string formatted(char const* format, double value) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }

}  // namespace

std::optional<anew::duration> read_duration(std::string_view text) {
  auto const* const found = std::find_if(units.begin(), units.end(), [&](unit const& u) {
    return text.ends_with(u.name) && text.size() > u.name.size() && is_digit(text[text.size() - u.name.size() - 1]);
  });
  if (found == units.end()) return std::nullopt;
  auto const number = read_decimal(text.substr(0, text.size() - found->name.size()));
  if (!number) return std::nullopt;
  __extension__ using wide = __int128;
  auto const ticks = (static_cast<wide>(number->digits) * found->nanoseconds + number->scale / 2) / number->scale;
  if (ticks > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
  return anew::duration{static_cast<std::int64_t>(ticks)};
}

std::optional<decimal> read_decimal(std::string_view text) {
  auto const point = std::min(text.find('.'), text.size());
  auto const whole = text.substr(0, point);
  auto const fraction = point == text.size() ? std::string_view{} : text.substr(point + 1);
  bool const has_digits = !whole.empty() && (point == text.size() || !fraction.empty());
  if (!has_digits || !std::all_of(whole.begin(), whole.end(), is_digit) ||
      !std::all_of(fraction.begin(), fraction.end(), is_digit)) {
    return std::nullopt;
  }
  decimal number;
  auto const add = [&number](char c) {
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    auto const digit = c - '0';
    if (number.digits > (most - digit) / 10) return false;
    number.digits = number.digits * 10 + digit;
    return true;
  };
  for (char const c : whole) {
    if (!add(c)) return std::nullopt;
  }
  for (char const c : fraction) {
    if (number.scale > std::numeric_limits<std::int64_t>::max() / 10 || !add(c)) return std::nullopt;
    number.scale *= 10;
  }
  return number;
}

std::string as_given(anew::duration d) {
  auto const ticks = static_cast<double>(d.count());
  std::size_t best = 0;
  for (std::size_t i = 0; i != 4; ++i) {
    if (d.count() >= units[i].nanoseconds) best = i;
  }
  return formatted("%.10g", ticks / static_cast<double>(units[best].nanoseconds)) + std::string{units[best].name};
}

double in_milliseconds(anew::duration d) { return static_cast<double>(d.count()) / 1e6; }

std::string amount(std::uint64_t bytes) {
  auto const b = static_cast<double>(bytes);
  if (b < 1e4) return counted(bytes, "byte");
  if (b < 1e6) return formatted("%.1f kB", b / 1e3);
  return b < 1e9 ? formatted("%.1f MB", b / 1e6) : formatted("%.1f GB", b / 1e9);
}

std::string counted(std::size_t n, std::string_view noun) {
  return std::to_string(n) + " " + std::string{noun} + (n == 1 ? "" : "s");
}

std::size_t columns(std::string_view utf8) {
  return static_cast<std::size_t>(std::count_if(utf8.begin(), utf8.end(), starts_character));
}

std::string fitted(std::string_view utf8, std::size_t width) {
  auto const wide = columns(utf8);
  if (wide <= width) return std::string{utf8} + std::string(width - wide, ' ');
  std::string text;
  std::size_t taken = 0;
  for (char const c : utf8) {
    if (starts_character(c) && ++taken == width) break;
    text += c;
  }
  return text + "…";
}

std::string right_aligned(std::string_view utf8, std::size_t width) {
  auto const wide = columns(utf8);
  return std::string(width - std::min(wide, width), ' ') + std::string{utf8};
}

std::string repeated(std::string_view utf8, std::size_t times) {
  std::string text;
  while (times-- != 0) text += utf8;
  return text;
}

std::string paint::wrap(std::string_view code, std::string_view s) const {
  if (!in_colour) return std::string{s};
  return "\033[" + std::string{code} + "m" + std::string{s} + "\033[0m";
}

paint paint_for(int file_descriptor) {
  char const* const refused = std::getenv("NO_COLOR");
  return {::isatty(file_descriptor) == 1 && (refused == nullptr || *refused == '\0')};
}

}  // namespace anew_get
