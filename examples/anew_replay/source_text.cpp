// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "source_text.hpp"

namespace replay {

namespace {

/// Steps through a text that is known to be JSON.
class walker {
 public:
  explicit walker(std::string_view text) : text_{text} { skip_blanks(); }

  [[nodiscard]] std::size_t at() const noexcept { return at_; }

  /// Goes to the part of `root`, which begins here.
  [[nodiscard]] bool go_to(json const& root, json const* part) {
    if (&root == part) return true;
    if (!root.is_structured()) {
      skip_value();
      return false;
    }
    step();  // the bracket
    for (std::size_t i = 0; i != root.size(); ++i) {
      if (i != 0) step();  // the comma
      if (go_to(root.is_object() ? root.at(key()) : root.at(i), part)) return true;
    }
    step();
    return false;
  }

  void skip_value() {
    std::size_t depth = 0;
    do {
      char const c = text_[at_];
      if (c == '"') {
        skip_text();
      } else {
        if (c == '{' || c == '[') ++depth;
        if (c == '}' || c == ']') --depth;
        ++at_;
        if (depth == 0 && c != '}' && c != ']') at_ = std::min(text_.find_first_of(",]} \t\r\n", at_), text_.size());
      }
    } while (depth != 0);
    skip_blanks();
  }

 private:
  void skip_blanks() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }
  void step() {
    ++at_;
    skip_blanks();
  }
  void skip_text() {
    for (++at_; text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\') ++at_;
    }
    ++at_;
  }
  std::string key() {
    auto const begin = at_;
    skip_text();
    auto name = json::parse(text_.substr(begin, at_ - begin)).get<std::string>();
    skip_blanks();
    step();  // the colon
    return name;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::string source_text::place_of(json const& part, std::string_view message) const {
  walker found{text};
  auto at = found.go_to(root, &part) ? found.at() : 0;
  found.skip_value();
  auto const begin = message.find('\'');
  auto const end = begin == std::string_view::npos ? begin : message.find('\'', begin + 1);
  if (end != std::string_view::npos) {
    auto const word = text.find(json(message.substr(begin + 1, end - begin - 1)).dump(), at);
    if (word < found.at()) at = word;
  }
  auto const line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1;
  return std::string{path}.append(":").append(std::to_string(line));
}

}  // namespace replay
