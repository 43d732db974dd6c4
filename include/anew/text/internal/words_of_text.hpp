// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_INTERNAL_WORDS_OF_TEXT_HPP
#define ANEW_TEXT_INTERNAL_WORDS_OF_TEXT_HPP

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "anew/base/platform/compiler.hpp"
#include "anew/text/word.hpp"

namespace anew::inline ANEW_ABI::detail {

/// Splits a text into its words, which keep its first fault in `fault`. Behind a fault nothing more is read.
class words_of_text {
 public:
  words_of_text(std::string_view text, std::optional<text_fault>& fault) : text_{text}, fault_{&fault} {}

  std::vector<word> read() {
    std::vector<word> words;
    if (text_.size() > notation_limits::most_bytes) fail({0, 0, "the text must have at most 65536 bytes"});
    for (skip_blanks(); !*fault_ && at_ != text_.size(); skip_blanks()) {
      if (words.size() == notation_limits::most_policies) refuse_here("there must be at most 64 policies");
      words.push_back(read_word(0));
    }
    if (words.empty()) refuse_here("the text must name a policy, such as 'exponential(50ms,20s) max_attempts(3)'");
    return words;
  }

 private:
  void fail(text_fault fault) const {
    if (!*fault_) *fault_ = std::move(fault);
  }
  void refuse_here(std::string what) const { fail({at_, character().size(), std::move(what)}); }
  /// The one that begins here, whole: in UTF-8 its other bytes are 10xxxxxx. Empty at the end.
  [[nodiscard]] std::string_view character() const {
    auto end = std::min(at_ + 1, text_.size());
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xc0U) == 0x80U) ++end;
    return text_.substr(at_, end - at_);
  }
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
  [[nodiscard]] bool next_is(char c) const { return at_ < text_.size() && text_[at_] == c; }
  void skip_blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }
  /// "constant (1s)"
  void refuse_blank_before_parenthesis() const {
    auto const before = text_.substr(0, at_).find_last_not_of(" \t\n\r");
    if (next_is('(') && before != text_.npos && before + 1 < at_ &&
        std::string_view{"(),="}.find(text_[before]) == text_.npos)
      fail({before + 1, at_ - before - 1, "omit the blank before '('"});
  }
  std::string_view read_name() {
    auto const begin = at_;
    while (at_ < text_.size() && !is_blank(text_[at_]) &&
           std::string_view{"(),="}.find(text_[at_]) == std::string_view::npos) {
      ++at_;
    }
    if (at_ == begin) {
      refuse_blank_before_parenthesis();
      refuse_here(at_ == text_.size() ? "the text ends where a word is expected"
                                      : "write a word before " + word::quoted(character()));
    }
    return text_.substr(begin, at_ - begin);
  }
  void read_arguments(word& read, std::size_t depth) {
    auto const opened = at_++;
    skip_blanks();
    while (!*fault_ && !next_is(')')) {
      if (read.arguments.size() == notation_limits::most_arguments)
        return refuse_here("there must be at most 64 arguments");
      read.arguments.push_back(read_word(depth + 1));
      skip_blanks();
      if (next_is(')')) break;
      if (at_ == text_.size()) return fail({opened, 1, "this '(' is never closed"});
      if (!next_is(',')) refuse_blank_before_parenthesis();
      if (!next_is(',')) return refuse_here("write ',' or ')' between two arguments");
      ++at_;
      skip_blanks();
      if (next_is(')')) return refuse_here("write a word before ')'");
    }
    if (!*fault_) ++at_;
  }
  word read_word(std::size_t depth) {
    word read;
    read.at = at_;
    read.first_fault = fault_;
    read.name = read_name();
    if (depth > 0 && next_is('=')) {
      ++at_;
      read.key = std::exchange(read.name, read_name());
    }
    if (next_is('(')) {
      read.has_parentheses = true;
      if (depth == notation_limits::deepest) {
        refuse_here("policies must be nested at most 16 deep");
      } else {
        read_arguments(read, depth);
      }
    }
    read.all = text_.substr(read.at, at_ - read.at);
    if (depth == 0 && at_ < text_.size() && !is_blank(text_[at_])) {
      if (text_[at_] == ')') refuse_here("this ')' closes nothing");
      refuse_here("write a blank between two policies, before " + word::quoted(character()));
    }
    return read;
  }

  std::string_view text_;
  std::optional<text_fault>* fault_;
  std::size_t at_ = 0;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
