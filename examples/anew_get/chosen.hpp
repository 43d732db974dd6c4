// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_CHOSEN_HPP
#define ANEW_GET_CHOSEN_HPP

#include <optional>
#include <string_view>

#include "anew/policies/classifier/http_statuses.hpp"
#include "anew/text/core_words.hpp"
#include "anew/text/read_strategy.hpp"
#include "anew/text/word_of.hpp"
#include "anew/text/words/classifier.hpp"

#include "policies.hpp"
#include "shared_quota.hpp"

namespace anew_get {

// [chosen]
/// Both classifiers read what libcurl says of a transfer by its status, as `http_status` does here.
struct curl_word : anew::word_of<"curl", anew::http_statuses, anew::arguments::by<anew::words::http_status>> {};
struct http_word : anew::word_of<"http", anew::http_statuses, anew::arguments::by<anew::words::http_status>> {};

/// The words of a strategy as text that hedged calls take too.
using hedged_vocabulary =
    anew::join_words<anew::core_words, anew::attempt_timeout_words, anew::pacer_words, anew::striped_words,
                     anew::striped_pacer_words, anew::random_source_words, anew::clock_words, anew::retry_all_words,
                     anew::words::http_status, anew::words::idempotent_only<anew::words::http_status>, curl_word,
                     http_word>;
/// Those of all other calls.
using vocabulary = anew::join_words<hedged_vocabulary, anew::reset_words>;

/// The type of a strategy that is read, whatever the text says. The policies that are named here play their roles where the text does not.
template <class Words>
using strategy_of =
    anew::strategy_of_words<Words, anew::words::exponential::policy_type, retry_quota,
                            anew::words::http_status::policy_type, anew::words::server_hint::policy_type, feed>;

template <class Words>
[[nodiscard]] anew::strategy_reading<strategy_of<Words>> read_chosen(std::string_view text, hearer& who,
                                                                     retry_quota quota = quota_for(std::nullopt));
// [/chosen]

}  // namespace anew_get

#endif
