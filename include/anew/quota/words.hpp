// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_QUOTA_WORDS_HPP
#define ANEW_QUOTA_WORDS_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "anew/platform/compiler.hpp"
#include "anew/quota/concurrency_budget.hpp"
#include "anew/quota/long_poll.hpp"
#include "anew/quota/payment.hpp"
#include "anew/quota/refilling_bucket.hpp"
#include "anew/quota/refund.hpp"
#include "anew/quota/retry_budget.hpp"
#include "anew/quota/retry_costs.hpp"
#include "anew/quota/retry_throttle.hpp"
#include "anew/quota/token_bucket.hpp"
#include "anew/quota/unlimited.hpp"
#include "anew/value/duration.hpp"
#include "anew/value/word.hpp"

/// The words of quotas, for anew/compose/notation.
namespace anew::inline ANEW_ABI::words {

/// The costs by kinds of errors. A kind that is not named costs what `transient` costs, but throttling, as in `retry_costs`.
inline retry_costs read_costs(word const& w, retry_costs costs) {
  if (auto const all = w.with_key("transient")) {
    costs.transient = costs.timeout = costs.server = costs.client = all->as_count32();
  }
  if (auto const cost = w.with_key("throttling")) costs.throttling = cost->as_count32();
  if (auto const cost = w.with_key("timeout")) costs.timeout = cost->as_count32();
  if (auto const cost = w.with_key("server")) costs.server = cost->as_count32();
  if (auto const cost = w.with_key("client")) costs.client = cost->as_count32();
  return costs;
}

struct unlimited_quota {
  using policy_type = anew::unlimited_quota;
  static constexpr word_form form{"unlimited_quota", "unlimited_quota", 0, 0};
  static policy_type read(word const& /*w*/) { return {}; }
};
struct token_bucket {
  using policy_type = anew::token_bucket<run_time_count>;
  static constexpr word_form form{
      "token_bucket", "token_bucket(CAPACITY), with throttling=5,server=10,... and refund=1/2 and partial behind it", 1,
      8};
  static policy_type read(word const& w) {
    w.expect_keys({"transient", "throttling", "timeout", "server", "client", "refund", "otherwise"});
    auto const count = w.without_key();
    bool const is_partial = w.size() > 1 && w.arguments.back().names("partial");
    if (count - (is_partial && count == w.size() ? 1U : 0U) != 1) {
      w.refuse("'token_bucket' requires one capacity, before the costs");
    }
    refund given_back{};
    if (auto const last = w.with_key("otherwise")) given_back = refund::last_cost(last->as_count32());
    if (auto const fixed = w.with_key("refund")) {
      auto const [num, den] = fixed->as_ratio();
      given_back = refund::fraction(num, den);
    }
    return policy_type{w[0].as_count(), read_costs(w, retry_costs{}), given_back,
                       is_partial ? payment::partial : payment::in_full};
  }
};
template <bool Lends>
struct refilling_bucket_of;
template <>
struct refilling_bucket_of<false> {
  using policy_type = anew::refilling_bucket<run_time_count, run_time>;
  static constexpr word_form form{
      "refilling_bucket",
      "refilling_bucket(CAPACITY,PER) or refilling_bucket(CAPACITY,PER,reserve,LONGEST), with costs behind it", 2, 9};
  static bool accepts(word const& w) { return w.size() < 3 || !w[2].names("reserve"); }
  static policy_type read(word const& w) {
    w.expect_keys({"transient", "throttling", "timeout", "server", "client"});
    if (w.without_key() != 2)
      w.refuse("'refilling_bucket' requires a capacity and the time for one token, before the costs");
    return policy_type{w[0].as_count(), w[1].as_duration(), read_costs(w, one_each)};
  }
};
template <>
struct refilling_bucket_of<true> {
  using policy_type = anew::refilling_bucket<run_time_count, run_time, when_empty::reserve, run_time>;
  static constexpr word_form form = refilling_bucket_of<false>::form;
  static bool accepts(word const& w) { return !refilling_bucket_of<false>::accepts(w); }
  static policy_type read(word const& w) {
    w.expect_keys({"transient", "throttling", "timeout", "server", "client"});
    if (w.without_key() != 4) w.refuse("'reserve' requires the longest wait behind it: reserve,1s");
    return policy_type{w[0].as_count(), w[1].as_duration(), longest_wait{w[3].as_duration()}, read_costs(w, one_each)};
  }
};
struct retry_budget {
  using policy_type = anew::retry_budget<run_time_count, run_time_count, run_time>;
  static constexpr word_form form{"retry_budget", "retry_budget(20%,10/s,10s)", 3, 3};
  static policy_type read(word const& w) { return {w[0].as_count("%"), w[1].as_count("/s"), w[2].as_duration()}; }
};
struct concurrency_budget {
  using policy_type = anew::concurrency_budget<run_time_count, run_time_count>;
  static constexpr word_form form{"concurrency_budget", "concurrency_budget(20%,3)", 2, 2};
  static policy_type read(word const& w) { return {w[0].as_count("%"), w[1].as_count()}; }
};
struct retry_throttle {
  using policy_type = anew::retry_throttle<run_time_count>;
  static constexpr word_form form{"retry_throttle", "retry_throttle(TOKENS,RATIO), such as retry_throttle(100,0.1)", 2,
                                  2};
  static policy_type read(word const& w) { return {w[0].as_count(), rational{w[1].as_thousandths(), 1000}}; }
};
/// Wraps a token bucket, as the presets of the catalogue do.
struct long_poll {
  using policy_type = anew::long_poll<token_bucket::policy_type>;
  static constexpr word_form form{"long_poll", "long_poll(token_bucket(CAPACITY))", 1, 1};
  template <class In>
  static policy_type read(word const& w, In const& in) {
    return policy_type{in.template nested<token_bucket::policy_type>(w[0])};
  }
};

}  // namespace anew::inline ANEW_ABI::words

#endif
