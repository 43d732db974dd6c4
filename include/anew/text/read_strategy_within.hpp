// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_READ_STRATEGY_WITHIN_HPP
#define ANEW_TEXT_READ_STRATEGY_WITHIN_HPP

#include <string>
#include <string_view>
#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/bounds/bounds_of.hpp"
#include "anew/bounds/limits.hpp"
#include "anew/text/internal/strategy_reader.hpp"
#include "anew/text/read_strategy.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

/// Refuses a strategy that falls short of the limits.
struct accepts_within {
  limits demanded;

  unmet operator()(auto const& strategy) const {
    auto const found = first_shortfall(bounds(strategy), demanded);
    return {std::string{found.text, found.size}, found.role};
  }
};

}  // namespace detail

/// Reads a strategy as `read_strategy` does, and refuses one that promises less than you demand.
///
///     auto const read = anew::read_strategy_within(text, {.attempts = 5, .wait = 10s}, my_classifier{});
///
/// Returns: the strategy, or a fault; for a strategy that falls short, what `shortfall()` says, at the word that plays
/// the role to blame. Where a default is to blame, such as the server's hint, the fault covers the whole text
/// Cost: that of read_strategy and of bounds()
/// Choose it where operators configure a client and you know what the client can bear
template <class... Lists, class... Given>
[[nodiscard]] auto read_strategy_within(std::string_view text, limits const& demanded, Given... given) {
  using words = detail::words_or<core_words, Lists...>;
  return detail::reader_of<words, Given...>::read(text, detail::accepts_within{demanded}, std::move(given)...);
}

}  // namespace anew::inline ANEW_ABI

#endif
