// SPDX-License-Identifier: BSL-1.0
#include <cstddef>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/compose/notation/read_policy.hpp"
#include "anew/compose/notation/read_strategy.hpp"
#include "anew/hedge/words.hpp"
#include "anew/http/words.hpp"

namespace compose_notation_arguments_test {
namespace {

#if ANEW_EXCEPTIONS

namespace words = anew::words;
using all_words =
    anew::join_words<anew::core_words, anew::attempt_timeout_words, anew::pacer_words, anew::reset_words,
                     anew::nesting_words, anew::striped_words, anew::random_source_words, anew::clock_words,
                     anew::retry_all_words, words::error_code, words::http_status, words::grpc_status>;

struct answer {
  std::string described;  // empty where the text was refused
  anew::text_fault fault;
};
answer read_in_strategy(std::string_view word) {
  std::string text{word};
  if (text.starts_with("deadline") || text.starts_with("max_wait")) text.append(" unbounded");
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
template <class Read>
void expect_nothing_lost(std::string_view text, Read read) {
  ASSERT_NE(read(text).described, "") << text << ": " << read(text).fault.what;
  auto inserted = words_in(
      "bogus bogus(77) bogus=77 partial partial(77) refuse refuse(77) stop reserve 77 fail_fast 78s "
      "server=76 ignored=77 beta=0.3 longest_wait=7s 1/77 collapse refund=3/7 otherwise=7 constant(77s) "
      "server=constant(76s) full_jitter");
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

auto const texts = words_in(
    "no_backoff constant(1s) exponential(50ms,20s) exponential(50ms,20s,3/2) linear(100ms,10s,7ms) "
    "fibonacci(1ms,9s) sequence(1ms) phased(for_first(3,constant(10ms)),constant(4s)) "
    "immediate_first(constant(3s)) sum(constant(1s),constant(5s)) floor(constant(1s),400ms) "
    "headroom(constant(1s),1/5) by_kind(throttling=constant(1s),constant(2s)) "
    "per_kind(throttling=constant(1s),constant(2s)) full_jitter no_jitter equal_jitter "
    "decorrelated_jitter cap_after_draw_jitter polly_decorrelated_jitter from_first_jitter "
    "proportional_jitter(1/5) scaled_jitter(1/5,6/5) unlimited_quota token_bucket(500) "
    "token_bucket(500,server=5) token_bucket(500,refund=1/2,partial) "
    "token_bucket(500,server=5,otherwise=3,partial) refilling_bucket(10,100ms,client=3) "
    "refilling_bucket(10,100ms,reserve,1s,client=3) retry_budget(20%,10/s,10s) concurrency_budget(20%,3) "
    "retry_throttle(100,0.1) long_poll(token_bucket(500,server=5,partial)) "
    "striped(token_bucket(500,server=5,partial)) striped(retry_budget(20%,10/s,10s)) "
    "striped(concurrency_budget(20%,3)) striped(rate_breaker(50%,10s,20,30s,3)) max_attempts(4) "
    "unbounded per_kind_attempts(client=max_attempts(2),unbounded) server_hint(stop) "
    "server_hint(clamp,9s) clamped_hint(9s) pushback_hint(9s) jittered_hint(1/2,server_hint(clamp,9s)) "
    "jittered_hint(1/2,clamped_hint(9s)) jittered_hint(1/2,pushback_hint(9s)) deadline(300s) "
    "deadline(300s,clamp,1ms) max_wait(300s,1s) max_wait(300s) attempt_timeout(3s) "
    "attempt_timeout_share(1/2) circuit_breaker(5,30s) circuit_breaker(5,30s,2) "
    "rate_breaker(50%,10s,20,30s) rate_breaker(50%,10s,20,30s,3) client_throttle(11/10,120s) "
    "cool_down(constant(1s)) cool_down(constant(1s),refuse) "
    "cool_down(constant(1s),ignored=3,longest_wait=5s) cool_down(constant(1s),refuse,ignored=3) "
    "client_rate_limiter client_rate_limiter(beta=0.5) client_rate_limiter(fail_fast) "
    "client_rate_limiter(fail_fast,beta=0.5,longest_queue=7) reset_after(9s) nesting_guard(collapse) "
    "nesting_guard(share_quota) seed(7) steady_clock retry_all error_code http_status(503) "
    "grpc_status(UNAVAILABLE)");

template <class... Words>
void expect_each_is_tried(anew::vocabulary<Words...> /*list*/) {
  auto const expect_tried = []<class Word>(Word /*which*/) {
    bool is_tried = false;
    for (auto const& text : texts) {
      auto const read = anew::detail::words_of_text{text}.read();
      is_tried = is_tried || (Word::name == read[0].name && Word::accepts(read[0]));
    }
    EXPECT_TRUE(is_tried) << Word::written();
  };
  (expect_tried(Words{}), ...);
}

TEST(NotationArguments, EachIsConsumedOnceOrReported) {
  expect_each_is_tried(all_words{});
  for (auto const& text : texts) {
    // A set has each of its members once.
    if (!text.starts_with("http_status") && !text.starts_with("grpc_status"))
      expect_nothing_lost(text, &read_in_strategy);
  }
  for (auto const* const text : {"hedge_after(10ms)", "hedge_after(10ms,2)", "hedge_after(10ms,2,stop)"}) {
    expect_nothing_lost(text, &read_alone<words::hedge_after>);
  }
  for (auto const* const text :
       {"hedge_at_quantile(95/100)", "hedge_at_quantile(95/100,2,stop)", "hedge_at_quantile(95/100,lower=2ms)",
        "hedge_at_quantile(95/100,3,lower=200ms,upper=1s,samples=7,stop)"}) {
    expect_nothing_lost(text, &read_alone<words::hedge_at_quantile>);
  }
  expect_nothing_lost("idempotent_only(not(error_code))",
                      &read_alone<words::idempotent_only<words::not_<words::error_code>>>);
  expect_nothing_lost("any_of(error_code,retry_info)",
                      &read_alone<words::any_of<words::error_code, words::retry_info>>);
}

std::string fault_of(std::string_view text) {
  auto const told = read_in_strategy(text);
  return told.described.empty() ? anew::in_lines(told.fault, text) : told.described;
}

TEST(NotationArguments, OneBehindAKeyIsPointedAt) {
  EXPECT_EQ(fault_of("cool_down(constant(1s),ignored=3,refuse)"),
            "omit 'refuse', or write it before the arguments with a name\n"
            "  cool_down(constant(1s),ignored=3,refuse)\n"
            "                                   ^~~~~~");
  EXPECT_EQ(fault_of("token_bucket(500,server=5,partial,transient=4)"),
            "write 'partial' once, behind all other arguments\n"
            "  token_bucket(500,server=5,partial,transient=4)\n"
            "                            ^~~~~~~");
  EXPECT_EQ(fault_of("token_bucket(server=5,500)"),
            "omit '500', or write it before the arguments with a name\n"
            "  token_bucket(server=5,500)\n"
            "                        ^~~");
  EXPECT_EQ(fault_of("token_bucket(500,refund=1/2,otherwise=3)"),
            "anew::token_bucket: at most one of refund and otherwise must be set, but is both\n"
            "  token_bucket(500,refund=1/2,otherwise=3)\n"
            "  ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~");
}

#endif

}  // namespace
}  // namespace compose_notation_arguments_test
