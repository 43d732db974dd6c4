// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <future>
#include <ios>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/base/result_traits.hpp"
#include "anew/policies/classifier/error_code.hpp"
#include "anew/policies/classifier/grpc_status.hpp"
#include "anew/policies/classifier/http_status.hpp"
#include "anew/policies/classifier/http_statuses.hpp"

#include "names.hpp"
#include "rejection.hpp"

namespace classifier_statuses_test {
namespace {

using namespace anew;
using grpc::code_set, grpc::codes, grpc::parse_pushback, grpc::pushback, grpc::status_classifier, grpc::status_code;

struct response {
  int code;
  std::optional<duration> after{};
  [[nodiscard]] int status() const { return code; }
  [[nodiscard]] std::optional<duration> retry_after() const { return after; }
};
struct without_hint {
  std::uint16_t code;
  [[nodiscard]] std::uint16_t status() const { return code; }
};
struct foreign {
  int code;
};
struct both {
  [[nodiscard]] static int status() { return 200; }
};
struct no_status {};
enum class plain_enum { any };

}  // namespace
}  // namespace classifier_statuses_test

template <>
struct anew::http_traits<classifier_statuses_test::foreign> {
  static int status(classifier_statuses_test::foreign const& f) { return f.code; }
  static std::optional<duration> retry_after(classifier_statuses_test::foreign const& f) {
    return std::chrono::seconds{f.code - 500};
  }
};
template <>
struct anew::http_traits<classifier_statuses_test::both> {
  static int status(classifier_statuses_test::both const& /*b*/) { return 429; }
};

namespace classifier_statuses_test {
namespace {

failure is(error_kind kind, retry_safety safety, std::optional<duration> hint = {}) { return {kind, safety, hint}; }

TEST(HttpStatus, TheSixByDefaultAndNoOther) {
  using enum error_kind;
  using enum retry_safety;
  std::map<int, failure> const retried{
      {0, is(transient, maybe)},   {408, is(timeout, yes)},   {429, is(throttling, yes)}, {500, is(server, maybe)},
      {502, is(transient, maybe)}, {503, is(transient, yes)}, {504, is(timeout, maybe)}};
  for (int status = -1; status <= 1000; ++status) {
    auto const found = retried.find(status);
    auto const verdict = found == retried.end() ? directive::fail() : directive::retry(found->second);
    EXPECT_EQ(http_status_classifier<>::classify(status), verdict) << status;
  }
}

TEST(HttpStatus, NamedOnesInsteadOfTheDefaults) {
  using c = http_status_classifier<409, 503>;
  EXPECT_EQ(c::classify(409).what(), is(error_kind::transient, retry_safety::maybe));
  EXPECT_EQ(c::classify(503).what(), is(error_kind::transient, retry_safety::yes));
  EXPECT_TRUE(c::classify(429).is_failure());
  EXPECT_TRUE(c::classify(500).is_failure());
  EXPECT_EQ(c::describe(), "http_status(409,503)");
  EXPECT_EQ(http_status_classifier<>::describe(), "http_status(408,429,500,502,503,504)");
  EXPECT_TRUE(http_status_classifier<409>::classify(409).is_retry());
  EXPECT_TRUE(http_status_classifier<409>::classify(503).is_failure());
}

TEST(HttpStatus, AResponseBelow400IsASuccess) {
  using c = http_status_classifier<>;
  for (int status = 1; status != 600; ++status) {
    EXPECT_EQ(c::classify_result(response{status}).is_success(), status >= 100 && status < 400) << status;
    EXPECT_EQ(c::classify_result(status), c::classify_result(response{status})) << status;
  }
  EXPECT_EQ(c::classify_result(response{404}), directive::fail());
  EXPECT_TRUE(c::classify_result(response{503}).is_retry());
}

TEST(HttpStatus, RetryAfterIsHeardAndANegativeOneIsNone) {
  using c = http_status_classifier<>;
  EXPECT_EQ(c::classify(response{503, 7s}).what().hint, 7s);
  EXPECT_EQ(c::classify(response{503, 0s}).what().hint, 0s);
  EXPECT_EQ(c::classify(response{503, -1ns}).what().hint, std::nullopt);
  EXPECT_EQ(c::classify(response{503}).what().hint, std::nullopt);
  EXPECT_EQ(c::classify(without_hint{503}).what().hint, std::nullopt);
  EXPECT_EQ(c::classify(foreign{503}).what().hint, 3s);
  EXPECT_EQ(http_status_classifier<429>::classify(foreign{429}).what().hint, std::nullopt);
}

TEST(HttpStatus, ReadsStatusByTraitsByMemberOrAsANumber) {
  using c = http_status_classifier<>;
  static_assert(ClassifierOf<c, response> && ClassifierOf<c, without_hint>);
  static_assert(ClassifierOf<c, foreign> && ClassifierOf<c, int> && ClassifierOf<c, long>);
  static_assert(!ClassifierOf<c, bool> && !ClassifierOf<c, no_status>);
  static_assert(!ClassifierOf<c, double> && !ClassifierOf<c, plain_enum> && !ClassifierOf<c, unknown_exception>);
  EXPECT_EQ(c::classify(both{}).what().kind, error_kind::throttling);  // traits win
  EXPECT_TRUE(c::classify(std::int64_t{503}).is_retry());
}

struct answer {
  int status;
};

TEST(HttpStatuses, DecideAsThoseThatAreNamedInAType) {
  http_statuses const some{429, 503, 301, http::any_4xx};
  for (int status = -1; status != 1000; ++status) {
    using same = http_status_classifier<301, http::any_4xx, 503>;
    EXPECT_EQ(some.classify(status), same::classify(status)) << status;
    EXPECT_EQ(some.classify_result(answer{status}), same::classify_result(answer{status})) << status;
    EXPECT_EQ(http_statuses{}.classify(status), http_status_classifier<>::classify(status)) << status;
  }
  EXPECT_EQ(some.describe(), "http_status(301,4xx,503)");
  EXPECT_EQ(some.describe(), (http_status_classifier<503, 429, http::any_4xx, 301>::describe()));
  EXPECT_EQ(http_statuses{}.describe(), http_status_classifier<>::describe());
}

TEST(HttpStatuses, AreEqualWhereTheyRetryTheSame) {
  http_statuses one_by_one{500};
  for (int status = 501; status != 599; ++status) one_by_one.add(status);
  EXPECT_NE(one_by_one, http_statuses{http::any_5xx});
  one_by_one.add(599);
  EXPECT_EQ(one_by_one, http_statuses{http::any_5xx});
  EXPECT_EQ(one_by_one.describe(), "http_status(5xx)");
}

#if ANEW_EXCEPTIONS
TEST(HttpStatuses, RefuseWhatIsNoStatus) {
  for (int const wrong : {0, 99, 600, -1, -3, -6}) EXPECT_THROW(http_statuses{wrong}, std::invalid_argument) << wrong;
  EXPECT_THROW((http_statuses(std::initializer_list<int>{})), std::invalid_argument);
}
#endif
}  // namespace
namespace theirs {

enum class StatusCode : int { kOk = 0, kCancelled = 1, kDeadlineExceeded = 4, kUnavailable = 14, kFromTheFuture = 99 };
/// As grpc::Status.
struct status {
  StatusCode code_ = StatusCode::kOk;
  std::string text{};
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
  grpc::pushback pushback_{};
  [[nodiscard]] StatusCode code() const { return code_; }
  [[nodiscard]] grpc::pushback retry_pushback() const { return pushback_; }
};
struct foreign {
  int number;
};
struct no_status {
  [[nodiscard]] std::string_view code() const { return "x"; }
};

}  // namespace theirs
}  // namespace classifier_statuses_test

template <>
struct anew::grpc::status_traits<classifier_statuses_test::theirs::foreign> {
  static int code(classifier_statuses_test::theirs::foreign const& e) { return e.number; }
  static pushback pushback_of(classifier_statuses_test::theirs::foreign const& e) {
    return e.number == 14 ? pushback::after(std::chrono::seconds{2}) : pushback{};
  }
};
template <>
struct anew::result_traits<classifier_statuses_test::theirs::status> : anew::grpc::status_result {};

namespace classifier_statuses_test {
namespace {

TEST(GrpcStatus, CodesHaveTheNumbersAndNamesOfGrpc) {
  using row = std::pair<int, char const*>;
  for (auto const& [number, name] : {row{0, "OK"}, row{4, "DEADLINE_EXCEEDED"}, row{8, "RESOURCE_EXHAUSTED"},
                                     row{14, "UNAVAILABLE"}, row{16, "UNAUTHENTICATED"}, row{17, "UNKNOWN"}}) {
    EXPECT_EQ(to_string(static_cast<status_code>(number)), name);
  }
  EXPECT_EQ(grpc::to_status_code(17), status_code::unknown);
  EXPECT_EQ(grpc::to_status_code(-1), status_code::unknown);
  for (int i = 0; i != 17; ++i) {
    auto const code = grpc::to_status_code(i);
    EXPECT_EQ(static_cast<int>(code), i);
    EXPECT_EQ(grpc::parse_status_code(to_string(code)), code);
  }
  EXPECT_FALSE(grpc::parse_status_code("unavailable"));
  EXPECT_FALSE(grpc::parse_status_code(""));
}

TEST(GrpcStatus, NamedCodesAreRetriedAndNoOther) {
  constexpr status_classifier<> classifier{};
  EXPECT_EQ(classifier.classify(status_code::unavailable),
            directive::retry(failure{error_kind::transient, retry_safety::yes, std::nullopt}));
  for (int i = 1; i != 17; ++i) EXPECT_EQ(classifier.classify(static_cast<status_code>(i)).is_failure(), i != 14) << i;
  EXPECT_TRUE(classifier.classify(status_code::ok).is_success());
  EXPECT_TRUE(classifier.classify_result(status_code::ok).is_success());
  EXPECT_TRUE(classifier.classify_result(status_code::unavailable).is_retry());
}

TEST(GrpcStatus, KindsOfErrors) {
  using enum status_code;
  using row = std::pair<error_kind, std::vector<status_code>>;
  for (auto const& [kind, of] :
       {row{error_kind::throttling, {resource_exhausted}}, row{error_kind::timeout, {deadline_exceeded}},
        row{error_kind::transient, {unavailable, aborted, cancelled}},
        row{error_kind::server, {internal, unknown, data_loss}},
        row{error_kind::client, {invalid_argument, unauthenticated}}}) {
    for (auto const code : of)
      EXPECT_EQ(status_classifier{codes(code)}.classify(code).what().kind, kind) << to_string(code);
  }
}

TEST(GrpcStatus, ReadsTypesOfOthersByNumber) {
  constexpr status_classifier<> classifier{};
  EXPECT_TRUE(classifier.classify(theirs::status{theirs::StatusCode::kUnavailable}).is_retry());
  EXPECT_TRUE(classifier.classify(theirs::status{theirs::StatusCode::kFromTheFuture}).is_failure());
  EXPECT_TRUE(classifier.classify(theirs::pushed{theirs::StatusCode::kUnavailable}).is_retry());
  EXPECT_EQ(classifier.classify(theirs::foreign{14}).what().hint, 2s);
  EXPECT_TRUE(classifier.classify(theirs::foreign{13}).is_failure());
  static_assert(ReadableResult<theirs::status> && !ClassifierOf<status_classifier<>, theirs::no_status>);
  static_assert(!ClassifierOf<status_classifier<>, int>);
}

TEST(GrpcStatus, AnAttemptThatItsTimeoutEndedHasDeadlineExceeded) {
  using anew::timed_out_result;
  using theirs::StatusCode;
  EXPECT_EQ(timed_out_result<status_code>::make(status_code::cancelled), status_code::deadline_exceeded);
  auto const made = timed_out_result<theirs::status>::make({StatusCode::kCancelled});
  EXPECT_EQ(made.error_code(), StatusCode::kDeadlineExceeded);
  EXPECT_FALSE(made.text.empty());
  static_assert(!anew::detail::MakesTimedOutResult<theirs::pushed>, "nobody declared it as a status");
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
  using optional = std::optional<duration>;
  EXPECT_EQ(classifier.classify(theirs::says<optional>{30ms}).what().hint, 30ms);
  EXPECT_EQ(classifier.classify(theirs::says<optional>{}).what().hint, asked_delay{});
  EXPECT_EQ(classifier.classify(theirs::says<optional>{-1ms}).what().safety, retry_safety::no);
  EXPECT_EQ(classifier.classify(theirs::says<std::chrono::milliseconds>{30ms}).what().hint, 30ms);
  EXPECT_EQ(classifier.classify(theirs::says<std::chrono::milliseconds>{-1ms}).what().safety, retry_safety::no);
  EXPECT_EQ(classifier.classify(theirs::says<std::optional<std::chrono::milliseconds>>{30ms}).what().hint, 30ms);
}

TEST(GrpcStatus, DescribesItsCodes) {
  constexpr auto two = codes(status_code::unavailable, status_code::aborted);
  EXPECT_EQ(status_classifier<two>{}.describe(), "grpc_status(ABORTED,UNAVAILABLE)");
  EXPECT_EQ(status_classifier{two}.describe(), "grpc_status(ABORTED,UNAVAILABLE)");
  std::string const why = "anew::grpc::status_classifier: codes must be one at least and not OK, but is ";
  EXPECT_REJECTED(status_classifier{code_set{}}, why + "none");
  EXPECT_REJECTED(status_classifier{codes(status_code::ok)}, why + "OK");
  EXPECT_REJECTED(status_classifier{code_set{1U << 17U}}, why + "none");
}

static_assert(Classifier<status_classifier<>> && std::is_empty_v<status_classifier<>>);
static_assert(sizeof(status_classifier{code_set{2}}) == 4 && status_classifier<>::is_sound);
static_assert(status_classifier<code_set{1U << 16U}>::is_sound && !status_classifier<code_set{}>::is_sound);
static_assert(!status_classifier<codes(status_code::ok, status_code::internal)>::is_sound);
static_assert(!status_classifier<code_set{1U << 17U}>::is_sound);

enum class store { fine, busy, slow, gone, lost };
enum class store_condition { never, tired };

/// A category of a library's own: two of its codes are mapped to the generic category, each in another way.
struct store_category_type : std::error_category {
  [[nodiscard]] char const* name() const noexcept override { return "store"; }
  [[nodiscard]] std::string message(int /*code*/) const override { return "store"; }
  [[nodiscard]] std::error_condition default_error_condition(int code) const noexcept override {
    if (static_cast<store>(code) == store::slow) return std::errc::timed_out;
    return {code, *this};
  }
  [[nodiscard]] bool equivalent(int code, std::error_condition const& condition) const noexcept override {
    if (static_cast<store>(code) == store::lost && condition == std::errc::connection_reset) return true;
    return std::error_category::equivalent(code, condition);
  }
};
std::error_category const& store_category() {
  static store_category_type const category;
  return category;
}
/// A condition that codes of several categories meet.
struct tired_category_type : std::error_category {
  [[nodiscard]] char const* name() const noexcept override { return "tired"; }
  [[nodiscard]] std::string message(int /*code*/) const override { return "tired"; }
  [[nodiscard]] bool equivalent(std::error_code const& code, int condition) const noexcept override {
    return condition == static_cast<int>(store_condition::tired) &&
           (code == std::errc::timed_out || code == std::error_code{static_cast<int>(store::busy), store_category()});
  }
};
std::error_category const& tired_category() {
  static tired_category_type const category;
  return category;
}
std::error_code make_error_code(store code) { return {static_cast<int>(code), store_category()}; }
std::error_condition make_error_condition(store_condition condition) {
  return {static_cast<int>(condition), tired_category()};
}

}  // namespace
}  // namespace classifier_statuses_test

template <>
struct std::is_error_code_enum<classifier_statuses_test::store> : std::true_type {};
template <>
struct std::is_error_condition_enum<classifier_statuses_test::store_condition> : std::true_type {};

namespace classifier_statuses_test {
namespace {

TEST(ErrorCode, TheTableAndNothingElse) {
  using enum std::errc;
  std::map<std::errc, failure> expected{{timed_out, is(error_kind::timeout, retry_safety::maybe)}};
  for (auto const sent_or_not :
       {connection_reset, connection_aborted, network_reset, broken_pipe, resource_unavailable_try_again,
        operation_would_block, interrupted, no_buffer_space, host_unreachable, network_unreachable}) {
    expected[sent_or_not] = is(error_kind::transient, retry_safety::maybe);
  }
  for (auto const never_sent : {connection_refused, network_down, address_not_available, device_or_resource_busy}) {
    expected[never_sent] = is(error_kind::transient, retry_safety::yes);
  }
  int retried = 0;
  for (int code = 0; code != 200; ++code) {
    auto const known = expected.find(static_cast<std::errc>(code));
    auto const want = known != expected.end() ? directive::retry(known->second) : directive::fail();
    retried += want.is_retry() ? 1 : 0;
    EXPECT_EQ(error_code_classifier::classify(static_cast<std::errc>(code)), want) << code;
    EXPECT_EQ(error_code_classifier::classify(std::error_code{code, std::generic_category()}), want) << code;
    EXPECT_EQ(error_code_classifier::classify(std::error_code{code, std::system_category()}), want) << code;
    EXPECT_EQ(error_code_classifier::classify(std::error_condition{code, std::generic_category()}), want) << code;
    EXPECT_EQ(error_code_classifier::classify(std::system_error{code, std::generic_category()}), want) << code;
  }
  EXPECT_EQ(retried, static_cast<int>(expected.size()));
}

/// Expects this verdict of each error.
template <class C>
void says(directive const& verdict, auto const&... errors) {
  int at = 0;
  auto const is_said = [&](auto const& error) {
    EXPECT_EQ(C::classify(error), verdict) << C::describe() << ": " << at;
  };
  ((++at, is_said(errors)), ...);
}

// The number alone says nothing: the same one means something else in another category.
TEST(ErrorCode, ACategoryOfItsOwnIsAskedWhatItsCodesMean) {
  std::error_code const number_of_another{static_cast<int>(std::errc::connection_refused), store_category()};
  using c = error_code_classifier;
  says<c>(directive::fail(), number_of_another, store::gone, store_condition::tired, std::io_errc::stream,
          std::future_errc::broken_promise);
  EXPECT_EQ(c::classify(store::slow).what(), is(error_kind::timeout, retry_safety::maybe));
  EXPECT_EQ(c::classify(make_error_code(store::lost)).what(), is(error_kind::transient, retry_safety::maybe));
}

TEST(ErrorCode, ReadsCodesOnly) {
  using c = error_code_classifier;
  static_assert(ClassifierOf<c, std::error_code> && ClassifierOf<c, std::error_condition>);
  static_assert(ClassifierOf<c, std::errc> && ClassifierOf<c, std::io_errc>);
  static_assert(ClassifierOf<c, store> && ClassifierOf<c, store_condition>);
  static_assert(ClassifierOf<c, std::system_error> && ClassifierOf<c, std::ios_base::failure>);
  static_assert(!ClassifierOf<c, int> && !ClassifierOf<c, error_kind>);
  static_assert(!ClassifierOf<c, std::runtime_error> && !ClassifierOf<c, unknown_exception>);
  static_assert(!detail::ReadsResult<c, std::error_code>);
  static_assert(std::is_same_v<c::catches, catch_list<std::system_error>> && std::is_empty_v<c>);
  EXPECT_EQ(c::describe(), "error_code");
}

directive const late = directive::retry(error_kind::timeout);
directive const transient = directive::retry(error_kind::transient);

TEST(RetryOnCodes, TheNamedOnesAndNoOther) {
  using c = retry_on_codes<std::errc::timed_out, std::errc::file_exists>;
  says<c>(late, std::errc::timed_out, std::system_error{std::make_error_code(std::errc::timed_out)});
  says<c>(transient, std::errc::file_exists, std::make_error_code(std::errc::file_exists),
          std::make_error_condition(std::errc::file_exists));
  says<c>(directive::fail(), std::errc::connection_refused, std::error_code{});
}

TEST(RetryOnCodes, AConditionFitsCodesOfEveryCategoryAndACodeItself) {
  using by_condition = retry_on_codes<std::errc::timed_out>;
  says<by_condition>(late, store::slow);
  says<by_condition>(directive::fail(), store::busy);
  using by_code = retry_on_codes<store::busy, store::slow>;
  says<by_code>(transient, store::busy);
  says<by_code>(late, store::slow, std::errc::timed_out);  // the condition that it is
  says<by_code>(directive::fail(), store::gone, std::make_error_code(std::errc::timed_out));  // not the store's
  using by_own_condition = retry_on_codes<store_condition::tired>;
  says<by_own_condition>(transient, store::busy);
  says<by_own_condition>(late, std::error_code{ETIMEDOUT, std::system_category()});
  says<by_own_condition>(directive::fail(), store::gone);
}

TEST(RetryOnCodes, DescribesItselfAndIsRefusedWithoutCodes) {
  using c = retry_on_codes<store::busy, std::errc::timed_out>;
  EXPECT_EQ(c::describe(), "retry_on_codes(store:1,generic:" + std::to_string(ETIMEDOUT) + ")");
  static_assert(std::is_empty_v<c> && Composable<c> && std::is_same_v<c::catches, catch_list<std::system_error>>);
  static_assert(!Composable<retry_on_codes<>> && !Composable<retry_on_codes<110>>);
  static_assert(!Composable<retry_on_codes<std::errc::timed_out, error_kind::timeout>> && !ClassifierOf<c, int>);
}

}  // namespace
}  // namespace classifier_statuses_test
