// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_WORDS_HPP
#define ANEW_GET_WORDS_HPP

// The words of a strategy as text, and what may stand in the place of an argument. Each of these functions throws
// fault_found, which points at the word that is wrong.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "anew/value/duration.hpp"

#include "strategy_text.hpp"

namespace anew_get {

struct fault_found {
  strategy_fault fault;
};

/// A word, and the words in the parentheses behind it: "exponential(50ms,20s)", "50ms", "server=5".
struct word {
  std::string_view all;  // with what is in the parentheses
  std::size_t at = 0;
  std::string_view key;  // before a '='
  std::string_view name;
  bool is_call = false;
  std::vector<word> arguments;
};

[[noreturn]] void refuse(word const& w, std::string what);

/// The text in quotation marks.
[[nodiscard]] std::string quoted(std::string_view text);

/// The words of a text, at least one.
[[nodiscard]] std::vector<word> words_of(std::string_view text);

/// A word without a name before it and without parentheses behind it.
void must_be_plain(word const& w);

[[nodiscard]] anew::duration duration_of(word const& w);
[[nodiscard]] std::int64_t count_of(word const& w);
[[nodiscard]] std::uint64_t seed_of(word const& w);

/// A number, and perhaps what stands behind it: "20%", "10/s".
[[nodiscard]] std::int64_t count_of(word w, std::string_view behind);

/// "2", "1.5", "3/2".
[[nodiscard]] std::pair<std::uint32_t, std::uint32_t> ratio_of(word const& w);

template <class Value>
using names = std::vector<std::pair<std::string_view, Value>>;

template <class Value>
std::optional<Value> find_in(names<Value> const& all, std::string_view name) {
  for (auto const& [one, value] : all) {
    if (one == name) return value;
  }
  return std::nullopt;
}

template <class Value>
Value one_of(names<Value> const& all, word const& w) {
  must_be_plain(w);
  auto const found = find_in(all, w.name);
  if (found) return *found;
  std::string text;
  for (auto const& [name, value] : all) text.append(text.empty() ? "" : ", ").append(name);
  refuse(w, quoted(w.name) + " must be one of " + text);
}

}  // namespace anew_get

#endif
