// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_AWS_SETTINGS_HPP
#define ANEW_PORTS_AWS_SETTINGS_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "anew/base/internal/shown.hpp"
#include "anew/base/internal/value_or_error.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/presets/aws/retry_mode.hpp"

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

  config_error(config_error const&) = default;  // an error that was moved from can be read
  config_error& operator=(config_error const&) = default;
  ~config_error() override = default;

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

/// A value, or an error instead: `std::expected<T, config_error>` as far as C++20 permits. `*`, `->` and `value()` throw the
/// error where there is no value; without exceptions they print it and end the program.
template <class T>
using result = anew::detail::value_or_error<T, config_error>;

enum class origin_kind : std::uint8_t { by_default, file, environment, code };

/// Where a setting came from.
struct origin {
  origin_kind kind = origin_kind::by_default;
  std::string name{};    ///< the path of the file, or the name of the variable
  std::size_t line = 0;  ///< of the file

  [[nodiscard]] static origin code() { return {origin_kind::code}; }
  [[nodiscard]] static origin variable(std::string name) { return {origin_kind::environment, std::move(name)}; }
  [[nodiscard]] static origin file(std::string path, std::size_t line) {
    return {origin_kind::file, std::move(path), line};
  }

  /// `default`, `code`, `AWS_RETRY_MODE` or `/home/me/.aws/config:3`.
  [[nodiscard]] std::string describe() const {
    if (kind == origin_kind::by_default) return "default";
    if (kind == origin_kind::code) return "code";
    return kind == origin_kind::environment ? name : std::string{name}.append(":").append(std::to_string(line));
  }
  friend bool operator==(origin const&, origin const&) = default;
};

template <class T>
struct setting {
  T value;
  origin from{};
  [[nodiscard]] bool is_default() const noexcept { return from.kind == origin_kind::by_default; }
  friend bool operator==(setting const&, setting const&) = default;
};

/// The service, if it has defaults of its own. They never override configured values.
enum class service : std::uint8_t {
  any,
  dynamodb,      ///< and its streams: since 2026 four attempts, and a base of 25 ms
  long_polling,  ///< an operation that waits for work: since 2026 it waits too when the quota refuses
};

/// The program's own settings; the environment and the files supply the rest.
struct code_settings {
  std::optional<aws::retry_mode> mode{};
  std::optional<std::int64_t> max_attempts{};  ///< the first attempt included
  std::optional<aws::generation> generation{};
  std::optional<std::string> profile{};
  service for_service = service::any;
};

/// The effective settings, and where they came from.
struct settings {
  setting<aws::retry_mode> mode{aws::retry_mode::standard};
  setting<std::uint32_t> max_attempts{3};
  setting<aws::generation> generation{aws::generation::v2026};
  setting<std::string> profile{"default"};
  service for_service = service::any;

  /// `retry_mode = standard (default), max_attempts = 4 (/home/me/.aws/config:3), generation = v2026 (default), profile =
  /// default (default)`
  [[nodiscard]] std::string describe() const {
    std::string text{"retry_mode = "};
    text.append(aws::to_string(mode.value)).append(" (").append(mode.from.describe());
    text.append("), max_attempts = ").append(std::to_string(max_attempts.value));
    text.append(" (").append(max_attempts.from.describe());
    text.append("), generation = ").append(aws::to_string(generation.value));
    text.append(" (").append(generation.from.describe());
    text.append("), profile = ").append(anew::detail::shown(profile.value));
    return text.append(" (").append(profile.from.describe()).append(")");
  }

  /// Whether both make the same strategy. Where the values came from does not matter.
  [[nodiscard]] bool same_values(settings const& other) const noexcept {
    return mode.value == other.mode.value && max_attempts.value == other.max_attempts.value &&
           generation.value == other.generation.value && for_service == other.for_service;
  }
  friend bool operator==(settings const&, settings const&) = default;
};

/// The default mode: the document and the SDKs had `legacy` until the rules of 2026.
/// Source: AWS SDKs and Tools guide, "Retry behavior"; announcement "Updated default retry behavior (2026)"
[[nodiscard]] constexpr aws::retry_mode default_mode(aws::generation generation) noexcept {
  return generation == aws::generation::v2020 ? aws::retry_mode::legacy : aws::retry_mode::standard;
}

/// The default number of attempts. With `legacy` it differs from SDK to SDK; this is the C++ SDK's.
/// Source: AWS SDKs and Tools guide, "Retry behavior"; aws-sdk-cpp, DefaultRetryStrategy (10 retries); the announcement
[[nodiscard]] constexpr std::uint32_t default_attempts(aws::retry_mode mode, aws::generation generation,
                                                       service for_service) noexcept {
  if (mode == aws::retry_mode::legacy) return 11;
  return for_service == service::dynamodb && generation == aws::generation::v2026 ? 4 : 3;
}

}  // namespace anew::inline ANEW_ABI::aws_settings

#endif
