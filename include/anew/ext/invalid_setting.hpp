// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_EXT_INVALID_SETTING_HPP
#define ANEW_EXT_INVALID_SETTING_HPP

#include <charconv>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "anew/backoff/exponential.hpp"
#include "anew/config.hpp"
#include "anew/duration.hpp"

namespace anew {

/// A setting in a JSON document that cannot be: where it stands, what it must be, and what it is.
/// `what()` is "methodConfig[0].retryPolicy.maxAttempts must be at least 2, but is 1".
class invalid_setting : public std::invalid_argument {
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

/// What the readers of settings in JSON share.
namespace detail::json_settings {

using json = nlohmann::json;

/// Throws; without exceptions prints the message and aborts, as every value that a constructor rejects does.
[[noreturn]] inline void reject(std::string path, std::string requirement, std::string value) {
  invalid_setting problem{std::move(path), std::move(requirement), std::move(value)};
#if ANEW_EXCEPTIONS
  throw problem;  // NOLINT(*-throw-by-value-*): it is thrown by value
#else
  std::fprintf(stderr, "anew: %s\n", problem.what());
  std::abort();
#endif
}

inline std::string as_text(json const& value) {
  auto text = value.dump(-1, ' ', false, json::error_handler_t::replace);
  if (text.size() > 80) text.replace(77, std::string::npos, "...");
  return text;
}

/// A value and the way to it.
struct node {
  json const* value;
  std::string path;

  [[noreturn]] void reject(std::string requirement) const {
    json_settings::reject(path, std::move(requirement), as_text(*value));
  }
  [[nodiscard]] bool has(char const* name) const { return value->contains(name); }
  [[nodiscard]] node operator[](char const* name) const {
    return {&value->at(name), path.empty() ? std::string{name} : std::string{path}.append(".").append(name)};
  }
  [[nodiscard]] node operator[](std::size_t index) const {
    return {&value->at(index), std::string{path}.append("[").append(std::to_string(index)).append("]")};
  }
  [[nodiscard]] node required(char const* name) const {
    if (!has(name)) json_settings::reject((*this)(name), "must be given", "absent");
    return (*this)[name];
  }
  /// The way to a member that there may not be.
  [[nodiscard]] std::string operator()(char const* name) const {
    return path.empty() ? std::string{name} : std::string{path}.append(".").append(name);
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

/// The document; each name of an object may be there once.
inline json parse(std::string_view text) {
  std::vector<std::set<std::string>> names;
  std::string twice;
  auto const look = [&](int /*depth*/, json::parse_event_t event, json& parsed) {
    if (event == json::parse_event_t::object_start) names.emplace_back();
    if (event == json::parse_event_t::object_end) names.pop_back();
    if (event == json::parse_event_t::key && !names.back().insert(parsed.get<std::string>()).second && twice.empty()) {
      twice = parsed.get<std::string>();
    }
    return true;
  };
  auto document = json::parse(text.begin(), text.end(), look, false);
  if (document.is_discarded()) {
    auto shown = std::string{text.substr(0, 80)};
    reject("", "must be JSON", shown.empty() ? std::string{"empty"} : shown);
  }
  if (!twice.empty())
    reject("", "must have each name of an object once", std::string{"twice \""}.append(twice).append("\""));
  return document;
}

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
inline factor factor_of(node const& at) {
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
}  // namespace anew

#endif
