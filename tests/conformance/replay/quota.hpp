// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_CONFORMANCE_REPLAY_QUOTA_HPP
#define ANEW_TESTS_CONFORMANCE_REPLAY_QUOTA_HPP

#include <cstdint>
#include <optional>

#include "anew/failure.hpp"
#include "anew/quota/token_bucket.hpp"
#include "anew/roles.hpp"

namespace replay {

/// A token_bucket for any numbers a file may hold: it refuses costs of nothing, and always gives one token back for a
/// success without retry.
class any_bucket {
 public:
  using role = anew::roles::quota;

  struct permit_type {
    std::uint32_t paid = 0;
    bool is_held = false;
    friend constexpr bool operator==(permit_type, permit_type) = default;
  };

  any_bucket(std::uint32_t capacity, anew::retry_costs const& costs, std::uint32_t balance, std::uint32_t increment)
      : costs_{costs}, increment_{increment}, bucket_{capacity, above_zero(costs), balance} {}

  [[nodiscard]] std::optional<permit_type> try_acquire(anew::failure const& what) const {
    if (costs_.of(what.kind) == 0) return permit_type{0, true};
    auto const paid = bucket_.try_acquire(what);
    if (!paid) return std::nullopt;
    return permit_type{*paid, true};
  }
  void on_success(permit_type held) const {
    if (held.paid != 0) {
      bucket_.on_success(held.paid);
    } else {
      bucket_.release(increment_);
    }
  }
  void release(permit_type held) const { bucket_.release(held.paid); }

  [[nodiscard]] std::uint32_t balance() const { return bucket_.balance(); }

 private:
  static constexpr anew::retry_costs above_zero(anew::retry_costs costs) {
    for (auto* const cost : {&costs.transient, &costs.throttling, &costs.timeout, &costs.server, &costs.client}) {
      if (*cost == 0) *cost = 1;  // is never asked for
    }
    return costs;
  }

  anew::retry_costs costs_;
  std::uint32_t increment_;
  anew::token_bucket<anew::run_time_count> bucket_;
};

}  // namespace replay

#endif
