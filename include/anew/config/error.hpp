// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_CONFIG_ERROR_HPP
#define ANEW_CONFIG_ERROR_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "anew/config.hpp"

#if !ANEW_EXCEPTIONS
#include <cstdio>
#include <cstdlib>
#endif

namespace anew::config {

enum class config_error_kind : std::uint8_t {
  invalid_mode,        ///< a retry mode that is none
  invalid_attempts,    ///< a number of attempts that is none, or not between 1 and 2147483647
  invalid_generation,  ///< AWS_NEW_RETRIES_2026 is neither true nor false
  config_file,         ///< a shared file breaks the grammar
  unreadable,          ///< a shared file is there and cannot be read
};

namespace detail {

/// The value as one line of a message: what cannot be printed escaped, what is long cut, blanks at the ends shown.
inline std::string shown(std::string_view value) {
  constexpr std::size_t most = 80;
  std::string out;
  bool const quoted = value.empty() || value.front() == ' ' || value.back() == ' ';
  if (quoted) out += '"';
  std::size_t taken = 0;
  for (char const c : value) {
    // Not in the middle of a character of UTF-8.
    if (taken >= most && (static_cast<unsigned char>(c) & 0xC0U) != 0x80U) break;
    if (taken >= most + 4) break;
    ++taken;
    if (c == '\n') {
      out += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20U || c == '\x7F') {
      constexpr char const* digits = "0123456789abcdef";
      out += "\\x";
      out += digits[static_cast<unsigned char>(c) >> 4U];
      out += digits[static_cast<unsigned char>(c) & 0xFU];
    } else {
      out += c;
    }
  }
  if (taken < value.size()) out += "...";
  if (quoted) out += '"';
  return out;
}

}  // namespace detail

/// A setting or a file that cannot be used. One line says where, what, what is wrong and what would be right:
///
///     /home/me/.aws/config:3: retry_mode = standrad: is no retry mode; valid are legacy, standard and adaptive
///
/// `file()` is a path, or `environment` or `code`, which have no lines (0). A broken line of a file is not quoted: it may be
/// half of a secret. `value()` is the text of a setting as it was found.
class config_error : public std::runtime_error {
 public:
  config_error(config_error_kind kind, std::string file, std::size_t line, std::string setting, std::string value,
               std::string_view what_is_wrong)
      : std::runtime_error{message(file, line, setting, value, what_is_wrong)},
        facts_{
            std::make_shared<facts const>(facts{kind, line, std::move(file), std::move(setting), std::move(value)})} {}

  [[nodiscard]] config_error_kind kind() const noexcept { return facts_->kind; }
  [[nodiscard]] std::string const& file() const noexcept { return facts_->file; }
  [[nodiscard]] std::size_t line() const noexcept { return facts_->line; }
  [[nodiscard]] std::string const& setting() const noexcept { return facts_->setting; }
  [[nodiscard]] std::string const& value() const noexcept { return facts_->value; }

 private:
  struct facts {
    config_error_kind kind;
    std::size_t line;
    std::string file, setting, value;
  };

  static std::string message(std::string const& file, std::size_t line, std::string const& setting,
                             std::string const& value, std::string_view what_is_wrong) {
    std::string text{file};
    if (line != 0) text.append(":").append(std::to_string(line));
    if (!setting.empty()) text.append(": ").append(setting).append(" = ").append(detail::shown(value));
    return text.append(": ").append(what_is_wrong);
  }

  std::shared_ptr<facts const> facts_;  // an exception is copied, and copying one may not throw
};

namespace detail {

/// Throws it; without exceptions prints its message and ends the program, as every value that is refused does.
[[noreturn]] ANEW_COLD inline void raise(config_error const& error) {
#if ANEW_EXCEPTIONS
  throw error;
#else
  std::fprintf(stderr, "%s\n", error.what());
  std::abort();
#endif
}

}  // namespace detail
}  // namespace anew::config

#endif
