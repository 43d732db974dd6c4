// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <iterator>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/presets/aws/classifier.hpp"
#include "anew/testing/manual_clock.hpp"

#include "call_ending.hpp"
#include "driver_support.hpp"
#include "names.hpp"

namespace aws_preset_aws_classifier_test {
namespace {

using anew::aws::careful_classifier, anew::aws::classifier, anew::aws::classifier_2020, anew::aws::code_meaning,
    anew::aws::connection_error, anew::aws::error, anew::aws::meaning_of, anew::aws::plain_code,
    anew::aws::service_exception;

directive const fails = directive::fail();
directive retried(error_kind kind, std::optional<duration> hint = {}) {
  return directive::retry({kind, retry_safety::yes, hint});
}

/// "throttling", "transient", "timeout", or "final".
template <class C = classifier>
std::string verdict(error const& e) {
  auto const answer = C{}.classify(e);
  if (!answer.is_retry()) return answer.is_failure() ? "final" : "success";
  return to_string(answer.what().kind);
}
error of_code(std::string text, int status = 400) { return {.status = status, .code = std::move(text)}; }

/// Words, separated by blanks.
std::vector<std::string> words_in(char const* text) {
  std::istringstream words{text};
  return {std::istream_iterator<std::string>{words}, {}};
}
auto const throttling_codes = words_in(
    "Throttling ThrottlingException ThrottledException RequestThrottledException TooManyRequestsException "
    "ProvisionedThroughputExceededException TransactionInProgressException RequestLimitExceeded BandwidthLimitExceeded "
    "LimitExceededException RequestThrottled SlowDown PriorRequestNotComplete EC2ThrottledException");
auto const transient_codes = words_in("RequestTimeout RequestTimeoutException InternalError IDPCommunicationError");
auto const clock_codes = words_in("RequestTimeTooSkewed RequestExpired RequestInTheFuture");
auto const signature_codes = words_in("InvalidSignatureException SignatureDoesNotMatch AuthFailure");

TEST(AwsClassifier, CodesCountBeforeStatuses) {
  for (auto const& code : throttling_codes) {
    EXPECT_EQ(verdict(of_code(code)), "throttling") << code;
    EXPECT_EQ(verdict(of_code(code, 503)), "throttling") << code;
    EXPECT_EQ(verdict<classifier_2020>(of_code(code)), "throttling") << code;
    EXPECT_EQ(meaning_of(code), code_meaning::throttling) << code;
  }
  for (auto const& code : transient_codes) {
    bool const is_timeout = code.starts_with("RequestTimeout");
    EXPECT_EQ(verdict(of_code(code)), "transient") << code;
    EXPECT_EQ(verdict(of_code(code, 200)), "transient") << code;
    EXPECT_EQ(verdict<classifier_2020>(of_code(code)), is_timeout ? "timeout" : "transient") << code;
  }
  for (auto const& code : clock_codes) EXPECT_EQ(meaning_of(code), code_meaning::wrong_clock) << code;
  for (auto const& code : signature_codes) EXPECT_EQ(meaning_of(code), code_meaning::wrong_sign) << code;
}

TEST(AwsClassifier, AWrongClockIsRetriedWhenItWasSetRight) {
  auto const expect_final_unless_corrected = [](std::string const& code) {
    auto e = of_code(code, 403);
    EXPECT_EQ(verdict(e), "final") << code;
    EXPECT_EQ(verdict<classifier_2020>(e), "final") << code;
    e.status = 500;  // code before status
    EXPECT_EQ(verdict(e), "final") << code;
    e.clock_skew_corrected = true;
    EXPECT_EQ(verdict(e), "transient") << code;
    EXPECT_EQ(verdict<classifier_2020>(e), "transient") << code;
  };
  for (auto const& code : clock_codes) expect_final_unless_corrected(code);
  for (auto const& code : signature_codes) expect_final_unless_corrected(code);
  auto unrelated = of_code("AccessDeniedException", 403);
  unrelated.clock_skew_corrected = true;
  EXPECT_EQ(verdict(unrelated), "final");
}

TEST(AwsClassifier, CodesAreCaseSensitiveAndWhole) {
  for (auto const* code :
       {"throttling", "THROTTLING", "Throttlin", "ThrottlingX", "slowdown", "SlowDownException", "AAA", "zzz", "Z", "",
        "AccessDenied", "ExpiredToken", "InvalidToken", "ValidationException", "TimeoutError", "TooManyRequests"}) {
    EXPECT_EQ(verdict(of_code(code)), "final") << code;
    EXPECT_EQ(verdict(of_code(code, 500)), "transient") << code;
  }
}

// Which of all statuses are retried: conformance/presets.test.cpp.
TEST(AwsClassifier, KindsOfStatuses) {
  for (int const status : {500, 502, 503, 504}) {
    EXPECT_EQ(verdict({.status = status}), "transient") << status;
    EXPECT_EQ(verdict<classifier_2020>({.status = status}), "transient") << status;
  }
  for (int const status : {429, 509}) EXPECT_EQ(verdict<classifier_2020>({.status = status}), "throttling") << status;
  EXPECT_EQ(verdict<classifier_2020>({.status = 408}), "timeout");
}

TEST(AwsClassifier, ErrorsWithoutAResponse) {
  using enum connection_error;
  for (auto const& [why, what] : {std::pair{none, "final"},
                                  {not_sent, "transient"},
                                  {broken, "transient"},
                                  {connect_timeout, "timeout"},
                                  {timeout, "timeout"},
                                  {static_cast<connection_error>(99), "final"}}) {
    EXPECT_EQ(verdict({.connection = why}), what);
  }
  // The SDKs retry what may have been executed too.
  for (auto why : {not_sent, broken, connect_timeout, timeout}) {
    EXPECT_EQ(classifier{}.classify(error{.connection = why}).what().safety, retry_safety::yes);
  }
}

TEST(AwsClassifier, HintsAreHeardAndMakeNothingRetryable) {
  auto const hint = [](duration asked) {
    return classifier{}.classify(error{.status = 503, .retry_after = asked}).what().hint;
  };
  EXPECT_EQ(hint(3s), 3s);
  EXPECT_EQ(hint(0s), 0s);
  EXPECT_EQ(hint(-1ns), std::nullopt);
  EXPECT_EQ(verdict({.status = 404, .retry_after = 3s}), "final");
}

TEST(AwsCodes, AreReadInEverySpelling) {
  EXPECT_EQ(plain_code("SlowDown"), "SlowDown");
  EXPECT_EQ(plain_code("com.amazonaws.sqs#SlowDown"), "SlowDown");
  EXPECT_EQ(plain_code("SlowDown:http://internal.amazon.com/coral/com.amazon.sqs/"), "SlowDown");
  EXPECT_EQ(plain_code("com.amazonaws.sqs#SlowDown:http://docs#more:x"), "SlowDown");
  EXPECT_EQ(plain_code(""), "");
  EXPECT_EQ(plain_code("#"), "");
  EXPECT_EQ(plain_code(":"), "");
  EXPECT_EQ(verdict(of_code("com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException")), "throttling");
  static_assert(meaning_of("aws.sqs#Throttling:x") == code_meaning::throttling);
  static_assert(meaning_of("Throttling ") == code_meaning::unknown);
}

/// A type of a user's own, with members.
struct own_error {
  int number;
  std::string name{};
  [[nodiscard]] int status() const { return number; }
  [[nodiscard]] std::string code() const { return name; }  // by value: nothing may dangle
  [[nodiscard]] std::optional<duration> retry_after() const { return 2s; }
  [[nodiscard]] static connection_error connection() { return connection_error::broken; }
  [[nodiscard]] static bool clock_skew_corrected() { return true; }
};
struct status_alone {
  [[nodiscard]] static unsigned short status() { return 503; }
};
struct code_alone {
  [[nodiscard]] static char const* code() { return "SlowDown"; }
};
/// One that cannot be edited.
struct foreign_error {
  int what_happened;
};

}  // namespace
}  // namespace aws_preset_aws_classifier_test

template <>
struct anew::aws::error_traits<aws_preset_aws_classifier_test::foreign_error> {
  static int status(aws_preset_aws_classifier_test::foreign_error const& e) { return e.what_happened; }
};

namespace aws_preset_aws_classifier_test {
namespace {

TEST(AwsClassifier, ReadsTypesOfYourOwn) {
  EXPECT_EQ(classifier::classify(own_error{503}), retried(error_kind::transient, 2s));
  EXPECT_EQ(classifier::classify(own_error{400, "a code that is long enough for the heap#SlowDown"}),
            retried(error_kind::throttling, 2s));
  EXPECT_EQ(classifier::classify(own_error{400, "RequestExpired"}), retried(error_kind::transient, 2s));
  EXPECT_EQ(classifier::classify(own_error{400}), retried(error_kind::transient, 2s));  // broken
  EXPECT_EQ(classifier::classify(status_alone{}), retried(error_kind::transient));
  EXPECT_EQ(classifier::classify(code_alone{}), retried(error_kind::throttling));
  EXPECT_EQ(classifier::classify(foreign_error{502}), retried(error_kind::transient));
  EXPECT_EQ(classifier::classify(foreign_error{404}), fails);
  static_assert(!anew::ClassifierOf<classifier, int> && !anew::ClassifierOf<classifier, std::runtime_error>);
  static_assert(std::is_empty_v<classifier> && std::is_empty_v<careful_classifier>);
}

/// A modeled error: what it says counts where code and status say nothing.
struct modeled {
  int number;
  retry_safety safety;
  std::string name{};
  [[nodiscard]] int status() const { return number; }
  [[nodiscard]] std::string const& code() const { return name; }
  [[nodiscard]] retry_safety is_retry_safe() const { return safety; }
  [[nodiscard]] static bool is_throttle() { return true; }
};
struct info_alone {
  retry_safety safety;
  [[nodiscard]] retry_safety is_retry_safe() const { return safety; }
};

TEST(AwsClassifier, BelievesModeledErrorsLast) {
  using enum retry_safety;
  EXPECT_EQ(classifier::classify(modeled{400, yes}), retried(error_kind::throttling));
  EXPECT_EQ(classifier::classify(modeled{429, yes}), retried(error_kind::throttling));
  EXPECT_EQ(classifier::classify(modeled{400, no}), fails);
  EXPECT_EQ(classifier::classify(modeled{500, no}), retried(error_kind::transient));
  EXPECT_EQ(classifier::classify(modeled{400, no, "SlowDown"}), retried(error_kind::throttling));
  EXPECT_EQ(classifier::classify(modeled{403, yes, "RequestExpired"}), fails);
  EXPECT_EQ(classifier::classify(modeled{400, maybe}).what().safety, maybe);
  EXPECT_EQ(classifier::classify(info_alone{yes}), retried(error_kind::transient));
  EXPECT_EQ(classifier::classify(info_alone{no}), fails);
}

/// An operation may return the response itself.
struct response {
  int number;
  std::string name{};
  [[nodiscard]] int status() const { return number; }
  [[nodiscard]] std::string const& code() const { return name; }
};

TEST(AwsClassifier, ReadsResponses) {
  EXPECT_TRUE(classifier::classify_result(response{200}).is_success());
  EXPECT_TRUE(classifier::classify_result(response{100}).is_success());
  EXPECT_TRUE(classifier::classify_result(response{399}).is_success());
  EXPECT_EQ(classifier::classify_result(response{99}), fails);
  EXPECT_EQ(classifier::classify_result(response{400}), fails);
  EXPECT_EQ(classifier::classify_result(response{503}), retried(error_kind::transient));
  EXPECT_EQ(classifier::classify_result(response{200, "InternalError"}), retried(error_kind::transient));
  EXPECT_EQ(support::end_of(classifier{}, [] { return response{500}; }), support::retried);
  EXPECT_EQ(support::end_of(classifier{}, [] { return response{204}; }), support::succeeded);
}

TEST(AwsCarefulClassifier, KnowsWhatWasNotExecuted) {
  using enum retry_safety;
  using row = std::pair<error, retry_safety>;
  for (auto const& [what, safety] :
       {row{{.status = 500}, maybe}, row{{.status = 503}, maybe}, row{of_code("InternalError"), maybe},
        row{of_code("RequestTimeout"), maybe}, row{{.connection = connection_error::broken}, maybe},
        row{{.connection = connection_error::timeout}, maybe}, row{{.connection = connection_error::not_sent}, yes},
        row{{.connection = connection_error::connect_timeout}, yes}, row{of_code("SlowDown", 503), yes},
        row{{.status = 403, .code = "RequestExpired", .clock_skew_corrected = true}, yes},
        row{{.status = 403, .code = "AuthFailure", .clock_skew_corrected = true}, yes}}) {
    EXPECT_EQ(careful_classifier{}.classify(what).what().safety, safety) << what.code << what.status;
  }
  EXPECT_TRUE(anew::aws::not_executed{}(error{.status = 429}));
  EXPECT_FALSE(anew::aws::not_executed{}(error{.status = 429, .code = "InternalError"}));
  EXPECT_TRUE(careful_classifier{}.classify(error{.status = 404}).is_failure());
  EXPECT_EQ(careful_classifier{}.describe(), "idempotent_only(aws_classifier(v2026))");
}

TEST(AwsServiceException, SaysWhatHappened) {
  EXPECT_STREQ(service_exception{of_code("SlowDown", 503)}.what(), "SlowDown (HTTP 503)");
  EXPECT_STREQ((service_exception{error{.code = "SlowDown", .message = "later"}}.what()), "SlowDown: later");
  EXPECT_STREQ((service_exception{error{.status = 500, .message = "oh"}}.what()), "error (HTTP 500): oh");
  EXPECT_STREQ(service_exception{error{}}.what(), "error");
  EXPECT_EQ(service_exception{error{.status = 500}}.details().status, 500);
  for (auto const& what : {of_code("SlowDown", 503), error{.status = 503, .retry_after = 4s}, of_code("Validation"),
                           error{.connection = connection_error::timeout},
                           error{.status = 403, .code = "RequestExpired", .clock_skew_corrected = true}}) {
    EXPECT_EQ(classifier::classify(service_exception{what}), classifier::classify(what)) << what.code;
  }
}

#if ANEW_EXCEPTIONS
/// A generated exception whose model has @retryable.
class busy : public service_exception, public anew::retry_info {
 public:
  explicit busy(error e) : service_exception{std::move(e)} {}
  [[nodiscard]] retry_safety is_retry_safe() const override { return retry_safety::yes; }
  [[nodiscard]] bool is_throttle() const override { return true; }
};
class plain_busy : public std::runtime_error, public anew::retry_info {
 public:
  plain_busy() : std::runtime_error{"busy"} {}
  [[nodiscard]] retry_safety is_retry_safe() const override { return retry_safety::yes; }
};

template <class E>
unsigned attempts_after(E const& error) {
  return support::end_of(classifier{}, support::throwing(error)).attempts;
}

TEST(AwsServiceException, IsCaught) {
  EXPECT_EQ(attempts_after(service_exception{error{.status = 500}}), 3U);
  EXPECT_EQ(attempts_after(service_exception{error{.status = 404}}), 1U);
  EXPECT_EQ(attempts_after(busy{error{.status = 503}}), 3U);
  EXPECT_EQ(attempts_after(plain_busy{}), 3U);
  EXPECT_EQ(attempts_after(std::runtime_error{"what"}), 1U);
#if defined(__cpp_rtti)
  EXPECT_EQ(attempts_after(busy{error{.status = 400}}), 3U);  // it says so for itself
#endif
}
#endif

}  // namespace
}  // namespace aws_preset_aws_classifier_test
