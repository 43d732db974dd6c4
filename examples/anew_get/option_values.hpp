// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_OPTION_VALUES_HPP
#define ANEW_GET_OPTION_VALUES_HPP

// The values of options: both programs read them alike.

#include <charconv>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "anew/base/duration.hpp"

#include "command_line.hpp"

namespace anew_get {

/// The whole text as a number, else nothing.
template <class Number>
std::optional<Number> read_number(std::string_view text) {
  Number number{};
  auto const* const end = text.data() + text.size();
  auto const [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || rest != end) return std::nullopt;
  return number;
}

/// These take the name of an option and its value, and throw usage_error.
[[nodiscard]] std::string text_of(std::string const& option, std::string const& text);
[[nodiscard]] std::string strategy_text_of(std::string const& option, std::string const& text);
[[nodiscard]] anew::duration duration_of(std::string const& option, std::string const& text);
[[nodiscard]] anew::duration above_zero(std::string const& option, std::string const& text);
[[nodiscard]] std::string method_of(std::string const& option, std::string const& text);
[[nodiscard]] std::string header_of(std::string const& option, std::string const& text);
/// `@FILE` is what is in the file.
[[nodiscard]] std::string data_of(std::string const& option, std::string const& text);

/// For a handler of exceptions: the lines for what is thrown that is a mistake of the user, or the text that --help and
/// --version ask for. The exit code. Throws on what is neither.
[[nodiscard]] int answer_instead(char const* program, std::ostream& output, std::ostream& errors);

}  // namespace anew_get

#endif
