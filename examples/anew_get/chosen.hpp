// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_CHOSEN_HPP
#define ANEW_GET_CHOSEN_HPP

#include <optional>
#include <string_view>

#include "anew/classifier/words.hpp"
#include "anew/compose/notation/read_strategy.hpp"
#include "anew/random_source/words.hpp"

#include "policies.hpp"
#include "shared_quota.hpp"

namespace anew_get {

// [chosen]
/// The words of a strategy as text.
using vocabulary = anew::join_words<anew::core_words, anew::words::http_status, anew::random_source_words>;

/// The type of a strategy that is read, whatever the text says. The policies that are named here play their roles where the text does not.
using chosen_strategy =
    anew::strategy_of_words<vocabulary, anew::words::exponential::policy_type, retry_quota,
                            anew::words::http_status::policy_type, anew::words::server_hint::policy_type, feed>;

[[nodiscard]] anew::strategy_reading<chosen_strategy> read_chosen(std::string_view text, hearer& who,
                                                                  retry_quota quota = quota_for(std::nullopt));
// [/chosen]

}  // namespace anew_get

#endif
