// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PRESETS_GOOGLE_CLOUD_HPP
#define ANEW_PRESETS_GOOGLE_CLOUD_HPP

#include <chrono>

#include "anew/base/platform/compiler.hpp"
#include "anew/policies/backoff/exponential.hpp"
#include "anew/policies/classifier/any_of.hpp"
#include "anew/policies/classifier/error_code.hpp"
#include "anew/policies/classifier/grpc_status.hpp"
#include "anew/policies/classifier/http_status.hpp"
#include "anew/policies/classifier/idempotent_only.hpp"
#include "anew/policies/hint/server.hpp"
#include "anew/policies/jitter/full.hpp"
#include "anew/policies/limits/deadline.hpp"
#include "anew/policies/limits/max_attempts.hpp"
#include "anew/strategy/strategy.hpp"

/// Retries as Google's client libraries do by default: for a long time, without a limit on the attempts and without a
/// quota. Each call ends by its deadline: no attempt begins that a wait would move past it.
///
/// These presets suit jobs that may take half an hour. Where a user waits for the answer, shorten the deadline:
/// `with<retry_policy, deadline<30s>>`. Where clients are many, add a quota: `with<retry_policy, token_bucket<500>>`.
/// Without one, a service that is down receives every retry of every client. A delay that a server asks for is a least wait
/// up to the preset's longest backoff; a longer one ends the call.
namespace anew::inline ANEW_ABI::google_cloud {

/// UNAVAILABLE, for operations that you declare `idempotent`. A connection that breaks after the effect reports
/// UNAVAILABLE too. Source: google-cloud-cpp, the retry traits that its generator writes by default, and
/// internal/retry_loop_helpers.cc, which never retries a call of an RPC that is classified as not idempotent.
using transient_codes = idempotent_only<grpc::status_classifier<grpc::codes(grpc::status_code::unavailable)>>;

/// Choose this to behave as a generated C++ client (Pub/Sub admin, Compute ...): U(0, min(1 s * 2^(n-1), 5 min)) for 30
/// minutes. Declare the RPCs `idempotent` that the client's idempotency policy calls so; the others make one attempt.
/// Source: google-cloud-cpp, *_option_defaults.cc: ExponentialBackoffPolicy(0 s, 1 s, 5 min, 2.0, 2.0),
/// LimitedTimeRetryPolicy(30 min). Do not choose it for anything interactive.
using retry_policy =
    strategy<exponential_backoff<std::chrono::seconds{1}, std::chrono::minutes{5}>, full_jitter, transient_codes,
             unbounded, deadline<std::chrono::minutes{30}>, server_hint<long_hint::stop, std::chrono::minutes{5}>>;

/// Choose this to behave as the C++ client of Cloud Storage: U(1, 2) s, U(2, 4) s ... U(2.5, 5) min, for 15 minutes, after
/// 408, 429, 500, 502, 503, 504 and after connections that failed (`std::system_error` and `std::error_code`; for
/// another transport replace the classifier, `with<storage, curl::classifier<>>`). Source: google-cloud-cpp,
/// google/cloud/storage: initial 1 s, maximum 5 min, scaling 2.0, 15 min; internal/backoff_policy.cc draws between the
/// delay before and this delay, which for a scaling of two is equal jitter over 2 s ... 5 min;
/// docs.cloud.google.com/storage/docs/retry-strategy for statuses and connections.
///
/// Differences, and why: that client retries every operation, because each of its requests carries an idempotency token
/// (`x-goog-gcs-idempotency-token`). Here what may have taken effect is retried for operations that you declare
/// `idempotent`; declare all of them if your requests carry such a token. 501 and 505 to 599 are final here, because
/// another attempt gets the same answer. Do not choose it for anything interactive.
using storage = strategy<exponential_backoff<std::chrono::seconds{2}, std::chrono::minutes{5}>, equal_jitter,
                         any_of<http_status_classifier<408, 429, 500, 502, 503, 504>, error_code_classifier>, unbounded,
                         deadline<std::chrono::minutes{15}>, server_hint<long_hint::stop, std::chrono::minutes{5}>>;

/// Choose this to behave as a Node.js client that is configured by GAX (gax-nodejs): U(0, min(100 ms * 1.3^(n-1), 1 min))
/// for 10 minutes after DEADLINE_EXCEEDED and UNAVAILABLE, for operations that you declare `idempotent`. Source: the
/// generated *_client_config: 100 ms, 1.3, 60000 ms, total_timeout_millis 600000, retry codes "idempotent" (the list of
/// the other methods is empty); src/normalCalls/retries.ts draws U(0, delay), where gax-python draws U(0, 2 * delay). Do
/// not choose it where a wait of half a minute is too long.
using gax = strategy<
    exponential_backoff<std::chrono::milliseconds{100}, std::chrono::minutes{1}, rational{13, 10}>, full_jitter,
    idempotent_only<
        grpc::status_classifier<grpc::codes(grpc::status_code::deadline_exceeded, grpc::status_code::unavailable)>>,
    unbounded, deadline<std::chrono::minutes{10}>, server_hint<long_hint::stop, std::chrono::minutes{1}>>;

}  // namespace anew::inline ANEW_ABI::google_cloud

#endif
