// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PRESETS_HTTP_HPP
#define ANEW_PRESETS_HTTP_HPP

#include <chrono>

#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/http/classifier.hpp"
#include "anew/policies/backoff/exponential.hpp"
#include "anew/policies/hint/server.hpp"
#include "anew/policies/jitter/full.hpp"
#include "anew/policies/limits/max_attempts.hpp"
#include "anew/policies/quota/token_bucket.hpp"
#include "anew/strategy/strategy.hpp"

namespace anew::inline ANEW_ABI::http {

/// Choose this for a client of an HTTP service that prescribes no retries: 3 attempts, after U(0, 500 ms) and U(0, 1 s), or
/// after what `Retry-After` asks for, up to 60 s; one budget of 500 for all calls that share the strategy.
///
/// | outcome                                                       | any operation | declared `anew::idempotent` |
/// |---------------------------------------------------------------|---------------|-----------------------------|
/// | 408, 429, 503; a connection that was refused                  | retried       | retried                     |
/// | 500, 502, 504; a connection that broke, a time-out, status 0  | final         | retried                     |
/// | any other status from 400 on; a cancelled operation           | final         | final                       |
///
/// Declare GET, HEAD, PUT and DELETE `idempotent`, and a POST that carries a key by which the server knows it: no response
/// says whether a request that failed has taken effect (RFC 9110 9.2.2). Keep the object: its calls share the budget.
///
/// Differences from others' defaults: urllib3 and Go's retryablehttp have no budget; retryablehttp and Polly's HTTP handler
/// retry a POST after a 500; Stainless's clients draw from the upper quarter of the delay, which keeps a crowd together, and
/// retry 409 and every 5xx; aws::standard begins with 50 ms and reads AWS's error codes; envoy::retry_policy retries once.
/// Another classifier replaces the rule of what may run twice too: `with<http::standard, retry_on<E>>` repeats a POST that you
/// did not declare. `with<http::standard, http::statuses_and<E>>` and `idempotent_only<retry_on<E>>` keep the rule.
/// Other statuses: `with<http::standard, http::classifier<http_status_classifier<429, http::any_5xx>>>`.
///
/// Do not choose it above a layer that retries already (a service mesh, an SDK). It limits no attempt: set a limit at your
/// client, or compose `attempt_timeout`.
/// Source: 3 attempts, 0.5 s doubling to 8 s, hints up to 60 s, `retry-after-ms` before `Retry-After`: the clients that
/// Stainless generates (openai-python, _constants.py and _base_client.py); full jitter: AWS Architecture Blog, "Exponential
/// Backoff And Jitter"; the budget: AWS SDKs and Tools reference guide, "Retry behavior".
using standard =
    strategy<exponential_backoff<std::chrono::milliseconds{500}, std::chrono::seconds{8}>, full_jitter,
             token_bucket<500>, classifier<>, max_attempts<3>, server_hint<long_hint::stop, std::chrono::seconds{60}>>;

}  // namespace anew::inline ANEW_ABI::http

#endif
