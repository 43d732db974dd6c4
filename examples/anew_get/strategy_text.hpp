// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_STRATEGY_TEXT_HPP
#define ANEW_GET_STRATEGY_TEXT_HPP

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "anew/anew.hpp"

#include "parts.hpp"

namespace anew_get {

/// What a text says, and what the program must know beside the policies.
struct strategy_choice {
  parts policies;
  std::optional<anew::duration> total;  // of the deadline
  anew::at_deadline then = anew::at_deadline::stop;
  anew::duration longest_hint = std::chrono::seconds{60};
};

/// What is wrong with a text, and where: a word of it, or a single place.
struct strategy_fault {
  std::size_t at = 0;
  std::size_t length = 0;
  std::string what;
};

/// Reads a strategy in the notation of `anew::describe()`: policies with their arguments, in any order, separated by
/// blanks, such as "exponential(50ms,20s) full_jitter token_bucket(500) max_attempts(3)".
[[nodiscard]] std::variant<strategy_choice, strategy_fault> read_strategy(std::string_view text);

/// The fault in three lines: what is wrong, the text, and carets under the word.
[[nodiscard]] std::string in_lines(strategy_fault const& fault, std::string_view text);

/// `anew::describe()` of a strategy that is made of these policies. Reading that again gives the same text.
[[nodiscard]] std::string describe(parts&& policies);

}  // namespace anew_get

#endif
