// SPDX-License-Identifier: BSL-1.0
#include <charconv>
#include <numeric>

#include "text.hpp"
#include "words.hpp"

namespace anew_get {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

class text_reader {
 public:
  explicit text_reader(std::string_view text) : text_{text} {}

  std::vector<word> read() {
    std::vector<word> words;
    for (skip_blanks(); at_ != text_.size(); skip_blanks()) words.push_back(read_word(0));
    if (words.empty()) refuse_here("names no policy; such as " + quoted("exponential(50ms,20s) max_attempts(3)"));
    return words;
  }

 private:
  static constexpr unsigned deepest = 16;

  [[noreturn]] void refuse_here(std::string what) const {
    throw fault_found{{at_, at_ < text_.size() ? 1U : 0U, std::move(what)}};
  }
  [[nodiscard]] bool next_is(char c) const { return at_ < text_.size() && text_[at_] == c; }
  void skip_blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }
  std::string_view read_name() {
    auto const begin = at_;
    while (at_ < text_.size() && !is_blank(text_[at_]) &&
           std::string_view{"(),="}.find(text_[at_]) == std::string_view::npos) {
      ++at_;
    }
    if (at_ == begin) {
      refuse_here(at_ == text_.size() ? "ends where a word is expected"
                                      : "there must be a word before " + quoted(text_.substr(at_, 1)));
    }
    return text_.substr(begin, at_ - begin);
  }

  word read_word(unsigned depth) {
    word read;
    read.at = at_;
    read.name = read_name();
    if (depth > 0 && next_is('=')) {
      ++at_;
      read.key = std::exchange(read.name, read_name());
    }
    if (next_is('(')) {
      if (depth == deepest) refuse_here("too many policies inside one another");
      read.is_call = true;
      auto const opened = at_++;
      skip_blanks();
      if (!next_is(')')) {
        for (;;) {
          read.arguments.push_back(read_word(depth + 1));
          skip_blanks();
          if (!next_is(',')) break;
          ++at_;
          skip_blanks();
        }
      }
      if (!next_is(')')) {
        if (at_ == text_.size()) throw fault_found{{opened, 1, "this '(' is never closed"}};
        refuse_here("there must be a ',' or a ')' between two arguments");
      }
      ++at_;
    }
    read.all = text_.substr(read.at, at_ - read.at);
    if (depth == 0 && at_ < text_.size() && !is_blank(text_[at_])) {
      refuse_here("there must be a blank between two policies, and not " + quoted(text_.substr(at_, 1)));
    }
    return read;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

template <class Number>
std::optional<Number> read_number(std::string_view text) {
  Number number{};
  auto const* const end = text.data() + text.size();
  auto const [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || rest != end) return std::nullopt;
  return number;
}

}  // namespace

void refuse(word const& w, std::string what) { throw fault_found{{w.at, w.all.size(), std::move(what)}}; }

// Appended: g++ 12 warns of a plus that begins with a literal at -O3.
std::string quoted(std::string_view text) { return std::string{"'"}.append(text).append("'"); }

std::vector<word> words_of(std::string_view text) { return text_reader{text}.read(); }

void must_be_plain(word const& w) {
  if (!w.key.empty()) refuse(w, "nothing here has a name; leave out " + quoted(std::string{w.key} + "="));
  if (w.is_call) refuse(w, quoted(w.name) + " is no policy here, but a value: it takes no arguments");
}

anew::duration duration_of(word const& w) {
  must_be_plain(w);
  bool const is_negative = w.name.starts_with('-');
  auto const read = read_duration(w.name.substr(is_negative ? 1 : 0));
  if (!read) refuse(w, quoted(w.name) + " must be a duration, a number and a unit: 250ms, 2s, 1.5s, 100us, 1m");
  return is_negative ? -*read : *read;
}

std::int64_t count_of(word const& w) {
  must_be_plain(w);
  auto const read = read_number<std::int64_t>(w.name);
  if (!read) refuse(w, quoted(w.name) + " must be a whole number");
  return *read;
}

std::pair<std::uint32_t, std::uint32_t> ratio_of(word const& w) {
  must_be_plain(w);
  auto const slash = w.name.find('/');
  if (slash != std::string_view::npos) {
    auto const num = read_number<std::uint32_t>(w.name.substr(0, slash));
    auto const den = read_number<std::uint32_t>(w.name.substr(slash + 1));
    if (num && den) return {*num, *den};
  } else if (auto const number = read_decimal(w.name)) {
    auto const divisor = std::gcd(number->digits, number->scale);
    auto const num = number->digits / divisor;
    auto const den = number->scale / divisor;
    if (std::in_range<std::uint32_t>(num) && std::in_range<std::uint32_t>(den)) {
      return {static_cast<std::uint32_t>(num), static_cast<std::uint32_t>(den)};
    }
  }
  refuse(w, quoted(w.name) + " must be a number such as 2, 1.5 or 3/2");
}

std::int64_t count_of(word w, std::string_view behind) {
  if (w.name.ends_with(behind)) w.name.remove_suffix(behind.size());
  return count_of(w);
}

std::uint64_t seed_of(word const& w) {
  must_be_plain(w);
  auto const read = read_number<std::uint64_t>(w.name);
  if (!read) refuse(w, quoted(w.name) + " must be a whole number from 0 to 18446744073709551615");
  return *read;
}

}  // namespace anew_get
