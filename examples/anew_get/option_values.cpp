// SPDX-License-Identifier: BSL-1.0
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <ostream>

#include <CLI/CLI.hpp>

#include "anew/text/word.hpp"

#include "exit_code.hpp"
#include "help.hpp"
#include "named.hpp"
#include "option_values.hpp"
#include "shared_quota.hpp"
#include "text.hpp"

namespace anew_get {

std::string text_of(std::string const& /*option*/, std::string const& text) { return text; }

std::string strategy_text_of(std::string const& option, std::string const& text) {
  if (text.find("://") != std::string::npos) refuse(option, text, "is a URL; a strategy is a name or policies");
  return text;
}

anew::duration duration_of(std::string const& option, std::string const& text) {
  auto const read = anew::word::read_duration(text);
  if (!read) refuse(option, text, "must be a duration, a number and a unit: 250ms, 2s, 1.5s, 100us, 1m");
  return *read;
}

anew::duration above_zero(std::string const& option, std::string const& text) {
  auto const read = duration_of(option, text);
  if (read == anew::duration::zero()) refuse(option, text, "must be above zero");
  return read;
}

std::string method_of(std::string const& option, std::string const& text) {
  bool const fits = !text.empty() && std::all_of(text.begin(), text.end(),
                                                 [](char c) { return (c >= 'A' && c <= 'Z') || c == '-' || c == '_'; });
  if (!fits) refuse(option, text, "must be a method in capital letters: GET, HEAD, PUT, DELETE, OPTIONS, POST, PATCH");
  return text;
}

std::string header_of(std::string const& option, std::string const& text) {
  auto const colon = text.find(':');
  if (colon == std::string::npos || colon == 0 || text.find_first_of("\r\n") != std::string::npos) {
    refuse(option, text, "must be one line 'Name: value'");
  }
  return text;
}

std::string data_of(std::string const& option, std::string const& text) {
  if (!text.starts_with('@')) return text;
  auto const name = text.substr(1);
  struct ::stat what{};
  if (::stat(name.c_str(), &what) == 0 && S_ISDIR(what.st_mode)) refuse(option, text, "is a directory");
  std::ifstream file{name, std::ios::binary};
  std::string content{std::istreambuf_iterator<char>{file}, {}};
  if (!file.is_open() || file.bad()) refuse(option, text, "cannot read this file");
  return content;
}

int answer_instead(char const* program, std::ostream& output, std::ostream& errors) {
  try {
    throw;
  } catch (help_wanted const& help) {
    output << help.text;
    return exit_code::fetched;
  } catch (CLI::CallForVersion const& e) {
    output << e.what() << '\n';
    return exit_code::fetched;
  } catch (CLI::Error const& e) {
    errors << program << ": " << printable(without_user(e.what())) << '\n';
  } catch (strategy_error const& e) {
    errors << program << ": " << e.option << ": " << printable(e.what(), line_breaks::kept) << '\n';
  } catch (usage_error const& e) {
    errors << program << ": " << printable(e.what()) << '\n';
  } catch (std::invalid_argument const& e) {  // of a policy
    errors << program << ": " << printable(e.what()) << '\n';
  }
  return exit_code::bad_usage;
}

}  // namespace anew_get
