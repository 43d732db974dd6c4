// SPDX-License-Identifier: BSL-1.0
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "anew/anew.hpp"
#include "anew/compose/notation/read_strategy.hpp"
#include "anew/json/strategy_from_json.hpp"
#include "anew/json/to_json.hpp"
#include "anew/policies.hpp"

namespace json_strategy_from_json_test {

TEST(StrategyFromJson, ReadsWhatToJsonWrites) {
  for (auto const* const text :
       {"exponential(50ms,20s)", "sum(linear(1s,9s),constant(5ms)) no_jitter token_bucket(500,server=5) unbounded",
        "deadline(2s,clamp,100ms) max_attempts(5) server_hint(clamp,9s)", "cool_down(constant(1s),refuse,ignored=3)"}) {
    auto const strategy = anew::read_strategy(text).value();
    nlohmann::ordered_json const object = strategy;
    auto const same = anew::strategy_from_json(object);
    ASSERT_TRUE(same.has_value()) << same.error().what;
    EXPECT_EQ(anew::describe(*same), anew::describe(strategy));
    EXPECT_EQ(nlohmann::ordered_json(*same), object);
  }
}

TEST(StrategyFromJson, TakesPoliciesOfTheProgram) {
  nlohmann::json const object = {{"backoff", "constant(1s)"}, {"classifier", "retry_if"}};
  auto const read = anew::strategy_from_json(object, anew::retry_if{[](int) { return true; }}, anew::token_bucket{60});
  ASSERT_TRUE(read.has_value()) << read.error().what;
  EXPECT_EQ(anew::describe(*read),
            "constant(1s) full_jitter token_bucket(60) retry_if max_attempts(3) server_hint(stop)");
}

TEST(StrategyFromJson, AFaultNamesItsMember) {
  auto const fault_of = [](nlohmann::json const& object) { return anew::strategy_from_json(object).error().what; };
  EXPECT_EQ(fault_of(nlohmann::json::array()), "a strategy must be a JSON object with a member for each role");
  EXPECT_EQ(fault_of({{"bakoff", "constant(1s)"}}), "'bakoff' must be the name of a role");
  EXPECT_EQ(fault_of({{"backoff", 5}}), "backoff: the value must be a text in the notation");
#if ANEW_EXCEPTIONS
  EXPECT_EQ(fault_of({{"backoff", "full_jitter"}}), "backoff: 'full_jitter' plays the role jitter");
  auto const read = anew::strategy_from_json(nlohmann::json{{"backoff", "no_backoff"}, {"jitter", "no_jiter"}});
  EXPECT_EQ(read.error().what, "jitter: there is no policy 'no_jiter'; did you mean 'no_jitter'?");
  EXPECT_EQ(read.error().at, 0U);
  EXPECT_EQ(read.error().length, 8U);
  EXPECT_EQ(fault_of({{"deadline", "deadline(2s)"}}),
            "deadline: with a deadline the limit of attempts must be written: unbounded, or max_attempts(N)");
#endif
}

TEST(StrategyFromJson, NothingIsTheDefault) {
  auto const read = anew::strategy_from_json(nlohmann::json::object());
  ASSERT_TRUE(read.has_value()) << read.error().what;
  EXPECT_EQ(anew::describe(*read), anew::describe<anew::strategy<>>());
}

#if ANEW_EXCEPTIONS
TEST(StrategyFromJson, AMemberIsReadAlone) {
  auto const shown = [](nlohmann::json const& object, std::string_view value, auto... given) {
    auto const read = anew::strategy_from_json(object, given...);
    return read ? anew::describe(*read) : anew::in_lines(read.error(), value);
  };
  EXPECT_EQ(shown({{"backoff", "constant("}, {"jitter", "1ms)"}}, "constant("),
            "backoff: the text ends where a word is expected\n  constant(\n           ^");
  EXPECT_EQ(shown({{"backoff", "constant(1ms) max_attempts(9)"}}, "constant(1ms) max_attempts(9)"),
            "backoff: omit 'max_attempts(9)': the value must be one policy\n"
            "  constant(1ms) max_attempts(9)\n"
            "                ^~~~~~~~~~~~~~~");
  for (std::string const empty : {"", " ", "\t\n"}) {
    EXPECT_TRUE(shown({{"backoff", empty}}, empty).starts_with("backoff: the text must name a policy")) << empty;
  }
  EXPECT_EQ(shown({{"backoff", " constant(1ms)"}, {"jitter", " full_jitter "}}, ""),
            "constant(1ms) full_jitter unlimited_quota retry_info max_attempts(3) server_hint(stop)");
  auto const predicate = anew::retry_if{[](int) { return true; }};
  EXPECT_TRUE(shown({{"backoff", "retry_if"}}, "retry_if", predicate).starts_with("backoff: there is no policy"));
}
#endif

struct named_oddly {
  using role = anew::roles::classifier;
  static anew::directive classify(int /*error*/) { return anew::directive::fail(); }
  static std::string describe() { return "my::classifier<a, b("; }
};
struct unnamed : named_oddly {
  static std::string describe() { return ""; }
};
TEST(StrategyFromJson, TakesAnyDescriptionOfAGivenPolicy) {
  auto const expect_same = [](auto const& strategy, auto given) {
    nlohmann::ordered_json const object = strategy;
    auto const same = anew::strategy_from_json(object, given);
    ASSERT_TRUE(same.has_value()) << object << same.error().what;
    EXPECT_EQ(anew::describe(*same), anew::describe(strategy));
  };
  expect_same(anew::strategy<named_oddly>{}, named_oddly{});
  expect_same(anew::strategy<unnamed>{}, unnamed{});
}

TEST(StrategyFromJson, APlaceOutsideOfTheTextIsItsEnd) {
  EXPECT_EQ(anew::in_lines({7, 3, "wrong"}, "abc"), "wrong\n  abc\n     ^");
}

}  // namespace json_strategy_from_json_test
