// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_JSON_INVALID_SETTING_HPP
#define ANEW_TEXT_JSON_INVALID_SETTING_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "anew/base/internal/shown.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/invalid_argument.hpp"
#include "anew/base/rational.hpp"
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

/// At most `most_shown` bytes, and no half of a character.
inline std::string shortened(std::string text) {
  if (text.size() <= most_shown) return text;
  std::size_t end = most_shown - 3;
  while (end != 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end).append("...");
}

/// A value as a message shows it, without what is inside an object or an array: a document of the program's may be nested
/// as deep as it likes, and nothing here may need a stack for that.
inline std::string as_text(json const& value) {
  if (value.is_structured() && !value.empty()) return value.is_object() ? "an object" : "an array";
  return shortened(value.dump(-1, ' ', false, json::error_handler_t::replace));
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

/// A whole number in [least, most].
inline std::uint64_t whole(node const& at, std::uint64_t least, std::uint64_t most) {
  auto const& value = *at.value;
  double const number = value.is_number() ? value.get<double>() : -1;
  bool const is_whole = value.is_number_unsigned() || (number >= 0 && number < 1e9 && number == std::floor(number));
  auto const read = is_whole ? value.get<std::uint64_t>() : 0;
  if (!is_whole || read < least || read > most) {
    at.reject(std::string{"must be a whole number between "}
                  .append(std::to_string(least))
                  .append(" and ")
                  .append(std::to_string(most)));
  }
  return read;
}

/// A factor of at least 1.
inline rational factor_of(node const& at) {
  auto const factor = at.value->is_number() ? rational{at.value->get<double>()} : rational{0};
  if (factor.num < factor.den || factor.den == 0) at.reject("must be a number between 1 and 4294967295");
  return factor;
}

}  // namespace detail::json_settings

/// The bounds of a settings document in JSON. docs/reference/limits.md has all limits of foreign input.
namespace json_limits {
inline constexpr std::size_t bytes = 1'048'576;  ///< of the text
inline constexpr std::size_t depth = 64;         ///< of objects and arrays inside one another
inline constexpr std::size_t values = 100'000;   ///< together: objects, arrays, strings, numbers, true, false, null
}  // namespace json_limits

namespace detail::json_settings {

/// The document, within `json_limits`; each name of an object may be there once. The parser makes nothing of a value that
/// is refused, and needs no stack for nested values.
inline json parse(std::string_view text) {
  struct container {
    bool is_object;
    std::size_t index = 0;
    std::string name{};
    std::set<std::string> names{};
  };
  struct {
    std::string path{}, limit{};
    char const* found = "";
  } exceeded;
  std::vector<container> open;
  std::size_t seen = 0;
  std::string twice;
  auto const stop_at = [&exceeded](char const* before, std::size_t most, char const* after, char const* found) {
    exceeded.limit.append(before).append(std::to_string(most)).append(after);
    exceeded.found = found;
    return false;
  };
  auto const see = [&](int /*depth*/, json::parse_event_t event, json const& parsed) {
    using on = json::parse_event_t;
    if (!exceeded.limit.empty()) return false;
    if (event == on::key) {
      open.back().name = parsed.get_ref<std::string const&>();
      if (!open.back().names.insert(open.back().name).second && twice.empty())
        twice = json_settings::quoted(open.back().name);
    } else if (event == on::object_end || event == on::array_end) {
      open.pop_back();
    } else {
      if (++seen > json_limits::values) return stop_at("must have at most ", json_limits::values, " values", "more");
      if (!open.empty()) ++open.back().index;
      if (event == on::value) return true;
      if (open.size() == json_limits::depth) {
        auto& path = exceeded.path;
        for (auto const& in : open) path = in.is_object ? member(path, in.name) : item(path, in.index - 1);
        path = shortened(std::move(path));
        return stop_at("must be nested at most ", json_limits::depth, " levels deep", "deeper");
      }
      open.push_back({event == on::object_start});
    }
    return true;
  };
  if (text.size() > json_limits::bytes) {
    stop_at("must have at most ", json_limits::bytes, " bytes", "");
    reject("", exceeded.limit, std::to_string(text.size()));
  }
  auto document = json::parse(text.begin(), text.end(), see, false);
  if (!exceeded.limit.empty()) reject(exceeded.path, exceeded.limit, exceeded.found);
  if (document.is_discarded()) reject("", "must be JSON", text.empty() ? std::string{"empty"} : detail::shown(text));
  if (!twice.empty()) reject("", "must have each name of an object once", std::string{"twice "}.append(twice));
  return document;
}

}  // namespace detail::json_settings

}  // namespace anew::inline ANEW_ABI

#endif
