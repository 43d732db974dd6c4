// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PRESETS_AWS_CODE_MEANING_HPP
#define ANEW_PRESETS_AWS_CODE_MEANING_HPP

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI::aws {

/// The meaning of a response's error code for another attempt.
enum class code_meaning : std::uint8_t {
  unknown,      ///< nothing: the HTTP status decides
  throttling,   ///< too many requests
  transient,    ///< passes by itself
  timeout,      ///< the service did not get the request in time; transient since 2026
  wrong_clock,  ///< signed by a clock that is wrong for certain
  wrong_sign,   ///< the signature does not fit, perhaps because of the clock
};

namespace detail {

struct known_code {
  std::string_view code;
  code_meaning meaning;
};

/// In the order of their bytes.
inline constexpr known_code known_codes[] = {
    {"AuthFailure", code_meaning::wrong_sign},
    {"BandwidthLimitExceeded", code_meaning::throttling},
    {"EC2ThrottledException", code_meaning::throttling},
    {"IDPCommunicationError", code_meaning::transient},
    {"InternalError", code_meaning::transient},
    {"InvalidSignatureException", code_meaning::wrong_sign},
    {"LimitExceededException", code_meaning::throttling},
    {"PriorRequestNotComplete", code_meaning::throttling},
    {"ProvisionedThroughputExceededException", code_meaning::throttling},
    {"RequestExpired", code_meaning::wrong_clock},
    {"RequestInTheFuture", code_meaning::wrong_clock},
    {"RequestLimitExceeded", code_meaning::throttling},
    {"RequestThrottled", code_meaning::throttling},
    {"RequestThrottledException", code_meaning::throttling},
    {"RequestTimeTooSkewed", code_meaning::wrong_clock},
    {"RequestTimeout", code_meaning::timeout},
    {"RequestTimeoutException", code_meaning::timeout},
    {"SignatureDoesNotMatch", code_meaning::wrong_sign},
    {"SlowDown", code_meaning::throttling},
    {"ThrottledException", code_meaning::throttling},
    {"Throttling", code_meaning::throttling},
    {"ThrottlingException", code_meaning::throttling},
    {"TooManyRequestsException", code_meaning::throttling},
    {"TransactionInProgressException", code_meaning::throttling},
};

consteval bool codes_are_in_order() {
  for (std::size_t i = 1; i < std::size(known_codes); ++i) {
    if (known_codes[i - 1].code >= known_codes[i].code) return false;
  }
  return true;
}
static_assert(codes_are_in_order());

}  // namespace detail

/// The code as in the tables: a response may say "com.amazonaws.sqs#SlowDown:http://docs.aws/". Text before '#' and
/// after ':' is dropped, as Smithy's AWS JSON protocols say of `__type` and `x-amzn-errortype`.
[[nodiscard]] constexpr std::string_view plain_code(std::string_view code) noexcept {
  code = code.substr(0, code.find(':'));
  auto const mark = code.find('#');
  return mark == std::string_view::npos ? code : code.substr(mark + 1);
}

/// Looks an error code up, in any of its spellings. Codes are case-sensitive.
/// Cost: five comparisons of strings; no allocation.
/// Source: AWS SDKs and Tools reference guide, "Retry behavior" (2026), and the tables of botocore, smithy-kotlin,
/// smithy-rs, aws-sdk-go-v2; codes of a wrong clock: aws-sdk-java-v2
[[nodiscard]] constexpr code_meaning meaning_of(std::string_view code) noexcept {
  code = plain_code(code);
  std::size_t first = 0;
  std::size_t last = std::size(detail::known_codes);
  while (first != last) {
    auto const middle = first + (last - first) / 2;
    if (detail::known_codes[middle].code == code) return detail::known_codes[middle].meaning;
    if (detail::known_codes[middle].code < code) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return code_meaning::unknown;
}

}  // namespace anew::inline ANEW_ABI::aws

#endif
