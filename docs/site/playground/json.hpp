// SPDX-License-Identifier: BSL-1.0
#ifndef PLAYGROUND_JSON_HPP
#define PLAYGROUND_JSON_HPP

#include <cmath>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace playground {

/// Writes JSON whose numbers are whole: they are the same bytes on every platform.
class json {
 public:
  [[nodiscard]] std::string text() && { return std::move(text_); }

  json& name(std::string_view of) {
    value(of);
    text_ += ':';
    is_first_ = true;
    return *this;
  }
  void value(std::string_view of) {
    separate();
    text_ += '"';
    for (char const c : of) {
      auto const code = static_cast<unsigned char>(c);
      if (code < 0x20) {
        constexpr std::string_view digits{"0123456789abcdef"};
        text_.append("\\u00").append(1, digits[code >> 4U]).append(1, digits[code & 15U]);
        continue;
      }
      if (c == '"' || c == '\\') text_ += '\\';
      text_ += c;
    }
    text_ += '"';
  }
  void value(char const* of) { value(std::string_view{of}); }
  void value(bool of) {
    separate();
    text_ += of ? "true" : "false";
  }
  template <std::integral Number>
  void value(Number of) {
    separate();
    text_ += std::to_string(of);
  }
  /// Writes a number divided by `scale`, such as 1'000'000; `null` if it is not finite.
  void parts(double of, double parts_of_one) {
    if (std::isfinite(of)) return value(static_cast<std::int64_t>(std::llround(of * parts_of_one)));
    separate();
    text_ += "null";
  }
  template <class Write>
  void object(Write const& write) {
    enclose('{', '}', write);
  }
  template <class Write>
  void array(Write const& write) {
    enclose('[', ']', write);
  }

 private:
  void separate() {
    if (!is_first_) text_ += ',';
    is_first_ = false;
  }
  template <class Write>
  void enclose(char begin, char end, Write const& write) {
    separate();
    text_ += begin;
    is_first_ = true;
    write();
    text_ += end;
    is_first_ = false;
  }

  std::string text_;
  bool is_first_ = true;
};

}  // namespace playground

#endif
