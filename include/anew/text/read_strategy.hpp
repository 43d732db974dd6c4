// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_READ_STRATEGY_HPP
#define ANEW_TEXT_READ_STRATEGY_HPP

#include <string_view>
#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/text/core_words.hpp"
#include "anew/text/internal/strategy_reader.hpp"
#include "anew/text/strategy_reading.hpp"
#include "anew/text/word_of.hpp"

namespace anew::inline ANEW_ABI {

/// The strategy that `read_strategy` yields for these words and policies: one type for all texts, with a `choice` for
/// each role that the vocabulary has words for. Every driver takes it as any other strategy.
template <class Vocabulary, class... Given>
using strategy_of_words = typename detail::reader_of<Vocabulary, Given...>::strategy_type;

/// Reads a strategy in the notation of `describe()`: policies with their arguments, in any order, separated by blanks,
/// such as `"exponential(50ms,20s) full_jitter token_bucket(500) max_attempts(3)"`.
///
///     auto const read = anew::read_strategy(text, my_classifier{});
///     if (!read) std::cerr << anew::in_lines(read.error(), text);
///
/// `Lists` are vocabularies and words, by default `core_words`. A policy in `given` plays its role where the text does
/// not name the role (classifier, observer and clock, and your own defaults); the text names a given policy by its
/// `describe()`, and a given classifier by `retry_info` too. The defaults of `strategy<>` play the other roles that the
/// text does not name.
///
/// Requires: at most 64 KiB, 64 policies, 64 arguments of one, 16 levels of nesting
/// Returns: the strategy, or where the text is wrong and why
/// Cost: allocates while it reads; a strategy that was read allocates nothing but for `sequence`
/// Choose it where a setting, a flag or a file names the strategy. Not where the program knows it: `strategy<>`.
template <class... Lists, class... Given>
[[nodiscard]] auto read_strategy(std::string_view text, Given... given) {
  using words = detail::words_or<core_words, Lists...>;
  return detail::reader_of<words, Given...>::read(text, detail::accepts_all{}, std::move(given)...);
}

}  // namespace anew::inline ANEW_ABI

#endif
