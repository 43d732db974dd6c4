// SPDX-License-Identifier: BSL-1.0
// Environment and files in, retry mode and attempts out. The environment is the case's own, never that of the process.
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "anew/ports/aws/file_source.hpp"
#include "anew/ports/aws/resolve.hpp"
#include "anew/ports/aws/settings.hpp"

#include "modes.hpp"

namespace replay {

namespace {

namespace config = anew::aws_settings;

/// A folder of one case, gone with it.
class temporary_folder {
 public:
  temporary_folder() {
    auto pattern = (std::filesystem::temp_directory_path() / "anew-replay-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::system_error{errno, std::generic_category(), pattern};
    path_ = pattern;
  }
  temporary_folder(temporary_folder const&) = delete;
  temporary_folder& operator=(temporary_folder const&) = delete;
  ~temporary_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] std::filesystem::path const& path() const noexcept { return path_; }

  void write(std::filesystem::path const& name, std::string const& content) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream out{path_ / name, std::ios::binary};
    out.write(content.data(), static_cast<std::streamsize>(content.size()));
    if (!out.flush()) throw std::system_error{errno, std::generic_category(), (path_ / name).string()};
  }

 private:
  std::filesystem::path path_;
};

class environment {
 public:
  void set(std::string const& name, std::string value) { variables_.insert_or_assign(name, std::move(value)); }

  [[nodiscard]] std::optional<std::string> operator()(std::string_view name) const {
    auto const found = variables_.find(name);
    if (found == variables_.end()) return std::nullopt;
    return found->second;
  }

 private:
  std::map<std::string, std::string, std::less<>> variables_;
};

std::string replace_all(std::string text, std::string_view what, std::string const& by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
  return text;
}

/// The file's text at the usual place below the home directory, and in `$DIR` for a case that names it so.
void write_file(temporary_folder const& folder, json const& one, char const* name) {
  if (find(one, name) == nullptr) return;
  auto const content = text(one, name);
  folder.write(std::filesystem::path{".aws"} / name, content);
  folder.write(name, content);
}

/// Files of any other name: a name and a text each, `$DIR/` or `~/` or neither before the name.
void write_other_files(temporary_folder const& folder, json const& one) {
  auto const* const files = find(one, "other_files");
  if (files == nullptr) return;
  if (!files->is_object()) throw malformed{"'other_files' is no object"};
  for (auto const& [name, content] : files->items()) {
    std::string_view place{name};
    for (std::string_view const home : {"$DIR/", "$HOME/", "~/"}) {
      if (place.starts_with(home)) place.remove_prefix(home.size());
    }
    std::filesystem::path const path{place};
    bool const goes_up = std::ranges::find(path, "..") != path.end();
    if (path.empty() || path.is_absolute() || goes_up || !content.is_string()) {
      throw malformed{std::string{"'other_files': '"}.append(name).append("' is no file of a text below $DIR")};
    }
    folder.write(path, content.get<std::string>());
  }
}

environment environment_of(json const& one, std::string const& folder) {
  environment env;
  env.set("HOME", folder);
  auto const* const variables = find(one, "env");
  if (variables == nullptr) return env;
  if (!variables->is_object()) throw malformed{"'env' is no object"};
  for (auto const& [name, value] : variables->items()) {
    if (value.is_null()) continue;
    env.set(name, replace_all(text(*variables, name.c_str()), "$DIR", folder));
  }
  return env;
}

std::int64_t whole_number(json const& object, char const* name) {
  auto const& value = need(object, name);
  if (!value.is_number_integer()) throw malformed{std::string{"'"}.append(name).append("' is no whole number")};
  return value.get<std::int64_t>();
}

/// A setting that a program is told as text: the library reads it as it reads a variable.
config::result<config::settings> read_alone(char const* variable, std::string const& value) {
  environment env;
  env.set(variable, value);
  return config::try_resolve({}, env, config::no_files{});
}

constexpr std::array<std::string_view, 3> explicit_settings{"mode", "total_max_attempts", "max_attempts"};

/// The settings that the case's program makes in its code. `total_max_attempts` counts the first attempt, `max_attempts` does not.
config::result<config::code_settings> code_of(json const& one) {
  config::code_settings code;
  if (find(one, "profile_argument") != nullptr) code.profile = text(one, "profile_argument");
  if (find(one, "service") != nullptr) {
    if (!text(one, "service").starts_with("dynamodb"))
      throw malformed{"'service' must be one with numbers of its own: dynamodb"};
    code.for_service = config::service::dynamodb;
  }
  auto const* const said = find(one, "explicit");
  if (said == nullptr) return code;
  refuse_others(*said, explicit_settings, "'explicit'");
  if (find(*said, "mode") != nullptr) {
    auto const read = read_alone("AWS_RETRY_MODE", text(*said, "mode"));
    if (!read) return read.error();
    code.mode = read->mode.value;
  }
  if (find(*said, "max_attempts") != nullptr) code.max_attempts = whole_number(*said, "max_attempts") + 1;
  if (find(*said, "total_max_attempts") != nullptr) code.max_attempts = whole_number(*said, "total_max_attempts");
  return code;
}

std::string error_name(config::config_error_kind kind) {
  switch (kind) {
    case config::config_error_kind::invalid_mode: return "invalid_mode";
    case config::config_error_kind::invalid_attempts: return "invalid_attempts";
    case config::config_error_kind::invalid_generation: return "invalid_generation";
    case config::config_error_kind::profile_not_found: return "profile_not_found";
    case config::config_error_kind::empty_variable: return "empty_variable";
    case config::config_error_kind::config_file:
    case config::config_error_kind::unreadable: return "config_file";
    case config::config_error_kind::falls_short: break;  // what no file can be, but a program may find
  }
  return "unknown";
}

/// A setting as the file writes it: null where it is not configured.
template <class T, class Show>
std::string configured(config::setting<T> const& setting, Show const& show) {
  return setting.is_default() ? "null" : show(setting.value);
}

std::string in_words(std::string const& mode, std::string const& attempts) {
  return std::string{"mode "}.append(mode).append(", max_attempts ").append(attempts);
}

std::string expected_of(json const& expected) {
  refuse_others(expected, {"mode", "max_attempts", "error"}, "'expected'");
  if (find(expected, "error") != nullptr) return std::string{"error "}.append(text(expected, "error"));
  auto const or_null = [&expected](char const* name, auto const& show) {
    return find(expected, name) == nullptr ? std::string{"null"} : show();
  };
  return in_words(or_null("mode", [&] { return text(expected, "mode"); }),
                  or_null("max_attempts", [&] { return std::to_string(whole_number(expected, "max_attempts")); }));
}

config::result<config::settings> resolve(json const& one, std::optional<anew::aws::generation> generation = {}) {
  temporary_folder const folder;
  write_file(folder, one, "config");
  write_file(folder, one, "credentials");
  write_other_files(folder, one);
  auto code = code_of(one);
  if (!code) return code.error();
  code->generation = generation;
  return config::try_resolve(*code, environment_of(one, folder.path().string()), config::real_files{});
}

/// `raw`, `observed` and the like say what other programs did.
void refuse_other_members(json const& one) {
  refuse_others(one,
                {"config", "credentials", "other_files", "env", "profile_argument", "service", "explicit", "expected",
                 "topic", "raw", "observed", "agrees", "botocore_specific"},
                "a case");
  if (find(one, "raw") != nullptr) {
    refuse_others(one["raw"], {"profile_found", "retry_mode", "max_attempts", "file_error"}, "'raw'");
  }
}

bool has_only_known_members(json const& one) {
  try {
    refuse_other_members(one);
    return true;
  } catch (malformed const&) {
    return false;  // the replay says which one
  }
}

/// A named file or profile that does not exist is an error here; the file's implementations silently use defaults.
bool is_refused_for_not_being_there(json const& one, config::config_error_kind kind) {
  bool const is_named =
      kind == config::config_error_kind::profile_not_found || kind == config::config_error_kind::empty_variable;
  auto const* const raw = find(one, "raw");
  auto const* const found = raw != nullptr ? find(*raw, "profile_found") : nullptr;
  return is_named && found != nullptr && found->is_boolean() && !found->get<bool>();
}

/// The result of botocore for the case, or nothing.
json const* observation_of(json const& one) {
  auto const* const observed = find(one, "observed");
  return observed == nullptr ? nullptr : find(*observed, "botocore");
}

/// `AWS_DEFAULT_PROFILE` is read here, as botocore and aws-sdk-cpp read it. A case that expects what the others make of it
/// holds what botocore does, too.
std::optional<std::string> what_botocore_does(json const& one) {
  auto const* const env = find(one, "env");
  if (env == nullptr || find(*env, "AWS_DEFAULT_PROFILE") == nullptr || find(*env, "AWS_PROFILE") != nullptr) {
    return std::nullopt;
  }
  auto const* const botocore = observation_of(one);
  if (botocore == nullptr || find(*botocore, "mode") == nullptr || find(*botocore, "max_attempts") == nullptr) {
    return std::nullopt;
  }
  return in_words(text(*botocore, "mode"), std::to_string(whole_number(*botocore, "max_attempts")));
}
/// The case expects what its `raw` profile holds.
bool expects_the_raw_profile(json const& one, std::string const& expected) {
  auto const* const raw = find(one, "raw");
  if (raw == nullptr || find(*raw, "retry_mode") == nullptr || find(*raw, "max_attempts") == nullptr) return false;
  return expected == in_words(text(*raw, "retry_mode"), text(*raw, "max_attempts"));
}

/// A case without an answer of the documents: botocore's. Its generation is that of 2020 unless a variable says otherwise.
std::optional<difference> replay_observation(json const& one) {
  refuse_other_members(one);
  auto const* const env = find(one, "env");
  bool const is_said = env != nullptr && find(*env, "AWS_NEW_RETRIES_2026") != nullptr;
  auto const resolved = resolve(one, is_said ? std::nullopt : std::optional{anew::aws::generation::v2020});
  auto const& observed = *observation_of(one);
  if (find(observed, "error") != nullptr) {
    auto const expected = text(observed, "error");
    bool const is_same = !resolved && (resolved.error().kind() == config::config_error_kind::invalid_attempts
                                           ? expected == "InvalidMaxRetryAttemptsError"
                                           : expected == "InvalidRetryModeError");
    if (is_same) return std::nullopt;
    return difference{expected, resolved ? resolved->describe() : resolved.error().what()};
  }
  if (!resolved) return difference{observed.dump(), resolved.error().what()};
  // How often a program tries that configured no number differs from SDK to SDK where the mode is legacy.
  bool const is_anybodys = resolved->mode.value == anew::aws::retry_mode::legacy && resolved->max_attempts.is_default();
  json const got{{"mode", to_string(resolved->mode.value)},
                 {"max_attempts", resolved->max_attempts.is_default() ? json{} : json(resolved->max_attempts.value)},
                 {"attempts_made_on_500",
                  is_anybodys ? need(observed, "attempts_made_on_500") : json(resolved->max_attempts.value)}};
  return got == observed ? std::nullopt : std::optional{difference{observed.dump(), got.dump()}};
}

/// A setting of the case's program for which the library has no name, so that the compiler would refuse it.
std::optional<std::string> cannot_be_said(json const& one) {
  auto const* const said = find(one, "explicit");
  auto const* const observed = observation_of(one);
  if (said == nullptr || !said->is_object() || observed == nullptr) return std::nullopt;
  if (observed->value("error", "") != "InvalidRetryConfigurationError") return std::nullopt;
  for (auto const& [name, value] : said->items()) {
    if (std::ranges::find(explicit_settings, name) == explicit_settings.end()) return name;
  }
  return std::nullopt;
}

std::optional<difference> replay_case(json const& one) {
  refuse_other_members(one);
  auto const expected = expected_of(need(one, "expected"));
  auto const resolved = resolve(one);
  if (!resolved) {
    bool const falls_back = expected == in_words("null", "null");
    if (falls_back && is_refused_for_not_being_there(one, resolved.error().kind())) return std::nullopt;
    auto const got = std::string{"error "}.append(error_name(resolved.error().kind()));
    if (got == expected) return std::nullopt;
    return difference{expected, std::string{got}.append(" (").append(resolved.error().what()).append(")")};
  }
  auto const got = in_words(configured(resolved->mode, [](auto mode) { return std::string{to_string(mode)}; }),
                            configured(resolved->max_attempts, [](auto n) { return std::to_string(n); }));
  if (got == expected) return std::nullopt;
  if (expects_the_raw_profile(one, expected) && got == what_botocore_does(one)) return std::nullopt;
  return difference{expected, got};
}

}  // namespace

void replay_config(json const& file, report& to) {
  auto const* const cases = find_array(file, "cases");
  if (cases == nullptr) throw malformed{"'cases' is missing"};
  for (std::size_t i = 0; i < cases->size(); ++i) {
    auto const& one = (*cases)[i];
    auto const id = id_of(one, "cases", i);
    if (one.is_object() && one.contains("expected") && one["expected"].is_null()) {
      if (auto const name = cannot_be_said(one); name && has_only_known_members(one)) {
        to.skip(id, one, std::string{"'"}.append(*name).append("' is no setting that a program can make here"));
      } else if (observation_of(one) != nullptr) {
        to.run(id, one, [&one] { return replay_observation(one); });
      } else {
        to.skip(id, one, "'expected' is null, and 'botocore' was not observed");
      }
    } else {
      to.run(id, one, [&one] { return replay_case(one); });
    }
  }
}

}  // namespace replay
