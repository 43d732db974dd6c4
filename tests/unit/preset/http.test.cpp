// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <vector>

#include <gtest/gtest.h>

#include "anew/classifier/any_of.hpp"
#include "anew/classifier/caused_by.hpp"
#include "anew/classifier/error_code.hpp"
#include "anew/classifier/first_of.hpp"
#include "anew/classifier/idempotent_only.hpp"
#include "anew/classifier/not.hpp"
#include "anew/classifier/retry_on.hpp"
#include "anew/compose/adjusted.hpp"
#include "anew/compose/describe.hpp"
#include "anew/http.hpp"
#include "anew/testing/scripted_random.hpp"

namespace preset_http_test {
namespace {

using namespace std::chrono_literals;
using durations = std::vector<anew::duration>;

struct response {
  int status;
  std::optional<anew::duration> retry_after{};
};

auto const no_wait = [](anew::duration) {};

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
  [[nodiscard]] static anew::retry_safety is_retry_safe() { return anew::retry_safety::no; }
};

template <class Strategy = anew::http::standard, class E>
int attempts_after_throwing(E const& error, bool declared) {
  Strategy const strategy{};
  int calls = 0;
  auto const op = [&]() -> response {
    ++calls;
    throw error;
  };
  if (declared) {
    EXPECT_THROW((void)anew::retry(strategy, anew::idempotent(op), no_wait), E);
  } else {
    EXPECT_THROW((void)anew::retry(strategy, op, no_wait), E);
  }
  return calls;
}
std::system_error with(std::errc code) { return std::system_error{make_error_code(code)}; }

// What may run twice is the classifier's to say, so another classifier brings its own rule along.
TEST(HttpPreset, AnotherClassifierHasAnotherRuleOfWhatMayRunTwice) {
  int calls = 0;
  auto const post = [&] {
    ++calls;
    throw lost{"x"};
  };
  using by_name = anew::retry_on<lost>;
  anew::with<anew::http::standard, by_name> const by_type{};
  EXPECT_THROW(anew::retry(by_type, post, no_wait), lost);
  EXPECT_EQ(calls, 3) << "a strategy that names an exception says that the operation may run again after it";
  anew::with<anew::http::standard, anew::idempotent_only<by_name>> const careful{};
  EXPECT_THROW(anew::retry(careful, post, no_wait), lost);
  EXPECT_EQ(calls, 4);
  EXPECT_THROW(anew::retry(careful, anew::idempotent(post), no_wait), lost);
  EXPECT_EQ(calls, 7);
}

TEST(HttpPreset, ExceptionsOfOnesOwn) {
  using with_lost = anew::with<anew::http::standard, anew::http::statuses_and<says_no, lost, http_error>>;
  EXPECT_EQ(attempts_after_throwing(lost{"x"}, true), 1);  // nobody named it
  EXPECT_EQ(attempts_after_throwing<with_lost>(lost{"x"}, false), 1);
  EXPECT_EQ(attempts_after_throwing<with_lost>(lost{"x"}, true), 3);
  EXPECT_EQ(attempts_after_throwing<with_lost>(says_no{}, true), 1);
  EXPECT_EQ(attempts_after_throwing<with_lost>(http_error{503}, false), 3);
  EXPECT_EQ(attempts_after_throwing<with_lost>(http_error{500}, false), 1);
  EXPECT_EQ(attempts_after_throwing<with_lost>(http_error{500}, true), 3);
  EXPECT_EQ(attempts_after_throwing<with_lost>(http_error{404}, true), 1);
  EXPECT_EQ(attempts_after_throwing<with_lost>(with(std::errc::connection_refused), false), 3);
  using with_all = anew::with<anew::http::standard, anew::http::statuses_and<std::exception>>;
  EXPECT_EQ(attempts_after_throwing<with_all>(lost{"x"}, true), 3);
  EXPECT_EQ(attempts_after_throwing<with_all>(std::logic_error{"x"}, true), 1);
  EXPECT_EQ(attempts_after_throwing<with_all>(with(std::errc::operation_canceled), true), 1);
  using with_codes = anew::with<anew::http::standard, anew::http::statuses_and<std::system_error>>;
  EXPECT_EQ(attempts_after_throwing<with_codes>(with(std::errc::permission_denied), true), 3);
  EXPECT_EQ(attempts_after_throwing<with_codes>(with(std::errc::operation_canceled), true), 1);
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
  anew::strategy<anew::no_backoff, anew::max_attempts<3>, Classifier> const strategy{};
  auto const expected = anew::retry_outcome(strategy, anew::idempotent([] { return answer_or_code{}; }), no_wait);
  auto const optional =
      anew::retry_outcome(strategy, anew::idempotent([] { return std::optional{response{503}}; }), no_wait);
  EXPECT_EQ(expected.attempts(), optional.attempts());
  return expected.attempts();
}
TEST(HttpPreset, AnAnswerInsideIsReadThroughOtherClassifiersToo) {
  using http = anew::http::classifier<>;
  EXPECT_EQ(attempts_of<http>(), 3U);
  EXPECT_EQ((attempts_of<anew::any_of<http, anew::error_code_classifier>>()), 3U);
  EXPECT_EQ((attempts_of<anew::any_of<http, anew::retry_on<std::runtime_error>>>()), 3U);
  EXPECT_EQ((attempts_of<anew::any_of<http, anew::error_code_classifier>>()), 3U);
  EXPECT_EQ(attempts_of<anew::idempotent_only<http>>(), 3U);
  EXPECT_EQ(attempts_of<anew::not_<anew::not_<http>>>(), 3U);
#if ANEW_EXCEPTIONS && defined(__cpp_rtti)
  EXPECT_EQ(attempts_of<anew::caused_by<http>>(), 3U);
#endif
}

struct fields_only {
  int status = 503;
  std::vector<std::pair<std::string, std::string>> headers;
};
anew::asked_delay asked_by(std::vector<std::pair<std::string, std::string>> headers) {
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
  using role = anew::roles::hint;
  static std::optional<anew::planned_delay> resolve(anew::duration computed, anew::duration asked,
                                                    anew::duration /*cap*/) {
    return anew::planned_delay{asked > computed ? asked : computed, anew::delay_origin::hint};
  }
  static anew::planned_delay not_understood(anew::duration /*computed*/, anew::duration cap) {
    return {cap, anew::delay_origin::cap};
  }
};
struct hears {
  using role = anew::roles::observer;
  std::string* heard;
  void on_retry(anew::retry_event const& e) const {
    heard->append(e.what.hint.is_not_understood() ? "? " : e.what.hint ? "! " : "- ");
  }
};

TEST(HttpPreset, WhatTheServerAskedAndWasNotUnderstoodIsTold) {
  for (auto const* const text : {"3, 5", "\"3\"", "1994-11-06T08:49:37Z", "soon", "-1"}) {
    EXPECT_TRUE(asked_by({{"Retry-After", text}}).is_not_understood()) << text;
  }
  EXPECT_EQ(asked_by({{"Retry-After", "64.57"}}), 65s);
  EXPECT_EQ(asked_by({{"Retry-After", ""}}), anew::asked_delay{});
  EXPECT_EQ(asked_by({}), anew::asked_delay{});

  std::string heard;
  durations waits;
  auto const wait = [&waits](anew::duration delay) { waits.push_back(delay); };
  anew::with<anew::http::standard, anew::no_jitter> const usual;
  auto const ask = [](char const* text) {
    return [text, calls = 0]() mutable {
      return ++calls == 1 ? fields_only{503, {{"Retry-After", text}}} : fields_only{200, {}};
    };
  };
  auto soon = ask("soon");
  (void)anew::retry(anew::adjusted(usual, careful_hint{}, hears{&heard}), soon, wait);
  auto later = ask("4");
  (void)anew::retry(anew::adjusted(usual, careful_hint{}, hears{&heard}), later, wait);
  auto silent = [calls = 0]() mutable { return ++calls == 1 ? fields_only{503, {}} : fields_only{200, {}}; };
  (void)anew::retry(anew::adjusted(usual, careful_hint{}, hears{&heard}), silent, wait);
  auto again = ask("soon");
  (void)anew::retry(anew::adjusted(usual, hears{&heard}), again, wait);  // without the function: as computed
  EXPECT_EQ(heard, "? ! - ? ");
  EXPECT_EQ(waits, (durations{8s, 4s, 500ms, 500ms}));
}

TEST(HttpPreset, TheCallsShareABudget) {
  anew::http::standard const strategy{};
  int calls = 0;
  for (int i = 0; i != 100; ++i) {
    (void)anew::retry(
        strategy,
        [&] {
          ++calls;
          return response{503};
        },
        no_wait);
  }
  EXPECT_EQ(calls, 100 + 500 / 14);  // a transient retry costs 14
}

}  // namespace
}  // namespace preset_http_test
