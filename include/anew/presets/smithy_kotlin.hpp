// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PRESETS_SMITHY_KOTLIN_HPP
#define ANEW_PRESETS_SMITHY_KOTLIN_HPP

#include <chrono>

#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/backoff/by_kind.hpp"
#include "anew/policies/backoff/exponential.hpp"
#include "anew/policies/classifier/retry_info.hpp"
#include "anew/policies/hint/clamped.hpp"
#include "anew/policies/hint/server.hpp"
#include "anew/policies/jitter/full.hpp"
#include "anew/policies/limits/max_attempts.hpp"
#include "anew/policies/quota/token_bucket.hpp"
#include "anew/roles/for_kind.hpp"
#include "anew/strategy/strategy.hpp"

/// smithy-kotlin's retries as strategies for `anew::retry`; as classes, see anew/smithy_kotlin.hpp.
namespace anew::inline ANEW_ABI::smithy_kotlin {

/// Retries as smithy-kotlin does since 2026: three attempts, 50 ms doubled up to 20 s, 1 s after throttling; a retry
/// costs 14 of 500, 5 after throttling; a server may ask for up to 5 s more.
///
/// Choose it for a service of Smithy's. Not where the bucket must survive the strategy: keep the strategy, one for all calls.
/// Source: smithy-lang/smithy-kotlin, StandardRetryTokenBucket, ExponentialBackoffWithJitter (2026)
using standard = strategy<
    by_kind_backoff<
        for_kind<error_kind::throttling, exponential_backoff<std::chrono::seconds{1}, std::chrono::seconds{20}>>,
        exponential_backoff<std::chrono::milliseconds{50}, std::chrono::seconds{20}>>,
    full_jitter, token_bucket<500>, retry_info_classifier, max_attempts<3>, clamped_hint<std::chrono::seconds{5}>>;

/// Retries as smithy-kotlin did before 2026: 10 ms times 1.5 up to 20 s; a retry costs 5 of 500, 10 after throttling,
/// time-outs and broken connections; a server's delay is ignored.
///
/// Choose it to behave as a client that has not been updated. Not for anything new: standard.
/// Source: smithy-lang/smithy-kotlin before 2026
using standard_before_2026 =
    strategy<exponential_backoff<std::chrono::milliseconds{10}, std::chrono::seconds{20}, rational{3, 2}>, full_jitter,
             token_bucket<500, retry_costs{.transient = 10, .throttling = 10, .timeout = 10, .server = 5, .client = 5}>,
             retry_info_classifier, max_attempts<3>, clamped_hint<std::chrono::seconds{0}>>;

}  // namespace anew::inline ANEW_ABI::smithy_kotlin

#endif
