// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PRESET_GOOGLE_CLOUD_HPP
#define ANEW_PRESET_GOOGLE_CLOUD_HPP

#include <chrono>
#include <ratio>

#include "anew/backoff/exponential.hpp"
#include "anew/classifier/grpc_status.hpp"
#include "anew/classifier/http_status.hpp"
#include "anew/jitter/equal.hpp"
#include "anew/jitter/full.hpp"
#include "anew/limit/deadline.hpp"
#include "anew/limit/unbounded.hpp"
#include "anew/strategy.hpp"

/// What Google's client libraries do unless they are told otherwise: retry for a long time, with no limit of attempts and
/// no quota. Each ends by its deadline: no attempt begins that a wait would bring past it.
///
/// They suit jobs that may take half an hour. Where somebody waits, give a shorter one: `with<retry_policy, deadline<30s>>`;
/// where clients are many, a quota as well: `with<retry_policy, token_bucket<500>>`. With none, a service that is down
/// gets all their retries.
namespace anew::google_cloud {

/// UNAVAILABLE alone. Source: google-cloud-cpp, the retry traits that its generator writes by default.
using transient_codes = grpc::status_classifier<grpc::codes(grpc::status_code::unavailable)>;

/// Choose this to behave as a generated C++ client (Pub/Sub admin, Compute ...): U(0, min(1 s * 2^(n-1), 5 min)) for 30
/// minutes. Source: google-cloud-cpp, *_option_defaults.cc: ExponentialBackoffPolicy(0 s, 1 s, 5 min, 2.0, 2.0),
/// LimitedTimeRetryPolicy(30 min). Not for anything interactive.
using retry_policy = strategy<exponential_backoff<std::chrono::seconds{1}, std::chrono::minutes{5}>, full_jitter,
                              transient_codes, unbounded, deadline<std::chrono::minutes{30}>>;

/// Choose this to behave as the C++ client of Cloud Storage: U(1, 2) s, U(2, 4) s ... U(2.5, 5) min, for 15 minutes; 408,
/// 429 and 5xx of those that pass. Source: google-cloud-cpp, google/cloud/storage: initial 1 s, maximum 5 min, scaling
/// 2.0, 15 min; internal/backoff_policy.cc draws between the delay before and this one, which for a scaling of two is
/// equal jitter over 2 s ... 5 min. What may have had an effect is retried for operations that are declared idempotent,
/// as that client does by its idempotency policy. Not for anything interactive.
using storage =
    strategy<exponential_backoff<std::chrono::seconds{2}, std::chrono::minutes{5}>, equal_jitter,
             http_status_classifier<408, 429, 500, 502, 503, 504>, unbounded, deadline<std::chrono::minutes{15}>>;

/// Choose this to behave as a client that is configured by GAX: U(0, min(100 ms * 1.3^(n-1), 1 min)) for 10 minutes,
/// DEADLINE_EXCEEDED and UNAVAILABLE. Source: the generated *_client_config of google-gax: 100 ms, 1.3, 60000 ms,
/// total_timeout_millis 600000, retry codes "idempotent". For idempotent methods only, as there: a deadline may have
/// passed after the effect. Not where a wait of half a minute is too long.
using gax =
    strategy<exponential_backoff<std::chrono::milliseconds{100}, std::chrono::minutes{1}, std::ratio<13, 10>>,
             full_jitter,
             grpc::status_classifier<grpc::codes(grpc::status_code::deadline_exceeded, grpc::status_code::unavailable)>,
             unbounded, deadline<std::chrono::minutes{10}>>;

}  // namespace anew::google_cloud

#endif
