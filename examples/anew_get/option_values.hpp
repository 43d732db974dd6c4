// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_OPTION_VALUES_HPP
#define ANEW_GET_OPTION_VALUES_HPP

// The values of options: both programs read them alike.

#include <charconv>
#include <iosfwd>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "anew/value/duration.hpp"

namespace CLI {
class App;
}

namespace anew_get {

/// A mistake on the command line. what() holds no password.
struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// "--calls '0': must be above zero". Without the user and the password of a URL.
[[noreturn]] void refuse(std::string const& option, std::string const& value, std::string const& why);

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
[[nodiscard]] std::string strategy_of(std::string const& option, std::string const& text);
[[nodiscard]] anew::duration duration_of(std::string const& option, std::string const& text);
[[nodiscard]] anew::duration above_zero(std::string const& option, std::string const& text);
[[nodiscard]] std::string method_of(std::string const& option, std::string const& text);
[[nodiscard]] std::string header_of(std::string const& option, std::string const& text);
/// `@FILE` is what is in the file.
[[nodiscard]] std::string data_of(std::string const& option, std::string const& text);

/// The value of an option that is given once. Throws usage_error for a second one.
[[nodiscard]] std::string const& only_value(std::string const& option, std::vector<std::string> const& values);

/// Reads the command line. Throws usage_error for what `app` does not know, CLI::Error for other mistakes.
void parse(CLI::App& app, char const* program, std::vector<std::string> const& arguments);

/// For a handler of exceptions: the lines for what is thrown that is a mistake of the user, or the text that --help and
/// --version ask for. The exit code. Throws on what is neither.
[[nodiscard]] int answer_instead(char const* program, std::ostream& output, std::ostream& errors);

}  // namespace anew_get

#endif
