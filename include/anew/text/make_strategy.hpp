// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_MAKE_STRATEGY_HPP
#define ANEW_TEXT_MAKE_STRATEGY_HPP

#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/run_time/virtual/retry_strategy.hpp"
#include "anew/run_time/virtual/virtual_strategy.hpp"
#include "anew/text/core_words.hpp"
#include "anew/text/internal/strategy_reader.hpp"
#include "anew/text/read_strategy.hpp"
#include "anew/text/word_of.hpp"
#include "anew/text/words/limits.hpp"
#include "anew/text/words/pacer.hpp"

namespace anew::inline ANEW_ABI {

/// The words of `make_strategy`: behind the interface an attempt timeout, a pacer and a reset ask nothing of the caller.
using interface_words = join_words<core_words, attempt_timeout_words, pacer_words, reset_words>;

namespace detail {

/// The strategy that was read, behind the interface.
template <class Reading>
std::unique_ptr<retry_strategy> behind_interface(Reading&& read) {
  using strategy = std::remove_cvref_t<decltype(*read)>;
  return std::make_unique<virtual_strategy<strategy>>(*std::forward<Reading>(read));
}

}  // namespace detail

/// A strategy from settings, behind one type: from a text in the notation of `read_strategy`; with
/// anew/text/json/make_strategy.hpp from a JSON object; with anew/ports/aws.hpp from AWS settings.
///
///     std::unique_ptr<anew::retry_strategy> const strategy = anew::make_strategy("token_bucket(500) max_attempts(4)");
///     anew::retry(anew::strategy_view{*strategy}, operation);
///
/// Lists and given policies as for `read_strategy`, with more words: `interface_words`.
///
/// Throws: `std::invalid_argument` for a wrong text, with the reason; without exceptions the program ends with it
/// Cost: as read_strategy, and an allocation
/// Choose it where the strategy and its settings are known at run time only. To report where a text is wrong:
/// read_strategy.
template <class... Lists, class... Given>
[[nodiscard]] std::unique_ptr<retry_strategy> make_strategy(std::string_view text, Given... given) {
  using words = detail::words_or<interface_words, Lists...>;
  return detail::behind_interface(read_strategy<words>(text, std::move(given)...));
}

}  // namespace anew::inline ANEW_ABI

#endif
