// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_JSON_INVALID_SETTING_HPP
#define ANEW_TEXT_JSON_INVALID_SETTING_HPP

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>

#include "anew/base/duration.hpp"
#include "anew/base/internal/shown.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/invalid_argument.hpp"
#include "anew/policies/backoff/exponential.hpp"

namespace anew::inline ANEW_ABI {

/// A setting in a JSON document that cannot be: where it stands, what it must be, and what it is.
/// `what()` is "methodConfig[0].retryPolicy.maxAttempts must be at least 2, but is 1".
class ANEW_VISIBLE invalid_setting : public std::invalid_argument {
 public:
  invalid_setting(std::string path, std::string requirement, std::string value)
      : std::invalid_argument{text(path, requirement, value)},
        path_{std::move(path)},
        requirement_{std::move(requirement)},
        value_{std::move(value)} {}

  /// The way to it from the top of the document: `Retry[1].BackoffRate`; empty for the document itself.
  [[nodiscard]] std::string const& path() const noexcept { return path_; }
  [[nodiscard]] std::string const& requirement() const noexcept { return requirement_; }
  /// As the document has it, shortened if it is long.
  [[nodiscard]] std::string const& value() const noexcept { return value_; }

 private:
  static std::string text(std::string const& path, std::string const& requirement, std::string const& value) {
    return std::string{path.empty() ? "the document" : path}
        .append(" ")
        .append(requirement)
        .append(", but is ")
        .append(value);
  }
  std::string path_;
  std::string requirement_;
  std::string value_;
};

/// The common part of the readers of settings in JSON.
namespace detail::json_settings {

using json = nlohmann::json;

/// Throws; without exceptions prints the message and aborts, as every value that a constructor rejects does.
[[noreturn]] inline void reject(std::string path, std::string requirement, std::string value) {
  raise(invalid_setting{std::move(path), std::move(requirement), std::move(value)});
}

/// Writes a value as JSON until the text is long enough; what stands deeper than `levels` is an ellipsis. A document of the
/// program's may be nested as deep as it likes: nothing here may need a stack for that.
inline void append_text(std::string& text, json const& value, std::size_t most, unsigned levels) {
  constexpr auto dumped = [](json const& plain) { return plain.dump(-1, ' ', false, json::error_handler_t::replace); };
  constexpr std::size_t longest = 100;
  if (value.is_string() && value.get_ref<std::string const&>().size() > longest) {
    text.append(dumped(value.get_ref<std::string const&>().substr(0, longest)));
    return;
  }
  if (!value.is_structured()) {
    text.append(dumped(value));
    return;
  }
  text += value.is_object() ? '{' : '[';
  bool is_first = true;
  for (auto at = value.begin(); at != value.end() && text.size() <= most; ++at, is_first = false) {
    if (!is_first) text += ',';
    if (levels == 0) {
      text.append("...");
      break;
    }
    if (value.is_object()) text.append(dumped(at.key().substr(0, longest))) += ':';
    json_settings::append_text(text, *at, most, levels - 1);
  }
  text += value.is_object() ? '}' : ']';
}

/// At most `most_shown` bytes, and no half of a character.
inline std::string shortened(std::string text) {
  if (text.size() <= most_shown) return text;
  std::size_t end = most_shown - 3;
  while (end != 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end).append("...");
}

inline std::string as_text(json const& value) {
  std::string text;
  json_settings::append_text(text, value, most_shown, 4);
  return shortened(std::move(text));
}

/// A name as JSON, shortened if it is long.
inline std::string quoted(std::string const& name) { return as_text(json(name)); }

/// The way to a member, and to an item of an array.
inline std::string member(std::string const& path, std::string const& name) {
  bool const is_plain = !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](char c) {
    return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || c == '_' || c == '-' ||
           c == '$';
  });
  if (!is_plain) return std::string{path}.append("[").append(quoted(name)).append("]");
  return path.empty() ? name : std::string{path}.append(".").append(name);
}
inline std::string item(std::string const& path, std::size_t index) {
  return std::string{path}.append("[").append(std::to_string(index)).append("]");
}

/// A value and the way to it.
struct node {
  json const* value;
  std::string path;

  [[noreturn]] void reject(std::string requirement) const {
    json_settings::reject(path, std::move(requirement), as_text(*value));
  }
  [[nodiscard]] bool has(std::string const& name) const { return value->contains(name); }
  /// Requires `has(name)`. A name is any string of JSON's, with NUL in it too.
  [[nodiscard]] node operator[](std::string const& name) const {
    return {&*value->find(name), json_settings::member(path, name)};
  }
  /// Requires an array with more items.
  [[nodiscard]] node operator[](std::size_t index) const { return {&(*value)[index], item(path, index)}; }
  [[nodiscard]] node required(std::string const& name) const {
    if (!has(name)) json_settings::reject(json_settings::member(path, name), "must be given", "absent");
    return (*this)[name];
  }

  node const& object() const {
    if (!value->is_object()) reject("must be an object");
    return *this;
  }
  node const& array() const {
    if (!value->is_array()) reject("must be an array");
    return *this;
  }
  [[nodiscard]] std::string const& string() const {
    if (!value->is_string()) reject("must be a string");
    return value->get_ref<std::string const&>();
  }
  [[nodiscard]] std::size_t size() const { return value->size(); }
};

/// A number as it is written in decimals: digits / 10^scale. Nothing for one of more than nine digits of either.
struct decimal {
  std::uint64_t digits;
  unsigned scale;
};

inline std::optional<decimal> decimal_of(json const& value) {
  if (value.is_number_unsigned()) return decimal{value.get<std::uint64_t>(), 0};
  if (!value.is_number_float() || std::signbit(value.get<double>()) || !(value.get<double>() < 1e9))
    return std::nullopt;
  char buffer[400];
  auto const end =
      std::to_chars(static_cast<char*>(buffer), buffer + sizeof buffer, value.get<double>(), std::chars_format::fixed);
  if (end.ec != std::errc{}) return std::nullopt;
  decimal result{0, 0};
  bool fraction = false;
  for (char const* c = static_cast<char*>(buffer); c != end.ptr; ++c) {
    if (*c == '.') {
      fraction = true;
      continue;
    }
    if (fraction && ++result.scale > 9) return std::nullopt;
    result.digits = result.digits * 10 + static_cast<std::uint64_t>(*c - '0');
  }
  return result;
}

/// A whole number in [least, most].
inline std::uint64_t whole(node const& at, std::uint64_t least, std::uint64_t most) {
  auto const number = decimal_of(*at.value);
  if (!number || number->scale != 0 || number->digits < least || number->digits > most) {
    at.reject(std::string{"must be a whole number between "}
                  .append(std::to_string(least))
                  .append(" and ")
                  .append(std::to_string(most)));
  }
  return number->digits;
}

/// A factor of at least 1, exactly as it is written.
inline rational factor_of(node const& at) {
  auto const number = decimal_of(*at.value);
  if (number) {
    std::uint64_t power = 1;
    for (unsigned i = 0; i != number->scale; ++i) power *= 10;
    auto const common = std::gcd(number->digits, power);
    if (common != 0 && number->digits >= power && number->digits / common <= 4'294'967'295U) {
      return {static_cast<std::uint32_t>(number->digits / common), static_cast<std::uint32_t>(power / common)};
    }
  }
  at.reject("must be a number of at least 1, of at most nine digits");
}

}  // namespace detail::json_settings
}  // namespace anew::inline ANEW_ABI

#endif
