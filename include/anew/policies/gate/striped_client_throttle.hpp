// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_GATE_STRIPED_CLIENT_THROTTLE_HPP
#define ANEW_POLICIES_GATE_STRIPED_CLIENT_THROTTLE_HPP

/// `striped<client_throttle<>>`: a throttle on which the accepted requests of many threads do not contend.
#include <concepts>
#include <cstdint>
#include <utility>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/stripe.hpp"
#include "anew/base/random_source.hpp"
#include "anew/base/thread_random.hpp"
#include "anew/policies/gate/client_throttle.hpp"
#include "anew/policies/quota/internal/counted_tenths.hpp"
#include "anew/policies/quota/striped.hpp"
#include "anew/roles/gate.hpp"

namespace anew::inline ANEW_ABI::detail {

/// A throttle whose accepted requests are counted in stripes. Rejected requests are counted by the plain throttle, in one
/// ring: while it has none, no stripe is read.
template <class Throttle, unsigned Stripes>
class alignas(cache_line) striped_throttle : public Throttle {
 public:
  using typename Throttle::pass_type;

  template <class... Values>
    requires std::constructible_from<Throttle, Values...>
  explicit striped_throttle(Values&&... values)
      : Throttle(std::forward<Values>(values)...), accepted_{this->window_.accepted()} {}

  [[nodiscard]] ANEW_INLINE admission<pass_type> try_enter(Time auto&& now, time_point& /*since*/,
                                                           RandomSource auto&& random) const {
    return this->enter(accepted_, now, random);
  }
  [[nodiscard]] admission<pass_type> try_enter(Time auto&& now) const {
    return this->enter(accepted_, now, thread_random{});
  }

  void on_success(pass_type pass, time_point now) const noexcept {
    this->record(accepted_, pass, Throttle::request::accepted, now);
  }
  void on_failure(pass_type pass, failure const& what, time_point now) const noexcept {
    this->record(accepted_, pass, Throttle::ended_as(what), now);
  }
  [[nodiscard]] double rejection_probability(time_point now) const noexcept {
    return this->probability(accepted_, now);
  }
  [[nodiscard]] bool is_untouched() const noexcept { return this->rejects_nothing(accepted_); }

  void walk_state(auto& w) const { Throttle::walk_state(w, accepted_); }

 private:
  mutable striped_tenths<Stripes> accepted_;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
