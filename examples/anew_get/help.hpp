// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_HELP_HPP
#define ANEW_GET_HELP_HPP

#include <string>

namespace CLI {
class App;
class Formatter;
}  // namespace CLI

namespace anew_get {

/// Thrown where a text is asked for in the place of a run.
struct help_wanted {
  std::string text;
};

/// The overview, which fits a screen, for no topic; else the topic's section, or all of them. Throws usage_error for what is
/// no topic.
[[nodiscard]] std::string help_on(CLI::App const& app, CLI::Formatter const& formatter, std::string const& topic);

}  // namespace anew_get

#endif
