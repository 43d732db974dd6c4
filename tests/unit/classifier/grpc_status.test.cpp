// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <optional>
#include <string_view>
#include <type_traits>

#include <gtest/gtest.h>

#include "anew/classifier/grpc_status.hpp"
#include "anew/value/result_traits.hpp"

#include "rejection.hpp"

namespace classifier_grpc_status_test {

namespace theirs {

enum class StatusCode : int { kOk = 0, kUnavailable = 14, kFromTheFuture = 99 };
/// As grpc::Status.
struct status {
  StatusCode code_ = StatusCode::kOk;
  [[nodiscard]] bool ok() const { return code_ == StatusCode::kOk; }
  [[nodiscard]] StatusCode error_code() const { return code_; }
};
/// The same, as an optional duration, which is what `retry_after()` of any other error returns.
template <class Said>
struct says {
  Said said;
  [[nodiscard]] static int code() { return 14; }
  [[nodiscard]] Said retry_pushback() const { return said; }
};
/// As absl::Status, with the pushback that somebody put beside it.
struct pushed {
  StatusCode code_;
  anew::grpc::pushback pushback_{};
  [[nodiscard]] StatusCode code() const { return code_; }
  [[nodiscard]] anew::grpc::pushback retry_pushback() const { return pushback_; }
};
struct foreign {
  int number;
};
struct no_status {
  [[nodiscard]] std::string_view code() const { return "x"; }
};

}  // namespace theirs
}  // namespace classifier_grpc_status_test

template <>
struct anew::grpc::status_traits<classifier_grpc_status_test::theirs::foreign> {
  static int code(classifier_grpc_status_test::theirs::foreign const& e) { return e.number; }
  static pushback pushback_of(classifier_grpc_status_test::theirs::foreign const& e) {
    return e.number == 14 ? pushback::after(std::chrono::seconds{2}) : pushback{};
  }
};
template <>
struct anew::result_traits<classifier_grpc_status_test::theirs::status> : anew::grpc::status_result {};

namespace classifier_grpc_status_test {
namespace {

using namespace std::chrono_literals;
using anew::directive;
using anew::error_kind;
using anew::failure;
using anew::grpc::code_set;
using anew::grpc::codes;
using anew::grpc::parse_pushback;
using anew::grpc::pushback;
using anew::grpc::status_classifier;
using anew::grpc::status_code;
using anew::retry_safety;

TEST(GrpcStatus, CodesHaveTheNumbersAndNamesOfGrpc) {
  EXPECT_EQ(static_cast<int>(status_code::resource_exhausted), 8);
  EXPECT_EQ(static_cast<int>(status_code::unavailable), 14);
  EXPECT_EQ(static_cast<int>(status_code::unauthenticated), 16);
  EXPECT_EQ(to_string(status_code::ok), "OK");
  EXPECT_EQ(to_string(status_code::deadline_exceeded), "DEADLINE_EXCEEDED");
  EXPECT_EQ(to_string(status_code::unauthenticated), "UNAUTHENTICATED");
  EXPECT_EQ(to_string(static_cast<status_code>(17)), "UNKNOWN");
  EXPECT_EQ(anew::grpc::to_status_code(14), status_code::unavailable);
  EXPECT_EQ(anew::grpc::to_status_code(16), status_code::unauthenticated);
  EXPECT_EQ(anew::grpc::to_status_code(17), status_code::unknown);
  EXPECT_EQ(anew::grpc::to_status_code(-1), status_code::unknown);
  for (int i = 0; i != 17; ++i) {
    auto const code = static_cast<status_code>(i);
    EXPECT_EQ(anew::grpc::parse_status_code(to_string(code)), code);
  }
  EXPECT_FALSE(anew::grpc::parse_status_code("unavailable"));
  EXPECT_FALSE(anew::grpc::parse_status_code(""));
}

TEST(GrpcStatus, NamedCodesAreRetriedAndNoOther) {
  constexpr status_classifier<> classifier{};
  EXPECT_EQ(classifier.classify(status_code::unavailable),
            directive::retry(failure{error_kind::transient, retry_safety::yes, std::nullopt}));
  for (int i = 1; i != 17; ++i) {
    EXPECT_EQ(classifier.classify(static_cast<status_code>(i)).is_failure(), i != 14) << i;
  }
  EXPECT_TRUE(classifier.classify(status_code::ok).is_success());
  EXPECT_TRUE(classifier.classify_result(status_code::ok).is_success());
  EXPECT_TRUE(classifier.classify_result(status_code::unavailable).is_retry());
}

TEST(GrpcStatus, KindsOfErrors) {
  status_classifier const all{code_set{0x1fffe}};
  auto const kind = [&](status_code code) { return all.classify(code).what().kind; };
  EXPECT_EQ(kind(status_code::resource_exhausted), error_kind::throttling);
  EXPECT_EQ(kind(status_code::deadline_exceeded), error_kind::timeout);
  EXPECT_EQ(kind(status_code::unavailable), error_kind::transient);
  EXPECT_EQ(kind(status_code::aborted), error_kind::transient);
  EXPECT_EQ(kind(status_code::cancelled), error_kind::transient);
  EXPECT_EQ(kind(status_code::internal), error_kind::server);
  EXPECT_EQ(kind(status_code::unknown), error_kind::server);
  EXPECT_EQ(kind(status_code::data_loss), error_kind::server);
  EXPECT_EQ(kind(status_code::invalid_argument), error_kind::client);
  EXPECT_EQ(kind(status_code::unauthenticated), error_kind::client);
}

TEST(GrpcStatus, ReadsTypesOfOthersByNumber) {
  constexpr status_classifier<> classifier{};
  EXPECT_TRUE(classifier.classify(theirs::status{theirs::StatusCode::kUnavailable}).is_retry());
  EXPECT_TRUE(classifier.classify(theirs::status{theirs::StatusCode::kFromTheFuture}).is_failure());
  EXPECT_TRUE(classifier.classify(theirs::pushed{theirs::StatusCode::kUnavailable}).is_retry());
  EXPECT_EQ(classifier.classify(theirs::foreign{14}).what().hint, 2s);
  EXPECT_TRUE(classifier.classify(theirs::foreign{13}).is_failure());
  static_assert(anew::ReadableResult<theirs::status>);
  static_assert(!anew::ClassifierOf<status_classifier<>, theirs::no_status>);
  static_assert(!anew::ClassifierOf<status_classifier<>, int>);
}

TEST(GrpcStatus, PushbackIsReadAsA6Says) {
  EXPECT_EQ(parse_pushback("0"), pushback::after(0ms));
  EXPECT_EQ(parse_pushback("5"), pushback::after(5ms));
  EXPECT_EQ(parse_pushback("120000"), pushback::after(2min));
  EXPECT_EQ(parse_pushback("2147483647"), pushback::after(2147483647ms));
  for (std::string_view const forbids : {"-1", "-2147483648", "2147483648", "9999999999", "10000000000", "", " 5", "5 ",
                                         "+5", "05", "00", "-0", "5ms", "0.5", "1e3", "x", "99999999999999999999"}) {
    EXPECT_EQ(parse_pushback(forbids), pushback::do_not_retry()) << forbids;
  }
  EXPECT_FALSE(pushback{}.forbids());
  EXPECT_FALSE(pushback{}.delay());
  EXPECT_TRUE(pushback::do_not_retry().forbids());
}

TEST(GrpcStatus, PushbackDecides) {
  constexpr status_classifier<> classifier{};
  using theirs::StatusCode;
  auto const classify = [&](StatusCode code, pushback p) { return classifier.classify(theirs::pushed{code, p}); };
  EXPECT_EQ(classify(StatusCode::kUnavailable, pushback::after(5ms)).what().hint, 5ms);
  auto const forbidden = classify(StatusCode::kUnavailable, pushback::do_not_retry());
  EXPECT_EQ(forbidden, directive::retry(failure{error_kind::transient, retry_safety::no, std::nullopt}));
  // Counts as a failure for a throttle, though the code is not named; so it is not the kind of a caller's fault.
  auto const other = classify(static_cast<StatusCode>(3), pushback::do_not_retry());
  EXPECT_EQ(other, directive::retry(failure{error_kind::server, retry_safety::no, std::nullopt}));
  EXPECT_TRUE(classify(static_cast<StatusCode>(3), pushback::after(5ms)).is_failure());
  EXPECT_TRUE(classify(StatusCode::kOk, pushback::do_not_retry()).is_success());
}

// Whatever its type: a pushback that is not heard would come back too early, or override a server that forbids retries.
TEST(GrpcStatus, HearsAPushbackOfEveryTypeThatNamesADelay) {
  status_classifier<> const classifier{};
  using optional = std::optional<anew::duration>;
  EXPECT_EQ(classifier.classify(theirs::says<optional>{30ms}).what().hint, 30ms);
  EXPECT_EQ(classifier.classify(theirs::says<optional>{}).what().hint, anew::asked_delay{});
  EXPECT_EQ(classifier.classify(theirs::says<optional>{-1ms}).what().safety, anew::retry_safety::no);
  EXPECT_EQ(classifier.classify(theirs::says<std::chrono::milliseconds>{30ms}).what().hint, 30ms);
  EXPECT_EQ(classifier.classify(theirs::says<std::chrono::milliseconds>{-1ms}).what().safety, anew::retry_safety::no);
  EXPECT_EQ(classifier.classify(theirs::says<std::optional<std::chrono::milliseconds>>{30ms}).what().hint, 30ms);
}

TEST(GrpcStatus, DescribesItsCodes) {
  EXPECT_EQ(status_classifier<>{}.describe(), "grpc_status(UNAVAILABLE)");
  constexpr auto two = codes(status_code::unavailable, status_code::aborted);
  EXPECT_EQ(status_classifier<two>{}.describe(), "grpc_status(ABORTED,UNAVAILABLE)");
  EXPECT_EQ(status_classifier{two}.describe(), "grpc_status(ABORTED,UNAVAILABLE)");
  EXPECT_REJECTED(status_classifier{code_set{}},
                  "anew::grpc::status_classifier: codes must be one at least and not OK, but is none");
  EXPECT_REJECTED(status_classifier{codes(status_code::ok)},
                  "anew::grpc::status_classifier: codes must be one at least and not OK, but is OK");
  EXPECT_REJECTED(status_classifier{code_set{1U << 17U}},
                  "anew::grpc::status_classifier: codes must be one at least and not OK, but is none");
}

static_assert(anew::Classifier<status_classifier<>>);
static_assert(std::is_empty_v<status_classifier<>>);
static_assert(sizeof(status_classifier{code_set{2}}) == 4);
static_assert(status_classifier<>::is_sound);
static_assert(status_classifier<code_set{1U << 16U}>::is_sound);
static_assert(!status_classifier<code_set{}>::is_sound);
static_assert(!status_classifier<codes(status_code::ok, status_code::internal)>::is_sound);
static_assert(!status_classifier<code_set{1U << 17U}>::is_sound);

}  // namespace
}  // namespace classifier_grpc_status_test
