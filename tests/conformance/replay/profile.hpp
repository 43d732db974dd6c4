// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_CONFORMANCE_REPLAY_PROFILE_HPP
#define ANEW_TESTS_CONFORMANCE_REPLAY_PROFILE_HPP

#include <cstdint>
#include <optional>

#include "anew/base/duration.hpp"
#include "anew/policies/backoff/exponential.hpp"
#include "anew/policies/quota/token_bucket.hpp"

#include "read.hpp"

namespace replay {

enum class jitter_order { cap_then_jitter, jitter_then_cap };

/// The numbers of one case: those of its profile, and over them what is given.
struct profile {
  anew::duration base_transient;
  anew::duration base_throttling;
  anew::duration max_backoff;
  anew::rational factor;
  anew::retry_costs costs;
  anew::refund given_back;
  anew::payment how;
  std::uint32_t capacity;
  std::uint32_t initial_quota;
  std::uint32_t max_attempts;
  std::optional<anew::duration> retry_after_overshoot;  ///< nothing: the header is not heard
  jitter_order order;
  double jitter;
  bool long_poll;
};

[[nodiscard]] profile profile_of(json const& profiles, json const& one);

}  // namespace replay

#endif
