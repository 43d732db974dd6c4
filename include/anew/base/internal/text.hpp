// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_INTERNAL_TEXT_HPP
#define ANEW_BASE_INTERNAL_TEXT_HPP

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/rational.hpp"

namespace anew::inline ANEW_ABI::detail {

/// Without the blanks and tabs around it: isspace would ask the locale, and take line ends too.
constexpr std::string_view trimmed(std::string_view text) noexcept {
  constexpr auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// The name of an enumerator; enumerators count from 0.
template <class Enum, std::size_t N>
constexpr char const* name_in(char const* const (&names)[N], Enum value) noexcept {
  auto const at = static_cast<std::size_t>(value);
  return at < N ? names[at] : "unknown";
}

/// A policy with `describe()`.
template <class P>
concept DescribesItself = requires(P const& policy) {
  { policy.describe() } -> std::convertible_to<std::string>;
};

/// A duration in the largest unit that keeps it whole: "20s", "1500ms", "7ns".
inline std::string to_text(duration d) {
  auto const ticks = d.count();
  if (ticks % 1'000'000'000 == 0) return std::to_string(ticks / 1'000'000'000) + "s";
  if (ticks % 1'000'000 == 0) return std::to_string(ticks / 1'000'000) + "ms";
  if (ticks % 1'000 == 0) return std::to_string(ticks / 1'000) + "us";
  return std::to_string(ticks) + "ns";
}

/// "2", "3/2". The fraction that a number became which none stands for is told in words: a policy refuses it.
inline std::string to_text(rational value) {
  if (value == rational{1, 0}) return "not a number from 0 to 4294967295";
  auto text = std::to_string(value.num);
  if (value.den != 1) text.append("/").append(std::to_string(value.den));
  return text;
}
template <std::integral Int>
std::string to_text(Int value) {
  return std::to_string(value);
}
inline std::string to_text(double value) { return std::to_string(value); }
inline std::string to_text(std::string text) { return text; }
std::string to_text(DescribesItself auto const& policy) { return policy.describe(); }

/// A value in the notation of a policy that omits it where it is the default.
std::string text_if(bool is_said, auto const& value) { return is_said ? detail::to_text(value) : std::string{}; }

/// "word(first,second)", without the values whose text is empty; "word" where all are.
template <class... Values>
std::string written(char const* word, Values const&... values) {
  std::string text{word};
  auto separator = '(';
  auto const add = [&](std::string const& value) {
    if (value.empty()) return;
    text.append(1, separator).append(value);
    separator = ',';
  };
  (add(detail::to_text(values)), ...);
  return separator == '(' ? text : text.append(")");
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
