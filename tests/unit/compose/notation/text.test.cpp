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
#include "anew/classifier/http_status.hpp"
#include "anew/classifier/http_statuses.hpp"
#include "anew/compose/notation/read_strategy.hpp"

namespace compose_notation_text_test {
namespace {

using namespace std::chrono_literals;
using vocabulary = anew::join_words<anew::core_words, anew::words::http_status, anew::random_source_words>;

auto read(std::string_view text) {
  return anew::read_strategy<vocabulary>(text, anew::http_statuses{}, anew::words::token_bucket::policy_type{500});
}

/// What a text says in full, or what is wrong with it.
std::string said_by(std::string_view text) {
  auto const result = read(text);
  return result ? anew::describe(*result) : in_lines(result.error(), text);
}

auto choice_of(std::string_view text) {
  auto result = read(text);
  EXPECT_TRUE(result.has_value()) << said_by(text);
  return *std::move(result);
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

/// One way to write each policy in each of its forms, as it describes itself.
std::vector<std::vector<std::string>> const by_role{
    {"exponential(50ms,20s)", "exponential(7ns,9223372036854775807ns)", "exponential(1s,1s,3/2)",
     "exponential(1s,60s,3)", "no_backoff", "constant(0s)", "constant(9007199254740993ns)", "linear(100ms,10s)",
     "linear(0s,10s,1ms)", "fibonacci(1ms,1s)", "sequence(1ms)", "sequence(5s,1ms,70s)",
     "immediate_first(constant(3s))", "sum(constant(1s),exponential(50ms,20s))",
     "floor(sum(linear(1ms,2ms),immediate_first(no_backoff)),400ms)",
     "phased(for_first(3,constant(10ms)),exponential(100ms,20s))",
     "phased(for_first(1,no_backoff),for_first(2,constant(1s)),for_first(3,constant(2s)),for_first(4,constant(3s)),"
     "constant(4s))",
     "phased(for_first(1,no_backoff),for_first(2,constant(1s)),for_first(3,constant(2s)),constant(4s))",
     "phased(for_first(1,no_backoff),for_first(2,constant(1s)),constant(4s))"},
    {"no_jitter", "full_jitter", "equal_jitter", "decorrelated_jitter", "proportional_jitter(1/5)",
     "proportional_jitter(1)", "cap_after_draw_jitter", "polly_decorrelated_jitter"},
    {"unlimited_quota", "token_bucket(0)", "token_bucket(4294967295)",
     "token_bucket(500,transient=14,throttling=5,timeout=1,server=10,client=14)", "refilling_bucket(10,100ms)",
     "refilling_bucket(10,100ms,reserve,1s)",
     "refilling_bucket(10,100ms,reserve,1s,transient=1,throttling=2,timeout=1,server=1,client=1)",
     "refilling_bucket(9,1s,transient=1,throttling=1,timeout=1,server=4,client=1)", "retry_budget(20%,10/s,10s)",
     "concurrency_budget(20%,3)", "retry_throttle(100,0.1)", "retry_throttle(10,1.025)", "retry_throttle(10,2)"},
    {"http_status(503)", "http_status(400,599)", "http_status(408,429,500,502,503,504)"},
    {"max_attempts(1)", "max_attempts(4294967295)", "unbounded"},
    {"server_hint(stop)", "server_hint(clamp,0s)", "server_hint(ignore,3600s)", "jittered_hint(1/2,server_hint(stop))",
     "jittered_hint(3,server_hint(clamp,5s))"},
    {"", "deadline(3s)", "deadline(3s,1ms)", "deadline(3s,clamp,1ms)", "deadline(3s,last_try)",
     "deadline(3s,last_try,1ms)"},
    {"", "circuit_breaker(5,30s)", "circuit_breaker(5,30s,2)", "rate_breaker(50%,10s,20,30s)",
     "rate_breaker(50%,10s,20,30s,3)", "client_throttle(2,120s)", "client_throttle(11/10,1500ms)",
     "cool_down(exponential(1s,60s))", "cool_down(constant(1s),refuse)", "cool_down(constant(1s),ignored=3)",
     "cool_down(constant(1s),longest_wait=5s)", "cool_down(constant(1s),ignored=3,longest_wait=1500ms)",
     "cool_down(constant(1s),refuse,ignored=1000)"},
    {"", "seed(0)", "seed(18446744073709551615)"}};

TEST(NotationText, WhatItSaysIsWhatWasRead) {
  std::size_t longest = 0;
  for (auto const& role : by_role) longest = std::max(longest, role.size());
  // Every form of every role, and in each round other neighbours.
  for (std::size_t shift = 0; shift != 3; ++shift) {
    for (std::size_t i = 0; i != longest; ++i) {
      std::string text;
      for (std::size_t role = 0; role != by_role.size(); ++role) {
        auto const& word = by_role[role][(i + shift * role) % by_role[role].size()];
        if (!word.empty()) text += (text.empty() ? "" : " ") + word;
      }
      EXPECT_EQ(said_by(text), text);
    }
  }
}

TEST(NotationText, AnyOrderAndAnyBlanksAreTheSame) {
  std::string const expected =
      "exponential(50ms,20s) full_jitter token_bucket(70) http_status(408,429,500,502,503,504) max_attempts(4) "
      "server_hint(stop)";
  EXPECT_EQ(said_by("max_attempts(4) token_bucket(70) exponential(50ms,20s)"), expected);
  EXPECT_EQ(said_by("\t token_bucket( 70 )\n  max_attempts(4 )   full_jitter  "), expected);
  EXPECT_EQ(said_by("token_bucket(70) max_attempts(4) exponential(0.05s , 20000ms,2)"), expected);
}

TEST(NotationText, WhatItDoesNotNameIsTheProgramsOwn) {
  EXPECT_EQ(said_by("no_jitter"),
            "exponential(50ms,20s) no_jitter token_bucket(500) http_status(408,429,500,502,503,504) max_attempts(3) "
            "server_hint(stop)");
}

TEST(NotationText, WhatAnyStrategySaysOfItselfMayBeGiven) {
  EXPECT_EQ(said_by(anew::describe<anew::strategy<>>()),
            "exponential(50ms,20s) full_jitter unlimited_quota http_status(408,429,500,502,503,504) max_attempts(3) "
            "server_hint(stop)");
}

std::uint32_t balance_of(auto const& strategy) {
  return strategy.quota().template get_if<anew::words::token_bucket::policy_type>()->balance();
}

TEST(NotationText, ThePoliciesDoWhatTheySay) {
  auto backoffs = choice_of("sum(constant(1s),linear(1ms,3ms)) no_jitter");
  EXPECT_EQ(backoffs.backoff().delay(2), anew::duration{1002ms});
  EXPECT_EQ(backoffs.backoff().cap(), anew::duration{1003ms});
  auto const phases = choice_of("phased(for_first(2,constant(1ms)),exponential(1s,9s,3))");
  auto const& phased = phases.backoff();
  EXPECT_EQ(phased.delay(2), anew::duration{1ms});
  EXPECT_EQ(phased.delay(4), anew::duration{3s});
  EXPECT_EQ(choice_of("exponential(1s,9s,1.5)").backoff().delay(2), anew::duration{1500ms});
  auto const limits = choice_of("max_attempts(4)");
  auto const& limit = limits.max_attempts();
  EXPECT_TRUE(limit.permits_another(3) && !limit.permits_another(4));
  auto const quota = choice_of("token_bucket(20,server=7)");
  EXPECT_EQ(balance_of(quota), 20U);
  EXPECT_TRUE(quota.quota().try_acquire(anew::failure{anew::error_kind::server}, {}).has_value());
  EXPECT_EQ(balance_of(quota), 13U);
  // What is not named costs what transient costs, but throttling.
  auto const cheap = choice_of("token_bucket(20,transient=3,timeout=4)");
  EXPECT_TRUE(cheap.quota().try_acquire(anew::failure{anew::error_kind::server}, {}).has_value());
  EXPECT_EQ(balance_of(cheap), 17U);
  EXPECT_TRUE(cheap.quota().try_acquire(anew::failure{anew::error_kind::timeout}, {}).has_value());
  EXPECT_EQ(balance_of(cheap), 13U);
  EXPECT_TRUE(choice_of("unlimited_quota").quota().holds<anew::unlimited_quota>());
  EXPECT_EQ(choice_of("seed(7)").random_source()(), anew::generator(7, 0)());
}

TEST(NotationText, StatusesAreRetriedAsAnewDoesIt) {
  auto const strategy = choice_of("http_status(429,500,520)");
  auto const& statuses = strategy.classifier();
  using anew::http_status_classifier;
  for (int status = 100; status != 700; ++status) {
    EXPECT_EQ(statuses.classify(status), (http_status_classifier<429, 500, 520>::classify(status))) << status;
  }
}

/// Makes calls with the strategy of a text, every attempt of which fails with this status.
std::vector<anew::stop_reason> reasons_of(std::string_view text, int calls, int status) {
  struct failed {
    int status;
    [[nodiscard]] static bool has_value() { return false; }
    [[nodiscard]] static int value() { return 0; }
    [[nodiscard]] int error() const { return status; }
  };
  auto const strategy = choice_of(text);
  std::vector<anew::stop_reason> reasons;
  for (int i = 0; i != calls; ++i) {
    auto told = anew::retry_outcome(strategy, anew::idempotent([status] { return failed{status}; }),
                                    [](anew::duration /*d*/) {});
    reasons.push_back(told.reason());
#if ANEW_EXCEPTIONS
    try {
      static_cast<void>(std::move(told).result());
    } catch (anew::call_refused const&) {
      EXPECT_EQ(reasons.back(), anew::stop_reason::gate_closed);
    }
#endif
  }
  return reasons;
}

TEST(NotationText, WhatIsReadRuns) {
  using anew::stop_reason;
  using reasons = std::vector<stop_reason>;
  EXPECT_EQ(reasons_of("max_attempts(2)", 1, 503), reasons{stop_reason::attempts});
  EXPECT_EQ(reasons_of("http_status(500)", 1, 503), reasons{stop_reason::not_retryable});
  EXPECT_EQ(reasons_of("token_bucket(14)", 2, 503), (reasons{stop_reason::quota, stop_reason::quota}));
  EXPECT_EQ(reasons_of("refilling_bucket(1,1h)", 2, 503), (reasons{stop_reason::quota, stop_reason::quota}));
  EXPECT_EQ(reasons_of("concurrency_budget(0%,1)", 3, 503),
            (reasons{stop_reason::attempts, stop_reason::attempts, stop_reason::attempts}));
  EXPECT_EQ(reasons_of("concurrency_budget(0%,0)", 1, 503), reasons{stop_reason::quota});
  EXPECT_EQ(reasons_of("retry_budget(0%,0/s,10s)", 1, 503), reasons{stop_reason::quota});
  EXPECT_EQ(reasons_of("retry_budget(100%,0/s,10s) max_attempts(2)", 1, 503), reasons{stop_reason::attempts});
  EXPECT_EQ(reasons_of("retry_throttle(4,0.1) unbounded", 1, 503), reasons{stop_reason::quota});
  EXPECT_EQ(reasons_of("circuit_breaker(2,1h) max_attempts(1)", 3, 503),
            (reasons{stop_reason::attempts, stop_reason::attempts, stop_reason::gate_closed}));
  EXPECT_EQ(reasons_of("rate_breaker(50%,10s,2,1h) max_attempts(1)", 3, 503),
            (reasons{stop_reason::attempts, stop_reason::attempts, stop_reason::gate_closed}));
  EXPECT_EQ(reasons_of("cool_down(constant(1h),refuse) max_attempts(1)", 2, 503),
            (reasons{stop_reason::attempts, stop_reason::gate_closed}));
  EXPECT_EQ(reasons_of("deadline(1s) unbounded constant(2s) no_jitter", 1, 503), reasons{stop_reason::deadline});
  EXPECT_EQ(reasons_of("refilling_bucket(0,1s,reserve,5s) max_attempts(2)", 1, 503), reasons{stop_reason::attempts});
}

TEST(NotationText, ALoanIsWaitedForAndAnOpenCircuitIsKnownBeforehand) {
  anew::failure const failed{};
  anew::time_point const now{1h};
  auto const lending = choice_of("refilling_bucket(0,1s,reserve,5s)");
  auto const permit = lending.quota().try_acquire(failed, now);
  ASSERT_TRUE(permit.has_value());
  EXPECT_EQ(lending.quota().wait(*permit, now), anew::duration{1s});
  auto const guarded = choice_of("circuit_breaker(1,30s)");
  auto const entered = guarded.gate().try_enter(now);
  ASSERT_TRUE(entered.pass.has_value());
  EXPECT_FALSE(guarded.gate().would_refuse(now));
  guarded.gate().on_failure(*entered.pass, failed, now);
  EXPECT_TRUE(guarded.gate().would_refuse(now + 29s));
  EXPECT_FALSE(guarded.gate().would_refuse(now + 31s));
}

TEST(NotationText, ACoolDownBoundsTheWaitAndDrawsFromTheSeed) {
  anew::failure const failed{};
  anew::time_point const now{1h};
  auto const pause_of = [&](std::string_view text, std::uint64_t seed) {
    auto const chosen = choice_of(text);
    auto const& gate = chosen.gate();
    anew::generator dice{seed, 1};
    gate.on_failure(*gate.try_enter(now).pass, failed, now, dice);
    return gate.try_enter(now).wait;
  };
  auto const pause = pause_of("cool_down(constant(10s))", 1);
  EXPECT_GE(pause, 5s);
  EXPECT_LE(pause, 10s);
  EXPECT_EQ(pause_of("cool_down(constant(10s))", 1), pause);
  EXPECT_NE(pause_of("cool_down(constant(10s))", 2), pause);
  EXPECT_EQ(pause_of("cool_down(constant(10s),longest_wait=4s)", 1), 0s);  // refused
}

TEST(NotationText, AFaultIsPointedAt) {
  EXPECT_EQ(said_by("exponental(50ms,20s) full_jitter"),
            "there is no policy 'exponental'; did you mean 'exponential'?\n"
            "  exponental(50ms,20s) full_jitter\n"
            "  ^~~~~~~~~~");
  EXPECT_EQ(said_by("full_jitter exponential(50,20s)"),
            "'50' must be a duration, a number and a unit: 250ms, 2s, 1.5s, 100us, 1m\n"
            "  full_jitter exponential(50,20s)\n"
            "                          ^~");
  EXPECT_EQ(said_by("full_jitter\nk\xC3\xA4se\x7F no_jitter(3"),
            "this '(' is never closed\n  full_jitter k\xC3\xA4se  no_jitter(3\n                             ^");
  EXPECT_EQ(said_by("constant("), "the text ends where a word is expected\n  constant(\n           ^");
}

TEST(NotationText, NamesTheNearestPolicy) {
  EXPECT_EQ(fault_of("ful_jitter"), "there is no policy 'ful_jitter'; did you mean 'full_jitter'?");
  EXPECT_EQ(fault_of("maxattempts(3)"), "there is no policy 'maxattempts'; did you mean 'max_attempts'?");
  EXPECT_EQ(fault_of("bucket(3)"), "there is no policy 'bucket'; did you mean 'token_bucket'?");
  EXPECT_EQ(fault_of("jitter"), "there is no policy 'jitter'; did you mean 'full_jitter'?");
  EXPECT_EQ(fault_of("sum(constnt(1s),no_backoff)"), "there is no policy 'constnt'; did you mean 'constant'?");
  EXPECT_NE(fault_of("zzz").find("max_attempts, unbounded"), std::string::npos);
  EXPECT_NE(fault_of(std::string(5000, 'x')).find("max_attempts, unbounded"), std::string::npos);
  EXPECT_EQ(blamed_in("sum(constnt(1s),no_backoff)"), "constnt");
}

TEST(NotationText, CountsArguments) {
  for (auto const* const bad :
       {"constant", "constant()", "full_jitter(1)", "full_jitter()", "token_bucket(server=3)", "token_bucket(30,4)",
        "refilling_bucket(3,server=1)", "refilling_bucket(3,1s,reserve)"}) {
    EXPECT_NE(fault_of(bad), "accepted") << bad;
  }
  EXPECT_EQ(fault_of("constant"), "'constant' requires more arguments; it is written constant(DELAY)");
  EXPECT_EQ(fault_of("constant()"), "omit the parentheses, or write constant(DELAY)");
  EXPECT_EQ(fault_of("full_jitter(1)"), "'1' does not belong here; omit the parentheses");
  EXPECT_EQ(fault_of("constant(1s,2s)"), "'2s' does not belong here; constant is written constant(DELAY)");
  EXPECT_EQ(fault_of("phased(constant(1s),constant(1s))"), "'constant(1s)' must be for_first(N,BACKOFF)");
  EXPECT_EQ(blamed_in("no_jitter exponential(1s)"), "exponential(1s)");
  EXPECT_EQ(blamed_in("constant(1s,2s)"), "2s");
  EXPECT_EQ(blamed_in("phased(constant(1s),constant(1s))"), "constant(1s)");
}

TEST(NotationText, RefusesWhatIsNoNumberAndNoUnit) {
  for (auto const* const bad : {"5", "ms", "5 ms", "1e3ms", "5parsec", "0x5ms", "+5ms", "5.ms", ".5ms", "--5ms",
                                "99999999999h", "1.0000000000000000000s", "inf", "full_jitter", "1s(2)", "x=1s"}) {
    EXPECT_NE(fault_of(std::string{"constant("} + bad + ")"), "accepted") << bad;
  }
  for (auto const* const bad : {"three", "3.5", "3s", "", "9223372036854775808", "+3", "3(1)", "n=3"}) {
    EXPECT_NE(fault_of(std::string{"max_attempts("} + bad + ")"), "accepted") << bad;
  }
  for (auto const* const bad : {"1/0", "1/2/3", "-1/2", "4294967296", "1/x", "/2", "two"}) {
    EXPECT_NE(fault_of(std::string{"exponential(1s,2s,"} + bad + ")"), "accepted") << bad;
  }
  for (auto const* const bad :
       {"seed(-1)", "http_status(99)", "http_status(600)", "server_hint(obey)", "deadline(1s,later) unbounded",
        "token_bucket(30,sever=1)", "token_bucket(30,server=1,server=2)", "retry_throttle(10,0.0001)",
        "exponential(base=1s,2s)"}) {
    EXPECT_NE(fault_of(bad), "accepted") << bad;
  }
  EXPECT_EQ(fault_of("max_attempts(3s)"), "'3s' must be a whole number, at most 9223372036854775807");
  EXPECT_EQ(fault_of("exponential(1s,2s,two)"), "'two' must be a number such as 2, 1.5 or 3/2");
  EXPECT_EQ(fault_of("exponential(base=1s,2s)"), "omit 'base=': this argument has no name");
  EXPECT_EQ(fault_of("http_status(600)"), "'600' must be a status from 100 to 599, 4xx or 5xx");
  EXPECT_EQ(fault_of("server_hint(obey)"), "'obey' must be one of stop, clamp, ignore");
  EXPECT_EQ(fault_of("token_bucket(30,server=1,server=2)"), "'server' is given twice");
  EXPECT_EQ(fault_of("token_bucket(30,sever=1)"),
            "'sever' must be one of transient, throttling, timeout, server, client, refund, otherwise");
}

TEST(NotationText, WhatIsTooLargeIsSaidToBe) {
  std::string const time = " is too large or has too many digits; a duration is at most 2562047h";
  EXPECT_EQ(fault_of("constant(99999999999h)"), "'99999999999h'" + time);
  EXPECT_EQ(fault_of("constant(1.0000000000000000000s)"), "'1.0000000000000000000s'" + time);
  EXPECT_EQ(fault_of("deadline(1s,99999999999h) unbounded"), "'99999999999h'" + time);
  EXPECT_EQ(fault_of("deadline(1s,5) unbounded"),
            "'5' must be a duration, a number and a unit: 250ms, 2s, 1.5s, 100us, 1m");
  for (auto const* const bad : {"1.2.3s", "s", ".5s", "5.s", "5/2s", "-s"}) {
    EXPECT_NE(fault_of(std::string{"constant("} + bad + ")").find("must be a duration"), std::string::npos) << bad;
  }
  std::string const ratio =
      " is too large or has too many digits; its numerator and its denominator are at most 4294967295";
  EXPECT_EQ(fault_of("exponential(1s,2s,4294967296)"), "'4294967296'" + ratio);
  EXPECT_EQ(fault_of("exponential(1s,2s,1/4294967296)"), "'1/4294967296'" + ratio);
  for (auto const* const bad : {"/2", "1/", "1//2", "1/2/3", ".5", "1.2.3"}) {
    EXPECT_NE(fault_of(std::string{"exponential(1s,2s,"} + bad + ")").find("must be a number"), std::string::npos)
        << bad;
  }
}

TEST(NotationText, APolicyOfTheLibraryThatTheProgramDoesNotReadIsSaidToBe) {
  EXPECT_EQ(fault_of("attempt_timeout(1s)"), "this program does not read 'attempt_timeout' here");
  EXPECT_EQ(fault_of("retry_all"), "this program does not read 'retry_all' here");
}

TEST(NotationText, TheLastPolicyIsRequired) {
  EXPECT_EQ(fault_of("phased(for_first(2,constant(1ms)))"),
            "'phased' requires more arguments; it is written phased(for_first(N,BACKOFF),...,BACKOFF)");
  EXPECT_EQ(fault_of("by_kind(throttling=constant(1s))"),
            "'by_kind' requires more arguments; it is written by_kind([KIND=BACKOFF,...,]BACKOFF)");
}

TEST(NotationText, ABlankBeforeAParenthesisIsPointedAt) {
  EXPECT_EQ(said_by("exponential (1ms,5ms)"), "omit the blank before '('\n  exponential (1ms,5ms)\n             ^");
  EXPECT_EQ(said_by("sum(constant  (1ms),no_backoff)"),
            "omit the blank before '('\n  sum(constant  (1ms),no_backoff)\n              ^~");
  EXPECT_EQ(fault_of(" (1ms)"), "write a word before '('");
}

TEST(NotationText, WhatIsOutOfRangeIsToldByThePolicyItself) {
  EXPECT_EQ(fault_of("max_attempts(0)"), "anew::max_attempts: attempts must be between 1 and 4294967295, but is 0");
  EXPECT_EQ(fault_of("max_attempts(-1)"), "anew::max_attempts: attempts must be between 1 and 4294967295, but is -1");
  EXPECT_EQ(fault_of("constant(-5ms)"), "anew::constant_backoff: delay must not be negative, but is -5ms");
  EXPECT_EQ(fault_of("exponential(2s,1s)"),
            "anew::exponential_backoff: cap must not be below base, but is 1s (base 2s)");
  EXPECT_EQ(fault_of("deadline(1s,clamp) unbounded"),
            "anew::deadline: reserve must be above zero with at_deadline::clamp, but is 0s");
  EXPECT_EQ(fault_of("token_bucket(10)"),
            "anew::token_bucket: capacity must be 0 or at least the cost of one retry, but is 10 (cost 14)");
  EXPECT_EQ(fault_of("token_bucket(30,transient=0,throttling=0)"),
            "anew::token_bucket: at least one cost must be above zero, but is all 0");
  EXPECT_EQ(blamed_in("full_jitter sum(constant(1s),exponential(2s,1s))"), "exponential(2s,1s)");
}

TEST(NotationText, ARoleIsPlayedOnce) {
  EXPECT_EQ(fault_of("full_jitter equal_jitter"),
            "'equal_jitter' plays the role jitter, as does 'full_jitter' before it; omit one of them");
  EXPECT_EQ(blamed_in("full_jitter max_attempts(3) equal_jitter"), "equal_jitter");
  EXPECT_EQ(blamed_in("max_attempts(3) unbounded"), "unbounded");
  EXPECT_EQ(blamed_in("token_bucket(30) token_bucket(30)"), "token_bucket(30)");
}

TEST(NotationText, ADeadlineComesWithALimitOfAttempts) {
  EXPECT_EQ(fault_of("full_jitter deadline(3s)"),
            "with a deadline the limit of attempts must be written: unbounded, or max_attempts(N)");
  EXPECT_EQ(blamed_in("full_jitter deadline(3s)"), "deadline(3s)");
  EXPECT_EQ(fault_of("deadline(3s) max_attempts(3)"), "accepted");
}

TEST(NotationText, OnlyABackoffStandsInsideABackoff) {
  EXPECT_EQ(fault_of("sum(full_jitter,constant(1s))"), "'full_jitter' plays the role jitter; write a backoff");
  EXPECT_EQ(blamed_in("sum(full_jitter,constant(1s))"), "full_jitter");
  EXPECT_NE(fault_of("jittered_hint(1/2,constant(1s))"), "accepted");
}

TEST(NotationText, TheGrammarIsStrict) {
  for (auto const* const bad :
       {"", " \t", "(", ")", ",", "=", "constant(1s", "constant(1s))", "constant(1s,)", "constant(,1s)",
        "sum(constant(1s)constant(1s))", "constant(1s)full_jitter", "full_jitter=3", "token_bucket(30,server=)",
        "token_bucket(30,=5)", "constant (1s)", "full_jitter,no_backoff"}) {
    EXPECT_NE(fault_of(bad), "accepted") << bad;
  }
  EXPECT_EQ(fault_of("constant(1s))"), "this ')' closes nothing");
  EXPECT_EQ(fault_of("full_jitter,no_backoff"), "write a blank between two policies, before ','");
  EXPECT_EQ(fault_of("constant(5 ms)"), "write ',' or ')' between two arguments");
  std::string deep;
  for (int i = 0; i != 4000; ++i) deep += "immediate_first(";
  EXPECT_EQ(fault_of(deep), "policies must be nested at most 16 deep");
  std::string nested = "constant(1s)";
  for (int i = 0; i != 15; ++i) nested = "immediate_first(" + nested + ")";
  EXPECT_EQ(fault_of(nested), "accepted");
  EXPECT_EQ(fault_of("immediate_first(" + nested + ")"), "policies must be nested at most 16 deep");
}

TEST(Durations, AreReadExactly) {
  auto const read_duration = &anew::word::read_duration;
  EXPECT_EQ(read_duration("9223372036854775807ns"), anew::duration::max());
  EXPECT_EQ(read_duration("9223372036854775808ns"), std::nullopt);
  EXPECT_EQ(read_duration("9223372036.854775807s"), anew::duration::max());
  EXPECT_EQ(read_duration("9007199254740993ns"), anew::duration{9007199254740993});
  EXPECT_EQ(read_duration("0.1s"), anew::duration{100ms});
  EXPECT_EQ(read_duration("0.5ns"), anew::duration{1});
  EXPECT_EQ(read_duration("0.4ns"), anew::duration{0});
  EXPECT_EQ(read_duration("1.25h"), anew::duration{75min});
  EXPECT_EQ(read_duration("2.5us"), anew::duration{2500});
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
