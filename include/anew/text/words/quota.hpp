// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_WORDS_QUOTA_HPP
#define ANEW_TEXT_WORDS_QUOTA_HPP

#include <cstdint>
#include <optional>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/invalid_argument.hpp"
#include "anew/base/rational.hpp"
#include "anew/base/run_time.hpp"
#include "anew/base/run_time_count.hpp"
#include "anew/policies/quota/concurrency_budget.hpp"
#include "anew/policies/quota/long_poll.hpp"
#include "anew/policies/quota/payment.hpp"
#include "anew/policies/quota/refilling_bucket.hpp"
#include "anew/policies/quota/refund.hpp"
#include "anew/policies/quota/retry_budget.hpp"
#include "anew/policies/quota/retry_costs.hpp"
#include "anew/policies/quota/retry_throttle.hpp"
#include "anew/policies/quota/striped.hpp"
#include "anew/policies/quota/token_bucket.hpp"
#include "anew/policies/quota/unlimited.hpp"
#include "anew/text/word.hpp"
#include "anew/text/word_of.hpp"

/// The words of quotas, for anew/compose/notation.
namespace anew::inline ANEW_ABI::words {

template <fixed_text Kind>
using cost_of = keyed<Kind, count32<"N">>;
using cost = std::optional<std::uint32_t>;
/// A kind that is not named costs what `transient` costs, but throttling, as in `retry_costs`.
inline retry_costs costs_of(retry_costs costs, cost transient, cost throttling, cost timeout, cost server,
                            cost client) {
  auto const others = [&](std::uint32_t by_default) { return transient.value_or(by_default); };
  return {others(costs.transient), throttling.value_or(costs.throttling), timeout.value_or(others(costs.timeout)),
          server.value_or(others(costs.server)), client.value_or(others(costs.client))};
}

struct unlimited_quota : word_of<"unlimited_quota", anew::unlimited_quota> {};
struct token_bucket
    : word_of<"token_bucket", anew::token_bucket<run_time_count>, count<"CAPACITY">, cost_of<"transient">,
              cost_of<"throttling">, cost_of<"timeout">, cost_of<"server">, cost_of<"client">,
              keyed<"refund", ratio<"SHARE">>, keyed<"otherwise", count32<"N">>, flag<"partial">> {
  static policy_type make(std::int64_t capacity, cost transient, cost throttling, cost timeout, cost server,
                          cost client, std::optional<rational> share, cost otherwise, bool is_partial) {
    if (share && otherwise) {
      anew::detail::invalid_argument("token_bucket", "at most one of refund and otherwise must be set", "both");
    }
    auto const back = share       ? refund::fraction(share->num, share->den)
                      : otherwise ? refund::last_cost(*otherwise)
                                  : refund{};
    return policy_type{capacity, costs_of(retry_costs{}, transient, throttling, timeout, server, client), back,
                       is_partial ? payment::partial : payment::in_full};
  }
};
struct lending_bucket
    : word_of<"refilling_bucket", anew::refilling_bucket<run_time_count, run_time, when_empty::reserve, run_time>,
              count<"CAPACITY">, time<"PER">, exactly<"reserve">, time<"LONGEST">, cost_of<"transient">,
              cost_of<"throttling">, cost_of<"timeout">, cost_of<"server">, cost_of<"client">> {
  static policy_type make(std::int64_t capacity, duration per, duration longest, auto... costs) {
    return policy_type{capacity, per, longest_wait{longest}, costs_of(one_each, costs...)};
  }
};
struct refilling_bucket
    : word_of<"refilling_bucket", anew::refilling_bucket<run_time_count, run_time>, count<"CAPACITY">, time<"PER">,
              cost_of<"transient">, cost_of<"throttling">, cost_of<"timeout">, cost_of<"server">, cost_of<"client">> {
  static policy_type make(std::int64_t capacity, duration per, auto... costs) {
    return policy_type{capacity, per, costs_of(one_each, costs...)};
  }
};
struct retry_budget : word_of<"retry_budget", anew::retry_budget<run_time_count, run_time_count, run_time>,
                              count<"PERCENT", "%">, count<"LEAST", "/s">, time<"WINDOW">> {};
struct concurrency_budget : word_of<"concurrency_budget", anew::concurrency_budget<run_time_count, run_time_count>,
                                    count<"PERCENT", "%">, count<"LEAST">> {};
struct thousandths : named<"RATIO"> {
  static rational value(word const& w, auto const& /*in*/) { return {w.as_thousandths(), 1000}; }
};
struct retry_throttle : word_of<"retry_throttle", anew::retry_throttle<run_time_count>, count<"TOKENS">, thousandths> {
};
/// Wraps a token bucket, as the presets of the catalogue do.
struct long_poll : word_of<"long_poll", anew::long_poll<token_bucket::policy_type>, by<token_bucket>> {};
/// Counts in as many stripes as by default, whatever the described policy had: it decides alike.
template <class Word>
struct striped_of : word_of<"striped", anew::striped<typename Word::policy_type>, by<Word>> {};

}  // namespace anew::inline ANEW_ABI::words

#endif
