// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PRESETS_AWS_STANDARD_HPP
#define ANEW_PRESETS_AWS_STANDARD_HPP

#include <chrono>
#include <cstdint>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/backoff/by_kind.hpp"
#include "anew/policies/backoff/exponential.hpp"
#include "anew/policies/backoff/immediate_first.hpp"
#include "anew/policies/hint/clamped.hpp"
#include "anew/policies/hint/server.hpp"
#include "anew/policies/jitter/full.hpp"
#include "anew/policies/limits/max_attempts.hpp"
#include "anew/policies/pacer/client_rate_limiter.hpp"
#include "anew/policies/quota/long_poll.hpp"
#include "anew/policies/quota/token_bucket.hpp"
#include "anew/policies/quota/unlimited.hpp"
#include "anew/presets/aws/classifier.hpp"
#include "anew/presets/aws/retry_mode.hpp"
#include "anew/strategy/strategy.hpp"

/// The strategies of the AWS SDKs. Each owns its retry quota: keep one strategy per client, or share the quota
/// (`with<aws::standard, shared<token_bucket<500>>>`). Requests are retried as the SDKs retry them, those that may have
/// been executed too; `with<aws::standard, aws::careful_classifier>` retries those for operations declared `idempotent`
/// only.
namespace anew::inline ANEW_ABI::aws {

/// The numbers of the standard and adaptive modes, in one place: presets, configuration and tests read them here.
template <generation Revision>
struct numbers;

/// Source: AWS SDKs and Tools reference guide, "Retry behavior" (2026); aws-sdk-java-v2#6987 announces them; the same
/// in botocore, smithy-kotlin, smithy-rs, smithy-typescript, aws-sdk-go-v2, aws-sdk-cpp, smithy-swift.
template <>
struct numbers<generation::v2026> {
  static constexpr static_duration base{std::chrono::milliseconds{50}};
  static constexpr static_duration throttling_base{std::chrono::seconds{1}};
  static constexpr static_duration dynamodb_base{std::chrono::milliseconds{25}};
  static constexpr static_duration cap{std::chrono::seconds{20}};
  static constexpr static_duration overshoot{std::chrono::seconds{5}};  ///< of a hint above the delay
  static constexpr std::int64_t capacity = 500;
  static constexpr retry_costs costs{.transient = 14, .throttling = 5, .timeout = 14, .server = 14, .client = 14};
  static constexpr std::int64_t attempts = 3;
  static constexpr std::int64_t dynamodb_attempts = 4;
};

/// Source: the "standard" mode of botocore, aws-sdk-go-v2, aws-sdk-cpp and smithy-swift before 2026 (1 s, 5, 10 after a
/// time-out). Others differ: base 100 ms in Java and JavaScript, 10 ms growing by half in Kotlin; a cost of 10 after
/// any transient error in Rust and JavaScript.
template <>
struct numbers<generation::v2020> {
  static constexpr static_duration base{std::chrono::seconds{1}};
  static constexpr static_duration cap{std::chrono::seconds{20}};
  static constexpr std::int64_t capacity = 500;
  static constexpr retry_costs costs{.transient = 5, .throttling = 5, .timeout = 10, .server = 5, .client = 5};
  static constexpr std::int64_t attempts = 3;
};

namespace detail {

using v2026 = numbers<generation::v2026>;
using v2020 = numbers<generation::v2020>;

template <static_duration Base>
using backoff_2026 =
    by_kind_backoff<for_kind<error_kind::throttling, exponential_backoff<v2026::throttling_base, v2026::cap>>,
                    exponential_backoff<Base, v2026::cap>>;
using bucket_2026 = token_bucket<v2026::capacity, v2026::costs>;

}  // namespace detail

/// The standard mode since 2026: three attempts, U(0, min(20 s, base * 2^(n-1))) with a base of 50 ms and after
/// throttling of 1 s, 500 tokens for retries at 14 and after throttling 5, `x-amz-retry-after` up to 5 s above the
/// delay.
///
/// Choose it for any client of AWS, and for a service of your own that is like one. Not for DynamoDB (dynamodb), for
/// calls that wait for work in a loop (long_polling), or for bulk work that is throttled for long (adaptive).
/// Differs among SDKs: a bare 429 is final here and in botocore, Kotlin, Rust, Go, PHP and Swift, and throttling in
/// Java, JavaScript, Ruby and C++ (`with<standard, classifier_2020>`). Some round delays down to milliseconds. In the
/// SDKs it is behind `AWS_NEW_RETRIES_2026=true` until they make it their default.
/// Source: `numbers<generation::v2026>` says where each number is from.
using standard = strategy<detail::backoff_2026<detail::v2026::base>, full_jitter, detail::bucket_2026, classifier,
                          max_attempts<detail::v2026::attempts>, clamped_hint<detail::v2026::overshoot>>;

/// `standard` for DynamoDB and DynamoDB Streams: a base of 25 ms and four attempts, because answers take milliseconds.
/// Choose it for these two. Not for other services, however fast: the fourth attempt costs them 14 more tokens.
using dynamodb =
    with<standard, detail::backoff_2026<detail::v2026::dynamodb_base>, max_attempts<detail::v2026::dynamodb_attempts>>;

/// `standard` for operations that are called again as soon as they end: a call that the quota refuses waits for as long
/// as the retry would have, so that a spent quota makes no hot loop.
///
/// Choose it for SQS ReceiveMessage, Step Functions GetActivityTask, SWF PollForActivityTask and PollForDecisionTask.
/// Not where a user waits for the answer. Differs among SDKs: Go waits the transient delay after throttling too.
using long_polling = with<standard, long_poll<detail::bucket_2026>>;

/// The standard mode before 2026: three attempts, U(0, min(20 s, 1 s * 2^(n-1))) after any error, a retry costs 5 and
/// after a time-out 10, 408, 429 and 509 are retried too.
///
/// Choose it to behave as SDKs did until then. Not for something new: a first retry after half a second on average is
/// slow, and the quota lets a broken service have three times as many retries as `standard` does.
/// Differs among SDKs: see `numbers`. A hint: none (botocore, Go, Kotlin), the longer of hint and delay (Java), the
/// hint up to the cap (Rust). Here the longer of both, a hint up to the cap of 20 s. The cap bounds the envelope; C++ and Swift drew
/// first and capped then (`cap_after_draw_jitter`).
using standard_2020 =
    strategy<exponential_backoff<detail::v2020::base, detail::v2020::cap>, full_jitter,
             token_bucket<detail::v2020::capacity, detail::v2020::costs>, classifier_2020,
             max_attempts<detail::v2020::attempts>, server_hint<long_hint::clamp, detail::v2020::cap>>;

/// The legacy mode of the C++ SDK (`DefaultRetryStrategy`): ten retries, so eleven attempts, the first retry at once
/// and then 25 ms * 2^n, n = 1 to 9: 50 ms to 12.8 s. No jitter, no quota, no hints.
///
/// Choose it to behave as that SDK did by default. Not for anything else: clients that fail together retry
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
