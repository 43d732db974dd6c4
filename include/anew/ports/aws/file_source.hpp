// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_AWS_FILE_SOURCE_HPP
#define ANEW_PORTS_AWS_FILE_SOURCE_HPP

#include <array>
#include <cerrno>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
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

}  // namespace anew::inline ANEW_ABI::aws_settings

#endif
