// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_GATE_CIRCUIT_BREAKER_HPP
#define ANEW_POLICIES_GATE_CIRCUIT_BREAKER_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "anew/base/breaker_state.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/internal/parameter.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/gate/internal/breaker_word.hpp"
#include "anew/roles/gate.hpp"
#include "anew/roles/internal/catalogue.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// Opens after `Failures` consecutive attempts failed: for `OpenFor` no attempt begins, first attempts included; then
/// `Probes` attempts may begin. If all probes succeed it closes, if a probe fails it opens again.
///
/// A failure of kind `client` is the caller's fault: it neither opens nor closes anything. The end of an attempt that
/// began before the last change of state is ignored, for 262,143 changes. A probe that is abandoned, by a stop or an
/// exception of a policy, frees its slot; a probe that never completes holds it, so compose an attempt timeout.
/// `circuit_breaker<5, 30s>` has its numbers in its type; `circuit_breaker{5, 30s}` takes values known at run time and
/// throws `std::invalid_argument` where the requirements fail. It lives in the strategy, as a quota does: keep the
/// strategy. Use one breaker per destination; for several destinations: partitioned.
///
/// Models: Gate (exact under contention, lock-free, 8 bytes; time to the millisecond, never earlier)
/// Formula: open while now < (time of the opening failure) + OpenFor
/// Requires: 1 <= Failures <= 2^32-1, OpenFor > 0, 1 <= Probes <= 2^22-1
/// Cost: while closed two loads per attempt that succeeds, and no clock; a compare-exchange per failure and for the first
/// success after it. The clock is read for a failure, and before an attempt while it is not closed
/// Choose it where calls to a destination that is down should fail fast and spare it. Not where single callers fail for
/// their own reasons among many that succeed: rate_breaker. Not where callers should wait instead: cool_down.
/// Source: M. Nygard, "Release It!"; the names of the states are his.
template <std::int64_t Failures /*= 5*/, static_duration OpenFor /*= 30s*/, std::int64_t Probes /*= 1*/>
class circuit_breaker {
  static constexpr bool is_static = Failures != run_time_count && OpenFor != run_time && Probes != run_time_count;

 public:
  using role = roles::gate;
  static constexpr bool never_waits = true;
  using pass_type = detail::breaker_word::pass_type;

  constexpr circuit_breaker() noexcept = default;

  constexpr circuit_breaker(detail::any_count failures, detail::any_duration open_for, detail::any_count probes = 1)
    requires(!is_static)
      : failures_{detail::checked(failures.get(), fault_of(failures, open_for, probes))},
        open_for_{open_for},
        probes_{probes.get()} {}
  static constexpr detail::value_fault fault_of(detail::any_count failures, duration open_for,
                                                detail::any_count probes) {
    return detail::value_fault{"circuit_breaker"}
        .within(failures, 1, 4'294'967'295, "failures")
        .above_zero(open_for, "open_for")
        .within(probes, 1, detail::breaker_word::most_probes, "probes");
  }

  [[nodiscard]] ANEW_INLINE admission<pass_type> try_enter(detail::Time auto&& now) const {
    return word_.try_enter(now, probes_.get());
  }
  gate_change on_success(pass_type pass, detail::Time auto&& /*now*/) const noexcept {
    return word_.on_success(pass, probes_.get());
  }
  gate_change on_failure(pass_type pass, failure const& what, time_point now) const noexcept {
    if (what.kind != error_kind::client) return word_.on_failure(pass, failures_.get(), now, open_for_.get());
    word_.release(pass);
    return {};
  }
  void release(pass_type pass) const noexcept { word_.release(pass); }

  /// Opens it by hand: no attempt begins until `close()`. Attempts under way count no longer. A saved state keeps it open
  /// for OpenFor. `strategy.announce(gate.isolate())` tells the observer too.
  gate_change isolate() const noexcept { return word_.isolate(); }  // NOLINT(modernize-use-nodiscard)
  /// Closes it, by hand, with nothing counted; a breaker that is closed forgets its failures.
  gate_change close() const noexcept { return word_.close(); }  // NOLINT(modernize-use-nodiscard)

  /// True when it is open and will still be open at that time. False while probes are in flight, because their outcome
  /// is unknown.
  [[nodiscard]] bool would_refuse(time_point time) const noexcept { return word_.would_refuse(time); }

  /// For display: it may have changed before it is read. Still open when the time is over and no attempt has begun
  /// since.
  [[nodiscard]] breaker_state state() const noexcept { return word_.state(); }

  /// True until an attempt fails, and after one that succeeds until it first opens. A registry evicts such a breaker
  /// before others.
  [[nodiscard]] bool is_untouched() const noexcept { return word_.is_untouched(); }
  [[nodiscard]] std::string describe() const {
    return detail::written("circuit_breaker", failures_.get(), open_for_.get(),
                           detail::text_if(probes_.get() != 1, probes_.get()));
  }

  /// Reads or writes the state: anew/state/saved_state.hpp.
  void walk_state(auto& w) const { word_.walk_state(w, failures_.get(), open_for_.get(), probes_.get()); }

  static constexpr detail::kept_rules is_sound{is_static, fault_of(Failures, OpenFor.value(), Probes)};
  static consteval void explain() {
    static_assert(
        detail::keeps_rule<circuit_breaker, 1, 3>,
        "anew::circuit_breaker<Failures, OpenFor, Probes> requires 1 <= Failures <= 4294967295 and 1 <= Probes <= "
        "4194303; a breaker needs at least one failure to open and one probe to close. For no breaker, omit the "
        "policy");
    static_assert(detail::keeps_rule<circuit_breaker, 2>,
                  "anew::circuit_breaker<Failures, OpenFor> requires OpenFor > 0; the breaker would never stay open. "
                  "Omit the policy for no breaker");
  }

 private:
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Failures, circuit_breaker> failures_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<OpenFor, circuit_breaker, 1> open_for_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Probes, circuit_breaker, 2> probes_;
  detail::breaker_word word_;
};

circuit_breaker(detail::any_count, detail::any_duration, detail::any_count = 1)
    -> circuit_breaker<run_time_count, run_time, run_time_count>;

}  // namespace anew::inline ANEW_ABI

#endif
