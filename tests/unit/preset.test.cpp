// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/drivers/retry_outcome.hpp"
#include "anew/http.hpp"
#include "anew/policies/classifier/any_of.hpp"
#include "anew/policies/classifier/caused_by.hpp"
#include "anew/policies/classifier/error_code.hpp"
#include "anew/policies/classifier/idempotent_only.hpp"
#include "anew/policies/classifier/retry_on.hpp"
#include "anew/policies/sharing/shared.hpp"
#include "anew/presets/azure.hpp"
#include "anew/presets/envoy.hpp"
#include "anew/presets/grpc.hpp"
#include "anew/presets/smithy.hpp"
#include "anew/strategy/adjusted.hpp"
#include "anew/strategy/describe.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/scripted_random.hpp"

#include "driver_support.hpp"
#include "names.hpp"
#include "rejection.hpp"

namespace preset_test {
namespace {

using namespace anew;
namespace azure = anew::azure;

TEST(AzurePreset, ReadsTheFieldsInTheirOrder) {
  auto const now = std::chrono::system_clock::from_time_t(1'700'000'000);
  std::map<std::string, std::string, std::less<>> fields;
  auto const read = [&] {
    return azure::retry_after(
        [&](std::string_view name) {
          auto const found = fields.find(name);
          return found == fields.end() ? std::nullopt : std::optional<std::string_view>{found->second};
        },
        now);
  };
  EXPECT_EQ(read(), std::nullopt);
  struct row {
    char const* name;
    char const* value;
    asked_delay is_read;  // with the fields of the rows before
  };
  for (auto const& [name, value, is_read] :
       {row{"retry-after", "7", 7s}, row{"x-ms-retry-after-ms", "1500", 1500ms}, row{"retry-after-ms", "250", 250ms},
        row{"retry-after-ms", "soon", 1500ms}, row{"x-ms-retry-after-ms", "-1", 7s},
        row{"retry-after", "Tue, 14 Nov 2023 22:14:00 GMT", 40s},
        row{"date", "Tue, 14 Nov 2023 22:13:55 GMT", 5s},  // by the server's clock
        row{"retry-after", "whenever", {}}}) {
    fields[name] = value;
    EXPECT_EQ(read(), is_read.delay()) << name << ": " << value;
  }
}

namespace envoy = anew::envoy;
using smithy::default_safety, smithy::guide_classifier, smithy::guide_example, smithy::modeled_error,
    smithy::retryable_trait;

TEST(EnvoyPreset, RateLimitedHintSpreadsUpwards) {
  using limited = anew::with<envoy::retry_policy, envoy::rate_limited_hint, scripted_random>;
  auto const delay = [](duration asked, std::uint64_t word) {
    limited const strategy{scripted_random{lowest_word, word}};
    auto const next = strategy.refresh_retry_token(strategy.acquire_initial_token(),
                                                   failure{error_kind::throttling, retry_safety::yes, asked});
    return next ? std::optional{next->delay()} : std::nullopt;
  };
  EXPECT_EQ(delay(10s, lowest_word), 10s);
  EXPECT_EQ(delay(10s, highest_word), 15s);
  EXPECT_EQ(delay(300s, highest_word), 300s);
  EXPECT_EQ(delay(301s, highest_word), 0s) << "not heeded: the backoff's own delay";
}

using namespace grpc;  // NOLINT(google-build-using-namespace)

/// A result as a stub would return it.
struct reply {
  status_code code = status_code::unavailable;
  pushback asked{};
  [[nodiscard]] bool ok() const noexcept { return code == status_code::ok; }
  [[nodiscard]] status_code error_code() const noexcept { return code; }
  [[nodiscard]] pushback retry_pushback() const noexcept { return asked; }
};

}  // namespace
}  // namespace preset_test

template <>
struct anew::result_traits<preset_test::reply> : anew::grpc::status_result {};

namespace preset_test {
namespace {

struct told {
  std::uint32_t attempts = 0;
  stop_reason reason = stop_reason::succeeded;
};

told drive(auto const& strategy, reply const& said) {
  auto const outcome = retry_outcome(strategy, [&] { return said; }, [](duration) {});
  return {outcome.attempts(), outcome.reason()};
}

TEST(GrpcPreset, AttemptsAreAtMostFive) {
  EXPECT_EQ(retry_policy<2>{}.max_attempts().value(), 2U);
  EXPECT_EQ(retry_policy<>{}.max_attempts().value(), 4U);
  EXPECT_EQ(retry_policy<5>{}.max_attempts().value(), 5U);
  EXPECT_EQ(retry_policy<6>{}.max_attempts().value(), 5U);
  EXPECT_EQ(retry_policy_2017<100>{}.max_attempts().value(), 5U);
  for (auto const& [written, made] : {std::pair{2U, 2U}, std::pair{5U, 5U}, std::pair{6U, 5U}}) {
    EXPECT_EQ(make_retry_policy({.max_attempts = written}).max_attempts().value(), made);
  }
  EXPECT_EQ(make_retry_policy({.max_attempts = 9, .most_attempts = 8}).max_attempts().value(), 8U);
}

TEST(GrpcPreset, PushbackThatForbidsEndsTheCallAndCounts) {
  retry_policy<> const strategy{};
  auto const result = drive(strategy, {status_code::unavailable, parse_pushback("-1")});
  EXPECT_EQ(result.attempts, 1U);
  EXPECT_EQ(result.reason, stop_reason::not_retryable);
  EXPECT_EQ(strategy.quota().balance(), 9U);
  drive(strategy, {status_code::invalid_argument, parse_pushback("no")});
  EXPECT_EQ(strategy.quota().balance(), 8U);
  drive(strategy, {status_code::invalid_argument});
  EXPECT_EQ(strategy.quota().balance(), 8U) << "a malformed request says nothing of the server";
}

TEST(GrpcPreset, RunTimeSettingsMakeTheSameStrategy) {
  retry_policy<> const known{};
  auto const made = make_retry_policy({}, make_throttle({}));
  EXPECT_EQ(describe(made), describe(known));
  using two = retry_policy<4, 1ms, 1ms, rational{1}, codes(status_code::internal, status_code::aborted)>;
  EXPECT_EQ(describe(two{}),
            "raised_cap(exponential(1ms,1ms,1),1/5) proportional_jitter(1/5) retry_throttle(10,1/10) "
            "grpc_status(ABORTED,INTERNAL) max_attempts(4) pushback_hint(60s)");
  auto const other = make_retry_policy({.max_attempts = 3,
                                        .initial_backoff = 10ms,
                                        .max_backoff = 20ms,
                                        .backoff_multiplier = {3, 2},
                                        .retryable_status_codes = codes(status_code::aborted),
                                        .longest_pushback = 5s});
  EXPECT_EQ(describe(other),
            "raised_cap(exponential(10ms,20ms,3/2),1/5) proportional_jitter(1/5) unlimited_quota grpc_status(ABORTED) "
            "max_attempts(3) pushback_hint(5s)");
  EXPECT_EQ(make_retry_policy({.initial_backoff = 2s, .max_backoff = 1s}).backoff().delay(1), 1s);
}

TEST(GrpcPreset, MethodsOfAServerShareItsThrottle) {
  shared const throttle{make_throttle({.max_tokens = 4, .token_ratio = rational{500, 1000}})};
  auto const one = make_retry_policy({.initial_backoff = 1ns}, throttle);
  auto const two = make_retry_policy({.initial_backoff = 1ns}, throttle);
  EXPECT_EQ(drive(one, {}).attempts, 2U);  // 3 permits, 2 does not
  EXPECT_EQ(drive(two, {}).attempts, 1U);
}

TEST(GrpcPreset, RefusesWhatA6DoesNotPermit) {
  using row = std::pair<retry_policy_settings, std::string>;
  for (auto const& [wrong, says] :
       {row{{.max_attempts = 1}, "grpc::retry_policy: maxAttempts must be at least 2, but is 1"},
        row{{.most_attempts = 1}, "grpc::retry_policy: the client's maximum must be at least 2, but is 1"},
        row{{.initial_backoff = 0s}, "grpc::retry_policy: initialBackoff must be above zero, but is 0s"},
        row{{.max_backoff = 0s}, "grpc::retry_policy: maxBackoff must be above zero, but is 0s"},
        row{{.backoff_multiplier = {1, 2}}, "exponential_backoff: factor must be at least 1, but is 1/2"}}) {
    EXPECT_REJECTED(make_retry_policy(wrong), "anew::" + says);
  }
  EXPECT_REJECTED(make_throttle({.max_tokens = 1001}),
                  "anew::retry_throttle: max_tokens must be between 1 and 1000, but is 1001");
}

struct response {
  int status;
  std::optional<duration> retry_after{};
};

auto const no_wait = [](duration) {};

#if ANEW_EXCEPTIONS
struct lost : std::runtime_error {
  using runtime_error::runtime_error;
};
struct http_error : std::runtime_error {
  explicit http_error(int code) : runtime_error{"http"}, status{code} {}
  int status;
};
struct says_no : lost {
  says_no() : lost{"no"} {}
  [[nodiscard]] static retry_safety is_retry_safe() { return retry_safety::no; }
};

template <class Strategy = anew::http::standard, class Result = response, class E>
std::uint32_t attempts_after(E const& error, bool declared = false) {
  Strategy const strategy{};
  auto const op = [&]() -> Result { throw E{error}; };
  if (declared) return retry_outcome(strategy, idempotent(op), no_wait).attempts();
  return retry_outcome(strategy, op, no_wait).attempts();
}
std::system_error with(std::errc code) { return std::system_error{make_error_code(code)}; }

// What may run twice is the classifier's to say, so another classifier brings its own rule along.
TEST(HttpPreset, AnotherClassifierHasAnotherRuleOfWhatMayRunTwice) {
  using by_name = retry_on<lost>;
  EXPECT_EQ((attempts_after<anew::with<anew::http::standard, by_name>, void>(lost{"x"})), 3U)
      << "a strategy that names an exception says that the operation may run again after it";
  using careful = anew::with<anew::http::standard, idempotent_only<by_name>>;
  EXPECT_EQ((attempts_after<careful, void>(lost{"x"})), 1U);
  EXPECT_EQ((attempts_after<careful, void>(lost{"x"}, true)), 3U);
}

TEST(HttpPreset, ExceptionsOfOnesOwn) {
  using with_lost = anew::with<anew::http::standard, anew::http::statuses_and<says_no, lost, http_error>>;
  EXPECT_EQ(attempts_after(lost{"x"}, true), 1U);  // nobody named it
  EXPECT_EQ(attempts_after<with_lost>(lost{"x"}), 1U);
  EXPECT_EQ(attempts_after<with_lost>(lost{"x"}, true), 3U);
  EXPECT_EQ(attempts_after<with_lost>(says_no{}, true), 1U);
  EXPECT_EQ(attempts_after<with_lost>(http_error{503}), 3U);
  EXPECT_EQ(attempts_after<with_lost>(http_error{500}), 1U);
  EXPECT_EQ(attempts_after<with_lost>(http_error{500}, true), 3U);
  EXPECT_EQ(attempts_after<with_lost>(http_error{404}, true), 1U);
  EXPECT_EQ(attempts_after<with_lost>(with(std::errc::connection_refused)), 3U);
  using with_all = anew::with<anew::http::standard, anew::http::statuses_and<std::exception>>;
  EXPECT_EQ(attempts_after<with_all>(lost{"x"}, true), 3U);
  EXPECT_EQ(attempts_after<with_all>(std::logic_error{"x"}, true), 1U);
  EXPECT_EQ(attempts_after<with_all>(with(std::errc::operation_canceled), true), 1U);
  using with_codes = anew::with<anew::http::standard, anew::http::statuses_and<std::system_error>>;
  EXPECT_EQ(attempts_after<with_codes>(with(std::errc::permission_denied), true), 3U);
  EXPECT_EQ(attempts_after<with_codes>(with(std::errc::operation_canceled), true), 1U);
  static_assert(!anew::http::classifier<std::runtime_error>::is_sound);
  EXPECT_EQ((anew::http::statuses_and<lost, http_error>{}.describe()),
            "http(http_status(408,429,500,502,503,504),thrown(2))");
}
#endif

/// An answer or a code, by shape an expected.
struct answer_or_code {
  response answer{503};
  [[nodiscard]] bool has_value() const { return true; }
  [[nodiscard]] response const& operator*() const { return answer; }
  [[nodiscard]] std::error_code error() const { return {}; }
};
template <class Classifier>
unsigned attempts_of() {
  anew::strategy<no_backoff, max_attempts<3>, Classifier> const strategy{};
  auto const expected = retry_outcome(strategy, idempotent([] { return answer_or_code{}; }), no_wait);
  auto const optional = retry_outcome(strategy, idempotent([] { return std::optional{response{503}}; }), no_wait);
  EXPECT_EQ(expected.attempts(), optional.attempts());
  return expected.attempts();
}
TEST(HttpPreset, AnAnswerInsideIsReadThroughOtherClassifiersToo) {
  using http = anew::http::classifier<>;
  EXPECT_EQ(attempts_of<http>(), 3U);
  EXPECT_EQ((attempts_of<any_of<http, error_code_classifier>>()), 3U);
  EXPECT_EQ((attempts_of<any_of<http, retry_on<std::runtime_error>>>()), 3U);
  EXPECT_EQ(attempts_of<idempotent_only<http>>(), 3U);
  EXPECT_EQ(attempts_of<not_<not_<http>>>(), 3U);
#if ANEW_EXCEPTIONS && defined(__cpp_rtti)
  EXPECT_EQ(attempts_of<caused_by<http>>(), 3U);
#endif
}

struct fields_only {
  int status = 503;
  std::vector<std::pair<std::string, std::string>> headers;
};
asked_delay asked_by(std::vector<std::pair<std::string, std::string>> headers) {
  return anew::http::classifier<>{}.classify(fields_only{503, std::move(headers)}).what().hint;
}

// Clocks differ; the server's date means what it means on the server's clock.
TEST(HttpPreset, ADateIsMeasuredWithTheAnswersOwnDate) {
  std::string const ten_past = "Sun, 06 Nov 1994 08:50:00 GMT";
  EXPECT_EQ(asked_by({{"Retry-After", ten_past}, {"Date", "Sun, 06 Nov 1994 08:49:55 GMT"}}), 5s);
  EXPECT_EQ(asked_by({{"date", "Sunday, 06-Nov-94 08:49:00 GMT"}, {"retry-after", ten_past}}), 60s);
  EXPECT_EQ(asked_by({{"Retry-After", ten_past}, {"Date", ten_past}}), 0s);
  EXPECT_EQ(asked_by({{"Retry-After", ten_past}}), 0s) << "long ago";
  EXPECT_EQ(asked_by({{"Retry-After", ten_past}, {"Date", "yesterday"}}), 0s) << "long ago";
  EXPECT_EQ(asked_by({{"Retry-After", "7"}, {"Date", "Sun, 06 Nov 1994 08:49:55 GMT"}}), 7s);
  struct head {
    int status = 503;
    std::string header;
  };
  head const lines{503,
                   "HTTP/1.1 503 x\r\nDate: Sun, 06 Nov 1994 08:49:55 GMT\r\nRetry-After: " + ten_past + "\r\n\r\n"};
  EXPECT_EQ(anew::http::classifier<>{}.classify(lines).what().hint, 5s);
}

/// Waits the cap where it is not known what the server asked for.
struct careful_hint {
  using role = roles::hint;
  static std::optional<planned_delay> resolve(duration computed, duration asked, duration /*cap*/) {
    return planned_delay{asked > computed ? asked : computed, delay_origin::hint};
  }
  static planned_delay not_understood(duration /*computed*/, duration cap) { return {cap, delay_origin::cap}; }
};
struct hears {
  using role = roles::observer;
  std::string* heard;
  void on_retry(retry_event const& e) const {
    heard->append(e.what.hint.is_not_understood() ? "? " : e.what.hint ? "! " : "- ");
  }
};

TEST(HttpPreset, WhatTheServerAskedAndWasNotUnderstoodIsTold) {
  for (auto const* const text : {"3, 5", "\"3\"", "1994-11-06T08:49:37Z", "soon", "-1"}) {
    EXPECT_TRUE(asked_by({{"Retry-After", text}}).is_not_understood()) << text;
  }
  EXPECT_EQ(asked_by({{"Retry-After", "64.57"}}), 65s);
  EXPECT_EQ(asked_by({{"Retry-After", ""}}), asked_delay{});
  EXPECT_EQ(asked_by({}), asked_delay{});

  std::string heard;
  durations waits;
  auto const wait = [&waits](duration delay) { waits.push_back(delay); };
  anew::with<anew::http::standard, no_jitter> const usual;
  using fields = std::vector<std::pair<std::string, std::string>>;
  auto const call = [&](fields const& first, auto... hint) {
    auto const ask = [&](attempt& self) { return self.is_retry() ? fields_only{200, {}} : fields_only{503, first}; };
    (void)retry(adjusted(usual, hint..., hears{&heard}), ask, wait);
  };
  call({{"Retry-After", "soon"}}, careful_hint{});
  call({{"Retry-After", "4"}}, careful_hint{});
  call({}, careful_hint{});
  call({{"Retry-After", "soon"}});  // without the function: as computed
  EXPECT_EQ(heard, "? ! - ? ");
  EXPECT_EQ(waits, (durations{8s, 4s, 500ms, 500ms}));
}

/// The guide's example of a modeled error: @httpError(429) @error("client") @retryable(throttling: true).
class throttling_error : public modeled_error<error_fault::client, retryable_trait::throttling> {
 public:
  using modeled_error::modeled_error;
};
using client_error = modeled_error<error_fault::client>;
using server_error = modeled_error<error_fault::server>;

TEST(SmithyModeledError, WithTheTrait) {
  throttling_error e{"too many"};
  EXPECT_EQ(e.fault(), error_fault::client);
  EXPECT_EQ(e.is_retry_safe(), retry_safety::yes);
  EXPECT_TRUE(e.is_throttle());
  EXPECT_FALSE(e.is_timeout());
  EXPECT_EQ(e.retry_after(), std::nullopt);
  e.set_retry_after(3s);
  EXPECT_EQ(e.retry_after(), 3s);
  EXPECT_EQ(read_failure(e), (failure{error_kind::throttling, retry_safety::yes, 3s}));
  EXPECT_EQ(read_failure(server_error{"x"}), (failure{error_kind::server, retry_safety::maybe}));
  EXPECT_EQ(e.message(), "too many");
  EXPECT_STREQ(e.what(), "too many");
  modeled_error<error_fault::server, retryable_trait::present> const plain{"x"};
  EXPECT_EQ(plain.is_retry_safe(), retry_safety::yes);
  EXPECT_FALSE(plain.is_throttle());
  EXPECT_EQ(plain.fault(), error_fault::server);
}

TEST(SmithyModeledError, WithoutTheTrait) {
  EXPECT_EQ(client_error{"x"}.is_retry_safe(), retry_safety::no);
  EXPECT_EQ(server_error{"x"}.is_retry_safe(), retry_safety::maybe);
  EXPECT_FALSE(server_error{"x"}.is_throttle());
  static_assert(default_safety(error_fault::client, retryable_trait::absent) == retry_safety::no);
  static_assert(default_safety(error_fault::server, retryable_trait::absent) == retry_safety::maybe);
  static_assert(default_safety(error_fault::other, retryable_trait::absent) == retry_safety::maybe);
  static_assert(default_safety(error_fault::client, retryable_trait::present) == retry_safety::yes);
  static_assert(default_safety(error_fault::server, retryable_trait::throttling) == retry_safety::yes);
}

/// What an error may say of itself, in every combination.
struct info {
  retry_safety safety = retry_safety::yes;
  bool throttle = false;
  bool timeout = false;
  std::optional<duration> hint{};
  [[nodiscard]] retry_safety is_retry_safe() const { return safety; }
  [[nodiscard]] bool is_throttle() const { return throttle; }
  [[nodiscard]] bool is_timeout() const { return timeout; }
  [[nodiscard]] std::optional<duration> retry_after() const { return hint; }
};
struct fault_alone {
  error_fault whose;
  [[nodiscard]] error_fault fault() const { return whose; }
};
struct info_and_fault {
  retry_safety safety;
  error_fault whose;
  [[nodiscard]] retry_safety is_retry_safe() const { return safety; }
  [[nodiscard]] error_fault fault() const { return whose; }
};
struct safety_alone {
  [[nodiscard]] static retry_safety is_retry_safe() { return retry_safety::maybe; }
};
struct foreign {};

}  // namespace
}  // namespace preset_test

template <>
struct anew::retry_traits<preset_test::foreign> {
  static retry_safety is_retry_safe(preset_test::foreign const& /*e*/) { return retry_safety::yes; }
  static bool is_timeout(preset_test::foreign const& /*e*/) { return true; }
  static bool is_throttle(preset_test::foreign const& /*e*/) { return true; }
};

namespace preset_test {
namespace {

TEST(SmithyGuideClassifier, RetriesWhatDoesNotSayNoAndElseTheFaultDecides) {
  using enum error_fault;
  using enum retry_safety;
  auto const said = [](directive const& verdict, auto const&... errors) {
    int at = 0;
    auto const is_said = [&](auto const& e) { EXPECT_EQ(guide_classifier::classify(e), verdict) << "error " << at; };
    ((++at, is_said(errors)), ...);
  };
  said(directive::retry(error_kind::transient), info{yes}, info{maybe}, safety_alone{});
  said(directive::retry(error_kind::throttling, 3s), info{yes, true, false, 3s});
  // A time-out is one though it throttles.
  said(directive::retry(error_kind::timeout), info{yes, false, true}, info{yes, true, true}, foreign{});
  said(directive::retry(error_kind::server), fault_alone{server}, info_and_fault{no, server});
  said(directive::retry(error_kind::client), info_and_fault{yes, client});
  said(directive::fail(), info{no}, fault_alone{client}, fault_alone{other}, info_and_fault{no, client});
  static_assert(!ClassifierOf<guide_classifier, int>);
}

#if ANEW_EXCEPTIONS
class servers_fault : public std::runtime_error, public error_info {
 public:
  explicit servers_fault(error_fault whose) : std::runtime_error{"x"}, whose_{whose} {}
  [[nodiscard]] error_fault fault() const override { return whose_; }

 private:
  error_fault whose_;
};
class server_says_no : public server_error {
 public:
  using server_error::server_error;
  [[nodiscard]] retry_safety is_retry_safe() const override { return retry_safety::no; }
};

TEST(SmithyGuideExample, CatchesWhatSaysSomething) {
  EXPECT_EQ((attempts_after<guide_example, void>(throttling_error{"x"})), 6U);
  EXPECT_EQ((attempts_after<guide_example, void>(server_error{"x"})), 6U);
  EXPECT_EQ((attempts_after<guide_example, void>(client_error{"x"})), 1U);
  EXPECT_EQ((attempts_after<guide_example, void>(servers_fault{error_fault::server})), 6U);
  EXPECT_EQ((attempts_after<guide_example, void>(servers_fault{error_fault::client})), 1U);
  EXPECT_EQ((attempts_after<guide_example, void>(std::runtime_error{"x"})), 1U);
#if defined(__cpp_rtti)
  EXPECT_EQ((attempts_after<guide_example, void>(server_says_no{"x"})), 6U);  // as printed: the fault is asked next
#endif
}

TEST(SmithyModeledError, IsReadByTheDefaultClassifier) {
  using plain = anew::strategy<no_backoff>;
  EXPECT_EQ((attempts_after<plain, void>(throttling_error{"x"})), 3U);
  EXPECT_EQ((attempts_after<plain, void>(client_error{"x"})), 1U);
  EXPECT_EQ((attempts_after<plain, void>(server_error{"x"})), 1U);  // maybe, and not declared idempotent
}
#endif

}  // namespace
}  // namespace preset_test
