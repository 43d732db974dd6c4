// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_STRATEGY_READING_HPP
#define ANEW_TEXT_STRATEGY_READING_HPP

#include <cstddef>
#include <string>
#include <string_view>

#include "anew/base/internal/value_or_error.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/text/word.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

inline std::size_t columns_of(std::string_view utf8) {
  std::size_t count = 0;
  for (char const c : utf8) count += (static_cast<unsigned char>(c) & 0xc0U) != 0x80U ? 1 : 0;
  return count;
}
inline std::string on_one_line(std::string_view text) {
  std::string line{text};
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return line;
}

}  // namespace detail

/// A fault in three lines: what is wrong, the text, and carets under the word. A place that the text does not have is its end.
[[nodiscard]] inline std::string in_lines(text_fault const& fault, std::string_view text) {
  auto const shown = detail::on_one_line(text);
  auto const at = fault.at < shown.size() ? fault.at : shown.size();
  auto const before = detail::columns_of(std::string_view{shown}.substr(0, at));
  auto const wide = detail::columns_of(std::string_view{shown}.substr(at, fault.length));
  auto lines = detail::on_one_line(fault.what).append("\n  ").append(shown).append("\n  ");
  lines.append(before, ' ').append("^");
  return wide > 1 ? lines.append(wide - 1, '~') : lines;
}

/// The result of reading a text: a strategy, or a fault. `*`, `->` and `value()` throw `std::invalid_argument` with the
/// fault's text where there is no strategy; without exceptions the program ends with that text.
template <class Strategy>
using strategy_reading = detail::value_or_error<Strategy, text_fault>;

}  // namespace anew::inline ANEW_ABI

#endif
