// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <utility>

#include <nlohmann/json.hpp>

#include "anew/value/word.hpp"

#include "document.hpp"

namespace anew_fleet {

namespace {

constexpr std::size_t deepest = 16;

std::string shown(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.12g", value);
  return text;
}
std::string shown(anew::duration value) { return shown(std::chrono::duration<double>{value}.count()) + "s"; }

/// Counts the lines that the parser has read.
struct reading {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = char const*;
  using reference = char const&;
  char const* at;
  std::size_t* line;
  reference operator*() const noexcept { return *at; }
  reading& operator++() noexcept {
    if (*at++ == '\n') ++*line;
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
    reading const begin{text_.data(), &line_};
    reading const end{text_.data() + text_.size(), &line_};
    nlohmann::json::sax_parse(begin, end, this);
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
    auto const read = text_.substr(0, position == 0 ? 0 : position - 1);
    at.line = 1 + static_cast<std::size_t>(std::count(read.begin(), read.end(), '\n'));
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

void refuse(std::string const& file, node const& at, std::string const& why) {
  auto text = file + ":" + std::to_string(at.line) + ": " + (at.path.empty() ? "" : at.path + ": ") + why;
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';  // one line, which steers no terminal
  }
  throw file_error{text};
}

node read_document(std::string const& file, std::string_view text) { return builder{file, text}.parse(); }

members::members(std::string const& file, node const& of) : file_{&file}, of_{&of} {
  if (of.of != node::kind::object) refuse(of, "must be an object, not " + of.text);
}

node const* members::find(std::string_view name) {
  asked_.push_back(name);
  for (auto const& one : of_->parts) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

node const& members::required(std::string_view name) {
  if (auto const* const found = find(name)) return *found;
  auto missing = *of_;
  missing.path += (missing.path.empty() ? "" : ".") + std::string{name};
  refuse(missing, "is missing");
}

std::optional<double> members::number(std::string_view name, double least, double most) {
  auto const* const found = find(name);
  if (found == nullptr) return std::nullopt;
  if (found->of != node::kind::number || !(found->number >= least && found->number <= most)) {
    refuse(*found, "must be a number from " + shown(least) + " to " + shown(most) + ", not " + found->text);
  }
  return found->number;
}

std::optional<double> members::whole_number(std::string_view name, double least, double most) {
  auto const value = number(name, least, most);
  if (value && *value != std::floor(*value)) {
    refuse(*find(name),
           "must be a whole number from " + shown(least) + " to " + shown(most) + ", not " + find(name)->text);
  }
  return value;
}

std::optional<anew::duration> members::duration(std::string_view name, anew::duration least, anew::duration most) {
  auto const* const found = find(name);
  if (found == nullptr) return std::nullopt;
  auto const value = found->of == node::kind::text ? anew::word::read_duration(found->text) : std::nullopt;
  if (!value || *value < least || *value > most) {
    refuse(*found, "must be a duration from " + shown(least) + " to " + shown(most) +
                       ", a number and a unit such as \"250ms\", not " +
                       (found->of == node::kind::text ? "\"" + found->text + "\"" : found->text));
  }
  return value;
}

std::optional<std::string> members::text(std::string_view name) {
  auto const* const found = find(name);
  if (found == nullptr) return std::nullopt;
  if (found->of != node::kind::text) refuse(*found, "must be a text, not " + found->text);
  return found->text;
}

std::optional<bool> members::flag(std::string_view name) {
  auto const* const found = find(name);
  if (found == nullptr) return std::nullopt;
  if (found->of != node::kind::boolean) refuse(*found, "must be true or false, not " + found->text);
  return found->text == "true";
}

std::optional<std::size_t> members::one_of(std::string_view name, std::initializer_list<std::string_view> words) {
  auto const value = text(name);
  if (!value) return std::nullopt;
  auto const* const found = std::find(words.begin(), words.end(), *value);
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  std::string all;
  for (auto const word : words) all.append(all.empty() ? "" : ", ").append(word);
  refuse(*find(name), "must be one of " + all + ", not \"" + *value + "\"");
}

void members::end() const {
  for (auto const& one : of_->parts) {
    if (std::find(asked_.begin(), asked_.end(), one.name) != asked_.end()) continue;
    std::string all;
    for (auto const name : asked_) {
      if (all.find(name) == std::string::npos) all.append(all.empty() ? "" : ", ").append(name);
    }
    refuse(one, "is unknown; the fields here are " + all);
  }
}

}  // namespace anew_fleet
