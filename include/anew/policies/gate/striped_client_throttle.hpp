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
  explicit striped_throttle(Values&&... values) : Throttle(std::forward<Values>(values)...) {}

  [[nodiscard]] ANEW_INLINE admission<pass_type> try_enter(Time auto&& now, time_point& /*since*/,
                                                           RandomSource auto&& random) const {
    return this->enter(accepted{*this}, now, random);
  }
  [[nodiscard]] admission<pass_type> try_enter(Time auto&& now) const {
    return this->enter(accepted{*this}, now, thread_random{});
  }

  void on_success(pass_type pass, time_point now) const noexcept {
    this->record(accepted{*this}, pass, Throttle::request::accepted, now);
  }
  void on_failure(pass_type pass, failure const& what, time_point now) const noexcept {
    this->record(accepted{*this}, pass, Throttle::ended_as(what), now);
  }
  [[nodiscard]] double rejection_probability(time_point now) const noexcept {
    return this->probability(accepted{*this}, now);
  }
  [[nodiscard]] bool is_untouched() const noexcept { return this->rejects_nothing(accepted{*this}); }

  void walk_state(auto& w) const {
    Throttle::walk_state(w, accepted{*this});
    if (!w.takes()) return;
    for (auto& each : stripes_) each.ring.clear();
  }

 private:
  /// The stripes as one ring, with what a plain throttle had counted before it was striped.
  struct accepted {
    striped_throttle const& of;

    void each(auto const& visit) const noexcept {
      for (auto& one : of.stripes_) visit(one.ring);
      visit(of.window_.accepted());
    }
    /// A stripe counts up to its share of a full count.
    bool add_or_halve(tenth_number at, std::uint64_t most) const noexcept {
      auto& mine = of.stripes_[thread_number() % Stripes].ring;
      bool const was_full = mine.add_or_halve(at, most / Stripes);
      if (was_full) [[unlikely]]
        halve(at, &mine);
      return was_full;
    }
    ANEW_COLD void halve(tenth_number at, tenths_ring const* except = nullptr) const noexcept {
      each([&](tenths_ring& ring) {
        if (&ring != except) ring.halve(at);
      });
    }
    [[nodiscard]] bool is_past(tenth_number number) const noexcept {
      bool is = false;
      each([&](tenths_ring const& ring) { is = is || ring.is_past(number); });
      return is;
    }
    [[nodiscard]] std::int64_t count_of(tenth_number number) const noexcept {
      std::int64_t all = 0;
      each([&](tenths_ring const& ring) { all += ring.count_of(number); });
      return smaller(all, std::int64_t{counted_tenth::most});  // more where a plain throttle had counted
    }

    struct snapshot {
      accepted const& from;
      [[nodiscard]] tenth_number newest() const noexcept {
        tenth_number found = 0;
        from.each([&](tenths_ring const& ring) { found = larger(found, tenths_ring::snapshot{ring}.newest()); });
        return found;
      }
      [[nodiscard]] std::int64_t sum(tenth_number last) const noexcept {
        std::int64_t all = 0;
        from.each([&](tenths_ring const& ring) { all += tenths_ring::snapshot{ring}.sum(last); });
        return all;
      }
    };
  };
  struct alignas(cache_line) stripe_of_ring {
    tenths_ring ring;
  };

  mutable stripe_of_ring stripes_[Stripes]{};
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
