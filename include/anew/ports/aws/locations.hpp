// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_AWS_LOCATIONS_HPP
#define ANEW_PORTS_AWS_LOCATIONS_HPP

#include <concepts>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI::aws_settings {

/// Where variables come from: `env(name)` is the value, or nothing if it is not set. An empty value is a value.
template <class E>
concept Environment = requires(E const& env, std::string_view name) {
  { env(name) } -> std::convertible_to<std::optional<std::string>>;
};

/// The environment of the process. Do not read it while another thread changes it: `std::getenv` does not permit that.
struct process_environment {
  [[nodiscard]] std::optional<std::string> operator()(std::string_view name) const {
    if (char const* const value = std::getenv(std::string{name}.c_str())) return std::string{value};
    return std::nullopt;
  }
};

/// A process without variables, and so without a home and its files.
struct no_environment {
  [[nodiscard]] std::optional<std::string> operator()(std::string_view /*name*/) const { return std::nullopt; }
};

enum class platform : std::uint8_t { posix, windows };

#if defined(ANEW_PLATFORM_WINDOWS)
inline constexpr platform this_platform = platform::windows;
#else
inline constexpr platform this_platform = platform::posix;
#endif

/// Which files to read, and which profile in them. An empty path means no file.
struct locations {
  std::string config;
  std::string credentials;
};

namespace detail {

template <Environment Env>
std::optional<std::string> home_directory(Env const& env, platform on) {
  auto const said = [&](std::string_view name) {
    std::optional<std::string> value = env(name);
    return value && !value->empty() ? std::move(value) : std::nullopt;
  };
  if (auto home = said("HOME")) return home;
  if (on == platform::posix) return std::nullopt;
  if (auto profile = said("USERPROFILE")) return profile;
  auto drive = said("HOMEDRIVE");
  auto const path = said("HOMEPATH");
  if (drive && path) return std::move(drive->append(*path));
  return std::nullopt;
}

/// `~` is the home directory if it is the whole first segment of a path. Anywhere else it is an ordinary name.
template <Environment Env>
std::string expanded(std::string const& path, Env const& env, platform on) {
  bool const is_home =
      path.starts_with('~') && (path.size() == 1 || path[1] == '/' || (on == platform::windows && path[1] == '\\'));
  if (!is_home) return path;
  auto home = home_directory(env, on);
  return home ? std::move(home->append(path, 1)) : path;
}

template <Environment Env>
std::string location(Env const& env, platform on, std::string_view variable, std::string_view usual_name) {
  std::optional<std::string> const said = env(variable);
  if (said) return expanded(*said, env, on);
  auto home = home_directory(env, on);
  if (!home) return {};
  auto const* const separator = on == platform::windows ? "\\" : "/";
  return std::move(home->append(separator).append(".aws").append(separator).append(usual_name));
}

}  // namespace detail

/// `AWS_CONFIG_FILE` and `AWS_SHARED_CREDENTIALS_FILE`, else `.aws/config` and `.aws/credentials` in the home directory.
/// A variable with an empty value means no file here; `try_resolve()` refuses it. Without a home directory only the files
/// of those variables exist.
/// Source: AWS SDKs and Tools guide, "Location of the shared config and credentials files"; smithy-rs, file-location-tests.json
template <Environment Env>
[[nodiscard]] locations locate(Env const& env, platform on = this_platform) {
  return {detail::location(env, on, "AWS_CONFIG_FILE", "config"),
          detail::location(env, on, "AWS_SHARED_CREDENTIALS_FILE", "credentials")};
}

}  // namespace anew::inline ANEW_ABI::aws_settings

#endif
