// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_READ_POLICY_HPP
#define ANEW_TEXT_READ_POLICY_HPP

#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "anew/base/platform/compiler.hpp"
#include "anew/text/internal/reader.hpp"
#include "anew/text/strategy_reading.hpp"
#include "anew/text/word.hpp"
#include "anew/text/word_of.hpp"

namespace anew::inline ANEW_ABI {

/// Reads one policy, also of a kind that is no part of a strategy: `read_policy<words::hedge_after>("hedge_after(10ms)")`.
///
/// Returns: the policy, or where the text is wrong and why. Of several words it is a `std::variant` of their policies
/// Cost: allocates while it reads
/// Choose it for a hedging, or for one setting of several. For a whole strategy: read_strategy.
template <class... Words>
[[nodiscard]] auto read_policy(std::string_view text) {
  using policy_type = typename detail::policy_of_words<Words...>::type;
  std::optional<text_fault> fault;
  auto const words = detail::words_of_text{text, fault}.read();
  if (words.size() > 1) words[1].refuse("omit " + word::quoted(words[1].all) + ": the text must name one policy");
  detail::policy_reader<vocabulary<Words...>> const reader{};
  auto policy = fault ? std::nullopt : reader.template nested<policy_type>(words[0]);
  return fault ? strategy_reading<policy_type>{*std::move(fault)} : strategy_reading<policy_type>{*std::move(policy)};
}

}  // namespace anew::inline ANEW_ABI

#endif
