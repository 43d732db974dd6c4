// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_HELP_HPP
#define ANEW_GET_HELP_HPP

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Formatter;
}  // namespace CLI

namespace anew_get {

/// Thrown where a text is asked for in the place of a run.
struct help_wanted {
  std::string text;
};

/// A topic: the options of a group, and what there is to say. Either may be empty.
struct help_section {
  std::string_view topic;
  std::string_view group;
  std::string_view text;
};

/// The help of a program.
struct help_page {
  char const* program;
  char const* arguments;  // of the command line, as "[OPTIONS] URL..."
  char const* first_line;
  std::vector<help_section> sections;
  std::string_view examples;
};

/// How a strategy is written, and what is retried: of all programs that take one.
extern std::string_view const help_on_strategies;
extern std::string_view const help_on_retries;

/// The overview, which fits a screen, for no topic; else the topic's section, or all of them. Throws usage_error for what is
/// no topic.
[[nodiscard]] std::string help_on(help_page const& page, CLI::App const& app, CLI::Formatter const& formatter,
                                  std::string const& topic);

}  // namespace anew_get

#endif
