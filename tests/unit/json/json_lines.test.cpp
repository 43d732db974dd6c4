// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/json/json_lines.hpp"

namespace json_json_lines_test {
namespace {

using namespace std::chrono_literals;
using anew::directive;
using anew::duration;
using anew::error_kind;
using anew::json_of;
using anew::retry_safety;
using anew::severity;
using anew::stop_reason;
using json = nlohmann::ordered_json;
using lines = std::vector<std::string>;

struct to_lines {
  lines* to;
  void operator()(std::string_view line) const { to->emplace_back(line); }
};
struct to_lines_with_severity {
  lines* to;
  void operator()(severity how_loud, std::string_view line) const {
    to->push_back(std::string{to_string(how_loud)}.append("|").append(line));
  }
};

static_assert(anew::Observer<anew::json_lines<to_lines>> && anew::json_lines<to_lines>::is_sound);
static_assert(!anew::json_lines<int>::is_sound && !anew::Composable<anew::json_lines<int>>);

auto strategy_with(auto observer) {
  auto const verdict = [](std::false_type /*e*/) {
    return directive::retry({error_kind::server, retry_safety::maybe, duration{30ms}});
  };
  return anew::compose(anew::retry_if{verdict}, anew::constant_backoff{1500us}, anew::no_jitter{},
                       anew::server_hint{anew::long_hint::ignore, 1ms}, anew::max_attempts<2>{}, std::move(observer));
}
constexpr auto no_sleep = [](duration /*d*/) {};

TEST(JsonLines, OneObjectForEachAttemptAndOneForTheEnd) {
  lines heard;
  int calls = 0;
  EXPECT_TRUE(anew::retry(strategy_with(anew::json_lines{to_lines{&heard}, "report"}),
                          anew::idempotent([&] { return ++calls == 2; }), no_sleep));
  EXPECT_EQ(heard,
            (lines{R"({"event":"attempt","call":"report","attempt":1,"verdict":"retry","kind":"server",)"
                   R"("safety":"maybe","hint_ms":30.0,"delay_ms":1.5,"origin":"backoff","is_final":false,)"
                   R"("severity":"info"})",
                   R"({"event":"attempt","call":"report","attempt":2,"verdict":"success","kind":null,"safety":null,)"
                   R"("hint_ms":null,"delay_ms":null,"origin":null,"is_final":true,"severity":"info"})",
                   R"({"event":"end","call":"report","reason":"succeeded","attempts":2,"severity":"info"})"}));
}

TEST(JsonLines, AFailureThatIsNotRepeatedKeepsWhatTheClassifierSaid) {
  lines heard;
  EXPECT_FALSE(anew::retry(strategy_with(anew::json_lines{to_lines{&heard}}), [] { return false; }, no_sleep));
  ASSERT_EQ(heard.size(), 2U);
  auto const attempt = json::parse(heard[0]);
  EXPECT_EQ(attempt.at("verdict"), "retry");
  EXPECT_EQ(attempt.at("safety"), "maybe");
  EXPECT_EQ(attempt.at("is_final"), true);
  EXPECT_EQ(attempt.at("severity"), "error");
  EXPECT_TRUE(attempt.at("delay_ms").is_null() && attempt.at("origin").is_null());
  EXPECT_FALSE(attempt.contains("call"));
  EXPECT_EQ(heard[1], R"({"event":"end","reason":"not_idempotent","attempts":1,"severity":"error"})");
}

TEST(JsonLines, TellsASinkThatAsksHowLoudALineIs) {
  lines heard;
  EXPECT_TRUE(
      anew::retry(strategy_with(anew::json_lines{to_lines_with_severity{&heard}}), [] { return true; }, no_sleep));
  ASSERT_EQ(heard.size(), 2U);
  EXPECT_EQ(heard[0].find("debug|{"), 0U);
  EXPECT_EQ(heard[1], R"(debug|{"event":"end","reason":"succeeded","attempts":1,"severity":"debug"})");
}

TEST(JsonLines, TheLabelMayBeAnyText) {
  lines heard;
  std::string const labels[]{"say \"hi\"\n\\", std::string("a\0b", 3), "na\xC3\xAFve", "not \xFF UTF-8"};
  for (auto const& label : labels) {
    anew::json_lines{to_lines{&heard}, label}.on_end({1, stop_reason::quota});
  }
  ASSERT_EQ(heard.size(), 4U);
  for (std::size_t i = 0; i != heard.size(); ++i) {
    EXPECT_EQ(heard[i].find('\n'), std::string::npos) << heard[i];
    auto const read = json::parse(heard[i]);
    EXPECT_EQ(read.at("call"), i == 3 ? std::string{"not \xEF\xBF\xBD UTF-8"} : labels[i]);
  }
}

TEST(JsonOf, AnAttempt) {
  auto const final_one = json_of(anew::attempt_event{4, directive::fail(), true});
  EXPECT_EQ(final_one.at("verdict"), "final");
  EXPECT_EQ(final_one.at("attempt"), 4);
  EXPECT_TRUE(final_one.at("kind").is_null() && final_one.at("safety").is_null() && final_one.at("hint_ms").is_null());
  EXPECT_EQ(final_one.at("severity"), "error");
  for (auto const& [safety, word] : {std::pair{retry_safety::yes, "yes"}, std::pair{retry_safety::maybe, "maybe"},
                                     std::pair{retry_safety::no, "no"}}) {
    auto const failed = json_of({1, directive::retry({error_kind::timeout, safety, {}}), false},
                                anew::planned_delay{2s, anew::delay_origin::cap});
    EXPECT_EQ(failed.at("safety"), word);
    EXPECT_EQ(failed.at("kind"), "timeout");
    EXPECT_EQ(failed.at("delay_ms"), 2000);
    EXPECT_EQ(failed.at("origin"), "cap");
    EXPECT_TRUE(failed.at("hint_ms").is_null());
    EXPECT_EQ(failed.at("is_final"), false);
  }
}

TEST(JsonOf, AnEnd) {
  EXPECT_EQ(json_of(anew::end_event{7, stop_reason::deadline}).dump(),
            R"({"reason":"deadline","attempts":7,"severity":"error"})");
}

TEST(JsonLines, DescribesItself) { EXPECT_EQ((anew::json_lines{to_lines{nullptr}, "x"}.describe()), "json_lines"); }

}  // namespace
}  // namespace json_json_lines_test
