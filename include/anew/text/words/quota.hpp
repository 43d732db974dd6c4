// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_WORDS_QUOTA_HPP
#define ANEW_TEXT_WORDS_QUOTA_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

#include "anew/base/duration.hpp"
#include "anew/base/fixed_text.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/rational.hpp"
#include "anew/base/run_time.hpp"
#include "anew/policies/quota/concurrency_budget.hpp"
#include "anew/policies/quota/long_poll.hpp"
#include "anew/policies/quota/refilling_bucket.hpp"
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

struct token_bucket
    : word_of<"token_bucket", anew::token_bucket<run_time_count>, count<"CAPACITY">, cost_of<"transient">,
              cost_of<"throttling">, cost_of<"timeout">, cost_of<"server">, cost_of<"client">,
              keyed<"refund", ratio<"SHARE">>, keyed<"otherwise", count32<"N">>, flag<"partial">> {
  using example_type = anew::token_bucket<100>;
  static std::string fault_of(std::int64_t /*capacity*/, cost /*of a kind*/, cost /*of another*/, cost /*...*/, cost,
                              cost, std::optional<rational> share, cost otherwise, bool /*is_partial*/) {
    return anew::detail::value_fault{"token_bucket"}.unless(!share || !otherwise,
                                                            "at most one of refund and otherwise must be set", "both");
  }
  static auto make(std::int64_t capacity, cost transient, cost throttling, cost timeout, cost server, cost client,
                   std::optional<rational> share, cost otherwise, bool is_partial) {
    auto const back = share       ? refund::fraction(share->num, share->den)
                      : otherwise ? refund::last_cost(*otherwise)
                                  : refund{};
    return std::tuple{capacity, costs_of(retry_costs{}, transient, throttling, timeout, server, client), back,
                      is_partial ? payment::partial : payment::in_full};
  }
};
struct lending_bucket
    : word_of<"refilling_bucket", anew::refilling_bucket<run_time_count, run_time, when_empty::reserve, run_time>,
              count<"CAPACITY">, time<"PER">, exactly<"reserve">, time<"LONGEST">, cost_of<"transient">,
              cost_of<"throttling">, cost_of<"timeout">, cost_of<"server">, cost_of<"client">> {
  using example_type = anew::refilling_bucket<100, 100ms, when_empty::reserve, 1s>;
  static auto make(std::int64_t capacity, duration per, duration longest, auto... costs) {
    return std::tuple{capacity, per, longest_wait{longest}, costs_of(one_each, costs...)};
  }
};
struct refilling_bucket
    : word_of<"refilling_bucket", anew::refilling_bucket<run_time_count, run_time>, count<"CAPACITY">, time<"PER">,
              cost_of<"transient">, cost_of<"throttling">, cost_of<"timeout">, cost_of<"server">, cost_of<"client">> {
  using example_type = anew::refilling_bucket<100, 100ms>;
  static auto make(std::int64_t capacity, duration per, auto... costs) {
    return std::tuple{capacity, per, costs_of(one_each, costs...)};
  }
};
struct retry_budget : word_of<"retry_budget", anew::retry_budget<run_time_count, run_time_count, run_time>,
                              count<"PERCENT", "%">, count<"LEAST", "/s">, time<"WINDOW">> {
  using example_type = anew::retry_budget<>;
};
struct concurrency_budget : word_of<"concurrency_budget", anew::concurrency_budget<run_time_count, run_time_count>,
                                    count<"PERCENT", "%">, count<"LEAST">> {
  using example_type = anew::concurrency_budget<>;
};
struct retry_throttle
    : word_of<"retry_throttle", anew::retry_throttle<run_time_count>, count<"TOKENS">, ratio<"RATIO">> {
  using example_type = anew::retry_throttle<>;
};
/// Wraps a token bucket, as the presets of the catalogue do.
struct long_poll : word_of<"long_poll", anew::long_poll<token_bucket::policy_type>, by<token_bucket>> {
  using example_type = anew::long_poll<token_bucket::example_type>;
};
/// Counts in as many stripes as by default, whatever the described policy had: it decides alike.
template <class Word>
struct striped_of : word_of<"striped", anew::striped<typename Word::policy_type>, by<Word>> {
  using example_type = anew::striped<typename Word::example_type>;
};

}  // namespace anew::inline ANEW_ABI::words

namespace anew::inline ANEW_ABI {

/// All quotas, but those that are striped.
using quota_words = vocabulary<word_of<"unlimited_quota", unlimited_quota>, words::token_bucket, words::lending_bucket,
                               words::refilling_bucket, words::retry_budget, words::concurrency_budget,
                               words::retry_throttle, words::long_poll>;

}  // namespace anew::inline ANEW_ABI

#endif
