// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies/classifier/http_status.hpp"
#include "anew/policies/classifier/http_statuses.hpp"
#include "anew/text/read_strategy.hpp"

#include "names.hpp"

namespace compose_notation_text_test {
namespace {

using vocabulary = anew::join_words<anew::core_words, anew::words::http_status, anew::random_source_words>;

auto read(std::string_view text) {
  return anew::read_strategy<vocabulary>(text, anew::http_statuses{}, anew::words::token_bucket::policy_type{500});
}

/// What a text says in full, or what is wrong with it.
std::string said_by(std::string_view text) {
  auto const result = read(text);
  return result ? anew::describe(*result) : in_lines(result.error(), text);
}

std::string fault_of(std::string_view text) {
  auto const result = read(text);
  return result ? "accepted" : result.error().what;
}

/// The part of the text that is pointed at.
std::string blamed_in(std::string_view text) {
  auto const result = read(text);
  return result ? "accepted" : std::string{text.substr(result.error().at, result.error().length)};
}

TEST(NotationText, AnyOrderAndAnyBlanksAreTheSame) {
  std::string const expected =
      "exponential(50ms,20s) full_jitter token_bucket(70) http_status(408,429,500,502,503,504) max_attempts(4) "
      "server_hint(stop)";
  EXPECT_EQ(said_by("max_attempts(4) token_bucket(70) exponential(50ms,20s)"), expected);
  EXPECT_EQ(said_by("\t token_bucket( 70 )\n  max_attempts(4 )   full_jitter  "), expected);
  EXPECT_EQ(said_by("token_bucket(70) max_attempts(4) exponential(0.05s , 20000ms,2)"), expected);
  // What it does not name is the program's own; what any strategy says of itself may be given.
  EXPECT_EQ(said_by("no_jitter"),
            "exponential(50ms,20s) no_jitter token_bucket(500) http_status(408,429,500,502,503,504) max_attempts(3) "
            "server_hint(stop)");
  EXPECT_EQ(said_by(anew::describe<anew::strategy<>>()),
            "exponential(50ms,20s) full_jitter unlimited_quota http_status(408,429,500,502,503,504) max_attempts(3) "
            "server_hint(stop)");
}

TEST(NotationText, AFaultIsPointedAt) {
  EXPECT_EQ(said_by("exponental(50ms,20s) full_jitter"),
            "there is no policy 'exponental'; did you mean 'exponential'?\n"
            "  exponental(50ms,20s) full_jitter\n"
            "  ^~~~~~~~~~");
  EXPECT_EQ(said_by("full_jitter exponential(50,20s)"),
            "'50' must be a duration up to 2562047h, a number and a unit: 250ms, 2s, 1.5s, 100us, 1m\n"
            "  full_jitter exponential(50,20s)\n"
            "                          ^~");
  EXPECT_EQ(said_by("full_jitter\nk\xC3\xA4se\x7F no_jitter(3"),
            "this '(' is never closed\n  full_jitter k\xC3\xA4se  no_jitter(3\n                             ^");
  EXPECT_EQ(said_by("constant("), "the text ends where a word is expected\n  constant(\n           ^");
}

TEST(NotationText, EachFaultIsSaidAndPointedAt) {
  std::string const no_duration = " must be a duration up to 2562047h, a number and a unit: 250ms, 2s, 1.5s, 100us, 1m";
  std::string const no_ratio = " must be a number such as 2, 1.5 or 3/2, made of numbers up to 4294967295";
  auto const check = [&](std::string const& text, std::string const& what, std::string const& blamed) {
    EXPECT_EQ(fault_of(text), what);
    EXPECT_EQ(blamed_in(text), blamed) << text;
  };
  check("ful_jitter", "there is no policy 'ful_jitter'; did you mean 'full_jitter'?", "ful_jitter");
  check("maxattempts(3)", "there is no policy 'maxattempts'; did you mean 'max_attempts'?", "maxattempts");
  check("bucket(3)", "there is no policy 'bucket'; did you mean 'token_bucket'?", "bucket");
  check("jitter", "there is no policy 'jitter'; did you mean 'full_jitter'?", "jitter");
  check("sum(constnt(1s),no_backoff)", "there is no policy 'constnt'; did you mean 'constant'?", "constnt");
  check("attempt_timeout(1s)", "this program does not read 'attempt_timeout' here", "attempt_timeout");
  check("retry_all", "this program does not read 'retry_all' here", "retry_all");
  // Arguments: how many, and where.
  check("constant", "'constant' requires more arguments; it is written constant(DELAY)", "constant");
  check("no_jitter exponential(1s)",
        "'exponential' requires more arguments; it is written exponential(BASE,CAP[,FACTOR])", "exponential(1s)");
  check("constant()", "'constant' requires more arguments; it is written constant(DELAY)", "constant()");
  check("no_jitter()", "omit the parentheses", "no_jitter()");
  check("full_jitter(1)", "'1' does not belong here; omit the parentheses", "1");
  check("constant(1s,2s)", "'2s' does not belong here; constant is written constant(DELAY)", "2s");
  check("phased(constant(1s),constant(1s))", "'constant(1s)' must be for_first(N,BACKOFF)", "constant(1s)");
  check("phased(for_first(2,constant(1ms)))",
        "'phased' requires more arguments; it is written phased(for_first(N,BACKOFF),...,BACKOFF)",
        "phased(for_first(2,constant(1ms)))");
  check("by_kind(throttling=constant(1s))",
        "'by_kind' requires more arguments; it is written by_kind([KIND=BACKOFF,...,]BACKOFF)",
        "by_kind(throttling=constant(1s))");
  check("max_attempts(3s)", "'3s' must be a whole number, at most 9223372036854775807", "3s");
  check("exponential(1s,2s,two)", "'two'" + no_ratio, "two");
  check("sum(own=no_backoff,no_backoff)", "omit 'own=': this argument has no name", "own=no_backoff");
  check("exponential(base=1s,2s)", "omit 'base=': this argument has no name", "base=1s");
  check("http_status(600)", "'600' must be a status from 100 to 599, 4xx or 5xx", "600");
  check("server_hint(obey)", "'obey' must be one of stop, clamp, ignore", "obey");
  check("token_bucket(30,server=1,server=2)", "'server' is given twice", "server=2");
  check("token_bucket(30,sever=1)",
        "'sever' must be one of transient, throttling, timeout, server, client, refund, otherwise", "sever=1");
  check("deadline(1s,5) unbounded", "'5'" + no_duration, "5");
  check("constant(99999999999h)", "'99999999999h'" + no_duration, "99999999999h");
  check("constant(1.0000000000000000000s)", "'1.0000000000000000000s'" + no_duration, "1.0000000000000000000s");
  check("deadline(1s,99999999999h) unbounded", "'99999999999h'" + no_duration, "99999999999h");
  check("exponential(1s,2s,4294967296)", "'4294967296'" + no_ratio, "4294967296");
  check("exponential(1s,2s,1/4294967296)", "'1/4294967296'" + no_ratio, "1/4294967296");
  // What is out of range is told by the policy itself.
  check("max_attempts(-1)", "anew::max_attempts: attempts must be between 1 and 4294967295, but is -1",
        "max_attempts(-1)");
  check("deadline(1s,clamp) unbounded", "anew::deadline: reserve must be above zero with at_deadline::clamp, but is 0s",
        "deadline(1s,clamp)");
  check("full_jitter sum(constant(1s),exponential(2s,1s))",
        "anew::exponential_backoff: cap must not be below base, but is 1s (base 2s)", "exponential(2s,1s)");
  // Roles.
  check("full_jitter max_attempts(3) equal_jitter",
        "'equal_jitter' plays the role jitter, as does 'full_jitter' before it; omit one of them", "equal_jitter");
  check("token_bucket(30) token_bucket(30)",
        "'token_bucket' plays the role quota, as does 'token_bucket(30)' before it; omit one of them",
        "token_bucket(30)");
  check("full_jitter deadline(3s)",
        "with a deadline the limit of attempts must be written: unbounded, or max_attempts(N)", "deadline(3s)");
  check("sum(full_jitter,constant(1s))", "'full_jitter' plays the role jitter; write a backoff", "full_jitter");
  // The grammar.
  check("constant(1s))", "this ')' closes nothing", ")");
  check("max_attempts(3)\u00e9", "write a blank between two policies, before '\u00e9'", "\u00e9");
  check("max_attempts(3)\x01", "write a blank between two policies, before '\\x01'", "\x01");
  check("full_jitter,no_backoff", "write a blank between two policies, before ','", ",");
  check("constant(5 ms)", "write ',' or ')' between two arguments", "m");
  check(" (1ms)", "write a word before '('", "(");
  check("constant (1ms)", "write a word before '('", "(");
  check("sum(constant  (1ms),no_backoff)", "write ',' or ')' between two arguments", "(");
  EXPECT_NE(fault_of("zzz").find("max_attempts, unbounded"), std::string::npos);
  EXPECT_NE(fault_of(std::string(5000, 'x')).find("max_attempts, unbounded"), std::string::npos);
}

TEST(NotationText, RefusesWhatIsNoWordAndNoNumber) {
  struct row {
    char const* what;  // of each fault
    std::vector<char const*> texts;
    char const* before = "";
    char const* after = "";
  };
  for (auto const& [what, texts, before, after] : {
           row{"must be a duration",
               {"1.2.3s", "s", ".5s", "5.s", "5/2s", "-s", "5", "ms", "1e3ms", "5parsec", "0x5ms", "+5ms", "--5ms",
                "inf"},
               "constant(",
               ")"},
           {"", {"5 ms", "full_jitter", "1s(2)", "x=1s"}, "constant(", ")"},
           {"", {"three", "3.5", "3s", "", "9223372036854775808", "+3", "3(1)", "n=3"}, "max_attempts(", ")"},
           {"must be a number",
            {"/2", "1/", "1//2", "1/2/3", ".5", "1.2.3", "-1/2", "1/x", "two"},
            "exponential(1s,2s,",
            ")"},
       }) {
    for (std::string const text : texts) {
      auto const fault = fault_of(before + text + after);
      EXPECT_NE(fault, "accepted") << text;
      EXPECT_NE(fault.find(what), std::string::npos) << text << ": " << fault;
    }
  }
  for (auto const* const text :
       {"exponential(1s,2s,1/0)", "seed(-1)", "http_status(99)", "deadline(1s,later) unbounded",
        "retry_throttle(10,0.0001)", "full_jitter()", "token_bucket(server=3)", "token_bucket(30,4)",
        "refilling_bucket(3,server=1)", "refilling_bucket(3,1s,reserve)", "jittered_hint(1/2,constant(1s))",
        // The grammar.
        "", " \t", "(", ")", ",", "=", "constant(1s", "constant(1s,)", "constant(,1s)", "sum(constant(1s)constant(1s))",
        "constant(1s)full_jitter", "full_jitter=3", "token_bucket(30,server=)", "token_bucket(30,=5)",
        "constant (1s)"}) {
    EXPECT_NE(fault_of(text), "accepted") << text;
  }
}

TEST(NotationText, BoundsAreExact) {
  auto const nested = [](std::size_t levels) {
    std::string text = "constant(1s)";
    for (std::size_t i = 0; i != levels; ++i) text = "immediate_first(" + text + ")";
    return text;
  };
  std::string deep;
  for (int i = 0; i != 4000; ++i) deep += "immediate_first(";
  std::string delays = "sequence(1s";
  for (int i = 1; i != 64; ++i) delays += ",1s";
  std::string many;
  for (int i = 0; i != 65; ++i) many += "full_jitter ";
  using row = std::pair<std::string, std::string>;
  for (auto const& [text, what] : {
           row{nested(15), "accepted"},
           {nested(16), "policies must be nested at most 16 deep"},
           {deep, "policies must be nested at most 16 deep"},
           {delays + ")", "accepted"},
           {delays + ",1s)", "there must be at most 64 arguments"},
           {"no_backoff" + std::string(65'526, ' '), "accepted"},
           {"no_backoff" + std::string(65'527, ' '), "the text must have at most 65536 bytes"},
           {many, "there must be at most 64 policies"},
       }) {
    EXPECT_EQ(fault_of(text), what);
  }
}

TEST(Durations, AreReadExactly) {
  using row = std::pair<char const*, std::optional<duration>>;
  for (auto const& [text, read] :
       {row{"9223372036854775807ns", duration::max()}, row{"9223372036854775808ns", std::nullopt},
        row{"9223372036.854775807s", duration::max()}, row{"9007199254740993ns", duration{9007199254740993}},
        row{"0.1s", 100ms}, row{"0.5ns", 1ns}, row{"0.4ns", 0ns}, row{"1.25h", 75min}, row{"2.5us", 2500ns}}) {
    EXPECT_EQ(anew::word::read_duration(text), read) << text;
  }
}

TEST(StrategyReading, GivesNoStrategyForARefusedText) {
  anew::strategy_reading<std::string> refused{anew::text_fault{0, 3, "there is no such word"}};
  auto const& constant = refused;
  EXPECT_THROW((void)*constant, std::invalid_argument);
  EXPECT_THROW((void)constant->size(), std::invalid_argument);
  EXPECT_THROW((void)*std::move(refused), std::invalid_argument);
  EXPECT_THROW((void)std::move(refused).value(), std::invalid_argument);
  anew::strategy_reading<std::string> accepted{std::string{"fast"}};
  EXPECT_EQ(*accepted, "fast");
  EXPECT_EQ(accepted->size(), 4U);
  EXPECT_EQ(*std::move(accepted), "fast");
}

}  // namespace
}  // namespace compose_notation_text_test
