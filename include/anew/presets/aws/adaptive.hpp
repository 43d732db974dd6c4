// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PRESETS_AWS_ADAPTIVE_HPP
#define ANEW_PRESETS_AWS_ADAPTIVE_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/policies/pacer/client_rate_limiter.hpp"
#include "anew/presets/aws/standard.hpp"
#include "anew/strategy/strategy.hpp"

namespace anew::inline ANEW_ABI::aws {

/// The adaptive mode since 2026: `standard`, and the client sends no faster than the service answers. After the first
/// throttled response every attempt, the first of a call too, may have to wait for its turn in a queue. Compose a
/// deadline, or `rate_limiter_constants{.longest_wait = ...}`, where calls keep arriving: nothing else bounds the wait.
///
/// Choose it for bulk work on one resource that throttles (a table, a queue). Not for a client of many resources: one
/// that throttles slows down the calls to all others. Not where a call must begin at once; there
/// `with<standard, client_rate_limiter<when_limited::fail_fast>>` refuses.
/// Differs among SDKs: Java counts only successes and the throttled responses that are retried, Go's first successes
/// never give the quota its token. Here every response counts, as in botocore, Kotlin, Rust, JavaScript and C++.
/// Source: AWS SDKs and Tools reference guide, "Retry behavior"; pacer/client_rate_limiter.hpp
using adaptive = with<standard, client_rate_limiter<>>;

/// The adaptive mode before 2026: `standard_2020` with the same limit on the rate.
/// Choose it to behave as SDKs did until then. Not for something new: adaptive.
using adaptive_2020 = with<standard_2020, client_rate_limiter<>>;

}  // namespace anew::inline ANEW_ABI::aws

#endif
