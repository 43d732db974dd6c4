// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_INTERNAL_SHOWN_HPP
#define ANEW_BASE_INTERNAL_SHOWN_HPP

#include <cstddef>
#include <string>
#include <string_view>

#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI::detail {

inline constexpr std::size_t most_shown = 80;

/// Appends a character of a foreign text, escaped if it is one of control.
inline void append_shown(std::string& out, char c) {
  auto const number = static_cast<unsigned char>(c);
  if (c == '\n') {
    out += "\\n";
  } else if (number < 0x20U || number == 0x7FU) {
    constexpr char const* digits = "0123456789abcdef";
    out.append("\\x").append(1, digits[number >> 4U]).append(1, digits[number & 0xFU]);
  } else {
    out += c;
  }
}

/// Foreign text as a part of a message: one line, control characters escaped, at most `most` bytes and an ellipsis, blanks
/// at the ends shown by quotes.
inline std::string shown(std::string_view value, std::size_t most = most_shown) {
  std::string out;
  bool const quoted = value.empty() || value.front() == ' ' || value.back() == ' ';
  if (quoted) out += '"';
  std::size_t taken = 0;
  for (char const c : value) {
    // Not in the middle of a character of UTF-8.
    if (taken >= most && (static_cast<unsigned char>(c) & 0xC0U) != 0x80U) break;
    if (taken >= most + 4) break;
    ++taken;
    append_shown(out, c);
  }
  if (taken < value.size()) out += "...";
  if (quoted) out += '"';
  return out;
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
