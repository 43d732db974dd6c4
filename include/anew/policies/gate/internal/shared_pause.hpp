// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_GATE_INTERNAL_SHARED_PAUSE_HPP
#define ANEW_POLICIES_GATE_INTERNAL_SHARED_PAUSE_HPP

#include <cstdint>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"
#include "anew/base/random_source.hpp"

namespace anew::inline ANEW_ABI::detail {

/// A pause that many attempts wait for, and the order in which they begin after it.
class shared_pause {
 public:
  /// A thread that reads its end also reads its beginning, or a later one.
  [[nodiscard]] time_point until() const noexcept { return time_of(until_.load_acquire()); }

  /// None has begun since the last was forgotten.
  [[nodiscard]] bool is_unknown() const noexcept { return until_.load() == never; }
  /// Forgets the pause with that end, which is over. May fail and return false: then the next attempt does it.
  bool forget(time_point until) noexcept {
    auto there = ticks_of(until);
    return there != never && until_.compare_exchange_weak(there, never);
  }

  /// A pause is never taken back to an earlier end. Returns whether there was no pause before.
  bool begin(time_point now, time_point until) noexcept {
    auto const end = ticks_of(until);
    auto there = until_.load();
    if (there > end) return false;
    began_.store_release(ticks_of(now));
    probe_at_.store_release(end);
    successes_.store_release(0);
    while (there < end) {
      if (until_.compare_exchange_weak_release(there, end)) return there == never;
    }
    return false;
  }

  [[nodiscard]] bool somebody_waits(time_point now) const noexcept { return ticks_of(now) <= last_turn_.load(); }
  void count_success() noexcept { successes_.fetch_add(1); }

  /// Whether one of those who waited may begin, after the end. `has_succeeded`: since the pause, an attempt has.
  [[nodiscard]] bool lets_one_begin(time_point now, time_point until, bool has_succeeded) noexcept {
    return takes_a_success() || is_the_probe(now, until, has_succeeded);
  }

  /// When an attempt that may not begin asks again: at the end of the pause if no other attempt does, else apart from others.
  [[nodiscard]] time_point turn(time_point now, time_point until) const noexcept {
    auto const last = last_turn_.load();
    if (now < until && last < ticks_of(until)) return until;
    auto const pause = length(until);
    auto const behind =
        now >= until ? saturating_subtract(now, until) : saturating_subtract(now, time_of(began_.load())) / 8;
    auto const turn = saturating_add(larger(now, until), larger(behind, pause / 64 + duration{1}));
    return saturating_add(turn, apart(larger(behind, pause) / 8, last));
  }
  void take(time_point turn) noexcept {
    auto last = last_turn_.load();
    while (last < ticks_of(time_point::max()) &&
           !last_turn_.compare_exchange_weak(last, larger(last + 1, ticks_of(turn)))) {
    }
  }

  /// Reads or writes the state. A pause that is longer than `longest` is moved back.
  void walk_state(auto& w, duration longest) {
    auto const back = [](time_point time, duration by) {
      if (time == time_point::min()) return time;
      return larger(time_point{saturating_subtract(time.time_since_epoch(), by)}, time_point::min() + duration{1});
    };
    auto const excess = larger(saturating_subtract(duration{w.relative(until())}, longest), duration::zero());
    auto const held_in = [&](atomic_cell<std::int64_t> const& cell) { return back(time_of(cell.load()), excess); };
    auto const walk_to = [&](atomic_cell<std::int64_t>& cell, time_point held) {
      auto const time = w.time(held, longest);
      if (w.takes()) cell.store_release(ticks_of(time));
      return time;
    };
    auto const earliest = back(walk_to(until_, until()), longest);
    w.require(walk_to(began_, larger(held_in(began_), earliest)) >= earliest);
    for (auto* each : {&probe_at_, &last_turn_}) walk_to(*each, held_in(*each));
    w.count(successes_, std::numeric_limits<std::int64_t>::max());
  }

 private:
  /// So many successes let one of those who wait begin.
  static constexpr std::uint64_t successes_each = 8;

  static constexpr std::int64_t ticks_of(time_point t) noexcept { return t.time_since_epoch().count(); }
  static constexpr time_point time_of(std::int64_t ticks) noexcept { return time_point{duration{ticks}}; }

  /// At least 1ns, which a wait is never below: another thread may be beginning a later pause.
  [[nodiscard]] duration length(time_point until) const noexcept {
    return larger(saturating_subtract(until, time_of(began_.load())), duration{1});
  }

  /// Between nothing and `most`, another each time: attempts that asked at one time do not ask at one time again. By the
  /// golden ratio times a number that grows with every question, which spreads evenly.
  static constexpr duration apart(duration most, std::int64_t last) noexcept {
    auto const spread = [last] { return static_cast<std::uint64_t>(last) * 0x9E3779B97F4A7C15U; };
    return random_up_to(most, spread);
  }

  [[nodiscard]] bool takes_a_success() noexcept {
    auto there = successes_.load();
    while (there >= successes_each) {
      if (successes_.compare_exchange_weak(there, there - successes_each)) return true;
    }
    return false;
  }

  /// One of those who wait when a pause is over, and another one when nothing is known a pause later. Once an attempt has
  /// succeeded, the n-th pause after the end lets n of them begin: those who wait may be all who are left to succeed.
  [[nodiscard]] bool is_the_probe(time_point now, time_point until, bool has_succeeded) noexcept {
    auto const pause = length(until);
    std::int64_t const pauses = has_succeeded ? saturating_subtract(now, until) / pause : 1;
    auto const next = ticks_of(saturating_add(now, larger(pause / larger(pauses, std::int64_t{1}), duration{1})));
    auto at = probe_at_.load();
    while (ticks_of(now) >= at) {
      if (probe_at_.compare_exchange_weak(at, next)) return true;
    }
    return false;
  }

  static constexpr std::int64_t never = time_point::min().time_since_epoch().count();
  atomic_cell<std::int64_t> until_{never};
  atomic_cell<std::int64_t> began_{never};
  atomic_cell<std::int64_t> probe_at_{never};   // one of those who wait may begin
  atomic_cell<std::int64_t> last_turn_{never};  // the latest time at which a call was told to ask again
  atomic_cell<std::uint64_t> successes_{0};     // since the pause, not yet counted for an attempt
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
