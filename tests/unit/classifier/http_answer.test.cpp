// SPDX-License-Identifier: BSL-1.0
// How the statuses of HTTP clients are read, whatever they are called. The types are shaped as cpr's and cpp-httplib's.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/http.hpp"
#include "anew/policies/classifier/any_of.hpp"
#include "anew/policies/history/history.hpp"

#include "failed_answer.hpp"
#include "names.hpp"

namespace classifier_http_answer_test {
namespace {

using anew::http_status_classifier;
using statuses = http_status_classifier<>;
using reader = anew::http::classifier<>;

enum class scoped : unsigned { ok = 200, unavailable = 503 };
enum unscoped : std::uint8_t { unscoped_zero, unscoped_one };

struct by_member {
  int status;
};
struct by_status_code {
  std::int64_t status_code;
};
struct status_before_code {
  int code;
  int status;
};
#define IS_NO_STATUS(Name, ...) \
  struct Name {                 \
    __VA_ARGS__                 \
  };                            \
  static_assert(!anew::ClassifierOf<statuses, Name>)
IS_NO_STATUS(code_of_a_library, unscoped code;);
IS_NO_STATUS(text_status, std::string status;);
class hidden {
  [[maybe_unused]] int status = 503;
};
IS_NO_STATUS(error_code_as_code, std::error_code value; [[nodiscard]] std::error_code code() const { return value; });
#undef IS_NO_STATUS

template <class T>
bool reads_503(T const& busy, T const& fine) {
  auto const verdict = statuses::classify_result(busy);
  return verdict == directive::retry(failure{error_kind::transient, retry_safety::yes}) &&
         statuses::classify_result(fine).is_success() && reader{}.classify_result(busy) == verdict &&
         reader{}.classify_result(fine).is_success();
}

TEST(HttpAnswer, EachNameOfAStatus) {
/// A response of these members.
#define READS(Busy, Fine, ...)                                          \
  [] {                                                                  \
    struct answer {                                                     \
      __VA_ARGS__                                                       \
    };                                                                  \
    EXPECT_TRUE(reads_503(answer{Busy}, answer{Fine})) << #__VA_ARGS__; \
  }()
  READS(503, 200, long value; [[nodiscard]] long status() const { return value; });
  READS(scoped::unavailable, scoped::ok, scoped status;);
  READS(503, 200, std::uint16_t value; [[nodiscard]] std::uint16_t status_code() const { return value; });
  READS(503, 200, int value; [[nodiscard]] int statusCode() const { return value; });
  READS(503, 200, int http_status;);
  READS(503, 200, int code;);
  READS(scoped::unavailable, scoped::ok, scoped value; [[nodiscard]] scoped code() const { return value; });
  READS(503, 200, unsigned value; [[nodiscard]] unsigned result_int() const { return value; });
#undef READS
  EXPECT_TRUE(reads_503(503, 200));
  EXPECT_TRUE(reads_503(by_member{503}, by_member{200}));
  EXPECT_TRUE(reads_503(by_status_code{503}, by_status_code{200}));
  EXPECT_TRUE(reads_503(status_before_code{200, 503}, status_before_code{503, 200}));
}

TEST(HttpAnswer, WhatIsNoStatus) {
  static_assert(!anew::ClassifierOf<statuses, hidden>);
  static_assert(!anew::ClassifierOf<statuses, std::errc> && !anew::ClassifierOf<statuses, std::error_code>);
  EXPECT_TRUE(statuses::classify_result(by_status_code{5'030'000'000'503}).is_failure());
  EXPECT_TRUE(statuses::classify_result(by_member{-503}).is_failure());
}

// Shaped as httplib::Result and its Error.
enum class client_error { Success, Unknown, Connection, Read, Canceled, SSLServerVerification, ConnectionTimeout };
struct client_response {
  int status = -1;
  std::multimap<std::string, std::string> headers{};
  [[nodiscard]] std::string get_header_value(std::string const& name, char const* otherwise = "",
                                             std::size_t /*id*/ = 0) const {
    auto const found = headers.find(name);
    return found == headers.end() ? otherwise : found->second;
  }
};
class client_result {
 public:
  client_result(client_response r) : response_{std::make_unique<client_response>(std::move(r))} {}  // NOLINT
  client_result(client_error e) : error_{e} {}                                                      // NOLINT
  explicit operator bool() const { return response_ != nullptr; }
  [[nodiscard]] client_response const& operator*() const { return *response_; }
  [[nodiscard]] client_response const* operator->() const { return response_.get(); }
  [[nodiscard]] client_error error() const { return error_; }

 private:
  std::unique_ptr<client_response> response_;
  client_error error_ = client_error::Success;
};

directive retried(error_kind kind, retry_safety safety) { return directive::retry({kind, safety, {}}); }
directive const may_have_run = retried(error_kind::transient, retry_safety::maybe);
directive const did_not_run = retried(error_kind::transient, retry_safety::yes);

TEST(HttpAnswer, AResultThatPointsToItsResponse) {
  using c = statuses;
  EXPECT_TRUE(reads_503(client_result{client_response{503}}, client_result{client_response{200}}));
  EXPECT_TRUE(c::classify_result(client_result{client_response{404}}).is_failure());
  EXPECT_EQ(c::classify_result(client_result{client_error::Connection}), did_not_run);
  EXPECT_EQ(c::classify_result(client_result{client_error::ConnectionTimeout}),
            retried(error_kind::timeout, retry_safety::yes));
  EXPECT_EQ(c::classify_result(client_result{client_error::Read}), may_have_run);
  EXPECT_TRUE(c::classify_result(client_result{client_error::Canceled}).is_failure());
  EXPECT_TRUE(c::classify_result(client_result{client_error::SSLServerVerification}).is_failure());
  EXPECT_EQ(reader{}.classify_result(client_result{client_response{429, {{"Retry-After", "7"}}}}).what().hint, 7s);
  static_assert(anew::detail::ReadsWhole<c, client_result> && anew::detail::ReadsWhole<reader, client_result>);
}

TEST(HttpAnswer, AnOptionalResponse) {
  using answer = std::optional<by_member>;
  EXPECT_TRUE(reads_503(answer{by_member{503}}, answer{by_member{200}}));
  EXPECT_EQ(statuses::classify_result(answer{}), may_have_run);
  EXPECT_TRUE(reads_503(std::make_shared<by_member>(503), std::make_shared<by_member>(200)));
}

// Shaped as cpr::Response and its Error.
struct transfer_error {
  enum class kind { OK, COULDNT_CONNECT, OPERATION_TIMEDOUT, RECV_ERROR, ABORTED_BY_CALLBACK, URL_MALFORMAT } code{};
  std::string message{};
  explicit operator bool() const { return code != kind::OK; }
};
struct transfer_response {
  long status_code{};
  transfer_error error{};
  std::map<std::string, std::string> header{};
};
using transfer_kind = transfer_error::kind;

TEST(HttpAnswer, AStatusOfZeroIsNoResponse) {
  EXPECT_EQ(statuses::classify_result(0), may_have_run);
  EXPECT_EQ(statuses::classify_result(by_member{0}), may_have_run);
  EXPECT_EQ(http_status_classifier<429>::classify_result(by_member{0}), may_have_run);
  auto const of = [](transfer_kind kind) { return reader{}.classify_result(transfer_response{0, {kind}}); };
  EXPECT_EQ(of(transfer_kind::OK), may_have_run);
  EXPECT_EQ(of(transfer_kind::COULDNT_CONNECT), did_not_run);
  EXPECT_EQ(of(transfer_kind::OPERATION_TIMEDOUT), retried(error_kind::timeout, retry_safety::maybe));
  EXPECT_EQ(of(transfer_kind::RECV_ERROR), may_have_run);
  EXPECT_TRUE(of(transfer_kind::ABORTED_BY_CALLBACK).is_failure());
  EXPECT_TRUE(of(transfer_kind::URL_MALFORMAT).is_failure());
}

TEST(HttpAnswer, HalfAnAnswerIsAFailure) {
  auto const of = [](long status, transfer_kind kind) {
    EXPECT_EQ(statuses::classify_result(transfer_response{status, {kind}}),
              reader{}.classify_result(transfer_response{status, {kind}}));
    return statuses::classify_result(transfer_response{status, {kind}});
  };
  EXPECT_EQ(of(200, transfer_kind::RECV_ERROR), may_have_run);
  EXPECT_TRUE(of(200, transfer_kind::ABORTED_BY_CALLBACK).is_failure());
  EXPECT_TRUE(of(200, transfer_kind::OK).is_success());
  EXPECT_EQ(of(503, transfer_kind::RECV_ERROR), did_not_run);  // by the status
  EXPECT_TRUE(of(404, transfer_kind::RECV_ERROR).is_failure());
  // The request may have been answered by a redirection before the connection to the next host was refused.
  EXPECT_EQ(of(303, transfer_kind::COULDNT_CONNECT), may_have_run);
}

struct with_error_code {
  int status;
  std::error_code error;
};

TEST(HttpAnswer, AnErrorCodeBesideTheStatus) {
  auto const of = [](int status, std::errc code) {
    return reader{}.classify_result(with_error_code{status, make_error_code(code)});
  };
  EXPECT_EQ(of(0, std::errc::connection_refused), did_not_run);
  EXPECT_EQ(of(0, std::errc::timed_out), retried(error_kind::timeout, retry_safety::maybe));
  EXPECT_EQ(of(200, std::errc::connection_reset), may_have_run);
  EXPECT_TRUE(of(0, std::errc::operation_canceled).is_failure());
  EXPECT_TRUE(of(503, std::errc::connection_reset).is_retry());
  EXPECT_TRUE(reader{}.classify_result(with_error_code{204, {}}).is_success());
}

TEST(HttpAnswer, ClassesOfStatuses) {
  using server = http_status_classifier<429, anew::http::any_5xx>;
  for (int status = 100; status != 600; ++status) {
    bool const named = status == 429 || status >= 500;
    EXPECT_EQ(server::classify(status).is_retry(), named) << status;
    EXPECT_EQ(server::classify_result(status).is_success(), status < 400) << status;
    EXPECT_EQ(http_status_classifier<anew::http::any_4xx>::classify(status).is_retry(), status >= 400 && status < 500);
  }
  EXPECT_EQ(server::classify(507), may_have_run);
  EXPECT_EQ(server::describe(), "http_status(429,5xx)");
  EXPECT_EQ(http_status_classifier<anew::http::any_4xx>::describe(), "http_status(4xx)");
  static_assert(!http_status_classifier<5>::is_sound && !http_status_classifier<-3>::is_sound);
  static_assert(!http_status_classifier<600>::is_sound && !http_status_classifier<99>::is_sound);
  static_assert(http_status_classifier<100, 599>::is_sound);
  EXPECT_TRUE(http_status_classifier<202>::classify_result(202).is_retry());  // named is named
}

struct named_field {
  std::string name, value;
};
template <class Headers>
struct with_headers {
  int status;
  Headers headers;
};
template <class Headers>
anew::asked_delay asked(Headers headers) {
  return reader{}.classify_result(with_headers<Headers>{503, std::move(headers)}).what().hint;
}

TEST(HttpAnswer, OfSeveralFieldsTheFirstCountsAndOfSeveralHeadsTheLast) {
  using lines = std::vector<std::string>;
  EXPECT_EQ(asked(lines{"Retry-After: junk", "Retry-After: 5"}), anew::asked_delay::not_understood());
  EXPECT_EQ(asked(lines{"Retry-After:", "Retry-After: 5"}), anew::asked_delay{});
  EXPECT_EQ(asked(lines{"A: b\r\n", "retry-after: 5\r\n", "Retry-After: 6\r\n"}), 5s);
  EXPECT_EQ(asked(std::string{"HTTP/1.1 103 E\r\nRetry-After: 9\r\n\r\nHTTP/1.1 429 x\r\nRetry-After: 5\r\n\r\n"}), 5s);
  EXPECT_EQ(asked(std::string{"HTTP/1.1 103 E\r\nRetry-After: 9\r\n\r\nHTTP/1.1 429 x\r\nA: b\r\n\r\n"}),
            anew::asked_delay{});
  EXPECT_EQ(asked(std::string{"HTTP/1.1 429 x\r\nA: b\r\n\r\nRetry-After: 5"}), anew::asked_delay{});
}

TEST(HttpAnswer, RetryAfterInHeaders) {
  using pairs = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ((asked(std::map<std::string, std::string>{{"Server", "x"}, {"Retry-After", "7"}})), 7s);
  EXPECT_EQ((asked(std::unordered_map<std::string, std::string>{{"retry-after", "8"}})), 8s);
  EXPECT_EQ((asked(std::multimap<std::string, std::string>{{"RETRY-AFTER", "9"}})), 9s);
  EXPECT_EQ((asked(std::map<std::string, std::vector<std::string>>{{"retry-after", {"10", "20"}}})), 10s);
  EXPECT_EQ((asked(std::map<std::string, std::vector<std::string>>{{"retry-after", {}}})), std::nullopt);
  EXPECT_EQ((asked(pairs{{"Retry-Afte", "1"}, {"Retry-After", " 11 "}, {"Retry-After", "12"}})), 11s);
  EXPECT_EQ((asked(std::map<std::string_view, std::string_view>{{"Retry-After", "13"}})), 13s);
  EXPECT_EQ(asked(std::string{"HTTP/1.1 503 x\r\nServer: y\r\nretry-After: 14\r\n\r\n"}), 14s);
  EXPECT_EQ(asked(std::string{"Retry-After"}), std::nullopt);
  EXPECT_EQ((asked(std::vector<std::string>{"Server: y", "Retry-After: 18"})), 18s);
  EXPECT_EQ((asked(std::vector<named_field>{{"Server", "y"}, {"retry-after", "19"}})), 19s);
  EXPECT_EQ((asked(pairs{{"Retry-After", "soon"}})), std::nullopt);
  EXPECT_EQ((asked(pairs{{"Retry-After", "-1"}})), std::nullopt);
  EXPECT_EQ((asked(pairs{{"Retry-After", "Sun, 06 Nov 1994 08:49:37 GMT"}})), 0s);
  EXPECT_EQ(asked(pairs{}), std::nullopt);
  EXPECT_EQ(reader{}.classify_result(transfer_response{503, {}, {{"Retry-After", "15"}}}).what().hint, 15s);
}

/// Fields that are made anew for whoever looks, as by a binding of another language.
template <class Iterator>
struct made_fields {
  std::vector<std::pair<std::string, std::string>> all;
  [[nodiscard]] Iterator begin() const { return {all.data()}; }
  [[nodiscard]] Iterator end() const { return {all.data() + all.size()}; }
};
struct made_pair {
  std::pair<std::string, std::string> const* at;
  std::pair<std::string, std::string> operator*() const { return *at; }
  std::pair<std::string, std::string> const* operator->() const { return at; }
  made_pair& operator++() { return ++at, *this; }
  bool operator==(made_pair const&) const = default;
};
struct made_value {
  std::pair<std::string, std::string> const* at;
  [[nodiscard]] std::string value() const { return at->second; }
  made_value const* operator->() const { return this; }
  bool operator==(made_value const&) const = default;
};
struct made_values : made_fields<made_value> {
  [[nodiscard]] made_value find(std::string const& wanted) const {
    auto const same = [](char a, char b) { return (a | 32) == (b | 32); };
    auto const is_wanted = [&](auto const& field) { return std::ranges::equal(field.first, wanted, same); };
    return {std::to_address(std::ranges::find_if(all, is_wanted))};
  }
};

TEST(HttpAnswer, AFieldThatIsMadeForTheReaderIsKept) {
  std::vector<std::pair<std::string, std::string>> const fields{{"Date", "Sun, 06 Nov 1994 08:49:07 GMT"},
                                                                {"Retry-After", "Sun, 06 Nov 1994 08:49:37 GMT"}};
  EXPECT_EQ(asked(made_fields<made_pair>{fields}), 30s);
  EXPECT_EQ(asked(made_values{{fields}}), 30s);
}

struct says_duration {
  int status;
  std::optional<std::chrono::seconds> retry_after;
};
struct says_text {
  int status;
  [[nodiscard]] static std::string retry_after() { return "17"; }
};

TEST(HttpAnswer, RetryAfterThatTheResponseNames) {
  EXPECT_EQ(statuses::classify_result(says_duration{503, 16s}).what().hint, 16s);
  EXPECT_EQ(reader{}.classify_result(says_duration{503, 16s}).what().hint, 16s);
  EXPECT_EQ(reader{}.classify_result(says_duration{503, {}}).what().hint, std::nullopt);
  EXPECT_EQ(reader{}.classify_result(says_text{503}).what().hint, 17s);
}

struct says_number {
  int status;
  int retry_after;
};
struct says_it_when_not_const {
  int status;
  [[nodiscard]] std::chrono::seconds retry_after() { return std::chrono::seconds{status}; }
};

// A result whose retry_after() cannot be read is refused.
static_assert(statuses::accepts_result<says_duration> && reader::accepts_result<says_duration>);
static_assert(!statuses::accepts_result<says_text> && reader::accepts_result<says_text>);
static_assert(!statuses::accepts_result<says_number> && !reader::accepts_result<says_number>);
static_assert(!reader::accepts_result<std::optional<says_number>>);
static_assert(!statuses::accepts_result<says_it_when_not_const> && !reader::accepts_result<says_it_when_not_const>);

using support::expected;

TEST(HttpAnswer, AnExpectedResponseIsReadToo) {
  using answer = expected<by_member, std::error_code>;
  static_assert(anew::detail::ReadsWhole<reader, answer>);
  EXPECT_TRUE(reader{}.classify_result(answer{by_member{503}}).is_retry());
  EXPECT_TRUE(reader{}.classify_result(answer{by_member{200}}).is_success());
  EXPECT_EQ(reader{}.classify_result(answer{make_error_code(std::errc::connection_refused)}), did_not_run);
  static_assert(!anew::detail::ReadsWhole<reader, expected<by_member, std::string>>);
  static_assert(!anew::detail::ReadsWhole<reader, expected<std::string, std::error_code>>);
  int calls = 0;
  auto const fetch = [&] { return answer{by_member{++calls < 3 ? 503 : 200}}; };
  anew::http::standard const strategy{};
  EXPECT_EQ((*anew::retry(strategy, fetch, [](anew::duration) {})).status, 200);
  EXPECT_EQ(calls, 3);
  // A value has no error, whatever the classifier makes of it.
  calls = 0;
  anew::with<anew::http::standard, anew::history<4>> const remembers{};
  auto const told = anew::retry_outcome(remembers, fetch, [](anew::duration) {});
  ASSERT_EQ(told.history().size(), 2U);
  EXPECT_EQ(told.history()[0].error, std::nullopt);
}

}  // namespace
}  // namespace classifier_http_answer_test
