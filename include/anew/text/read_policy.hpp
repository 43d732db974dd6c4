// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_READ_POLICY_HPP
#define ANEW_TEXT_READ_POLICY_HPP

#include <string_view>
#include <utility>
#include <variant>

#include "anew/base/platform/compiler.hpp"
#include "anew/text/internal/reader.hpp"
#include "anew/text/internal/words_of_text.hpp"
#include "anew/text/strategy_reading.hpp"
#include "anew/text/vocabulary.hpp"
#include "anew/text/word.hpp"

namespace anew::inline ANEW_ABI {

/// Reads one policy, also of a kind that is no part of a strategy: `read_policy<words::hedge_after>("hedge_after(10ms)")`.
///
/// Returns: the policy, or where the text is wrong and why. Of several words it is a `std::variant` of their policies.
/// Without exceptions a wrong text is printed and the program ends
/// Cost: allocates while it reads
/// Choose it for a hedging, or for one setting of several. For a whole strategy: read_strategy.
template <class... Words>
[[nodiscard]] auto read_policy(std::string_view text) {
  using policy_type = typename detail::policy_of_words<Words...>::type;
  return detail::read_or_fault<policy_type>([text]() -> policy_type {
    auto const words = detail::words_of_text{text}.read();
    if (words.size() > 1) words[1].refuse("omit " + word::quoted(words[1].all) + ": the text must name one policy");
    return detail::policy_reader<vocabulary<Words...>>{}.template nested<policy_type>(words[0]);
  });
}

}  // namespace anew::inline ANEW_ABI

#endif
