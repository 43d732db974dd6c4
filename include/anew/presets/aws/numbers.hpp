// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PRESETS_AWS_NUMBERS_HPP
#define ANEW_PRESETS_AWS_NUMBERS_HPP

#include <chrono>
#include <cstdint>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/quota/token_bucket.hpp"
#include "anew/presets/aws/retry_mode.hpp"

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

}  // namespace anew::inline ANEW_ABI::aws

#endif
