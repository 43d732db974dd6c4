// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_AWS_CONFIG_ERROR_HPP
#define ANEW_PORTS_AWS_CONFIG_ERROR_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "anew/base/internal/shown.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/invalid_argument.hpp"

namespace anew::inline ANEW_ABI::aws_settings {

enum class config_error_kind : std::uint8_t {
  invalid_mode,        ///< not a known retry mode
  invalid_attempts,    ///< not a number of attempts between 1 and 2147483647
  invalid_generation,  ///< AWS_NEW_RETRIES_2026 is neither true nor false
  profile_not_found,   ///< a profile that was named is in neither file
  empty_variable,      ///< a variable that names a profile or a file is set and empty
  config_file,         ///< a shared file breaks the grammar
  unreadable,          ///< a shared file is there and cannot be read
  falls_short,         ///< the strategy promises less than the program demands
};

/// A setting or a file that cannot be used. One line says where it is, what it is, what is wrong and what is valid:
///
///     /home/me/.aws/config:3: retry_mode = standrad: is no retry mode; valid are legacy, standard and adaptive
///
/// `file()` is a path, or `environment` or `code`, which have no lines (0). A broken line of a file is not quoted: it may be
/// half of a secret. `value()` is the text of a setting as it was found.
class ANEW_VISIBLE config_error : public std::runtime_error {
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
    if (!setting.empty()) text.append(": ").append(setting).append(" = ").append(anew::detail::shown(value));
    return text.append(": ").append(what_is_wrong);
  }

  std::shared_ptr<facts const> facts_;  // an exception is copied, and copying one may not throw
};

/// A value, or an error instead: `std::expected<T, config_error>` as far as C++20 permits.
template <class T>
class [[nodiscard]] result {
 public:
  using value_type = T;
  using error_type = config_error;

  result(T value) : state_{std::in_place_index<0>, std::move(value)} {}             // NOLINT(*-explicit-*)
  result(config_error error) : state_{std::in_place_index<1>, std::move(error)} {}  // NOLINT(*-explicit-*)

  [[nodiscard]] bool has_value() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }

  /// Requires `has_value()`.
  [[nodiscard]] T& operator*() & noexcept { return *std::get_if<0>(&state_); }
  [[nodiscard]] T const& operator*() const& noexcept { return *std::get_if<0>(&state_); }
  [[nodiscard]] T&& operator*() && noexcept { return std::move(*std::get_if<0>(&state_)); }
  [[nodiscard]] T* operator->() noexcept { return std::get_if<0>(&state_); }
  [[nodiscard]] T const* operator->() const noexcept { return std::get_if<0>(&state_); }

  /// The value, or throws the error; without exceptions prints it and ends the program.
  [[nodiscard]] T const& value() const& {
    if (!has_value()) anew::detail::raise(error());
    return **this;
  }
  [[nodiscard]] T value() && {
    if (!has_value()) anew::detail::raise(error());
    return *std::move(*this);
  }

  /// Requires `!has_value()`.
  [[nodiscard]] config_error const& error() const noexcept { return *std::get_if<1>(&state_); }

 private:
  std::variant<T, config_error> state_;
};

}  // namespace anew::inline ANEW_ABI::aws_settings

#endif
