// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstddef>
#include <iterator>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/bridges/boost_system/words.hpp"
#include "anew/bridges/http/words.hpp"
#include "anew/policies.hpp"
#include "anew/roles/internal/ask_gate.hpp"
#include "anew/strategy/for_each_policy.hpp"
#include "anew/text/core_words.hpp"
#include "anew/text/read_policy.hpp"
#include "anew/text/read_strategy.hpp"
#include "anew/text/words/hedge.hpp"

#include "examples.hpp"
#include "names.hpp"

namespace compose_notation_read_strategy_test {
namespace {

namespace words = anew::words;

using all_words = anew::join_words<support::all_words, anew::retry_all_words, words::error_code, words::http_status,
                                   words::grpc_status, words::http>;

struct answer {
  std::string described;  // empty where the text was refused
  anew::text_fault fault;
};
answer read_in_strategy(std::string_view word) {
  std::string text{word};
  if (text.starts_with("deadline") || text.starts_with("poll_deadline")) text.append(" unbounded");
  if (text.starts_with("attempt_timeout_share")) text.append(" deadline(3s) unbounded");
  auto const read = anew::read_strategy<all_words>(text);
  return read ? answer{anew::describe(*read), {}} : answer{"", read.error()};
}
template <class Word, class... More>
answer read_alone(std::string_view text) {
  auto const read = anew::read_policy<Word, More...>(text);
  return read ? answer{read->describe(), {}} : answer{"", read.error()};
}

std::size_t times_in(std::string_view text, std::string_view what) {
  std::size_t count = 0;
  for (auto at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++count;
  return count;
}
std::vector<std::string> words_in(char const* text) {
  std::istringstream words{text};
  return {std::istream_iterator<std::string>{words}, {}};
}
auto const shown = support::examples<support::all_words>::described();
/// The examples, and each word in its other forms: no two numbers of a text are alike, and some are as far as they go.
auto const texts = [] {
  auto all = words_in(
      "exponential(50ms,20s,3/2) exponential(7ns,9223372036854775807ns) linear(0s,90s,3s) fibonacci(1ns,9s) "
      "sequence(1s,0s,2s) sum(constant(1s),linear(2s,3s)) at_least(constant(2s),1s) "
      "raised_cap(exponential(1s,9s),3/31) immediate_first(sum(constant(1s),no_backoff)) "
      "phased(for_first(4,constant(1s)),for_first(3,exponential(1s,9s)),constant(2s)) "
      "by_kind(throttling=constant(1s),timeout=exponential(1s,9s),constant(2s)) "
      "counted_by_kind(server=constant(1s),exponential(1s,9s)) proportional_jitter(30/31) scaled_jitter(1/31,61/31) "
      "token_bucket(4294967295) token_bucket(40,transient=1,throttling=2,timeout=3,server=4,client=5) "
      "token_bucket(500,refund=1/2,partial) token_bucket(500,otherwise=3,partial) long_poll(token_bucket(14)) "
      "striped(token_bucket(14)) refilling_bucket(10,1s,reserve,9s) refilling_bucket(7,9s) retry_budget(1000%,7/s,60s) "
      "concurrency_budget(5%,4000000000) retry_throttle(10,1/40) striped(retry_budget(50%,7/s,1500ms)) "
      "striped(concurrency_budget(5%,7)) max_attempts(4294967295) "
      "max_attempts_by_kind(client=max_attempts(3),timeout=unbounded,max_attempts(9)) server_hint(clamp) "
      "server_hint(ignore) server_hint(stop,9s) server_hint(clamp,9s) server_hint(ignore,9s) clamped_hint(32400s) "
      "pushback_hint(0s) jittered_hint(1/2,server_hint(clamp,9s)) jittered_hint(1/31,clamped_hint(2s)) deadline(1ns) "
      "deadline(300s,clamp,1ms) deadline(5s,last_try) poll_deadline(300s,1s) attempt_timeout(1ns) "
      "attempt_timeout_share(1/31) reset_after(1ns) seed(1000000000) circuit_breaker(4294967295,1ns) "
      "circuit_breaker(5,30s,2) rate_breaker(50%,10s,20,30s,3) client_throttle(11/10,1500ms) "
      "cool_down(exponential(1ns,9s)) cool_down(constant(1s),ignored=3,longest_wait=5s) "
      "cool_down(constant(1s),refuse,ignored=3) client_rate_limiter(beta=0.5) client_rate_limiter(fail_fast) "
      "client_rate_limiter(fail_fast,beta=0.5,longest_queue=7) retry_all retry_info error_code http_status(503) "
      "http_status(301,4xx,503) http(http_status(429,5xx)) grpc_status(UNAVAILABLE) grpc_status(CANCELLED,DATA_LOSS)");
  for (auto const& text : shown) all.push_back(text);
  return all;
}();
/// Costs that are not named have those of the default.
auto const short_texts = words_in(
    "token_bucket(500,server=5) token_bucket(500,server=5,otherwise=3,partial) refilling_bucket(10,100ms,client=3) "
    "refilling_bucket(10,100ms,reserve,1s,client=3) long_poll(token_bucket(500,server=5,partial)) "
    "striped(token_bucket(500,server=5,partial))");

TEST(ReadStrategy, EveryFormIsReadBack) {
  for (auto const& text : texts) {
    auto const [described, fault] = read_in_strategy(text);
    EXPECT_EQ(times_in(described, text), 1U) << text << " reads " << described << fault.what;
  }
}

TEST(ReadPolicy, EachIsReadBack) {
  auto const is_read = [](std::string_view text, auto read) { EXPECT_EQ(read(text).described, text); };
  using words::error_code, words::http_status;
  is_read("constant(7ms)", &read_alone<words::constant>);
  for (auto const* const text : {"hedge_after(0s)", "hedge_after(10ms,2)", "hedge_after(1500us,1,stop)"}) {
    is_read(text, &read_alone<words::hedge_after>);
  }
  for (auto const* const text :
       {"hedge_at_quantile(95/100)", "hedge_at_quantile(99/100,2)", "hedge_at_quantile(1/2,1,stop)",
        "hedge_at_quantile(95/100,3,lower=200ms,upper=1s,samples=7,stop)"}) {
    is_read(text, &read_alone<words::hedge_at_quantile>);
  }
  is_read("boost_system(error_code)", &read_alone<words::boost_system<>>);
  is_read("any_of(http_status(429,5xx),error_code)", &read_alone<words::any_of<http_status, error_code>>);
  is_read("first_of(http_status(301,504),grpc_status(ABORTED))",
          &read_alone<words::first_of<http_status, words::grpc_status>>);
  is_read("idempotent_only(not(http_status(4xx,503)))", &read_alone<words::idempotent_only<words::not_<http_status>>>);
#if ANEW_EXCEPTIONS && defined(__cpp_rtti)
  is_read("caused_by(error_code)", &read_alone<words::caused_by<error_code>>);
#endif
}

TEST(ReadStrategy, ASeedRepeatsTheDelays) {
  auto const draw = [](std::string_view text) {
    auto const strategy = anew::read_strategy<anew::core_words, anew::random_source_words>(text).value();
    return std::pair{strategy.random_source()(), strategy.random_source()()};
  };
  EXPECT_EQ(draw("seed(18446744073709551615)"), draw("seed(18446744073709551615)"));
  EXPECT_NE(draw("seed(7)"), draw("seed(8)"));
  EXPECT_NE(draw("seed(7)").first, draw("seed(7)").second);
}

#if ANEW_EXCEPTIONS
TEST(ReadStrategy, AGivenDeadlineRequiresALimitToo) {
  auto const fault_of = [](std::string_view text, auto... given) {
    auto const read = anew::read_strategy<anew::core_words, anew::attempt_timeout_words>(text, given...);
    return read ? "accepted" : anew::in_lines(read.error(), text);
  };
  EXPECT_EQ(fault_of("no_jitter", anew::deadline<2s>{}),
            "with a deadline the limit of attempts must be written: unbounded, or max_attempts(N)\n  no_jitter\n  ^");
  EXPECT_EQ(fault_of("unbounded", anew::deadline<2s>{}), "accepted");
  EXPECT_EQ(fault_of("no_jitter", anew::deadline<2s>{}, anew::unbounded{}), "accepted");
  EXPECT_EQ(fault_of("deadline(1s)", anew::unbounded{}), "accepted");
  anew::attempt_timeout_share<anew::rational{1, 2}> const share{};
  EXPECT_EQ(fault_of("no_jitter", share),
            "write a deadline too: this is a part of what remains of it\n  no_jitter\n  ^");
  EXPECT_EQ(fault_of("attempt_timeout(1s)", share), "accepted");
  EXPECT_EQ(fault_of("attempt_timeout_share(1/4) unbounded", anew::deadline<2s>{}), "accepted");
  EXPECT_EQ(fault_of("unbounded", anew::deadline<2s>{}, share), "accepted");
}
#endif

TEST(ReadStrategy, ARateIsReadBackAsItIs) {
  anew::generator dice{11};
  for (int i = 0; i != 1000 && !HasFailure(); ++i) {
    auto const part = [&dice] { return static_cast<double>((dice() >> 11U) | 1U) / 9007199254740992.0; };
    anew::rate_limiter_constants const constants{.beta = (part() + 0.01) / 1.02,
                                                 .scale = part() * 1000 + 1,
                                                 .smooth = (part() + 0.01) / 1.02,
                                                 .min_fill_rate = (part() + 1e-11) * 1e11,
                                                 .min_capacity = 1 + part(),
                                                 .longest_queue = 1 + part() * 1e17,
                                                 .longest_wait = (part() + 0.01) * 3};
    anew::client_rate_limiter const limiter{constants};
    auto const read = anew::read_policy<anew::words::rate_limiter_that_waits>(limiter.describe());
    ASSERT_TRUE(read.has_value()) << anew::in_lines(read.error(), limiter.describe());
    EXPECT_EQ(read->constants(), constants) << limiter.describe() << read->describe();
  }
}

TEST(ReadStrategy, AGivenPolicyPlaysWhatTheTextDoesNotName) {
  auto const predicate = anew::retry_if{[](int) { return true; }};
  auto const read = anew::read_strategy("constant(1s)", predicate, anew::token_bucket{99});
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(describe(*read), "constant(1s) full_jitter token_bucket(99) retry_if max_attempts(3) server_hint(stop)");
  EXPECT_TRUE(anew::read_strategy(anew::describe(*read), predicate, anew::token_bucket{50}).has_value());
  EXPECT_TRUE(anew::read_strategy("retry_info no_backoff", predicate).has_value()) << "the classifier that was given";
}

#if ANEW_EXCEPTIONS  // without them a wrong text ends the program
std::string fault_of(std::string_view text) {
  auto const read = anew::read_strategy<all_words>(text);
  return read ? "accepted" : read.error().what;
}

TEST(ReadStrategy, AnArgumentIsChecked) {
  EXPECT_EQ(fault_of("http_status(429,99)"), "'99' must be a status from 100 to 599, 4xx or 5xx");
  EXPECT_EQ(fault_of("http_status(429,3xx)"), "'3xx' must be a status from 100 to 599, 4xx or 5xx");
  EXPECT_EQ(fault_of("grpc_status(OK)"), "'OK' must be a code of gRPC for a failure, such as UNAVAILABLE");
  EXPECT_EQ(fault_of("http(retry_all)"), "'http' is written http(http_status(STATUS,...))");
  EXPECT_EQ(fault_of("seed(-1)"), "'-1' must be a whole number, at most 18446744073709551615");
  EXPECT_EQ(fault_of("cool_down(by_kind(throttling=constant(1s),constant(50ms)))"),
            "anew::cool_down: the backoff must not tell kinds of errors apart, but is "
            "by_kind(throttling=constant(1s),constant(50ms))");
  EXPECT_THROW(static_cast<void>(anew::read_strategy("constant(2)").value()), std::invalid_argument);
}

#endif

#if ANEW_EXCEPTIONS
TEST(ReadPolicy, AFaultIsPointedAt) {
  auto const fault_of = [](std::string_view text) {
    return anew::read_policy<words::hedge_after, words::hedge_at_quantile>(text).error().what;
  };
  EXPECT_EQ(fault_of("hedge_after(1s) hedge_after(1s)"), "omit 'hedge_after(1s)': the text must name one policy");
  EXPECT_EQ(fault_of("hedge_after(1s,9)"), "anew::hedge_after: max_extra must be between 0 and 7, but is 9");
  EXPECT_EQ(fault_of("hedge_at_quantile(95)"), "'95' must be a fraction such as 95/100");
  EXPECT_EQ(fault_of("hedge_at_quantile(95/100,lower=2s,upper=1s)"),
            "anew::hedge_at_quantile: lower must be at most upper, but is 2s and upper is 1s");
  EXPECT_EQ(fault_of("hedge_after(1s,2,3)"),
            "'3' does not belong here; hedge_after is written hedge_after(DELAY[,EXTRA][,stop])");
  EXPECT_EQ(fault_of("hedge_afterr(1s)"), "there is no policy 'hedge_afterr'; did you mean 'hedge_after'?");
}
#endif

#if ANEW_EXCEPTIONS

std::vector<std::string> arguments_of(std::string_view text) {
  std::vector<std::string> all;
  int depth = 0;
  for (char const c : text) {
    if (c == ')') --depth;
    if (depth == 1 && c == ',') {
      all.emplace_back();
    } else if (depth > 0) {
      all.back().push_back(c);
    }
    if (c == '(' && ++depth == 1) all.emplace_back();
  }
  return all;
}

/// Inserts arguments at each place of a text: the reader points at them, or says them.
void keeps_all(std::string_view text, auto read) {
  ASSERT_NE(read(text).described, "") << text << ": " << read(text).fault.what;
  auto inserted = words_in(
      "bogus bogus(77) bogus=77 partial partial(77) refuse refuse(77) stop reserve 77 fail_fast 78s server=76 "
      "ignored=77 beta=0.3 longest_wait=7s 1/77 collapse refund=3/7 otherwise=7 constant(77s) server=constant(76s) "
      "full_jitter");
  for (auto const& own : arguments_of(text)) inserted.push_back(own);
  for (std::size_t at = 0; at != text.size(); ++at) {
    for (auto const& what : inserted) {
      std::string changed{text};
      auto begin = at;
      if (text[at] == '(') {
        changed.insert(++begin, what + ",");
      } else if (text[at] == ',' || text[at] == ')') {
        changed.insert(begin++, "," + what);
      } else {
        continue;
      }
      auto const told = read(changed);
      if (!told.described.empty()) {
        EXPECT_GE(times_in(told.described, what), times_in(changed, what)) << changed << " reads " << told.described;
        continue;
      }
      EXPECT_GT(told.fault.length, 0U) << changed;
      EXPECT_LE(told.fault.at + told.fault.length, changed.size()) << changed;
      if (!what.starts_with("bogus")) continue;
      EXPECT_LE(told.fault.at, begin + what.size()) << changed << ": " << told.fault.what;
      EXPECT_GE(told.fault.at + told.fault.length + 1, begin) << changed << ": " << told.fault.what;
    }
  }
}

template <class... Words>
void expect_each_is_tried(anew::vocabulary<Words...> /*list*/) {
  auto const expect_tried = []<class Word>(Word /*which*/) {
    bool is_tried = false;
    for (auto const& text : texts) {
      std::optional<anew::text_fault> fault;
      auto const read = anew::detail::words_of_text{text, fault}.read();
      is_tried = is_tried || (Word::name == read[0].name && Word::accepts(read[0]));
    }
    EXPECT_TRUE(is_tried) << Word::written();
  };
  (expect_tried(Words{}), ...);
}

TEST(NotationArguments, EachIsConsumedOnceOrReported) {
  expect_each_is_tried(all_words{});
  for (auto const& text : short_texts) keeps_all(text, &read_in_strategy);
  for (auto const& text : texts) {
    // A set has each of its members once.
    if (!text.starts_with("http") && !text.starts_with("grpc_status")) keeps_all(text, &read_in_strategy);
  }
  for (auto const* const text : {"hedge_after(10ms)", "hedge_after(10ms,2)", "hedge_after(10ms,2,stop)"}) {
    keeps_all(text, &read_alone<words::hedge_after>);
  }
  for (auto const* const text :
       {"hedge_at_quantile(95/100)", "hedge_at_quantile(95/100,2,stop)", "hedge_at_quantile(95/100,lower=2ms)",
        "hedge_at_quantile(95/100,3,lower=200ms,upper=1s,samples=7,stop)"}) {
    keeps_all(text, &read_alone<words::hedge_at_quantile>);
  }
  keeps_all("idempotent_only(not(error_code))", &read_alone<words::idempotent_only<words::not_<words::error_code>>>);
  keeps_all("any_of(error_code,retry_info)", &read_alone<words::any_of<words::error_code, words::retry_info>>);
}

std::string fault_among_tried(std::string_view text) {
  auto const told = read_in_strategy(text);
  return told.described.empty() ? anew::in_lines(told.fault, text) : told.described;
}

TEST(NotationArguments, OneBehindAKeyIsPointedAt) {
  EXPECT_EQ(fault_among_tried("cool_down(constant(1s),ignored=3,refuse)"),
            "omit 'refuse', or write it before the arguments with a name\n"
            "  cool_down(constant(1s),ignored=3,refuse)\n"
            "                                   ^~~~~~");
  EXPECT_EQ(fault_among_tried("token_bucket(500,server=5,partial,transient=4)"),
            "write 'partial' once, behind all other arguments\n"
            "  token_bucket(500,server=5,partial,transient=4)\n"
            "                            ^~~~~~~");
  EXPECT_EQ(fault_among_tried("token_bucket(server=5,500)"),
            "omit '500', or write it before the arguments with a name\n"
            "  token_bucket(server=5,500)\n"
            "                        ^~~");
  EXPECT_EQ(fault_among_tried("token_bucket(500,refund=1/2,otherwise=3)"),
            "anew::token_bucket: at most one of refund and otherwise must be set, but is both\n"
            "  token_bucket(500,refund=1/2,otherwise=3)\n"
            "  ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~");
}

#endif

}  // namespace
}  // namespace compose_notation_read_strategy_test
