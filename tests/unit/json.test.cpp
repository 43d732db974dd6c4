// SPDX-License-Identifier: BSL-1.0
// The limits of settings in JSON, each at its edge and on a small stack; lines, and strategies from and to JSON.
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "anew/anew.hpp"
#include "anew/drivers/declarations.hpp"
#include "anew/hedge.hpp"
#include "anew/machine.hpp"
#include "anew/policies.hpp"
#include "anew/ports/grpc_service_config.hpp"
#include "anew/ports/states_language.hpp"
#include "anew/presets/step_functions.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/text/json/json_lines.hpp"
#include "anew/text/json/strategy_from_json.hpp"
#include "anew/text/read_strategy.hpp"

#include "lines.hpp"
#include "names.hpp"
#include "rejection.hpp"
#include "small_stack.hpp"

namespace json_test {
namespace {

using namespace anew;
using grpc::service_config;
using step_functions::read_retriers;

using json = nlohmann::ordered_json;
using step_functions::jitter_strategy, step_functions::strategy;
using support::lines, support::to_lines, support::to_lines_with_severity;

static_assert(Observer<json_lines<to_lines>> && json_lines<to_lines>::is_sound);
static_assert(!json_lines<int>::is_sound && !Composable<json_lines<int>>);

auto strategy_with(auto observer) {
  auto const verdict = [](std::false_type /*e*/) {
    return directive::retry({error_kind::server, retry_safety::maybe, duration{30ms}});
  };
  return compose(retry_if{verdict}, constant_backoff{1500us}, no_jitter{}, server_hint{long_hint::ignore, 1ms},
                 max_attempts<2>{}, std::move(observer));
}

/// A line without the number of its call and the time, which no test knows.
std::string known_part(std::string const& line) {
  auto object = nlohmann::ordered_json::parse(line);
  EXPECT_GT(object.at("id"), 0);
  EXPECT_GE(object.at("took_ms"), 0.0);
  object.erase("id");
  object.erase("took_ms");
  return object.dump();
}

TEST(JsonLines, OneObjectForEachAttemptAndOneForTheEnd) {
  lines heard;
  int calls = 0;
  EXPECT_TRUE(anew::retry(strategy_with(json_lines{to_lines{&heard}, "report"}),
                          named(idempotent([&] { return ++calls == 2; }), "read"), no_sleep));
  ASSERT_EQ(heard.size(), 3U);
  EXPECT_EQ(known_part(heard[0]),
            R"({"event":"attempt","call":"report","operation":"read","attempt":1,"verdict":"retry","kind":"server",)"
            R"("safety":"maybe","hint_ms":30.0,"delay_ms":1.5,"origin":"backoff","is_final":false,)"
            R"("severity":"info","error":null})");
  EXPECT_EQ(
      known_part(heard[1]),
      R"({"event":"attempt","call":"report","operation":"read","attempt":2,"verdict":"success","kind":null,)"
      R"("safety":null,"hint_ms":null,"delay_ms":null,"origin":null,"is_final":true,"severity":"info","error":null})");
  EXPECT_EQ(
      known_part(heard[2]),
      R"({"event":"end","call":"report","operation":"read","reason":"succeeded","attempts":2,"severity":"info"})");
}

TEST(JsonLines, AttemptsThatOverlapHaveTheirOwnLines) {
  lines heard;
  manual_clock clock;
  auto const s = compose(anew::retry_all{}, constant_backoff{2ms}, no_jitter{}, max_attempts<3>{},
                         json_lines{to_lines{&heard}}, clock);
  anew::hedge_after<10ms> const hedging;
  anew::hedge_machine call{s, hedging, idempotent_call};
  std::ignore = call.begin();
  ASSERT_EQ(call.on_time().start, 2U);
  clock.advance(1ms);
  for (auto const number : {2U, 1U}) std::ignore = call.on_verdict(number, directive::retry(error_kind::server));
  clock.advance(2ms);
  ASSERT_EQ(call.on_time().start, 3U);
  ASSERT_TRUE(call.on_success(3).finished);
  std::string told;
  for (auto const& line : heard) {
    auto const read = json::parse(line);
    told.append(read.at("event")).append(" ").append(read.value("attempt", json{}).dump());
    told.append(" ").append(read.value("delay_ms", json{}).dump()).append("\n");
  }
  EXPECT_EQ(told, "hedge 2 0.0\nattempt 2 null\nattempt 1 2.0\nattempt 3 null\nend null null\n");
}

TEST(JsonLines, TellChanges) {
  lines heard;
  json_lines{to_lines{&heard}, "report"}.on_change(
      anew::gate_change{anew::breaker_state::closed, anew::breaker_state::open});
  json_lines{to_lines{&heard}}.on_change(
      {{anew::breaker_state::open, anew::breaker_state::closed}, anew::changed::pacer});
  EXPECT_EQ(heard, (lines{R"({"event":"gate","call":"report","from":"closed","to":"open","severity":"error"})",
                          R"({"event":"pacer","from":"slowing","to":"free","severity":"info"})"}));
}

TEST(JsonLines, TellCallsApartAndHowLongTheyTook) {
  lines heard;
  manual_clock clock;
  auto const s = compose(error_code_classifier{}, constant_backoff{2ms}, no_jitter{}, max_attempts<2>{},
                         json_lines{to_lines{&heard}}, clock);
  retry_machine first{s, idempotent_call};
  retry_machine second{s, idempotent_call};
  auto const refused = std::make_error_code(std::errc::connection_refused);
  for (auto* call : {&first, &second}) EXPECT_EQ(call->begin(), next_step::attempt);
  clock.advance(3ms);
  for (auto* call : {&first, &second}) EXPECT_EQ(call->on_outcome(refused), next_step::wait);
  clock.advance(2ms);
  for (auto* call : {&second, &first}) EXPECT_EQ(call->on_wait_over(), next_step::attempt);
  clock.advance(1ms);
  EXPECT_EQ(second.on_success(), next_step::finished);
  ASSERT_EQ(heard.size(), 4U);
  std::vector<json> read;
  for (auto const& line : heard) read.push_back(json::parse(line));
  EXPECT_NE(read[0].at("id"), read[1].at("id"));
  for (auto const at : {2U, 3U}) EXPECT_EQ(read[at].at("id"), read[1].at("id"));
  EXPECT_EQ(read[0].at("error"), refused.message());
  EXPECT_TRUE(read[2].at("error").is_null());
  for (auto const& [at, took] : {std::pair{0U, 3.0}, std::pair{1U, 3.0}, std::pair{2U, 1.0}, std::pair{3U, 6.0}}) {
    EXPECT_EQ(read[at].at("took_ms"), took) << heard[at];
  }
}

TEST(JsonLines, AFailureThatIsNotRepeatedKeepsWhatTheClassifierSaid) {
  lines heard;
  EXPECT_FALSE(anew::retry(strategy_with(json_lines{to_lines{&heard}}), [] { return false; }, no_sleep));
  ASSERT_EQ(heard.size(), 2U);
  auto const attempt = json::parse(heard[0]);
  EXPECT_EQ(attempt.at("verdict"), "retry");
  EXPECT_EQ(attempt.at("safety"), "maybe");
  EXPECT_EQ(attempt.at("is_final"), true);
  EXPECT_EQ(attempt.at("severity"), "error");
  EXPECT_TRUE(attempt.at("delay_ms").is_null() && attempt.at("origin").is_null());
  EXPECT_FALSE(attempt.contains("call"));
  EXPECT_EQ(known_part(heard[1]), R"({"event":"end","reason":"not_idempotent","attempts":1,"severity":"error"})");
}

TEST(JsonLines, TellsASinkThatAsksHowLoudALineIs) {
  lines heard;
  EXPECT_TRUE(anew::retry(strategy_with(json_lines{to_lines_with_severity{&heard}}), [] { return true; }, no_sleep));
  ASSERT_EQ(heard.size(), 2U);
  EXPECT_EQ(heard[0].find("debug|{"), 0U);
  EXPECT_EQ(heard[1].find("debug|{"), 0U);
}

TEST(JsonLines, TheLabelMayBeAnyText) {
  lines heard;
  std::string const labels[]{"say \"hi\"\n\\", std::string("a\0b", 3), "na\xC3\xAFve", "not \xFF UTF-8"};
  for (auto const& label : labels) {
    json_lines const observer{to_lines{&heard}, label};
    auto call = observer.on_call({nullptr}, {});
    observer.on_end(call, {1, stop_reason::quota}, {});
  }
  ASSERT_EQ(heard.size(), 4U);
  for (std::size_t i = 0; i != heard.size(); ++i) {
    EXPECT_EQ(heard[i].find('\n'), std::string::npos) << heard[i];
    auto const read = json::parse(heard[i]);
    EXPECT_EQ(read.at("call"), i == 3 ? std::string{"not \xEF\xBF\xBD UTF-8"} : labels[i]);
  }
}

TEST(JsonOf, AnAttempt) {
  auto const final_one = json_of(attempt_event{4, directive::fail(), true});
  EXPECT_EQ(final_one.at("verdict"), "final");
  EXPECT_EQ(final_one.at("attempt"), 4);
  EXPECT_TRUE(final_one.at("kind").is_null() && final_one.at("safety").is_null() && final_one.at("hint_ms").is_null());
  EXPECT_EQ(final_one.at("severity"), "error");
  for (auto const& [safety, word] : {std::pair{retry_safety::yes, "yes"}, std::pair{retry_safety::maybe, "maybe"},
                                     std::pair{retry_safety::no, "no"}}) {
    auto const failed =
        json_of({1, directive::retry({error_kind::timeout, safety, {}}), false}, planned_delay{2s, delay_origin::cap});
    EXPECT_EQ(failed.at("safety"), word);
    EXPECT_EQ(failed.at("kind"), "timeout");
    EXPECT_EQ(failed.at("delay_ms"), 2000);
    EXPECT_EQ(failed.at("origin"), "cap");
    EXPECT_TRUE(failed.at("hint_ms").is_null());
    EXPECT_EQ(failed.at("is_final"), false);
  }
}

TEST(JsonLines, DescribesItself) { EXPECT_EQ((json_lines{to_lines{nullptr}, "x"}.describe()), "json_lines"); }

namespace limits = json_limits;

// Members that are not read may be anything: the limits count them too.
std::string nested(std::size_t depth) {
  auto const arrays = depth - 1;
  return std::string{R"({"x":)"} + std::string(arrays, '[') + std::string(arrays, ']') + "}";
}
std::string of_values(std::size_t values) {
  std::string text{"[0"};
  for (std::size_t i = 2; i < values - 1; ++i) text += ",0";
  return std::string{R"({"x":)"} + text + "]}";
}
std::string of_bytes(std::size_t bytes) {
  std::string text{"{}"};
  return text.append(bytes - text.size(), ' ');
}

TEST(JsonLimits, WhatIsAtTheLimitIsRead) {
  for (auto const& text : {nested(limits::depth), of_values(limits::values), of_bytes(limits::bytes)}) {
    EXPECT_EQ(service_config::read(text).find("a", "b"), nullptr);
    EXPECT_EQ(read_retriers(text).size(), 0U);
  }
}

#if ANEW_EXCEPTIONS
std::string text_refusal(std::string_view text) {
  auto const config = support::rejection_of<invalid_setting>([&] { return service_config::read(text); });
  EXPECT_EQ(support::rejection_of<invalid_setting>([&] { return read_retriers(text); }), config);
  return config;
}

TEST(JsonLimits, OneMoreIsRefused) {
  EXPECT_EQ(
      text_refusal(nested(limits::depth + 1)),
      "x" + std::string{"[0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0]["}.substr(0, 76) +
          "... must be nested at most 64 levels deep, but is deeper");
  EXPECT_EQ(text_refusal(of_values(limits::values + 1)), "the document must have at most 100000 values, but is more");
  EXPECT_EQ(text_refusal(of_bytes(limits::bytes + 1)), "the document must have at most 1048576 bytes, but is 1048577");
}

TEST(JsonLimits, DepthIsCountedOfWhatIsOpen) {
  std::string wide{R"({"x":[)"};
  for (int i = 0; i != 1000; ++i) wide += "[[{\"a\":{}}]],";
  EXPECT_EQ(text_refusal(wide + "0]}"), "accepted");
  EXPECT_EQ(text_refusal(R"({"a":{"b":[1,[)" + nested(limits::depth) + "]]}}").substr(0, 14), "a.b[1][0].x[0]");
}

TEST(JsonLimits, DeepDocumentsNeedNoStack) {
  std::string const open(100'000, '[');
  std::string told;
  support::on_small_stack([&] { told = text_refusal(R"({"methodConfig":)" + open + std::string(100'000, ']') + "}"); });
  EXPECT_EQ(told.substr(0, 15), "methodConfig[0]");
  support::on_small_stack([&] { told = text_refusal(open); });
  EXPECT_NE(told.find("must be nested at most 64 levels deep"), std::string::npos);
}

// A document that the program made itself is not parsed: no limit, and no stack either.
TEST(JsonLimits, ADocumentOfTheProgramsMayBeDeep) {
  nlohmann::json deep = nlohmann::json::array();
  for (int i = 0; i != 100'000; ++i) {
    auto outer = nlohmann::json::array();
    outer.push_back(std::move(deep));
    deep = std::move(outer);
  }
  nlohmann::json config = nlohmann::json::object();
  config["methodConfig"] = std::move(deep);
  std::string told;
  support::on_small_stack(
      [&] { told = support::rejection_of<invalid_setting>([&] { return service_config::read(config); }); });
  EXPECT_EQ(told, "methodConfig[0] must be an object, but is an array");
}

TEST(JsonLimits, LongNamesAndValuesAreShortened) {
  std::string const name(2000, 'n');
  auto const field = support::rejection_of<invalid_setting>(
      [&] { return read_retriers(R"([{")" + name + R"(":")" + name + R"("}])"); });
  EXPECT_LT(field.size(), 250U);
  EXPECT_EQ(field.substr(0, 12), R"(Retry[0]["nn)");
}

TEST(JsonLimits, TextThatIsNotJsonIsShownOnOneLine) {
  EXPECT_EQ(text_refusal(std::string_view{"{\n\x1B[31m\0", 8}), R"(the document must be JSON, but is {\n\x1b[31m\x00)");
  EXPECT_EQ(text_refusal(R"({"a\u0000b":1,"a\u0000b":2})"),
            R"(the document must have each name of an object once, but is twice "a\u0000b")");
}
#endif

/// What is written is read again.
void expect_same(auto const& strategy, auto const&... given) {
  nlohmann::ordered_json const object = strategy;
  auto const same = strategy_from_json(object, given...);
  ASSERT_TRUE(same.has_value()) << object << same.error().what;
  EXPECT_EQ(anew::describe(*same), anew::describe(strategy));
  if constexpr (sizeof...(given) == 0) {
    EXPECT_EQ(nlohmann::ordered_json(*same), object);
  }
}

TEST(StrategyFromJson, ReadsWhatToJsonWrites) {
  for (auto const* const text :
       {"exponential(50ms,20s)", "sum(linear(1s,9s),constant(5ms)) no_jitter token_bucket(500,server=5) unbounded",
        "deadline(2s,clamp,100ms) max_attempts(5) server_hint(clamp,9s)", "cool_down(constant(1s),refuse,ignored=3)"}) {
    expect_same(read_strategy(text).value());
  }
}

TEST(StrategyFromJson, TakesPoliciesOfTheProgram) {
  nlohmann::json const object = {{"backoff", "constant(1s)"}, {"classifier", "retry_if"}};
  auto const read = strategy_from_json(object, retry_if{[](int) { return true; }}, token_bucket{60});
  ASSERT_TRUE(read.has_value()) << read.error().what;
  EXPECT_EQ(describe(*read), "constant(1s) full_jitter token_bucket(60) retry_if max_attempts(3) server_hint(stop)");
}

TEST(StrategyFromJson, AFaultNamesItsMember) {
  auto const fault_of = [](nlohmann::json const& object) { return strategy_from_json(object).error().what; };
  EXPECT_EQ(fault_of(nlohmann::json::array()), "a strategy must be a JSON object with a member for each role");
  EXPECT_EQ(fault_of({{"bakoff", "constant(1s)"}}), "'bakoff' must be the name of a role");
  EXPECT_EQ(fault_of({{"backoff", 5}}), "backoff: the value must be a text in the notation");
#if ANEW_EXCEPTIONS
  EXPECT_EQ(fault_of({{"backoff", "full_jitter"}}), "backoff: 'full_jitter' plays the role jitter");
  auto const read = strategy_from_json(nlohmann::json{{"backoff", "no_backoff"}, {"jitter", "no_jiter"}});
  EXPECT_EQ(read.error().what, "jitter: there is no policy 'no_jiter'; did you mean 'no_jitter'?");
  EXPECT_EQ(read.error().at, 0U);
  EXPECT_EQ(read.error().length, 8U);
  EXPECT_EQ(fault_of({{"deadline", "deadline(2s)"}}),
            "deadline: with a deadline the limit of attempts must be written: unbounded, or max_attempts(N)");
#endif
}

TEST(StrategyFromJson, AWordOfSeveralRolesIsReadInTheRoleOfItsMember) {
  auto const shown = [](nlohmann::json const& object) {
    auto const read = strategy_from_json<striped_words, striped_pacer_words>(object);
    return read ? anew::describe(*read) : read.error().what;
  };
  EXPECT_THAT(shown({{"quota", "striped(token_bucket(100))"}}), ::testing::HasSubstr(" striped(token_bucket(100)) "));
  EXPECT_THAT(shown({{"gate", "striped(client_throttle(2,10s))"}}),
              ::testing::HasSubstr(" striped(client_throttle(2,10s))"));
  EXPECT_EQ(shown({{"gate", "striped(token_bucket(100))"}}), "gate: 'striped' plays the role quota");
}

TEST(StrategyFromJson, NothingIsTheDefault) {
  auto const read = strategy_from_json(nlohmann::json::object());
  ASSERT_TRUE(read.has_value()) << read.error().what;
  EXPECT_EQ(describe(*read), anew::describe<anew::strategy<>>());
}

#if ANEW_EXCEPTIONS
TEST(StrategyFromJson, AMemberIsReadAlone) {
  auto const shown = [](nlohmann::json const& object, std::string_view value, auto... given) {
    auto const read = strategy_from_json(object, given...);
    return read ? anew::describe(*read) : in_lines(read.error(), value);
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
  auto const predicate = retry_if{[](int) { return true; }};
  EXPECT_TRUE(shown({{"backoff", "retry_if"}}, "retry_if", predicate).starts_with("backoff: there is no policy"));
}
#endif

struct named_oddly {
  using role = roles::classifier;
  static directive classify(int /*error*/) { return directive::fail(); }
  static std::string describe() { return "my::classifier<a, b("; }
};
struct unnamed : named_oddly {
  static std::string describe() { return ""; }
};
TEST(StrategyFromJson, TakesAnyDescriptionOfAGivenPolicy) {
  expect_same(anew::strategy<named_oddly>{}, named_oddly{});
  expect_same(anew::strategy<unnamed>{}, unnamed{});
}

TEST(StrategyFromJson, APlaceOutsideOfTheTextIsItsEnd) {
  EXPECT_EQ(in_lines({7, 3, "wrong"}, "abc"), "wrong\n  abc\n     ^");
}

TEST(ToJson, HasAMemberForEachRoleThatIsPlayed) {
  nlohmann::ordered_json const object = compose(max_attempts{5}, deadline<2s>{});
  EXPECT_EQ(object.dump(),
            R"json({"backoff":"exponential(50ms,20s)","jitter":"full_jitter","quota":"unlimited_quota",)json"
            R"json("classifier":"retry_info","max_attempts":"max_attempts(5)","hint":"server_hint(stop)",)json"
            R"json("deadline":"deadline(2s)"})json");
}

TEST(ToJson, TakesAStrategyThatCannotBeCopied) {
  anew::strategy<token_bucket<60>> const strategy;
  nlohmann::json const object = strategy;
  EXPECT_EQ(object.at("quota"), strategy.quota().describe());
}

TEST(StatesLanguage, ReadsEveryField) {
  auto const read = read_retriers(std::string_view{R"([
    {"Comment": "all of it", "ErrorEquals": ["A", "States.Timeout"], "IntervalSeconds": 3, "BackoffRate": 1.5, "MaxAttempts": 7,
     "MaxDelaySeconds": 60, "JitterStrategy": "FULL"},
    {"ErrorEquals": ["B"], "MaxAttempts": 0, "JitterStrategy": "NONE"},
    {"ErrorEquals": ["States.ALL"]}])"});
  ASSERT_EQ(read.size(), 3U);
  EXPECT_EQ(read[0].error_equals, (std::vector<std::string>{"A", "States.Timeout"}));
  auto const numbers = [&](std::size_t at) {
    auto const& [error_equals, interval, max_attempts, rate, max_delay, jitter] = read[at];
    return std::tuple{interval, rate, max_attempts, max_delay, jitter};
  };
  std::optional<duration> const none;
  EXPECT_EQ(numbers(0), std::tuple(3s, rational{3, 2}, 7U, 60s, jitter_strategy::full));
  EXPECT_EQ(numbers(1), std::tuple(1s, rational{2}, 0U, none, jitter_strategy::none));
  EXPECT_EQ(numbers(2), std::tuple(1s, rational{2}, 3U, none, jitter_strategy::none)) << "the defaults";
}

TEST(StatesLanguage, ReadsAState) {
  auto const read = read_retriers(std::string_view{
      R"({"Type": "Task", "Retry": [{"ErrorEquals": ["States.ALL"], "IntervalSeconds": 3, "BackoffRate": 1.5}], "Next": "x"})"});
  strategy const retry{read};
  auto token = retry.acquire_initial_token();
  std::vector<duration> delays;
  for (int i = 0; i != 3; ++i) {
    token = *retry.refresh_retry_token(std::move(token), "anything");
    delays.push_back(token.delay());
  }
  EXPECT_EQ(delays, (std::vector<duration>{3s, 4500ms, 6750ms}));
  EXPECT_EQ(read_retriers(std::string_view{R"({"Type": "Task"})"}).size(), 0U);
  EXPECT_EQ(read_retriers(std::string_view{"[]"}).size(), 0U);
}

TEST(StatesLanguage, BackoffRateIsExact) {
  using row = std::tuple<std::string, unsigned, unsigned>;
  for (auto const& [number, num, den] :
       {row{"1", 1, 1}, row{"1.0", 1, 1}, row{"2.0", 2, 1}, row{"1.1", 11, 10}, row{"1.25", 5, 4}, row{"1e1", 10, 1},
        row{"1.000001", 1'000'001, 1'000'000}, row{"4294967295", 4'294'967'295, 1}}) {
    auto const read = read_retriers(R"([{"ErrorEquals": ["A"], "BackoffRate": )" + number + "}]");
    EXPECT_EQ(read[0].backoff_rate.num, num) << number;
    EXPECT_EQ(read[0].backoff_rate.den, den) << number;
  }
}

#if ANEW_EXCEPTIONS
/// The message, which is made of the parts of the exception.
std::string retry_refusal(std::string const& document) {
  try {
    (void)read_retriers(document);
  } catch (invalid_setting const& error) {
    auto const path = error.path().empty() ? "the document" : std::string{error.path()};
    EXPECT_EQ(path + " " + std::string{error.requirement()} + ", but is " + std::string{error.value()}, error.what());
    return error.what();
  }
  return "accepted";
}

TEST(StatesLanguage, NamesWhatIsWrong) {
  using row = std::pair<std::string, std::string>;
  for (auto const& [document, message] : {
           row{"", "the document must be JSON, but is empty"},
           {"[{]", "the document must be JSON, but is [{]"},
           {"3", "Retry must be an array, but is 3"},
           {R"({"Retry": {}})", "Retry must be an array, but is {}"},
           {"[1]", "Retry[0] must be an object, but is 1"},
           {"[{}]", "Retry[0].ErrorEquals must be given, but is absent"},
           {R"([{"ErrorEquals": "A"}])", R"(Retry[0].ErrorEquals must be an array, but is "A")"},
           {R"([{"ErrorEquals": ["A", 7]}])", "Retry[0].ErrorEquals[1] must be a string, but is 7"},
           {R"([{"ErrorEquals": []}])", "Retry[0].ErrorEquals must name an error, but is empty"},
           {R"([{"ErrorEquals": ["States.ALL"]}, {"ErrorEquals": ["B"]}])",
            "Retry[0].ErrorEquals must have States.ALL in the last retrier only, but is not the last"},
           {R"([{"ErrorEquals": ["States.ALL", "B"]}])",
            "Retry[0].ErrorEquals must have States.ALL alone, but is one of several"},
           {R"([{"ErrorEquals": ["A"]}, {"ErrorEquals": ["A"], "MaxAttempts": -1}])",
            "Retry[1].MaxAttempts must be a whole number between 0 and 99999999, but is -1"},
           {R"([{"ErrorEquals": ["A"], "MaxAttempts": 1, "MaxAttempts": 2}])",
            R"(the document must have each name of an object once, but is twice "MaxAttempts")"},
       }) {
    EXPECT_EQ(retry_refusal(document), message) << document;
  }
}

TEST(StatesLanguage, NamesTheFieldOfWhatIsWrong) {
  using row = std::pair<std::string, std::vector<std::string>>;
  for (auto const& [must, values] : {
           row{"MaxAttempts must be a whole number between 0 and 99999999", {"2.5", "100000000", R"("{% $n %}")"}},
           {"IntervalSeconds must be a whole number between 1 and 99999999", {"0"}},
           {"MaxDelaySeconds must be a whole number between 1 and 31622399", {"31622400"}},
           {"BackoffRate must be a number between 1 and 4294967295", {"0.99", "-2", "4294967296", "-0.0"}},
           {R"(JitterStrategy must be "FULL" or "NONE")", {R"("HALF")"}},
           {"IntervalSecond must not be there: a retrier has no such field", {"2"}},
       }) {
    for (auto const& value : values) {
      auto const field = R"(")" + must.substr(0, must.find(' ')) + R"(": )" + value;
      EXPECT_EQ(retry_refusal(R"([{"ErrorEquals": ["A"], )" + field + "}]"), "Retry[0]." + must + ", but is " + value);
    }
  }
}

TEST(StatesLanguage, AtMostAThousandRetriers) {
  std::string many = R"([{"ErrorEquals": ["A"]})";
  for (int i = 1; i != 1000; ++i) many += R"(, {"ErrorEquals": ["A"]})";
  EXPECT_EQ(read_retriers(many + "]").size(), 1000U);
  EXPECT_EQ(retry_refusal(many + R"(, {"ErrorEquals": ["A"]}])"), "Retry must have at most 1000 retriers, but is 1001");
}

TEST(StatesLanguage, ANameMayBeAnyString) {
  for (std::string const name : {R"(Foo\u0000bar)", "", R"(a.b\n)", R"(ErrorEquals\u0000)"}) {
    EXPECT_EQ(retry_refusal(R"([{"ErrorEquals":["States.ALL"],")" + name + R"(":1}])"),
              R"(Retry[0][")" + name + R"("] must not be there: a retrier has no such field, but is 1)");
  }
}

TEST(StatesLanguage, LongValuesAreShortened) {
  auto const long_name = R"([{"ErrorEquals": ")" + std::string(200, 'x') + R"("}])";
  EXPECT_EQ(support::rejection_of<invalid_setting>([&] { return read_retriers(long_name); }).size(),
            std::string_view{"Retry[0].ErrorEquals must be an array, but is "}.size() + 80);
}
#endif

}  // namespace
}  // namespace json_test
