// SPDX-License-Identifier: BSL-1.0
// Wrong texts where there are no exceptions. A program without a test framework that prints each text and its fault; it is the
// same with exceptions switched on, and prints the same. Its exit code is 1 if a fault does not point into its text.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

#include "anew/anew.hpp"
#include "anew/text/read_policy.hpp"
#include "anew/text/read_strategy.hpp"
#include "anew/text/words/hedge.hpp"

namespace {

using vocabulary =
    anew::join_words<anew::core_words, anew::attempt_timeout_words, anew::pacer_words, anew::reset_words>;

/// Right texts: together each word of the vocabulary.
constexpr std::array<std::string_view, 13> right = {
    "exponential(50ms,20s,3/2) scaled_jitter(4/5,13/10) retry_budget(20%,10/s,10s) deadline(30s,clamp,1s) "
    "max_attempts(5)",
    "constant(1s) proportional_jitter(0.2) concurrency_budget(20%,3) unbounded poll_deadline(10s,1s)",
    "linear(1s,9s,2s) no_jitter refilling_bucket(100,100ms,throttling=5) circuit_breaker(5,30s,2) max_attempts(4)",
    "fibonacci(100ms,10s) equal_jitter refilling_bucket(100,100ms,reserve,1s,server=2) rate_breaker(50%,10s,20,30s,2)",
    "sequence(10ms,50ms,1s) decorrelated_jitter retry_throttle(10,1/10) client_throttle(2,2m) server_hint(stop,1m)",
    "phased(for_first(3,constant(1s)),for_first(2,linear(1s,9s)),exponential(1s,9s)) clamped_hint(5s)",
    "by_kind(throttling=exponential(1s,20s),server=constant(1s),exponential(50ms,20s)) pushback_hint(1m) "
    "reset_after(30s)",
    "counted_by_kind(server=constant(1s),sum(at_least(linear(1s,9s),2s),raised_cap(constant(50ms),1/5))) "
    "attempt_timeout(2s)",
    "immediate_first(constant(9s)) jittered_hint(1/2,server_hint(clamp)) attempt_timeout_share(1/2) deadline(9s) "
    "unbounded",
    "cool_down(constant(5s),refuse,ignored=2) token_bucket(500,transient=5,server=14,refund=1/2,partial)",
    "max_attempts_by_kind(throttling=max_attempts(8),max_attempts(3)) "
    "client_rate_limiter(fail_fast,beta=0.7,scale=0.4)",
    "cool_down(immediate_first(constant(5s)),longest_wait=2s) long_poll(token_bucket(100,otherwise=2))",
    "hedge_at_quantile(95/100,2,lower=1ms,upper=2s,samples=100,stop)"};

/// What is written over an argument, or put between: values beyond every bound, and pieces of the notation.
// clang-format off: it would put each on a line of its own
constexpr std::array<std::string_view, 31> pieces = {
    "0", "-1", "-1s", "0s", "1h", "99999999999999999999", "4294967296", "9999999h", "0/0", "2/1", "1.5", "101%",
    "-5%", "200ms", "()", "(", ")", ",", "=", " ", "server=", "refuse", "constant(1s)", "immediate_first", "x",
    "\xc3\xbc", "\x01", "stop", "refund=", "for_first(0,constant(1s))"};
// clang-format on

/// Prints the fault and returns whether it points into the text.
bool tell(std::string const& text, anew::text_fault const& fault) {
  std::printf("%s\n%zu %zu %s\n", text.c_str(), fault.at, fault.length, fault.what.c_str());
  return !fault.what.empty() && fault.at <= text.size() && fault.length <= text.size() - fault.at;
}

/// Returns whether a fault, if there is one, points into the text.
bool read(std::string const& text) {
  if (text.starts_with("hedge")) {
    auto const hedging = anew::read_policy<anew::words::hedge_after, anew::words::hedge_at_quantile>(text);
    return hedging || tell(text, hedging.error());
  }
  auto const strategy = anew::read_strategy<vocabulary>(text);
  return strategy || tell(text, strategy.error());
}

}  // namespace

int main() {
  bool is_right = true;
  for (auto const text : right) {
    for (std::size_t at = 0; at != text.size(); ++at) is_right = read(std::string{text}.erase(at, 1)) && is_right;
    for (auto at = text.find_first_of("(,="); at != text.npos; at = text.find_first_of("(,=", at + 1)) {
      auto const end = std::min(text.find_first_of(",)", at + 1), text.size());
      for (auto const piece : pieces) {
        is_right = read(std::string{text}.replace(at + 1, end - at - 1, piece)) && is_right;  // an argument
        is_right = read(std::string{text}.insert(at + 1, piece)) && is_right;
      }
    }
  }
  return is_right ? 0 : 1;
}
