// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PRESETS_ENVOY_HPP
#define ANEW_PRESETS_ENVOY_HPP

#include <chrono>

#include "anew/base/platform/compiler.hpp"
#include "anew/policies/backoff/exponential.hpp"
#include "anew/policies/classifier/any_of.hpp"
#include "anew/policies/classifier/error_code.hpp"
#include "anew/policies/classifier/http_status.hpp"
#include "anew/policies/hint/jittered.hpp"
#include "anew/policies/hint/server.hpp"
#include "anew/policies/jitter/full.hpp"
#include "anew/policies/limits/max_attempts.hpp"
#include "anew/policies/quota/concurrency_budget.hpp"
#include "anew/strategy/strategy.hpp"

/// Retries as Envoy's router does on a route with a retry policy, for clients without the proxy.
namespace anew::inline ANEW_ABI::envoy {

/// 25 ms doubling to 250 ms. Source: router filter documentation (base interval 25 ms) and BackoffStrategy (the maximum is
/// ten times the base); the doubling from the base itself: source/common/common/backoff_strategy.cc, where the
/// documentation's ranges of 25, 75 and 175 ms are those of an older form, (2^n - 1) * base.
using backoff = exponential_backoff<std::chrono::milliseconds{25}, std::chrono::milliseconds{250}>;

/// At most 20 % of the requests under way may be retries, and three always. Source: cluster circuit breakers,
/// `RetryBudget`: budget_percent 20.0, min_retry_concurrency 3, the values that a cluster gets once it sets one of the two.
/// A cluster that sets neither permits three retries at once (max_retries), however many requests are under way:
/// `concurrency_budget<0, 3>`.
using retry_budget = concurrency_budget<20, 3>;

/// 502, 503 and 504, and connections that failed or were reset (`std::system_error` and `std::error_code`; for another
/// transport compose its classifier beside the statuses). Source: router filter documentation, x-envoy-retry-on:
/// gateway-error; source/common/router/retry_state_impl.cc, wouldRetryFromReset, for the resets.
using gateway_error = any_of<http_status_classifier<502, 503, 504>, error_code_classifier>;

/// Waits as the reset header of a rate limit says: U(t, 1.5 t) for a header of t, at most 5 minutes. A longer header is
/// ignored. Envoy ignores a header of more than 5 minutes too, and then draws up to 1.5 times what it says, 7.5 minutes;
/// so above 200 s the window here is narrower. Source: RateLimitedRetryBackOff, max_interval 300 s;
/// JitteredLowerBoundBackOffStrategy.
using rate_limited_hint = jittered_hint<rational{1, 2}, server_hint<long_hint::ignore, std::chrono::minutes{5}>>;

/// Choose this inside a data centre, where calls are short and many, and a sidecar would have retried once: one retry
/// (num_retries is 1 by default) after U(0, 25 ms), under the retry budget. More retries: `with<retry_policy,
/// max_attempts<4>>`, which waits U(0, 25), U(0, 50), U(0, 100) ms.
///
/// Do not choose it over the internet, where 25 ms is too short for a distant service to recover: aws::standard. Nor in front
/// of an Envoy that retries too: attempts multiply. The budget keeps some load on a service that is down (concurrency_budget says how much).
///
/// Differences from Envoy: 502, 504 and a reset may have had an effect, so they are retried for operations that you declare
/// `idempotent`; calls in their backoff count as under way; a Retry-After is a least wait up to 5 minutes
/// (max_interval of rate_limited_retry_back_off), and a longer one ends the call, where a route that names no reset header
/// hears none; `x-envoy-overloaded` is not read. To wait as a route with rate_limited_retry_back_off:
/// `with<retry_policy, rate_limited_hint>`.
using retry_policy = strategy<backoff, full_jitter, retry_budget, gateway_error, max_attempts<2>,
                              server_hint<long_hint::stop, std::chrono::minutes{5}>>;

}  // namespace anew::inline ANEW_ABI::envoy

#endif
