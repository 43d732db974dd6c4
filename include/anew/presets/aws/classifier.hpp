// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PRESETS_AWS_CLASSIFIER_HPP
#define ANEW_PRESETS_AWS_CLASSIFIER_HPP

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "anew/base/directive.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/classifier/idempotent_only.hpp"
#include "anew/policies/classifier/retry_info.hpp"
#include "anew/presets/aws/error.hpp"
#include "anew/presets/aws/retry_mode.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/roles/roles.hpp"

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

/// The code as in the tables: a response may say "com.amazonaws.sqs#SlowDown:http://docs.aws/". Text before '#' and
/// after ':' is dropped, as Smithy's AWS JSON protocols say of `__type` and `x-amzn-errortype`.
[[nodiscard]] constexpr std::string_view plain_code(std::string_view code) noexcept {
  code = code.substr(0, code.find(':'));
  auto const mark = code.find('#');
  return mark == std::string_view::npos ? code : code.substr(mark + 1);
}

/// Looks an error code up, in any of its spellings. Codes are case-sensitive.
/// Cost: a comparison of strings for each of 24 codes; no allocation.
/// Source: AWS SDKs and Tools reference guide, "Retry behavior" (2026), and the tables of botocore, smithy-kotlin,
/// smithy-rs, aws-sdk-go-v2; codes of a wrong clock: aws-sdk-java-v2
[[nodiscard]] constexpr code_meaning meaning_of(std::string_view code) noexcept {
  code = plain_code(code);
  auto const is = [code](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), code) != names.end();
  };
  if (is({"BandwidthLimitExceeded", "EC2ThrottledException", "LimitExceededException", "PriorRequestNotComplete",
          "ProvisionedThroughputExceededException", "RequestLimitExceeded", "RequestThrottled",
          "RequestThrottledException", "SlowDown", "ThrottledException", "Throttling", "ThrottlingException",
          "TooManyRequestsException", "TransactionInProgressException"}))
    return code_meaning::throttling;
  if (is({"IDPCommunicationError", "InternalError"})) return code_meaning::transient;
  if (is({"RequestTimeout", "RequestTimeoutException"})) return code_meaning::timeout;
  if (is({"RequestExpired", "RequestInTheFuture", "RequestTimeTooSkewed"})) return code_meaning::wrong_clock;
  if (is({"AuthFailure", "InvalidSignatureException", "SignatureDoesNotMatch"})) return code_meaning::wrong_sign;
  return code_meaning::unknown;
}

/// Retries as the AWS SDKs do: first by error code, then by HTTP status, then because there is no response, and last
/// because the error says so itself (`RetryInfo`, for modeled errors with `@retryable`).
///
/// | says                                        | v2026      | v2020      |
/// |---------------------------------------------|------------|------------|
/// | one of 14 codes of throttling               | throttling | throttling |
/// | InternalError, IDPCommunicationError        | transient  | transient  |
/// | RequestTimeout, RequestTimeoutException     | transient  | timeout    |
/// | six codes of a wrong clock, when it was set right | transient | transient |
/// | status 500, 502, 503, 504                   | transient  | transient  |
/// | status 408                                  | final      | timeout    |
/// | status 429, 509                             | final      | throttling |
/// | no response: in time; at all                | timeout; transient | timeout; transient |
///
/// A status counts where the code says nothing; a code of a wrong clock that was not set right is final. A hint alone
/// makes nothing retryable. It reads `aws::error`, types with `status()` or `code()`, types with `aws::error_traits`,
/// and catches `aws::service_exception` and `anew::retry_info`.
///
/// **What may have been executed is retried too**, as the SDKs do: a request of AWS that must not be executed twice
/// carries an idempotency token, and choosing this classifier says that yours does. `aws::careful_classifier` asks for
/// `idempotent`.
///
/// Models: Classifier (empty)
/// Formula: none
/// Requires: nothing
/// Cost: five comparisons of strings after a failure; no allocation
/// Choose it for AWS and what speaks its protocols. Not for other services' 429: http_status_classifier, or
/// classifier_2020. Not for requests that may not run twice and have no token: careful_classifier.
/// Source: AWS SDKs and Tools reference guide, "Retry behavior": v2026 its text of 2026; v2020 the older text, which adds
/// 408, 429 and 509 as statuses that may be retried (and 400 and 403, which are by their codes)
template <generation Revision>
struct code_classifier {
  using role = roles::classifier;
  using catches = catch_list<service_exception, retry_info>;
  using reads = catch_list<error>;

  template <class E>
    requires detail::OfService<E> || SaysWhetherToRetry<E>
  [[nodiscard]] static constexpr directive classify(E const& error) {
    if constexpr (detail::OfService<E>) {
      auto const meaning = meaning_of(detail::code_of(error));
      bool const by_clock = meaning == code_meaning::wrong_clock || meaning == code_meaning::wrong_sign;
      if (by_clock && !detail::is_clock_corrected(error)) return directive::fail();
      auto kind = kind_of(meaning);
      if (!kind) kind = kind_of(detail::status_of(error));
      if (!kind) kind = kind_of(detail::connection_of(error));
      if (kind) return directive::retry(*kind, detail::hint_of(error));
    }
    if constexpr (SaysWhetherToRetry<E>) return retry_info_classifier::classify(error);
    return directive::fail();
  }

  [[nodiscard]] static directive classify(service_exception const& error) {
    auto const verdict = classify(error.details());
#if defined(__cpp_rtti)
    if (verdict.is_failure()) {
      if (auto const* also = dynamic_cast<retry_info const*>(&error)) return classify<retry_info>(*also);
    }
#endif
    return verdict;
  }

  /// For an operation that returns the response itself: 100 to 399 without an error code is a success.
  [[nodiscard]] static constexpr directive classify_result(detail::HasStatus auto const& response) {
    int const status = detail::status_of(response);
    bool const is_fine = status >= 100 && status < 400 && std::string_view{detail::code_of(response)}.empty();
    return is_fine ? directive::succeed() : classify(response);
  }

  [[nodiscard]] static std::string describe() { return anew::detail::written("aws_classifier", to_string(Revision)); }

 private:
  static constexpr bool is_2026 = Revision == generation::v2026;

  static constexpr std::optional<error_kind> kind_of(code_meaning meaning) noexcept {
    if (meaning == code_meaning::unknown) return std::nullopt;
    if (meaning == code_meaning::throttling) return error_kind::throttling;
    return meaning == code_meaning::timeout && !is_2026 ? error_kind::timeout : error_kind::transient;
  }
  static constexpr std::optional<error_kind> kind_of(int status) noexcept {
    if (status == 500 || status == 502 || status == 503 || status == 504) return error_kind::transient;
    if (!is_2026 && status == 408) return error_kind::timeout;
    if (!is_2026 && (status == 429 || status == 509)) return error_kind::throttling;
    return std::nullopt;
  }
  static constexpr std::optional<error_kind> kind_of(connection_error connection) noexcept {
    using enum connection_error;
    if (connection == connect_timeout || connection == timeout) return error_kind::timeout;
    if (connection == not_sent || connection == broken) return error_kind::transient;
    return std::nullopt;
  }
};

/// The statuses that the text of 2026 retries. A bare 429 is final, as in botocore, Kotlin, Rust, Go, PHP and Swift.
using classifier = code_classifier<generation::v2026>;

/// The statuses that the older text lists as potentially retryable: 408, 429 and 509 too. Choose it for gateways and
/// look-alikes that answer with a status alone; Java, JavaScript, Ruby and C++ retry a bare 429 in either generation.
using classifier_2020 = code_classifier<generation::v2020>;

/// True for an error that says that the service did not execute the request: throttled, signed wrongly, or never sent.
struct not_executed {
  [[nodiscard]] constexpr bool operator()(detail::OfService auto const& error) const {
    auto const meaning = meaning_of(detail::code_of(error));
    if (meaning == code_meaning::throttling || meaning == code_meaning::wrong_clock) return true;
    if (meaning == code_meaning::wrong_sign) return true;
    if (meaning == code_meaning::unknown && detail::status_of(error) == 429) return true;
    auto const connection = detail::connection_of(error);
    return connection == connection_error::not_sent || connection == connection_error::connect_timeout;
  }
  [[nodiscard]] bool operator()(service_exception const& error) const { return (*this)(error.details()); }
};

/// `aws::classifier` for requests without an idempotency token: what may have been executed is retried for an operation
/// that is declared `idempotent`, and only then. `with<aws::standard, aws::careful_classifier>`.
using careful_classifier = idempotent_only<classifier, not_executed>;

}  // namespace anew::inline ANEW_ABI::aws

#endif
