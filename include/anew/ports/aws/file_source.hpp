// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_AWS_FILE_SOURCE_HPP
#define ANEW_PORTS_AWS_FILE_SOURCE_HPP

#include <array>
#include <cerrno>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "anew/base/platform/compiler.hpp"

/// The limits of a shared file; a larger file is not a configuration. docs/reference/limits.md lists all limits of
/// foreign input.
namespace anew::inline ANEW_ABI::aws_settings::file_limits {

inline constexpr std::size_t bytes = 4'194'304;     ///< of the file
inline constexpr std::size_t line_bytes = 65'536;   ///< of one line, without its end
inline constexpr std::size_t properties = 100'000;  ///< of all profiles together, and their sections

}  // namespace anew::inline ANEW_ABI::aws_settings::file_limits

namespace anew::inline ANEW_ABI::aws_settings {

enum class file_status : std::uint8_t { read, not_found, unreadable };

/// The result of reading a file: the text, or nothing, or the reason.
struct file_text {
  file_status status = file_status::not_found;
  std::string text{};  ///< the text, or why the file is unreadable

  [[nodiscard]] static file_text of(std::string text) { return {file_status::read, std::move(text)}; }
  [[nodiscard]] static file_text missing() { return {}; }
  [[nodiscard]] static file_text unreadable(std::string why) { return {file_status::unreadable, std::move(why)}; }
};

/// Where files come from: `files(path)`.
template <class F>
concept FileSource = requires(F const& files, std::string const& path) {
  { files(path) } -> std::convertible_to<file_text>;
};

/// The files of the machine. A file of more than `file_limits::bytes` is not read, and counts as unreadable.
struct real_files {
  static constexpr std::size_t longest = file_limits::bytes;

  [[nodiscard]] file_text operator()(std::string const& path) const {
    if (path.empty()) return file_text::missing();
    std::unique_ptr<std::FILE, closer> const file{std::fopen(path.c_str(), "rb")};
    if (!file) return errno == ENOENT || errno == ENOTDIR ? file_text::missing() : file_text::unreadable(reason());
    std::string text;
    std::array<char, 4096> block;
    while (auto const length = std::fread(block.data(), 1, block.size(), file.get())) {
      text.append(block.data(), length);
      if (text.size() > longest) return file_text::unreadable("it is longer than 4 MiB");
    }
    if (std::ferror(file.get()) != 0) return file_text::unreadable(reason());
    return file_text::of(std::move(text));
  }

 private:
  struct closer {
    void operator()(std::FILE* file) const noexcept { static_cast<void>(std::fclose(file)); }
  };
  static std::string reason() {
    auto why = std::generic_category().message(errno);
    if (!why.empty() && 'A' <= why.front() && why.front() <= 'Z') why.front() = static_cast<char>(why.front() + 32);
    return why;
  }
};

/// A machine without files.
struct no_files {
  [[nodiscard]] file_text operator()(std::string const& /*path*/) const { return file_text::missing(); }
};

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

std::optional<std::string> home_directory(Environment auto const& env, platform on) {
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
std::string expanded(std::string const& path, Environment auto const& env, platform on) {
  bool const is_home =
      path.starts_with('~') && (path.size() == 1 || path[1] == '/' || (on == platform::windows && path[1] == '\\'));
  if (!is_home) return path;
  auto home = home_directory(env, on);
  return home ? std::move(home->append(path, 1)) : path;
}

std::string location(Environment auto const& env, platform on, std::string_view variable, std::string_view usual_name) {
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
[[nodiscard]] locations locate(Environment auto const& env, platform on = this_platform) {
  return {detail::location(env, on, "AWS_CONFIG_FILE", "config"),
          detail::location(env, on, "AWS_SHARED_CREDENTIALS_FILE", "credentials")};
}

}  // namespace anew::inline ANEW_ABI::aws_settings

#endif
