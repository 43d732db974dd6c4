// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/json/states_language.hpp"
#include "anew/preset/step_functions.hpp"

namespace json_states_language_test {
namespace {

using namespace std::chrono_literals;
using anew::step_functions::jitter_strategy;
using anew::step_functions::read_retriers;
using anew::step_functions::strategy;

TEST(StatesLanguage, ReadsEveryField) {
  auto const read = read_retriers(std::string_view{R"([
    {"Comment": "all of it", "ErrorEquals": ["A", "States.Timeout"], "IntervalSeconds": 3, "BackoffRate": 1.5, "MaxAttempts": 7,
     "MaxDelaySeconds": 60, "JitterStrategy": "FULL"},
    {"ErrorEquals": ["B"], "MaxAttempts": 0, "JitterStrategy": "NONE"},
    {"ErrorEquals": ["States.ALL"]}])"});
  ASSERT_EQ(read.size(), 3U);
  EXPECT_EQ(read[0].error_equals, (std::vector<std::string>{"A", "States.Timeout"}));
  EXPECT_EQ(read[0].interval, 3s);
  EXPECT_EQ(read[0].backoff_rate.num, 3U);
  EXPECT_EQ(read[0].backoff_rate.den, 2U);
  EXPECT_EQ(read[0].max_attempts, 7U);
  EXPECT_EQ(read[0].max_delay, 60s);
  EXPECT_EQ(read[0].jitter, jitter_strategy::full);
  EXPECT_EQ(read[1].max_attempts, 0U);
  EXPECT_EQ(read[1].jitter, jitter_strategy::none);
  EXPECT_EQ(read[2].interval, 1s);
  EXPECT_EQ(read[2].backoff_rate.num, 2U);
  EXPECT_EQ(read[2].backoff_rate.den, 1U);
  EXPECT_EQ(read[2].max_attempts, 3U);
  EXPECT_FALSE(read[2].max_delay);
  EXPECT_EQ(read[2].jitter, jitter_strategy::none);
}

TEST(StatesLanguage, ReadsAState) {
  auto const read = read_retriers(std::string_view{
      R"({"Type": "Task", "Retry": [{"ErrorEquals": ["States.ALL"], "IntervalSeconds": 3, "BackoffRate": 1.5}], "Next": "x"})"});
  strategy const retry{read};
  auto token = retry.acquire_initial_token();
  std::vector<anew::duration> delays;
  for (int i = 0; i != 3; ++i) {
    token = *retry.refresh_retry_token(std::move(token), "anything");
    delays.push_back(token.delay());
  }
  EXPECT_EQ(delays, (std::vector<anew::duration>{3s, 4500ms, 6750ms}));
  EXPECT_EQ(read_retriers(std::string_view{R"({"Type": "Task"})"}).size(), 0U);
  EXPECT_EQ(read_retriers(std::string_view{"[]"}).size(), 0U);
}

std::pair<unsigned, unsigned> rate(std::string const& number) {
  auto const read = read_retriers(std::string{R"([{"ErrorEquals": ["A"], "BackoffRate": )"} + number + "}]");
  return {read[0].backoff_rate.num, read[0].backoff_rate.den};
}

TEST(StatesLanguage, BackoffRateIsExact) {
  using pair = std::pair<unsigned, unsigned>;
  EXPECT_EQ(rate("1"), (pair{1, 1}));
  EXPECT_EQ(rate("1.0"), (pair{1, 1}));
  EXPECT_EQ(rate("2.0"), (pair{2, 1}));
  EXPECT_EQ(rate("1.1"), (pair{11, 10}));
  EXPECT_EQ(rate("1.25"), (pair{5, 4}));
  EXPECT_EQ(rate("1e1"), (pair{10, 1}));
  EXPECT_EQ(rate("1.000001"), (pair{1'000'001, 1'000'000}));
  EXPECT_EQ(rate("4294967295"), (pair{4'294'967'295, 1}));
}

#if ANEW_EXCEPTIONS
struct refusal {
  std::string_view document;
  std::string_view path;
  std::string_view message;
};

TEST(StatesLanguage, NamesWhatIsWrong) {
  for (auto const& [document, path, message] : {
           refusal{"", "", "the document must be JSON, but is empty"},
           refusal{"[{]", "", "the document must be JSON, but is [{]"},
           refusal{"3", "Retry", "Retry must be an array, but is 3"},
           refusal{R"({"Retry": {}})", "Retry", "Retry must be an array, but is {}"},
           refusal{"[1]", "Retry[0]", "Retry[0] must be an object, but is 1"},
           refusal{"[{}]", "Retry[0].ErrorEquals", "Retry[0].ErrorEquals must be given, but is absent"},
           refusal{R"([{"ErrorEquals": "A"}])", "Retry[0].ErrorEquals",
                   R"(Retry[0].ErrorEquals must be an array, but is "A")"},
           refusal{R"([{"ErrorEquals": ["A", 7]}])", "Retry[0].ErrorEquals[1]",
                   "Retry[0].ErrorEquals[1] must be a string, but is 7"},
           refusal{R"([{"ErrorEquals": []}])", "Retry[0].ErrorEquals",
                   "Retry[0].ErrorEquals must name an error, but is empty"},
           refusal{R"([{"ErrorEquals": ["States.ALL"]}, {"ErrorEquals": ["B"]}])", "Retry[0].ErrorEquals",
                   "Retry[0].ErrorEquals must have States.ALL in the last retrier only, but is not the last"},
           refusal{R"([{"ErrorEquals": ["States.ALL", "B"]}])", "Retry[0].ErrorEquals",
                   "Retry[0].ErrorEquals must have States.ALL alone, but is one of several"},
           refusal{R"([{"ErrorEquals": ["A"]}, {"ErrorEquals": ["A"], "MaxAttempts": -1}])", "Retry[1].MaxAttempts",
                   "Retry[1].MaxAttempts must be a whole number between 0 and 99999999, but is -1"},
           refusal{R"([{"ErrorEquals": ["A"], "MaxAttempts": 2.5}])", "Retry[0].MaxAttempts",
                   "Retry[0].MaxAttempts must be a whole number between 0 and 99999999, but is 2.5"},
           refusal{R"([{"ErrorEquals": ["A"], "MaxAttempts": 100000000}])", "Retry[0].MaxAttempts",
                   "Retry[0].MaxAttempts must be a whole number between 0 and 99999999, but is 100000000"},
           refusal{R"([{"ErrorEquals": ["A"], "MaxAttempts": "{% $n %}"}])", "Retry[0].MaxAttempts",
                   R"(Retry[0].MaxAttempts must be a whole number between 0 and 99999999, but is "{% $n %}")"},
           refusal{R"([{"ErrorEquals": ["A"], "IntervalSeconds": 0}])", "Retry[0].IntervalSeconds",
                   "Retry[0].IntervalSeconds must be a whole number between 1 and 99999999, but is 0"},
           refusal{R"([{"ErrorEquals": ["A"], "MaxDelaySeconds": 31622400}])", "Retry[0].MaxDelaySeconds",
                   "Retry[0].MaxDelaySeconds must be a whole number between 1 and 31622399, but is 31622400"},
           refusal{R"([{"ErrorEquals": ["A"], "BackoffRate": 0.99}])", "Retry[0].BackoffRate",
                   "Retry[0].BackoffRate must be a number of at least 1, of at most nine digits, but is 0.99"},
           refusal{R"([{"ErrorEquals": ["A"], "BackoffRate": -2}])", "Retry[0].BackoffRate",
                   "Retry[0].BackoffRate must be a number of at least 1, of at most nine digits, but is -2"},
           refusal{R"([{"ErrorEquals": ["A"], "BackoffRate": 4294967296}])", "Retry[0].BackoffRate",
                   "Retry[0].BackoffRate must be a number of at least 1, of at most nine digits, but is 4294967296"},
           refusal{R"([{"ErrorEquals": ["A"], "BackoffRate": -0.0}])", "Retry[0].BackoffRate",
                   "Retry[0].BackoffRate must be a number of at least 1, of at most nine digits, but is -0.0"},
           refusal{R"([{"ErrorEquals": ["A"], "BackoffRate": 1.0000000001}])", "Retry[0].BackoffRate",
                   "Retry[0].BackoffRate must be a number of at least 1, of at most nine digits, but is 1.0000000001"},
           refusal{R"([{"ErrorEquals": ["A"], "JitterStrategy": "HALF"}])", "Retry[0].JitterStrategy",
                   R"(Retry[0].JitterStrategy must be "FULL" or "NONE", but is "HALF")"},
           refusal{R"([{"ErrorEquals": ["A"], "IntervalSecond": 2}])", "Retry[0].IntervalSecond",
                   "Retry[0].IntervalSecond must not be there: a retrier has no such field, but is 2"},
           refusal{R"([{"ErrorEquals": ["A"], "MaxAttempts": 1, "MaxAttempts": 2}])", "",
                   R"(the document must have each name of an object once, but is twice "MaxAttempts")"},
       }) {
    try {
      static_cast<void>(read_retriers(document));
      ADD_FAILURE() << "accepted: " << document;
    } catch (anew::invalid_setting const& error) {
      EXPECT_EQ(error.what(), message);
      EXPECT_EQ(error.path(), path);
    }
  }
}

TEST(StatesLanguage, AtMostAThousandRetriers) {
  std::string many = R"([{"ErrorEquals": ["A"]})";
  for (int i = 1; i != 1000; ++i) many += R"(, {"ErrorEquals": ["A"]})";
  EXPECT_EQ(read_retriers(many + "]").size(), 1000U);
  try {
    static_cast<void>(read_retriers(many + R"(, {"ErrorEquals": ["A"]}])"));
    ADD_FAILURE() << "accepted";
  } catch (anew::invalid_setting const& error) {
    EXPECT_STREQ(error.what(), "Retry must have at most 1000 retriers, but is 1001");
    EXPECT_EQ(error.value(), "1001");
    EXPECT_EQ(error.requirement(), "must have at most 1000 retriers");
  }
}

TEST(StatesLanguage, ANameMayBeAnyString) {
  for (auto const& [name, path] :
       {std::pair<std::string, std::string>{R"(Foo\u0000bar)", R"(Retry[0]["Foo\u0000bar"])"},
        {"", R"(Retry[0][""])"},
        {R"(a.b\n)", R"(Retry[0]["a.b\n"])"},
        {R"(ErrorEquals\u0000)", R"(Retry[0]["ErrorEquals\u0000"])"}}) {
    try {
      static_cast<void>(read_retriers(R"([{"ErrorEquals":["States.ALL"],")" + name + R"(":1}])"));
      ADD_FAILURE() << "accepted: " << name;
    } catch (anew::invalid_setting const& error) {
      EXPECT_EQ(error.path(), path);
      EXPECT_EQ(error.what(), path + " must not be there: a retrier has no such field, but is 1");
    }
  }
}

TEST(StatesLanguage, LongValuesAreShortened) {
  std::string const long_name(200, 'x');
  try {
    static_cast<void>(read_retriers(R"([{"ErrorEquals": ")" + long_name + R"("}])"));
    ADD_FAILURE() << "accepted";
  } catch (std::invalid_argument const& error) {
    EXPECT_EQ(std::string{error.what()}.size(),
              std::string_view{"Retry[0].ErrorEquals must be an array, but is "}.size() + 80);
  }
}
#endif

}  // namespace
}  // namespace json_states_language_test
