// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_GATE_RATE_BREAKER_HPP
#define ANEW_POLICIES_GATE_RATE_BREAKER_HPP

#include <cstdint>
#include <optional>
#include <string>

#include "anew/base/breaker_state.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/internal/parameter.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/gate/internal/breaker_word.hpp"
#include "anew/policies/gate/internal/failure_window.hpp"
#include "anew/roles/gate.hpp"
#include "anew/roles/internal/catalogue.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

template <class Breaker, unsigned Stripes>
class striped_breaker;

}  // namespace detail

/// Opens when at least `Percent` percent of the attempts that ended within `Window` failed, if at least `MinVolume`
/// ended. Then it acts as circuit_breaker: for `OpenFor` no attempt begins, then `Probes` attempts decide.
///
/// The window slides in eighths of its length: it looks back between 7/8 and 8/8 of `Window`. Only a failure opens it,
/// never a success. A failure of kind `client` is the caller's fault and is not counted, neither as a failure nor as
/// volume. Attempts that ended before the breaker last closed do not count. When an eighth has 16,777,215 successes or as
/// many failures, all counts of the window are halved: the breaker goes on to decide by the rate, and the newest ends weigh
/// more. `rate_breaker<50, 10s, 20, 30s>` has its numbers in its type; `rate_breaker{50, 10s, 20, 30s}` takes values known
/// at run time and throws `std::invalid_argument` where the requirements fail.
///
/// Models: Gate (each end is counted exactly once, lock-free, 136 bytes; probes exact under contention)
/// Formula: opens when 100 * failures >= Percent * (failures + successes) and failures + successes >= MinVolume
/// Requires: 1 <= Percent <= 100, Window >= 250ms, 1 <= MinVolume <= 32767, OpenFor > 0, 1 <= Probes <= 2^22-1
/// Cost: one compare-exchange per attempt, eight loads more per failure, and sixteen where it may open. The clock is
/// read at the end of an attempt, and before it while the breaker is not closed. Threads that succeed contend for one
/// word: `striped<rate_breaker<>>`
/// Choose it for a busy client, where failures occur among successes and consecutive failures mean nothing. Not for a
/// client of few calls, which never reaches the volume: circuit_breaker.
/// Source: Hystrix and resilience4j (failure rate over a window with a minimum volume).
template <std::int64_t Percent /*= 50*/, static_duration Window /*= 10s*/, std::int64_t MinVolume /*= 20*/,
          static_duration OpenFor /*= 30s*/, std::int64_t Probes /*= 1*/>
class rate_breaker {
  static constexpr bool is_static = Percent != run_time_count && Window != run_time && MinVolume != run_time_count &&
                                    OpenFor != run_time && Probes != run_time_count;

 public:
  using role = roles::gate;
  static constexpr bool never_waits = true;
  using pass_type = detail::breaker_word::pass_type;
  template <unsigned Stripes>
  using striped_form = detail::striped_breaker<rate_breaker, Stripes>;

  constexpr rate_breaker() noexcept = default;

  constexpr rate_breaker(detail::any_count percent, detail::any_duration window, detail::any_count min_volume,
                         detail::any_duration open_for, detail::any_count probes = 1)
    requires(!is_static)
      : percent_{detail::checked(percent.get(), fault_of(percent, window, min_volume, open_for, probes))},
        length_{window},
        min_volume_{min_volume.get()},
        open_for_{open_for},
        probes_{probes.get()} {}
  static constexpr detail::value_fault fault_of(detail::any_count percent, duration window,
                                                detail::any_count min_volume, duration open_for,
                                                detail::any_count probes) {
    return detail::value_fault{"rate_breaker"}
        .within(percent, 1, 100, "percent")
        .within(min_volume, 1, detail::failure_window<>::most_volume, "min_volume")
        .above_zero(open_for, "open_for")
        .within(probes, 1, detail::breaker_word::most_probes, "probes")
        .unless(window >= detail::failure_window<>::shortest, "window must be at least 250ms", window);
  }

  [[nodiscard]] ANEW_INLINE admission<pass_type> try_enter(detail::Time auto&& now) const {
    return word_.try_enter(now, probes_.get());
  }
  gate_change on_success(pass_type pass, time_point now) const noexcept {
    if (!word_.is_counted_while_closed(pass)) return word_.on_success(pass, probes_.get());
    window_.add_success(generation_of(pass), now, length_.get());
    return {};
  }
  gate_change on_failure(pass_type pass, failure const& what, time_point now) const noexcept {
    return record_failure(window_.successes(), pass, what, now);
  }
  void release(pass_type pass) const noexcept { word_.release(pass); }

  /// Opens it by hand: no attempt begins until `close()`. Attempts under way count no longer. A saved state keeps it open
  /// for OpenFor. `strategy.announce(gate.isolate())` tells the observer too.
  gate_change isolate() const noexcept { return word_.isolate(); }  // NOLINT(modernize-use-nodiscard)
  /// Closes it, by hand, with nothing counted.
  gate_change close() const noexcept { return word_.close(); }  // NOLINT(modernize-use-nodiscard)

  /// True when it is open and will still be open at that time. False while probes are in flight, because their outcome
  /// is unknown.
  [[nodiscard]] bool would_refuse(time_point time) const noexcept { return word_.would_refuse(time); }

  /// For display: it may have changed before it is read. Still open when the time is over and no attempt has begun
  /// since.
  [[nodiscard]] breaker_state state() const noexcept { return word_.state(); }

  /// True while it is closed. A registry evicts such a breaker before others.
  [[nodiscard]] bool is_untouched() const noexcept { return state() == breaker_state::closed; }

  [[nodiscard]] std::string describe() const {
    return detail::written("rate_breaker", std::to_string(percent_.get()) + "%", length_.get(), min_volume_.get(),
                           open_for_.get(), detail::text_if(probes_.get() != 1, probes_.get()));
  }

  /// Reads or writes the state: anew/state/saved_state.hpp.
  void walk_state(auto& w) const { walk_state(w, window_.successes()); }

  static constexpr detail::kept_rules is_sound{is_static,
                                               fault_of(Percent, Window.value(), MinVolume, OpenFor.value(), Probes)};
  static consteval void explain() {
    static_assert(detail::keeps_rule<rate_breaker, 1>,
                  "anew::rate_breaker<Percent, ...> requires 1 <= Percent <= 100; it is the failure rate that opens "
                  "the breaker. Write 50 for half of the attempts");
    static_assert(detail::keeps_rule<rate_breaker, 2, 4>,
                  "anew::rate_breaker<Percent, Window, MinVolume, OpenFor, Probes> requires 1 <= MinVolume <= 32767 "
                  "and 1 <= Probes <= 4194303; at least one of them is out of range. Use at least 1");
    static_assert(
        detail::keeps_rule<rate_breaker, 3, 5>,
        "anew::rate_breaker<Percent, Window, MinVolume, OpenFor> requires Window >= 250ms and OpenFor > 0; at least "
        "one of them is too short. Write both with their unit, as in 10s");
  }

 protected:
  void walk_state(auto& w, auto const& successes) const {
    word_.walk_state(w, 1, open_for_.get(), probes_.get());
    window_.walk_state(w, successes, word_.generation(), length_.get());
  }

  gate_change record_failure(auto const& successes, pass_type pass, failure const& what,
                             time_point now) const noexcept {
    if (what.kind == error_kind::client) {
      word_.release(pass);
      return {};
    }
    if (word_.is_counted_while_closed(pass)) {
      auto const generation = generation_of(pass);
      window_.add_failure(successes, generation, now, length_.get());
      // Most often there are too few failures for the smallest volume, and the successes need not be read.
      if (!opens({min_volume_.get(), window_.failures(generation, now, length_.get())}) ||
          !opens(window_.sum(successes, generation, now, length_.get()))) {
        return {};
      }
    }
    return word_.on_failure(pass, 1, now, open_for_.get());
  }
  [[nodiscard]] bool opens(detail::failure_window<>::counts const& seen) const noexcept {
    return seen.ended >= min_volume_.get() && seen.failed * 100 >= percent_.get() * seen.ended;
  }
  static constexpr std::uint32_t generation_of(pass_type pass) noexcept {
    return detail::breaker_word::generation_of_pass(pass);
  }

  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Percent, rate_breaker> percent_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Window, rate_breaker, 1> length_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<MinVolume, rate_breaker, 2> min_volume_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<OpenFor, rate_breaker, 3> open_for_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Probes, rate_breaker, 4> probes_;
  detail::breaker_word word_;
  detail::failure_window<> window_;
};

rate_breaker(detail::any_count, detail::any_duration, detail::any_count, detail::any_duration, detail::any_count = 1)
    -> rate_breaker<run_time_count, run_time, run_time_count, run_time, run_time_count>;

}  // namespace anew::inline ANEW_ABI

#endif
