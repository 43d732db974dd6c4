// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_AWS_RESOLVE_HPP
#define ANEW_PORTS_AWS_RESOLVE_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/ports/aws/file_source.hpp"
#include "anew/ports/aws/profile_file.hpp"
#include "anew/ports/aws/settings.hpp"

namespace anew::inline ANEW_ABI::aws_settings {

/// Parses the text of a setting. Strict: a value that two SDKs read differently is refused.
namespace detail {

/// A setting as text, and its location.
struct found_text {
  std::string value;
  origin from;
  std::string setting;  ///< as it is called there
};

inline config_error refuse(config_error_kind kind, found_text const& found, std::string_view what_is_wrong) {
  bool const in_file = found.from.kind == origin_kind::file;
  return config_error{kind,
                      in_file                                       ? found.from.name
                      : found.from.kind == origin_kind::environment ? "environment"
                                                                    : "code",
                      found.from.line,
                      found.setting,
                      found.value,
                      what_is_wrong};
}

/// A hint about the grammar, if the value looks like a common misunderstanding of it.
inline std::string remark(found_text const& found) {
  std::string_view const value{found.value};
  if (found.from.kind == origin_kind::file && value.find('\n') != std::string_view::npos)
    return " (a line that begins with a blank belongs to the value above it)";
  if (value.size() > 1 && (value.front() == '"' || value.front() == '\'') && value.back() == value.front())
    return " (quotes are part of a value)";
  if (found.from.kind == origin_kind::file && value.find_first_of("#;") != std::string_view::npos)
    return " (a comment begins after a blank)";
  return {};
}

inline result<aws::retry_mode> read_mode(found_text const& found) {
  auto const word = trimmed(found.value);
  for (auto const mode : {aws::retry_mode::legacy, aws::retry_mode::standard, aws::retry_mode::adaptive})
    if (equals_ignoring_case(word, aws::to_string(mode))) return mode;
  return refuse(config_error_kind::invalid_mode, found,
                std::string{word.empty() ? "is empty" : "is no retry mode"}
                    .append(remark(found))
                    .append("; valid are legacy, standard and adaptive"));
}

/// Digits, and perhaps a plus before them.
inline result<std::uint32_t> read_attempts(found_text const& found) {
  constexpr std::uint64_t most = std::numeric_limits<std::int32_t>::max();
  std::string_view digits{found.value};
  bool const is_negative = digits.starts_with('-');
  // A plus sign is read, as the SDKs of Python, Rust, Kotlin, Java and JavaScript read it.
  if (is_negative || digits.starts_with('+')) digits.remove_prefix(1);
  bool const is_number =
      !digits.empty() && std::all_of(digits.begin(), digits.end(), [](char c) { return '0' <= c && c <= '9'; });
  std::uint64_t value = 0;
  for (char const c : is_number ? digits : std::string_view{})
    value = std::min(value * 10 + static_cast<std::uint64_t>(c - '0'), most + 1);
  if (is_number && !is_negative && 1 <= value && value <= most) return static_cast<std::uint32_t>(value);

  std::string what{found.value.empty()            ? "is empty"
                   : !is_number                   ? "is not a whole number in digits"
                   : value > most && !is_negative ? "is too many"
                                                  : "is below 1, and the first attempt counts"};
  return refuse(config_error_kind::invalid_attempts, found,
                what.append(remark(found)).append("; valid are 1 (no retries) to 2147483647"));
}

/// `true` and `false` in any case, and nothing else: the SDKs take anything but `true` for "not set", which meant the
/// old rules before 10 November 2026 and means the new ones after it.
inline result<aws::generation> read_generation(found_text const& found) {
  if (equals_ignoring_case(found.value, "true")) return aws::generation::v2026;
  if (equals_ignoring_case(found.value, "false")) return aws::generation::v2020;
  return refuse(config_error_kind::invalid_generation, found,
                std::string{found.value.empty() ? "is empty" : "is neither true nor false"}.append(
                    "; valid are true (the rules of 2026, the default) and false (those before)"));
}

/// The two files, which are read on first use.
template <Environment Env, FileSource Files>
class lazy_files {
 public:
  lazy_files(Env const& env, Files const& files) : env_{env}, files_{files} {}

  /// The credentials file's property, else the config file's, else nothing; or why the files cannot be read, or that the
  /// profile that was named is in neither.
  result<std::optional<found_text>> find(setting<std::string> const& named, std::string_view key) {
    std::string_view const profile{named.value};
    if (!were_read_) {
      for (char const* const variable : {"AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"}) {
        std::optional<std::string> const said = env_(std::string_view{variable});
        if (said && said->empty()) {
          return refuse(config_error_kind::empty_variable, {{}, origin::variable(variable), variable},
                        "is empty; valid is a path, such as /dev/null for no file");
        }
      }
      auto const paths = locate(env_);
      auto config = read(paths.config, file_flavour::config);
      if (!config) return config.error();
      auto credentials = read(paths.credentials, file_flavour::credentials);
      if (!credentials) return credentials.error();
      config_ = *std::move(config);
      credentials_ = *std::move(credentials);
      were_read_ = true;
      if (!named.is_default() && profile != "default" && !config_.has_profile(profile) &&
          !credentials_.has_profile(profile)) {
        return refuse(config_error_kind::profile_not_found,
                      {named.value, named.from, named.from.kind == origin_kind::code ? "profile" : named.from.name},
                      not_found(paths));
      }
    }
    for (auto const* const file : {&credentials_, &config_})
      if (auto const* const p = file->find(profile, key))
        return std::optional{found_text{p->value, origin::file(file->name(), p->line), p->key}};
    return std::optional<found_text>{};
  }

 private:
  /// Names the files and their profiles.
  [[nodiscard]] std::string not_found(locations const& paths) const {
    std::string text{"is no profile of"};
    text.append(paths.config.empty() ? " any config file" : " " + paths.config);
    if (!paths.credentials.empty()) text.append(" or ").append(paths.credentials);
    text.append(" (in the config file it is [profile NAME], without quotes and blanks in the name)");
    std::set<std::string> names{"default"};
    for (auto const* const file : {&config_, &credentials_})
      for (auto const& section : file->sections()) names.insert(section.profile);
    std::string_view before = "; valid are ";
    std::size_t named = 0;
    for (auto const& name : names) {
      if (++named > most_named) break;
      text.append(std::exchange(before, ", ")).append(anew::detail::shown(name));
    }
    return names.size() > most_named ? text.append(" and others") : text;
  }

  result<profile_file> read(std::string const& path, file_flavour flavour) const {
    if (path.empty()) return profile_file{};
    file_text const file = files_(path);
    if (file.status == file_status::read) return profile_file::parse(file.text, flavour, path);
    if (file.status == file_status::unreadable) {
      return config_error{
          config_error_kind::unreadable, path, 0, {}, {}, std::string{"cannot be read: "}.append(file.text)};
    }
    return profile_file{};
  }

  static constexpr std::size_t most_named = 8;

  Env const& env_;
  Files const& files_;
  bool were_read_ = false;
  profile_file config_, credentials_;
};

}  // namespace detail

/// Each setting by itself from the code, else from the environment, else from the profile, else the default.
///
/// | setting        | code           | environment            | shared files   | default                            |
/// |----------------|----------------|------------------------|----------------|------------------------------------|
/// | mode           | `mode`         | `AWS_RETRY_MODE`       | `retry_mode`   | standard; v2020: legacy            |
/// | max_attempts   | `max_attempts` | `AWS_MAX_ATTEMPTS`     | `max_attempts` | 3; DynamoDB since 2026: 4; legacy: 11 |
/// | generation     | `generation`   | `AWS_NEW_RETRIES_2026` |                | v2026                              |
/// | profile        | `profile`      | `AWS_PROFILE`, else `AWS_DEFAULT_PROFILE` |  | `default`                      |
///
/// An invalid value is an error, and so is a variable that is set and empty; lower-precedence sources are not consulted.
/// The files are read only if a setting needs them, so a broken file is not an error if the environment has everything. A
/// missing file counts as empty; a profile that was named and is in neither file is an error.
///
/// Returns: the settings, or the first error. Throws: only what `env` and `files` throw.
/// Cost: the two files are read and parsed at most once. Choose it at the start of a program; not for each call.
/// Source: AWS SDKs and Tools guide, "Retry behavior"; smithy-rs and aws-sdk-kotlin, tests of their retry configuration
template <Environment Env, FileSource Files>
[[nodiscard]] result<settings> try_resolve(code_settings const& code, Env const& env, Files const& files) {
  settings out;
  out.for_service = code.for_service;
  auto const variable = [&env](char const* name) -> std::optional<detail::found_text> {
    std::optional<std::string> value = env(std::string_view{name});
    if (!value) return std::nullopt;
    return detail::found_text{*std::move(value), origin::variable(name), name};
  };
  detail::lazy_files<Env, Files> shared{env, files};
  auto const environment_or_file = [&](char const* name,
                                       std::string_view key) -> result<std::optional<detail::found_text>> {
    if (auto said = variable(name)) return said;
    return shared.find(out.profile, key);
  };

  if (code.profile) {
    out.profile = {*code.profile, origin::code()};
  } else {
    auto said = variable("AWS_PROFILE");
    if (!said) said = variable("AWS_DEFAULT_PROFILE");
    if (said && said->value.empty()) {
      return detail::refuse(config_error_kind::empty_variable, *said, "is empty; valid is the name of a profile");
    }
    if (said) out.profile = {said->value, said->from};
  }

  auto const take = [](auto& to, result<std::optional<detail::found_text>> const& found,
                       auto const& read) -> std::optional<config_error> {
    if (!found) return found.error();
    if (!*found) return std::nullopt;
    auto const value = read(**found);
    if (!value) return value.error();
    to = {*value, (*found)->from};
    return std::nullopt;
  };
  if (code.generation) {
    out.generation = {*code.generation, origin::code()};
  } else if (auto broken = take(out.generation, variable("AWS_NEW_RETRIES_2026"), detail::read_generation)) {
    return *std::move(broken);
  }

  out.mode.value = default_mode(out.generation.value);
  if (code.mode) {
    out.mode = {*code.mode, origin::code()};
  } else if (auto broken = take(out.mode, environment_or_file("AWS_RETRY_MODE", "retry_mode"), detail::read_mode)) {
    return *std::move(broken);
  }

  out.max_attempts.value = default_attempts(out.mode.value, out.generation.value, code.for_service);
  std::optional<detail::found_text> in_code;
  if (code.max_attempts) in_code = {std::to_string(*code.max_attempts), origin::code(), "max_attempts"};
  auto broken = take(out.max_attempts, in_code ? in_code : environment_or_file("AWS_MAX_ATTEMPTS", "max_attempts"),
                     detail::read_attempts);
  if (broken) return *std::move(broken);
  return out;
}

/// The same from the process's environment and the machine's files.
[[nodiscard]] inline result<settings> try_resolve(code_settings const& code = {}) {
  return try_resolve(code, process_environment{}, real_files{});
}

/// The settings, or throws the `config_error`; without exceptions prints it and ends the program.
[[nodiscard]] settings resolve(code_settings const& code, Environment auto const& env, FileSource auto const& files) {
  return try_resolve(code, env, files).value();
}
[[nodiscard]] inline settings resolve(code_settings const& code = {}) { return try_resolve(code).value(); }

}  // namespace anew::inline ANEW_ABI::aws_settings

#endif
