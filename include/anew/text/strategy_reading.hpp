// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_STRATEGY_READING_HPP
#define ANEW_TEXT_STRATEGY_READING_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/invalid_argument.hpp"
#include "anew/text/word.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

inline std::size_t columns_of(std::string_view utf8) {
  std::size_t count = 0;
  for (char const c : utf8) count += (static_cast<unsigned char>(c) & 0xc0U) != 0x80U ? 1 : 0;
  return count;
}
inline std::string on_one_line(std::string_view text) {
  std::string line{text};
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return line;
}

}  // namespace detail

/// A fault in three lines: what is wrong, the text, and carets under the word. A place that the text does not have is its end.
[[nodiscard]] inline std::string in_lines(text_fault const& fault, std::string_view text) {
  auto const shown = detail::on_one_line(text);
  auto const at = fault.at < shown.size() ? fault.at : shown.size();
  auto const before = detail::columns_of(std::string_view{shown}.substr(0, at));
  auto const wide = detail::columns_of(std::string_view{shown}.substr(at, fault.length));
  auto lines = detail::on_one_line(fault.what).append("\n  ").append(shown).append("\n  ");
  lines.append(before, ' ').append("^");
  return wide > 1 ? lines.append(wide - 1, '~') : lines;
}

/// The result of reading a text: a strategy, or a fault.
template <class Strategy>
class strategy_reading {
 public:
  using value_type = Strategy;
  using error_type = text_fault;
  explicit strategy_reading(Strategy strategy) : held_{std::in_place_index<0>, std::move(strategy)} {}
  explicit strategy_reading(text_fault fault) : held_{std::in_place_index<1>, std::move(fault)} {}

  [[nodiscard]] bool has_value() const noexcept { return held_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }
  /// Throw `std::invalid_argument` with the fault's text where there is no strategy; without exceptions the program ends
  /// with that text.
  [[nodiscard]] Strategy const& operator*() const& { return strategy_in(*this); }
  [[nodiscard]] Strategy&& operator*() && { return std::move(strategy_in(*this)); }
  [[nodiscard]] Strategy const* operator->() const { return &strategy_in(*this); }
  /// Requires: `!has_value()`
  [[nodiscard]] text_fault const& error() const { return *std::get_if<1>(&held_); }
  [[nodiscard]] Strategy value() && { return std::move(strategy_in(*this)); }

 private:
  static auto& strategy_in(auto& self) {
    auto* const strategy = std::get_if<0>(&self.held_);
    if (strategy == nullptr)
      detail::invalid_argument("read_strategy", "the text must be accepted", "refused: " + self.error().what);
    return *strategy;
  }

  std::variant<Strategy, text_fault> held_;
};

}  // namespace anew::inline ANEW_ABI

#endif
