// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_JSON_MAKE_STRATEGY_HPP
#define ANEW_TEXT_JSON_MAKE_STRATEGY_HPP

#include <memory>
#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/run_time/virtual/retry_strategy.hpp"
#include "anew/text/json/strategy_from_json.hpp"
#include "anew/text/make_strategy.hpp"

namespace anew::inline ANEW_ABI {

/// The strategy of a JSON object, read as `strategy_from_json` reads it, behind one type.
template <class... Lists, class Json, class... Given>
  requires requires(Json const& object) { object.is_object(); }
[[nodiscard]] std::unique_ptr<retry_strategy> make_strategy(Json const& object, Given... given) {
  using words = detail::words_or<interface_words, Lists...>;
  return detail::behind_interface(strategy_from_json<words>(object, std::move(given)...));
}

}  // namespace anew::inline ANEW_ABI

#endif
