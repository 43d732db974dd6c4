// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_WORD_HPP
#define ANEW_TEXT_WORD_HPP

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "anew/base/duration.hpp"
#include "anew/base/internal/shown.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/invalid_argument.hpp"

namespace anew::inline ANEW_ABI {

/// A mistake in a text and its place: a word, or a single position. Positions are in bytes.
struct text_fault {
  std::size_t at = 0;
  std::size_t length = 0;
  std::string what;

  [[noreturn]] friend void raise(text_fault const& fault) {
    detail::invalid_argument("read_strategy", "the text must be accepted", "refused: " + fault.what);
  }
};

/// Bounds of a text to read.
namespace notation_limits {
inline constexpr std::size_t most_bytes = 65'536;
inline constexpr std::size_t most_policies = 64;
inline constexpr std::size_t most_arguments = 64;
inline constexpr std::size_t deepest = 16;
}  // namespace notation_limits

/// A part of a text: a name, the key before its '=', and the arguments in its parentheses: "token_bucket(500,server=5)".
/// Functions that read a value refuse a word that has no such value, and return any: nothing is made of a text with a fault.
class word {
 public:
  std::string_view all;  ///< with the key and the arguments
  std::size_t at = 0;
  std::string_view key;
  std::string_view name;
  bool has_parentheses = false;
  std::vector<word> arguments;
  std::optional<text_fault>* first_fault = nullptr;  ///< of the whole text; those that follow it are not kept

  ANEW_COLD void refuse(std::string what) const { fail({at, all.size(), std::move(what)}); }
  ANEW_COLD void refuse_name(std::string what) const {
    fail({at + static_cast<std::size_t>(name.data() - all.data()), name.size(), std::move(what)});
  }
  ANEW_COLD void fail(text_fault fault) const {
    if (first_fault != nullptr && !*first_fault) *first_fault = std::move(fault);
  }
  /// Whether the text has a fault.
  [[nodiscard]] bool is_refused() const noexcept { return first_fault != nullptr && first_fault->has_value(); }

  // Appended: g++ 12 warns of a plus that begins with a literal at -O3.
  /// In quotation marks, control characters escaped: '\\x00'.
  [[nodiscard]] static std::string quoted(std::string_view text) {
    std::string written{"'"};
    for (char const c : text) detail::append_shown(written, c);
    return written.append("'");
  }

  [[nodiscard]] std::size_t size() const noexcept { return arguments.size(); }
  [[nodiscard]] word const& operator[](std::size_t index) const { return arguments[index]; }
  [[nodiscard]] bool names(std::string_view expected) const noexcept {
    return key.empty() && !has_parentheses && name == expected;
  }

  /// A word with neither a key nor arguments.
  void expect_plain() const {
    if (!key.empty()) refuse("omit " + quoted(std::string{key}.append("=")) + ": this argument has no name");
    if (has_parentheses) refuse(quoted(name) + " must be a value, which has no arguments");
  }

  [[nodiscard]] duration as_duration() const {
    expect_plain();
    bool const is_negative = name.starts_with('-');
    auto const read = read_duration(name.substr(is_negative ? 1 : 0));
    if (!read)
      refuse(quoted(name) + " must be a duration up to 2562047h, a number and a unit: 250ms, 2s, 1.5s, 100us, 1m");
    return is_negative ? -read.value_or(duration::zero()) : read.value_or(duration::zero());
  }
  /// A whole number, without `behind` where it ends with that: "20%".
  template <class Number>
  [[nodiscard]] Number as_whole(std::string_view behind = {}) const {
    expect_plain();
    auto digits = name;
    if (!behind.empty() && digits.ends_with(behind)) digits.remove_suffix(behind.size());
    auto const read = read_number<Number>(digits);
    if (!read)
      refuse(quoted(name) + " must be a whole number, at most " + std::to_string(std::numeric_limits<Number>::max()));
    return read.value_or(0);
  }
  /// "2", "1.5", "3/2": a numerator and a denominator, reduced.
  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> as_ratio() const {
    expect_plain();
    auto const slash = name.find('/');
    if (slash != std::string_view::npos) {
      auto const num = read_number<std::uint32_t>(name.substr(0, slash));
      auto const den = read_number<std::uint32_t>(name.substr(slash + 1));
      if (num && den) {
        auto const divisor = std::gcd(*num, *den);
        return divisor == 0 ? std::pair{*num, *den} : std::pair{*num / divisor, *den / divisor};
      }
    } else if (auto const number = read_decimal(name)) {
      auto const divisor = std::gcd(number->digits, number->scale);
      auto const num = number->digits / divisor;
      auto const den = number->scale / divisor;
      if (std::in_range<std::uint32_t>(num) && std::in_range<std::uint32_t>(den)) {
        return {static_cast<std::uint32_t>(num), static_cast<std::uint32_t>(den)};
      }
    }
    refuse(quoted(name) + " must be a number such as 2, 1.5 or 3/2, made of numbers up to 4294967295");
    return {0, 1};
  }
  /// "1.5" with at most 18 digits, to the nearest number.
  [[nodiscard]] double as_number() const {
    expect_plain();
    auto const number = read_decimal(name);
    if (!number) refuse(quoted(name) + " must be a number such as 2 or 0.75, of at most 18 digits");
    if (!number || number->digits == 0) return 0;
    // To the nearest: the quotient has more bits than a double, and its last tells whether anything remains.
    auto digits = static_cast<detail::uint128>(number->digits);
    int shift = 0;
    for (; (digits >> 127) == 0; ++shift) digits <<= 1;
    auto const scale = static_cast<detail::uint128>(number->scale);
    auto const quotient = digits / scale | (digits % scale == 0 ? 0U : 1U);
    return static_cast<double>(quotient) / static_cast<double>(detail::uint128{1} << shift);
  }
  /// The value of one of several names.
  template <class Value>
  [[nodiscard]] Value as_one_of(std::initializer_list<std::pair<std::string_view, Value>> all_names) const {
    expect_plain();
    std::string list;
    for (auto const& [one, value] : all_names) {
      if (one == name) return value;
      list.append(list.empty() ? "" : ", ").append(one);
    }
    refuse(quoted(name) + " must be one of " + list);
    return all_names.begin()->second;
  }

  /// "250ms", "1.5s", "1h": to the nearest nanosecond; nothing for anything else, and for more than 292 years.
  [[nodiscard]] static std::optional<duration> read_duration(std::string_view text) {
    for (auto const& [unit, nanoseconds] : {std::pair<std::string_view, std::int64_t>{"ns", 1},
                                            {"us", 1'000},
                                            {"ms", 1'000'000},
                                            {"s", 1'000'000'000},
                                            {"m", 60'000'000'000},
                                            {"h", 3'600'000'000'000}}) {
      if (!text.ends_with(unit)) continue;
      auto const number = read_decimal(text.substr(0, text.size() - unit.size()));
      if (!number) continue;
      auto const ticks = (static_cast<detail::uint128>(number->digits) * static_cast<std::uint64_t>(nanoseconds) +
                          static_cast<std::uint64_t>(number->scale) / 2) /
                         static_cast<std::uint64_t>(number->scale);
      if (ticks > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return std::nullopt;
      return duration{static_cast<std::int64_t>(ticks)};
    }
    return std::nullopt;
  }

  /// Nothing, unless all of the text is a number of this type.
  template <class Number>
  static std::optional<Number> read_number(std::string_view text) {
    Number number{};
    auto const* const end =
        text.data() + text.size();  // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): has end
    auto const [rest, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc{} || rest != end) return std::nullopt;
    return number;
  }

 private:
  struct decimal {
    std::int64_t digits;
    std::int64_t scale;
  };
  /// Digits, and perhaps a point and more of them.
  static std::optional<decimal> read_decimal(std::string_view text) {
    decimal read{0, 1};
    bool has_point = false;
    if (text.empty() || text.front() == '.' || text.back() == '.') return std::nullopt;
    for (char const c : text) {
      if (c == '.' && !has_point) {
        has_point = true;
        continue;
      }
      if (c < '0' || c > '9') return std::nullopt;
      if (read.digits > (std::numeric_limits<std::int64_t>::max() - (c - '0')) / 10) return std::nullopt;
      read.digits = read.digits * 10 + (c - '0');
      if (has_point) {
        if (read.scale > 100'000'000'000'000'000) return std::nullopt;
        read.scale *= 10;
      }
    }
    return read;
  }
};

}  // namespace anew::inline ANEW_ABI

#endif
