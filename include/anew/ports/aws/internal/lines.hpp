// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_AWS_INTERNAL_LINES_HPP
#define ANEW_PORTS_AWS_INTERNAL_LINES_HPP

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "anew/base/platform/compiler.hpp"

/// The grammar of shared files. It works on bytes: no locale, and only space and tab are blanks.
namespace anew::inline ANEW_ABI::aws_settings::detail {

constexpr bool is_blank(char c) noexcept { return c == ' ' || c == '\t'; }
constexpr bool is_comment_mark(char c) noexcept { return c == '#' || c == ';'; }
constexpr char lower_case(char c) noexcept { return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

inline std::string lower_case(std::string_view text) {
  std::string out{text};
  for (char& c : out) c = lower_case(c);
  return out;
}

/// `expected` in lower case.
constexpr bool equals_ignoring_case(std::string_view text, std::string_view expected) noexcept {
  return std::equal(text.begin(), text.end(), expected.begin(), expected.end(),
                    [](char a, char b) { return lower_case(a) == b; });
}

constexpr std::string_view trimmed(std::string_view text) noexcept {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// The characters of profile names and keys.
constexpr bool is_name(std::string_view text) noexcept {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    char const l = lower_case(c);
    return ('a' <= l && l <= 'z') || ('0' <= c && c <= '9') ||
           std::string_view{"_-/.%@:+"}.find(c) != std::string_view::npos;
  });
}

/// Takes the first line off the text, without its end.
constexpr std::string_view take_line(std::string_view& text) noexcept {
  auto const end = text.find('\n');
  auto line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

/// The line up to its comment, trimmed. In a section a comment may touch what it follows, in a property it may not.
constexpr std::string_view without_comment(std::string_view line, bool after_a_blank) noexcept {
  line = trimmed(line);
  bool blank_before = false;
  for (std::size_t i = 0; i != line.size(); ++i) {
    if (is_comment_mark(line[i]) && (blank_before || !after_a_blank)) return trimmed(line.substr(0, i));
    blank_before = is_blank(line[i]);
  }
  return line;
}

struct property_parts {
  std::string_view key{}, value{};
  char const* what_is_wrong = nullptr;
};

constexpr property_parts split_property(std::string_view line) noexcept {
  auto const equals = line.find('=');
  if (equals == std::string_view::npos) return {{}, {}, "a property has no =; valid is KEY = VALUE"};
  property_parts const parts{trimmed(line.substr(0, equals)), trimmed(line.substr(equals + 1))};
  if (parts.key.empty()) return {{}, {}, "a property has no key before its =; valid is KEY = VALUE"};
  return parts;
}

/// Null, or why a text that starts like this is refused. Read as text, the mark would hide the first section.
constexpr char const* byte_order_mark(std::string_view text) noexcept {
  if (text.starts_with("\xEF\xBB\xBF")) return "the file begins with a byte order mark; valid is UTF-8 without one";
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
    return "the file is UTF-16, as its byte order mark says; valid is UTF-8 without a byte order mark";
  return nullptr;
}

}  // namespace anew::inline ANEW_ABI::aws_settings::detail

#endif
