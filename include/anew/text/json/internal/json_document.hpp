// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_JSON_INTERNAL_JSON_DOCUMENT_HPP
#define ANEW_TEXT_JSON_INTERNAL_JSON_DOCUMENT_HPP

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "anew/base/internal/shown.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/text/json/invalid_setting.hpp"

namespace anew::inline ANEW_ABI {

/// The bounds of a settings document in JSON. docs/reference/limits.md has all limits of foreign input.
namespace json_limits {
inline constexpr std::size_t bytes = 1'048'576;  ///< of the text
inline constexpr std::size_t depth = 64;         ///< of objects and arrays inside one another
inline constexpr std::size_t values = 100'000;   ///< together: objects, arrays, strings, numbers, true, false, null
}  // namespace json_limits

namespace detail::json_settings {

/// Reads a document without making anything of it, and stops at what must not be. nlohmann's parser needs no stack for
/// nested values, but what is made of them would: so they are refused before.
class document_check {
 public:
  bool null() { return value(); }
  bool boolean(bool /*value*/) { return value(); }
  bool number_integer(std::int64_t /*value*/) { return value(); }
  bool number_unsigned(std::uint64_t /*value*/) { return value(); }
  bool number_float(double /*value*/, std::string const& /*text*/) { return value(); }
  bool string(std::string const& /*value*/) { return value(); }
  bool binary(json::binary_t const& /*value*/) { return value(); }
  bool start_object(std::size_t /*size*/) { return open(true); }
  bool start_array(std::size_t /*size*/) { return open(false); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string const& name) {
    auto& inside = open_.back();
    if (!inside.names.insert(name).second && twice_.empty()) twice_ = quoted(name);
    inside.name = name;
    return true;
  }
  template <class Error>
  bool parse_error(std::size_t /*position*/, std::string const& /*token*/, Error const& /*error*/) {
    return false;
  }

  /// Throws the `invalid_setting` of what was found, if anything was.
  void refuse(std::string_view text, bool is_json) const {
    if (!limit_.empty()) reject(path_, limit_, found_);
    if (!is_json) reject("", "must be JSON", text.empty() ? std::string{"empty"} : detail::shown(text));
    if (!twice_.empty()) reject("", "must have each name of an object once", std::string{"twice "}.append(twice_));
  }

 private:
  struct container {
    bool is_object;
    std::size_t index = 0;
    std::string name{};
    std::set<std::string> names{};
  };

  bool value() {
    if (++values_ > json_limits::values) return stop("must have at most ", json_limits::values, " values", "more", {});
    if (!open_.empty()) ++open_.back().index;
    return true;
  }
  bool open(bool is_object) {
    if (!value()) return false;
    if (open_.size() == json_limits::depth) {
      return stop("must be nested at most ", json_limits::depth, " levels deep", "deeper", way());
    }
    open_.push_back({is_object});
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }
  bool stop(char const* before, std::size_t most, char const* after, char const* found, std::string path) {
    found_ = found;
    limit_.append(before).append(std::to_string(most)).append(after);
    path_ = std::move(path);
    return false;
  }
  /// To the value that is being read.
  [[nodiscard]] std::string way() const {
    std::string path;
    for (auto const& inside : open_) path = inside.is_object ? member(path, inside.name) : item(path, inside.index - 1);
    return shortened(std::move(path));
  }

  std::vector<container> open_;
  std::size_t values_ = 0;
  std::string limit_;
  char const* found_ = "";
  std::string path_;
  std::string twice_;
};

/// The document, within `json_limits`; each name of an object may be there once.
inline json parse(std::string_view text) {
  if (text.size() > json_limits::bytes) {
    reject("", std::string{"must have at most "}.append(std::to_string(json_limits::bytes)).append(" bytes"),
           std::to_string(text.size()));
  }
  document_check check;
  bool const is_json = json::sax_parse(text.begin(), text.end(), &check);
  check.refuse(text, is_json);
  return json::parse(text.begin(), text.end(), nullptr, false);
}

}  // namespace detail::json_settings
}  // namespace anew::inline ANEW_ABI

#endif
