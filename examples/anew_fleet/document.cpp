// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <utility>

#include <nlohmann/json.hpp>

#include "anew/text/word.hpp"

#include "document.hpp"
#include "text.hpp"

namespace anew_fleet {

namespace {

constexpr std::size_t deepest = 16;

std::string shown(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.12g", value);
  return text;
}
/// A value as the document has it, but for a long text's end.
std::string shown(node const& value) {
  constexpr std::size_t longest = 60;
  if (value.of != node::kind::text) return value.text;
  return '"' + (value.text.size() > longest ? value.text.substr(0, longest) + "..." : value.text) + '"';
}

bool ends_line(char const* at, char const* end) noexcept {
  return *at == '\n' || (*at == '\r' && (at + 1 == end || at[1] != '\n'));
}

/// Counts the lines that the parser has read.
struct reading {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = char const*;
  using reference = char const&;
  char const* at;
  char const* end;
  std::size_t* line;
  reference operator*() const noexcept { return *at; }
  reading& operator++() noexcept {
    if (ends_line(at, end)) ++*line;
    ++at;
    return *this;
  }
  // C++20 makes != of it, which nlohmann-json uses.
  bool operator==(reading const& other) const noexcept { return at == other.at; }
};

/// Receives the events of nlohmann-json's parser.
class builder {
 public:
  builder(std::string const& file, std::string_view text) : file_{file}, text_{text} {}

  [[nodiscard]] node parse() {
    auto const* const end = text_.data() + text_.size();
    if (auto const nul = text_.find('\0'); nul != std::string_view::npos) {  // at which the parser would end
      node at;
      at.line = last_line_of(text_.substr(0, nul));
      refuse(file_, at, "the file is no JSON: it has a NUL byte");
    }
    nlohmann::json::sax_parse(reading{text_.data(), end, &line_}, reading{end, end, &line_}, this);
    return std::move(top_);
  }

  bool null() { return add(node::kind::null, "null"); }
  bool boolean(bool value) { return add(node::kind::boolean, value ? "true" : "false"); }
  bool number_integer(std::int64_t value) { return add_number(static_cast<double>(value), std::to_string(value)); }
  bool number_unsigned(std::uint64_t value) { return add_number(static_cast<double>(value), std::to_string(value)); }
  bool number_float(double value, std::string const& text) { return add_number(value, text); }
  bool string(std::string& value) { return add(node::kind::text, value); }
  bool binary(std::vector<std::uint8_t>& /*no such thing in JSON*/) { return false; }
  bool start_object(std::size_t /*size*/) { return begin(node::kind::object, "an object"); }
  bool start_array(std::size_t /*size*/) { return begin(node::kind::array, "an array"); }
  bool end_object() { return end(); }
  bool end_array() { return end(); }
  bool key(std::string& name) {
    auto const& in = *open_.back();
    for (auto const& other : in.parts) {
      if (other.name != name) continue;
      auto again = other;
      again.line = line_;
      refuse(file_, again, "stands here for the second time; the first is in line " + std::to_string(other.line));
    }
    name_ = std::move(name);
    line_of_name_ = line_;
    return true;
  }
  bool parse_error(std::size_t position, std::string const& token, nlohmann::json::exception const& why) {
    node at;
    at.line = last_line_of(text_.substr(0, position == 0 ? 0 : position - 1));
    if (dynamic_cast<nlohmann::json::out_of_range const*>(&why) != nullptr) {
      at.line = line_of_name_;
      at.path = path_of_next();
      refuse(file_, at, "the number " + token + " is too large");
    }
    std::string words = why.what();
    for (auto const* before : {"parse error", ": "}) {
      if (auto const found = words.find(before); found != std::string::npos) words.erase(0, found);
    }
    refuse(file_, at, "the file is no JSON" + words);
  }

 private:
  [[nodiscard]] std::string path_of_next() const {
    if (open_.empty()) return {};
    auto const& in = *open_.back();
    if (in.of == node::kind::array) return in.path + "[" + std::to_string(in.parts.size()) + "]";
    return in.path.empty() ? name_ : in.path + "." + name_;
  }
  node& place(node::kind of, std::string text) {
    node one;
    one.of = of;
    one.path = path_of_next();
    one.text = std::move(text);
    if (open_.empty()) {
      one.line = line_;
      top_ = std::move(one);
      return top_;
    }
    auto& in = *open_.back();
    bool const is_member = in.of == node::kind::object;
    one.line = is_member ? line_of_name_ : of == node::kind::object ? line_ : in.line;
    if (is_member) one.name = name_;
    in.parts.push_back(std::move(one));
    return in.parts.back();
  }
  bool add(node::kind of, std::string text) {
    place(of, std::move(text));
    return true;
  }
  bool add_number(double value, std::string const& text) {
    place(node::kind::number, text).number = value;
    return true;
  }
  // Nothing is added to an object that is not the last one of those that are open: the addresses stay.
  bool begin(node::kind of, std::string text) {
    open_.push_back(&place(of, std::move(text)));
    if (open_.size() > deepest) refuse(file_, *open_.back(), "is nested too deeply");
    return true;
  }
  bool end() {
    open_.pop_back();
    return true;
  }

  std::string const& file_;
  std::string_view text_;
  node top_;
  std::vector<node*> open_;
  std::size_t line_ = 1;
  std::string name_;
  std::size_t line_of_name_ = 1;
};

}  // namespace

std::size_t last_line_of(std::string_view text) noexcept {
  std::size_t line = 1;
  auto const* const end = text.data() + text.size();
  for (auto const* at = text.data(); at != end; ++at) line += ends_line(at, end) ? 1U : 0U;
  return line;
}

void refuse(std::string const& file, node const& at, std::string const& why) {
  auto const text = file + ":" + std::to_string(at.line) + ": " + (at.path.empty() ? "" : at.path + ": ") + why;
  throw file_error{anew_get::printable(text)};
}

node read_document(std::string const& file, std::string_view text) { return builder{file, text}.parse(); }

members::members(std::string const& file, node const& of, std::initializer_list<std::string_view> names)
    : file_{&file}, of_{&of} {
  if (of.of != node::kind::object) {
    refuse(of, (of.path.empty() ? "the scenario must be an object, not " : "must be an object, not ") + shown(of));
  }
  for (auto const& one : of.parts) {
    if (std::find(names.begin(), names.end(), one.name) != names.end()) continue;
    std::string all;
    for (auto const name : names) all.append(all.empty() ? "" : ", ").append(name);
    refuse(one, "is unknown; the fields here are " + all);
  }
}

node const* members::find(std::string_view name) const noexcept {
  for (auto const& one : of_->parts) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

node const& members::required(std::string_view name) const {
  if (auto const* const found = find(name)) return *found;
  auto missing = *of_;
  missing.path += (missing.path.empty() ? "" : ".") + std::string{name};
  refuse(missing, "is missing");
}

std::optional<double> members::number(std::string_view name, double least, double most) const {
  auto const* const found = find(name);
  if (found == nullptr) return std::nullopt;
  if (found->of != node::kind::number || !(found->number >= least && found->number <= most)) {
    refuse(*found, "must be a number from " + shown(least) + " to " + shown(most) + ", not " + shown(*found));
  }
  return found->number;
}

std::optional<double> members::whole_number(std::string_view name, double least, double most) const {
  auto const* const found = find(name);
  if (found == nullptr) return std::nullopt;
  auto const value = found->number;
  if (found->of != node::kind::number || !(value >= least && value <= most) || value != std::floor(value)) {
    refuse(*found, "must be a whole number from " + shown(least) + " to " + shown(most) + ", not " + shown(*found));
  }
  return value;
}

std::optional<anew::duration> members::duration(std::string_view name, anew::duration least,
                                                anew::duration most) const {
  auto const* const found = find(name);
  if (found == nullptr) return std::nullopt;
  auto const value = found->of == node::kind::text ? anew::word::read_duration(found->text) : std::nullopt;
  if (!value || *value < least || *value > most) {
    refuse(*found, "must be a duration from " + anew_get::as_given(least) + " to " + anew_get::as_given(most) +
                       ", a number and a unit such as \"250ms\", not " + shown(*found));
  }
  return value;
}

std::optional<std::string> members::text(std::string_view name) const {
  auto const* const found = find(name);
  if (found == nullptr) return std::nullopt;
  if (found->of != node::kind::text) refuse(*found, "must be a text, not " + shown(*found));
  return found->text;
}

std::optional<bool> members::flag(std::string_view name) const {
  auto const* const found = find(name);
  if (found == nullptr) return std::nullopt;
  if (found->of != node::kind::boolean) refuse(*found, "must be true or false, not " + shown(*found));
  return found->text == "true";
}

std::optional<std::size_t> members::one_of(std::string_view name, std::initializer_list<std::string_view> words) const {
  auto const value = text(name);
  if (!value) return std::nullopt;
  auto const* const found = std::find(words.begin(), words.end(), *value);
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  std::string all;
  for (auto const word : words) all.append(all.empty() ? "" : ", ").append(word);
  refuse(*find(name), "must be one of " + all + ", not " + shown(*find(name)));
}

}  // namespace anew_fleet
