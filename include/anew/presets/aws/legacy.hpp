// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PRESETS_AWS_LEGACY_HPP
#define ANEW_PRESETS_AWS_LEGACY_HPP

#include <chrono>

#include "anew/base/platform/compiler.hpp"
#include "anew/policies/backoff/exponential.hpp"
#include "anew/policies/backoff/immediate_first.hpp"
#include "anew/policies/hint/server.hpp"
#include "anew/policies/jitter/full.hpp"
#include "anew/policies/jitter/no_jitter.hpp"
#include "anew/policies/limits/max_attempts.hpp"
#include "anew/policies/quota/unlimited.hpp"
#include "anew/presets/aws/classifier.hpp"
#include "anew/strategy/strategy.hpp"

namespace anew::inline ANEW_ABI::aws {

/// The legacy mode of the C++ SDK (`DefaultRetryStrategy`): ten retries, so eleven attempts, the first retry at once
/// and then 25 ms * 2^n, n = 1 to 9: 50 ms to 12.8 s. No jitter, no quota, no hints.
///
/// Choose it to behave as that SDK did by default. Not for anything else: clients that fail together come back
/// together, eleven times. The SDK has no cap; here it is the delay of the tenth retry, 12.8 s, so that `with<legacy,
/// max_attempts<20>>` repeats 12.8 s. Legacy means something else in each SDK: botocore's is legacy_botocore, Java
/// makes four attempts from 100 ms.
/// Source: aws-sdk-cpp, DefaultRetryStrategy
using legacy =
    strategy<immediate_first<exponential_backoff<std::chrono::milliseconds{50}, std::chrono::milliseconds{12'800}>>,
             no_jitter, unlimited_quota, classifier_2020, max_attempts<11>,
             server_hint<long_hint::ignore, duration{0}>>;

/// The legacy mode of botocore and the CLI: five attempts, U(0, 2^(n-1) s) before retry n. No quota, no hints.
///
/// Choose it to behave as boto3 did by default. Do not choose it where many clients share a service: nothing but the
/// attempts limits the retries. The classifier is that of the other modes, which retries more than _retry.json does (408,
/// 502, 504, and ten error codes, among them InternalError). botocore has no cap; here it is 8 s, what the fourth retry reaches. Its DynamoDB makes ten attempts
/// with 50 ms * 2^(n-1) without jitter.
/// Source: botocore, data/_retry.json (`"base": "rand", "growth_factor": 2`, five attempts)
using legacy_botocore =
    strategy<exponential_backoff<std::chrono::seconds{1}, std::chrono::seconds{8}>, full_jitter, unlimited_quota,
             classifier_2020, max_attempts<5>, server_hint<long_hint::ignore, duration{0}>>;

}  // namespace anew::inline ANEW_ABI::aws

#endif
