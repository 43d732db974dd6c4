// SPDX-License-Identifier: BSL-1.0
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <utility>

#include <boost/locale/utf.hpp>

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

std::string formatted(char const* format, double value) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }

bool is_between(std::uint32_t first, std::uint32_t c, std::uint32_t last) { return first <= c && c <= last; }

/// C0, DEL, C1, and what separates lines or turns the direction of writing.
bool steers(std::uint32_t c) {
  return c < 0x20 || is_between(0x7f, c, 0x9f) || c == 0x061c || is_between(0x200e, c, 0x200f) ||
         is_between(0x2028, c, 0x202e) || is_between(0x2066, c, 0x2069);
}

}  // namespace

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

std::string printable(std::string_view text, line_breaks breaks) {
  std::string shown;
  auto const* const end = text.data() + text.size();
  for (auto const* at = text.data(); at != end;) {
    auto const* next = at;
    auto const c = boost::locale::utf::utf_traits<char>::decode(next, end);
    bool const is_valid = boost::locale::utf::is_valid_codepoint(c);
    bool const is_kept =
        breaks == line_breaks::kept && (*at == '\n' || *at == '\t' || (*at == '\r' && next != end && *next == '\n'));
    if (!is_valid) next = at + 1;
    if (is_kept || (is_valid && !steers(c))) {
      shown.append(at, next);
    } else {
      shown += "�";
    }
    at = next;
  }
  return shown;
}

std::string paint::wrap(std::string_view code, std::string_view s) const {
  if (!in_colour) return std::string{s};
  return "\033[" + std::string{code} + "m" + std::string{s} + "\033[0m";
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::string lines;
  std::size_t used = 0;
  while (!text.empty()) {
    auto const blank = text.find(' ', 1);
    auto const word = text.substr(0, blank);  // with the blanks before it
    if (used != 0 && used + columns(word) > width) {
      lines.erase(lines.find_last_not_of(' ') + 1);
      lines.append("\n").append(indent, ' ');
      used = indent;
      text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
      continue;
    }
    lines += word;
    used += columns(word);
    text.remove_prefix(word.size());
  }
  return lines;
}

bool can_redraw(int file_descriptor) {
  char const* const terminal = std::getenv("TERM");
  return ::isatty(file_descriptor) == 1 && (terminal == nullptr || std::string_view{terminal} != "dumb");
}

std::optional<std::size_t> columns_of(int file_descriptor) {
  ::winsize size{};
  if (::ioctl(file_descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
  return size.ws_col;
}

paint paint_for(int file_descriptor) {
  char const* const refused = std::getenv("NO_COLOR");
  bool const is_narrow = columns_of(file_descriptor).value_or(paint::usual_width) < paint::usual_width;
  return {can_redraw(file_descriptor) && (refused == nullptr || *refused == '\0'),
          is_narrow ? paint::narrow_width : paint::usual_width};
}

}  // namespace anew_get
