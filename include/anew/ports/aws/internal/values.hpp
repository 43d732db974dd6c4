// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_AWS_INTERNAL_VALUES_HPP
#define ANEW_PORTS_AWS_INTERNAL_VALUES_HPP

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/ports/aws/config_error.hpp"
#include "anew/ports/aws/internal/lines.hpp"
#include "anew/ports/aws/result.hpp"
#include "anew/ports/aws/settings.hpp"

/// Parses the text of a setting. Strict: a value that two SDKs read differently is refused.
namespace anew::inline ANEW_ABI::aws_settings::detail {

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

}  // namespace anew::inline ANEW_ABI::aws_settings::detail

#endif
