// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_TEXT_HPP
#define ANEW_GET_TEXT_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "anew/base/duration.hpp"

namespace anew_get {

/// As one would type it: "1.5s", "250ms".
[[nodiscard]] std::string as_given(anew::duration d);

[[nodiscard]] double in_milliseconds(anew::duration d);

/// "17 bytes", "1.2 MB".
[[nodiscard]] std::string amount(std::uint64_t bytes);

/// "1 attempt", "3 attempts".
[[nodiscard]] std::string counted(std::size_t n, std::string_view noun);

/// How many columns a terminal needs for it: UTF-8, no wide characters.
[[nodiscard]] std::size_t columns(std::string_view utf8);

/// Cut (with an ellipsis) or filled with blanks to exactly that many columns.
[[nodiscard]] std::string fitted(std::string_view utf8, std::size_t width);
[[nodiscard]] std::string right_aligned(std::string_view utf8, std::size_t width);
[[nodiscard]] std::string repeated(std::string_view utf8, std::size_t times);

enum class line_breaks : bool { replaced, kept };

/// The text as a terminal may get it: what would steer the terminal, or turn the direction of writing, is shown as �, and
/// so is what is no UTF-8. Tabs stay with the line breaks.
[[nodiscard]] std::string printable(std::string_view text, line_breaks breaks = line_breaks::replaced);

/// Words for the eye; without colour they are just the words.
struct paint {
  static constexpr std::size_t usual_width = 99;
  static constexpr std::size_t narrow_width = 80;
  bool in_colour = false;
  std::size_t width = usual_width;  // of a line
  [[nodiscard]] std::string red(std::string_view s) const { return wrap("31", s); }
  [[nodiscard]] std::string green(std::string_view s) const { return wrap("32", s); }
  [[nodiscard]] std::string yellow(std::string_view s) const { return wrap("33", s); }
  [[nodiscard]] std::string cyan(std::string_view s) const { return wrap("36", s); }
  [[nodiscard]] std::string bold(std::string_view s) const { return wrap("1", s); }
  [[nodiscard]] std::string dim(std::string_view s) const { return wrap("2", s); }

 private:
  [[nodiscard]] std::string wrap(std::string_view code, std::string_view s) const;
};

/// In lines of at most that many columns, of which all but the first begin with `indent` blanks.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t width, std::size_t indent);

/// A terminal that can do more than write one line after the other: TERM is not `dumb`.
[[nodiscard]] bool can_redraw(int file_descriptor);
/// The columns of a terminal; nothing for a pipe or a file.
[[nodiscard]] std::optional<std::size_t> columns_of(int file_descriptor);

/// Colours for a terminal alone, and only where NO_COLOR is not set.
[[nodiscard]] paint paint_for(int file_descriptor);

}  // namespace anew_get

#endif
