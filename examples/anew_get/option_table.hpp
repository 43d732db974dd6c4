// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_OPTION_TABLE_HPP
#define ANEW_GET_OPTION_TABLE_HPP

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "help.hpp"
#include "option_formatter.hpp"
#include "option_values.hpp"

namespace anew_get {

/// The options of a program, in groups. Each option that takes a value is given once.
class option_table {
 public:
  option_table(help_page const& page, std::string version) : page_{page}, app_{page.first_line, page.program} {
    app_.set_help_flag();
    app_.add_option_function<std::vector<std::string>>(
            "-h,--help",
            [this](std::vector<std::string> const& topic) {
              throw help_wanted{help_on(page_, app_, *formatter_, topic.empty() ? std::string{} : topic.front())};
            },
            "an overview, one of its topics, or 'all'; then exit")
        ->type_name("[TOPIC]")
        ->expected(0, 1)
        ->trigger_on_parse();
    app_.set_version_flag("--version", std::move(version), "print the version and exit");
    formatter_->column_width(32);
    app_.formatter(formatter_);
  }
  option_table(option_table const&) = delete;
  option_table& operator=(option_table const&) = delete;

  void parse(std::vector<std::string> const& arguments) { anew_get::parse(app_, page_.program, arguments); }
  [[nodiscard]] bool given(std::string const& name) const { return app_.count(name) > 0; }
  /// For a handler of exceptions: the text that was asked for, or lines for a mistake. The exit code.
  [[nodiscard]] int answer_instead(std::ostream& output, std::ostream& errors) {
    return anew_get::answer_instead(page_.program, output, errors);
  }

  /// Of the options that follow.
  void group(std::string name) { group_ = std::move(name); }

  void positional(std::string const& name, std::vector<std::string>& into, std::string help) {
    app_.add_option(name, into, std::move(help))->type_name("");
  }
  template <class T, class Read>
  void value(std::string const& spelling, T& into, Read read, std::string type, std::string help) {
    auto const name = long_name(spelling);
    function(
        spelling,
        [&into, read, name](std::vector<std::string> const& all) { into = read(name, only_value(name, all)); },
        std::move(type), std::move(help));
  }
  /// May be given more than once.
  template <class T, class Read>
  void values(std::string const& spelling, std::vector<T>& into, Read read, std::string type, std::string help) {
    auto const each = [&into, read, name = long_name(spelling)](std::vector<std::string> const& all) {
      for (auto const& one : all) into.push_back(read(name, one));
    };
    function(spelling, each, std::move(type), std::move(help));
  }
  void flag(std::string const& spelling, bool& into, std::string help) {
    app_.add_flag(spelling, into, std::move(help))->group(group_);
  }
  /// With up to `most` arguments, or none.
  void maybe_values(std::string const& spelling, std::function<void(std::vector<std::string> const&)> read, int most,
                    std::string type, std::string help) {
    app_.add_option_function<std::vector<std::string>>(spelling, std::move(read), std::move(help))
        ->type_name(std::move(type))
        ->expected(0, most)
        ->group(group_);
  }

 private:
  void function(std::string const& spelling, std::function<void(std::vector<std::string> const&)> const& read,
                std::string type, std::string help) {
    app_.add_option_function<std::vector<std::string>>(spelling, read, std::move(help))
        ->type_name(std::move(type))
        ->allow_extra_args(false)
        ->group(group_);
  }
  /// The first of "-f,--for,--duration" that messages name.
  static std::string long_name(std::string const& spelling) {
    auto const name = spelling.substr(spelling.find("--"));
    return name.substr(0, name.find(','));
  }

  help_page const& page_;
  CLI::App app_;
  std::shared_ptr<CLI::Formatter> formatter_ = std::make_shared<option_formatter>();
  std::string group_;
};

}  // namespace anew_get

#endif
