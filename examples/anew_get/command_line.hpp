// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_COMMAND_LINE_HPP
#define ANEW_GET_COMMAND_LINE_HPP

// The command line of all programs: its mistakes are worded alike.

#include <stdexcept>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace anew_get {

/// A mistake on the command line. what() holds no password.
struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The text for a message: without what may be the user and the password of a URL, also of one that is mistyped.
[[nodiscard]] std::string without_user(std::string const& text);

/// "--calls '0': must be above zero". Without the user and the password of a URL.
[[noreturn]] void refuse(std::string const& option, std::string const& value, std::string const& why);

/// The value of an option that is given once. Throws usage_error for a second one.
[[nodiscard]] std::string const& only_value(std::string const& option, std::vector<std::string> const& values);

/// Reads the command line. Throws usage_error for what `app` does not know, CLI::Error for other mistakes.
void parse(CLI::App& app, char const* program, std::vector<std::string> const& arguments);

}  // namespace anew_get

#endif
