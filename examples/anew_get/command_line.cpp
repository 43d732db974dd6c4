// SPDX-License-Identifier: BSL-1.0
#include <CLI/CLI.hpp>

#include "command_line.hpp"

namespace anew_get {

std::string without_user(std::string const& text) {
  auto const at = text.rfind('@');  // the last one: a password may hold one that should have been escaped
  if (at == std::string::npos || at == 0) return text;  // not of `--data @FILE`
  // Nor of `--outage 10s@10%`.
  if (text.ends_with('%') && text.find_first_not_of("0123456789.%", at + 1) == std::string::npos) return text;
  auto const begin = text.find("://");
  return (begin < at ? text.substr(0, begin + 3) : "...@") + text.substr(at + 1);
}

void refuse(std::string const& option, std::string const& value, std::string const& why) {
  throw usage_error{option + " '" + without_user(value) + "': " + why};
}

std::string const& only_value(std::string const& option, std::vector<std::string> const& values) {
  if (values.size() > 1) refuse(option, values[1], "is a second value, after '" + without_user(values[0]) + "'");
  return values.front();
}

void parse(CLI::App& app, char const* program, std::vector<std::string> const& arguments) {
  app.allow_extras();
  std::vector<char const*> argv{program};
  for (auto const& argument : arguments) argv.push_back(argument.c_str());
  try {
    app.parse(static_cast<int>(argv.size()), argv.data());
  } catch (CLI::ArgumentMismatch const& e) {  // "--rate: 1 required N missing"
    std::string const text = e.what();
    throw usage_error{text.substr(0, text.find(':')) + ": has no value"};
  }
  auto const unknown = app.remaining();
  if (unknown.empty()) return;
  auto const& first = unknown.front();
  if (first.starts_with('-')) throw usage_error{"there is no option '" + without_user(first) + "'"};
  throw usage_error{"too many arguments: '" + without_user(first) + "'"};
}

}  // namespace anew_get
