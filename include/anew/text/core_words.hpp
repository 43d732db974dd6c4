// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_CORE_WORDS_HPP
#define ANEW_TEXT_CORE_WORDS_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/policies/gate/striped_client_throttle.hpp"
#include "anew/policies/gate/striped_rate_breaker.hpp"
#include "anew/policies/pacer/striped_client_rate_limiter.hpp"
#include "anew/text/word_of.hpp"
#include "anew/text/words/backoff.hpp"
#include "anew/text/words/classifier.hpp"
#include "anew/text/words/gate.hpp"
#include "anew/text/words/hint.hpp"
#include "anew/text/words/jitter.hpp"
#include "anew/text/words/limits.hpp"
#include "anew/text/words/pacer.hpp"
#include "anew/text/words/quota.hpp"
#include "anew/text/words/sources.hpp"

namespace anew::inline ANEW_ABI {

/// The words that work with every driver and every operation.
///
/// Name the words that require something of your program to add them: `attempt_timeout_words` (the operation takes its
/// `anew::attempt`), `pacer_words` (each attempt reads the clock), `reset_words` (no hedging), `nesting_words` (no
/// state machine: `retry()` alone), `random_source_words` and `clock_words` (each strategy asks which was chosen),
/// `striped_words` and `striped_pacer_words` (each strategy has room for their 1.3 KiB), and of
/// classifiers those that read your operation's errors: `words::http_status`, `words::grpc_status`, `words::error_code`,
/// `words::http` (anew/bridges/http/words.hpp), `words::curl` (anew/bridges/curl/words.hpp), `retry_all_words` (every error is retried).
using core_words =
    join_words<backoff_words, jitter_words, quota_words, limit_words, hint_words, deadline_words, gate_words>;

using nesting_words = vocabulary<words::collapsing_guard, words::quota_sharing_guard>;
using striped_words = vocabulary<words::striped_of<words::token_bucket>, words::striped_of<words::retry_budget>,
                                 words::striped_of<words::concurrency_budget>, words::striped_of<words::rate_breaker>,
                                 words::striped_of<words::client_throttle>>;
using striped_pacer_words =
    vocabulary<words::striped_of<words::rate_limiter_that_fails>, words::striped_of<words::rate_limiter_that_waits>>;
using random_source_words = vocabulary<words::seed>;
using clock_words = vocabulary<words::steady_clock>;
using retry_all_words = vocabulary<words::retry_all>;

}  // namespace anew::inline ANEW_ABI

#endif
