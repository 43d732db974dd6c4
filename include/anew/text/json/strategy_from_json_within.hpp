// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_JSON_STRATEGY_FROM_JSON_WITHIN_HPP
#define ANEW_TEXT_JSON_STRATEGY_FROM_JSON_WITHIN_HPP

#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/bounds/limits.hpp"
#include "anew/text/json/strategy_from_json.hpp"
#include "anew/text/read_strategy_within.hpp"

namespace anew::inline ANEW_ABI {

/// Reads a strategy as `strategy_from_json` does, and refuses one that promises less than you demand.
///
/// Returns: the strategy, or a fault; for a strategy that falls short, what `shortfall()` says after the member to blame:
/// "max_attempts: attempts 7 > 5 by max_attempts". Where a default is to blame, no member is named
/// Cost: that of strategy_from_json and of bounds()
template <class... Lists, class Json, class... Given>
[[nodiscard]] auto strategy_from_json_within(Json const& object, limits const& demanded, Given... given) {
  return detail::read_json<Lists...>(object, detail::accepts_within{demanded}, std::move(given)...);
}

}  // namespace anew::inline ANEW_ABI

#endif
