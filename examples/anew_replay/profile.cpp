// SPDX-License-Identifier: BSL-1.0
#include <string>

#include "parts.hpp"
#include "profile.hpp"

namespace replay {

namespace {

anew::duration wait(json const& from, char const* name) { return from_ms(number(from, name), name); }

jitter_order order_of(json const& from) {
  auto const order = text(from, "jitter_order");
  if (order == "cap_then_jitter") return jitter_order::cap_then_jitter;
  if (order == "jitter_then_cap") return jitter_order::jitter_then_cap;
  throw malformed{"'jitter_order' is neither cap_then_jitter nor jitter_then_cap: " + order};
}

anew::retry_costs costs_of(json const& from) {
  auto const others = count(from, "cost_transient");
  return {.transient = others,
          .throttling = count(from, "cost_throttling"),
          .timeout = count(from, "cost_timeout"),
          .server = others,
          .client = others};
}

/// The refund of a success: the payment of its last retry, or the profile's `refund` whatever that retry paid.
anew::refund refund_of(json const& from) {
  if (find(from, "refund") == nullptr) return anew::refund::last_cost(count(from, "no_retry_increment"));
  if (find(from, "no_retry_increment") != nullptr)
    throw malformed{"'refund' and 'no_retry_increment' exclude each other"};
  double const tokens = number(from, "refund");
  if (tokens == 0) return anew::refund::fixed(0);
  auto const exactly = to_factor(tokens, "refund");
  return anew::refund::fraction(exactly.num, exactly.den);
}

}  // namespace

profile profile_of(json const& profiles, json const& one) {
  auto const name = text(one, "profile");
  auto numbers = need(profiles, name.c_str());
  if (!numbers.is_object()) throw malformed{std::string{"profile '"}.append(name).append("' is no object")};
  if (auto const* const given = find(one, "given"); given != nullptr) {
    if (!given->is_object()) throw malformed{"'given' is no object"};
    numbers.update(*given);
  }
  refuse_others(numbers,
                {"base_transient_ms", "base_throttling_ms", "max_backoff_ms", "factor", "cost_transient",
                 "cost_throttling", "cost_timeout", "no_retry_increment", "refund", "partial_payment", "capacity",
                 "initial_quota", "max_attempts", "retry_after_overshoot_ms", "jitter_order", "jitter", "long_poll"},
                "a profile");
  bool const hears_header = find(numbers, "retry_after_overshoot_ms") != nullptr;
  auto const capacity = count(numbers, "capacity");
  return {
      .base_transient = wait(numbers, "base_transient_ms"),
      .base_throttling = wait(numbers, "base_throttling_ms"),
      .max_backoff = wait(numbers, "max_backoff_ms"),
      .factor = to_factor(number(numbers, "factor"), "factor"),
      .costs = costs_of(numbers),
      .given_back = refund_of(numbers),
      .how = flag_or(numbers, "partial_payment", false) ? anew::payment::partial : anew::payment::in_full,
      .capacity = capacity,
      .initial_quota = find(numbers, "initial_quota") != nullptr ? count(numbers, "initial_quota") : capacity,
      .max_attempts = count(numbers, "max_attempts"),
      .retry_after_overshoot = hears_header ? std::optional{wait(numbers, "retry_after_overshoot_ms")} : std::nullopt,
      .order = order_of(numbers),
      .jitter = find(numbers, "jitter") != nullptr ? number(numbers, "jitter") : 1.0,
      .long_poll = flag_or(numbers, "long_poll", false)};
}

}  // namespace replay
