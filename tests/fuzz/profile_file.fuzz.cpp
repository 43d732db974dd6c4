// SPDX-License-Identifier: BSL-1.0

// What must hold of shared configuration files, for every input. The whole input is the text of the file, of both flavours.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "anew/ports/aws/profile_file.hpp"
#include "anew/ports/aws/resolve.hpp"
#include "anew/ports/aws/strategy_store.hpp"

#include "law.hpp"

namespace {

namespace config = anew::aws_settings;
using config::config_error_kind;
using config::file_flavour;
using config::profile_file;
using fuzz::require;

/// What counts of a file, written so that it reads the same again. Lines end in CR LF, because one CR is dropped and a
/// value may end in another.
std::string printed(profile_file const& file, file_flavour flavour) {
  std::string text;
  for (auto const& section : file.sections()) {
    if (file.is_replaced(section)) continue;
    bool const plain = flavour == file_flavour::credentials || section.profile == "default";
    text.append(plain ? "[" : "[profile ").append(section.profile).append("]\r\n");
    for (auto const& p : section.properties) {
      text.append(p.key).append("=");
      for (char const c : p.value) text.append(c == '\n' ? "\r\n " : std::string(1, c));
      text.append("\r\n");
    }
  }
  return text;
}

void check_error(config::config_error const& error, std::string_view text) {
  std::string_view const message{error.what()};
  require(!message.empty() && message.find('\n') == std::string_view::npos, "an error is one line");
  require(message.starts_with(error.file() + ":" + std::to_string(error.line()) + ": "),
          "an error begins with file and line");
  auto const lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  require(1 <= error.line() && error.line() <= lines, "an error names a line of the file");
  require(message.find("; valid ") != std::string_view::npos, "an error says what would be valid");
}

void check_file(std::string_view text, file_flavour flavour) {
  auto const file = profile_file::parse(text, flavour, "f");
  if (!file) {
    require(file.error().kind() == config_error_kind::config_file, "what the grammar refuses is the file's fault");
    check_error(file.error(), text);
    return;
  }
  std::size_t kept = 0;
  for (auto const& section : file->sections()) {
    require(config::detail::is_name(section.profile), "only profiles with names are kept");
    require(file->has_profile(section.profile), "a profile that is kept is there");
    for (auto const& p : section.properties) {
      require(config::detail::is_name(p.key) && p.key == config::detail::lower_case(p.key),
              "keys are names in lower case");
      require(section.line < p.line, "a property stands below its section");
      kept += p.key.size() + p.value.size();
      auto const* const found = file->find(section.profile, p.key);
      require(file->is_replaced(section) || (found != nullptr && found->line >= p.line),
              "the last of equal keys is found");
    }
  }
  require(kept <= text.size(), "no more is kept than was read");

  auto const once = printed(*file, flavour);
  auto const again = profile_file::parse(once, flavour, "f");
  require(again.has_value(), "what was read can be read again");
  require(printed(*again, flavour) == once, "what was read again is the same");
  for (auto const& section : file->sections())
    for (auto const& p : section.properties) {
      auto const* const found = file->find(section.profile, p.key);
      auto const* const found_again = again->find(section.profile, p.key);
      require((found == nullptr) == (found_again == nullptr), "what was found is found again");
      require(found == nullptr || found->value == found_again->value, "with the same value");
    }
}

void check_settings(std::string_view text) {
  std::string file{"[default]\nretry_mode = adaptive\nmax_attempts = 7\n"};
  auto const env = [](std::string_view name) {
    return name == "AWS_CONFIG_FILE" ? std::optional<std::string>{"f"} : std::nullopt;
  };
  auto const load = [&] {
    return config::try_resolve({}, env, [&file](std::string const&) { return config::file_text::of(file); });
  };
  config::strategy_store store{load, [](config::settings const& s) { return s; }};
  auto const before = store.snapshot();
  file = text;
  auto const result = store.reload();
  auto const now = store.current();
  if (!result) {
    check_error(result.error(), text);
    require(store.snapshot() == before && now.same_values(*before), "what cannot be used changes nothing");
  } else {
    require(now.max_attempts.value >= 1 && now.max_attempts.value <= 2147483647, "attempts are in their range");
    require(now.same_values(*store.snapshot()), "settings and strategy are of one reading");
    require(now.mode.is_default() || now.mode.from.line > 0, "a setting names its line");
    require(config::try_resolve({.mode = now.mode.value}, env, config::no_files{})->max_attempts.is_default(),
            "no file, no number");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  // Not copied to a string: its terminator would hide a read past the end.
  std::string_view const text{reinterpret_cast<char const*>(data), size};
  check_file(text, file_flavour::config);
  check_file(text, file_flavour::credentials);
  check_settings(text);
  return 0;
}
