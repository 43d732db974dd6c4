// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_GATE_STRIPED_RATE_BREAKER_HPP
#define ANEW_POLICIES_GATE_STRIPED_RATE_BREAKER_HPP

/// `striped<rate_breaker<>>`: a rate breaker on which the successes of many threads do not contend.
#include <concepts>
#include <cstdint>
#include <utility>

#include "anew/base/breaker_state.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/stripe.hpp"
#include "anew/policies/gate/internal/failure_window.hpp"
#include "anew/policies/gate/rate_breaker.hpp"
#include "anew/policies/quota/striped.hpp"

namespace anew::inline ANEW_ABI::detail {

/// A rate breaker whose successes are counted in stripes. Only a failure opens it, and failures are counted by the plain
/// breaker, in one ring: the last of them sees all others.
template <class Breaker, unsigned Stripes>
class alignas(cache_line) striped_breaker : public Breaker {
 public:
  using typename Breaker::pass_type;

  template <class... Values>
    requires std::constructible_from<Breaker, Values...>
  explicit striped_breaker(Values&&... values) : Breaker(std::forward<Values>(values)...) {}

  gate_change on_success(pass_type pass, time_point now) const noexcept {
    if (!this->word_.is_counted_while_closed(pass)) return Breaker::on_success(pass, now);
    auto const& mine = stripes_[thread_number() % Stripes].ring;
    auto const owner = breaker_word::generation_of_pass(pass);
    mine.add(owner, now, this->length_.get(), [this, &mine](std::uint32_t whose) {
      successes_of{*this}.halve(whose, &mine);
      this->window_.halve_failures(whose);
    });
    return {};
  }
  gate_change on_failure(pass_type pass, failure const& what, time_point now) const noexcept {
    return this->record_failure(successes_of{*this}, pass, what, now);
  }

  void walk_state(auto& w) const {
    Breaker::walk_state(w, successes_of{*this});
    if (!w.takes()) return;  // what the stripes hold until they are cleared is of another generation
    for (auto const& each : stripes_) each.ring.clear();
  }

 private:
  using ring_type = failure_window<>::ring;

  /// The stripes as one, with what a plain breaker had counted before it was striped.
  struct successes_of {
    striped_breaker const& of;

    [[nodiscard]] auto read() const noexcept {
      ring_type::template snapshot<Stripes + 1> seen;
      for (unsigned i = 0; i != Stripes; ++i) seen.read(i, of.stripes_[i].ring);
      seen.read(Stripes, of.window_.successes());
      return seen;
    }
    void halve(std::uint32_t owner, ring_type const* except = nullptr) const noexcept {
      for (auto const& each : of.stripes_) {
        if (&each.ring != except) each.ring.halve(owner);
      }
      of.window_.successes().halve(owner);
    }
  };
  struct alignas(cache_line) stripe_of_ring {
    ring_type ring;
  };

  stripe_of_ring stripes_[Stripes]{};
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
