// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_STATE_INTERNAL_GATE_STATES_HPP
#define ANEW_STATE_INTERNAL_GATE_STATES_HPP

#include <cstdint>
#include <limits>

#include "anew/base/breaker_state.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"
#include "anew/policies/gate/adaptive_concurrency.hpp"
#include "anew/policies/gate/circuit_breaker.hpp"
#include "anew/policies/gate/client_throttle.hpp"
#include "anew/policies/gate/cool_down.hpp"
#include "anew/policies/gate/internal/acceptance_window.hpp"
#include "anew/policies/gate/internal/breaker_word.hpp"
#include "anew/policies/gate/internal/failure_window.hpp"
#include "anew/policies/gate/internal/shared_pause.hpp"
#include "anew/policies/gate/rate_breaker.hpp"
#include "anew/policies/gate/striped_client_throttle.hpp"
#include "anew/policies/gate/striped_rate_breaker.hpp"
#include "anew/policies/pacer/client_rate_limiter.hpp"
#include "anew/policies/pacer/internal/pacing_bucket.hpp"
#include "anew/policies/pacer/rate_limiter_constants.hpp"
#include "anew/policies/pacer/striped_client_rate_limiter.hpp"
#include "anew/policies/quota/internal/counted_tenths.hpp"
#include "anew/state/internal/quota_states.hpp"
#include "anew/state/internal/state_bytes.hpp"

/// The counts of the gates, as numbers. Passes belong to attempts that are gone after a restart, so they are not saved,
/// and a pass from before a state was taken counts no longer, except in a throttle.
namespace anew::inline ANEW_ABI::detail {

/// The state; then the consecutive failures while closed, the time left while open, the probes that succeeded while half
/// open.
template <>
struct kept_state<breaker_word> {
  using word_type = breaker_word;

  static void walk(word_type const& of, std::uint32_t opens_after, duration open_for, std::uint32_t probes,
                   state_walk& w) {
    using enum breaker_state;
    auto const word = of.word_.load();
    auto const state = static_cast<breaker_state>(w.counted(word_type::state_of(word), std::uint64_t{2}));
    auto payload = word_type::payload_of(word);
    if (state == open) {  // the end is kept to the millisecond, rounded up
      payload = pack_time(w.time(unpack_time(payload), saturating_add(open_for, duration{999'999})));
    } else if (state == closed) {
      payload = static_cast<std::uint64_t>(w.counted(payload, opens_after - 1));
    } else {
      payload = static_cast<std::uint64_t>(w.counted(word_type::succeeded(word), probes - 1)) * word_type::one_success;
    }
    if (w.takes()) of.word_.store_release(word_type::pack(state, word_type::generation_of(word) + 1, payload));
  }
  static std::uint32_t generation(word_type const& of) noexcept {
    return static_cast<std::uint32_t>(word_type::generation_of(of.word_.load()));
  }
};

/// The counts of the newest eighth and of the seven before it.
template <unsigned CountBits>
struct kept_state<eighths_ring<CountBits>> {
  using ring = eighths_ring<CountBits>;
  static std::uint64_t tag_at(std::uint32_t owner, std::uint64_t newest, unsigned age) noexcept {
    return ring::tag_of(owner, (newest - age) % ring::periods);
  }
  static std::uint64_t distance(std::uint64_t newest, std::uint64_t present) noexcept {
    return (newest - present) % ring::periods;
  }
  static void clear(ring const& of) noexcept {
    for (auto& slot : of.slots_) slot.word.store_release(0);
  }
  static void walk(auto const& seen, unsigned halvings, ring const& of, std::uint32_t owner, std::uint64_t newest,
                   state_walk& w) {
    if (w.takes()) clear(of);
    for (unsigned age = 0; age != ring::size; ++age) {
      auto const tag = tag_at(owner, newest, age);
      auto const count = w.counted(seen.count(tag) >> halvings, ring::most);
      if (w.takes() && count != 0) of.at(tag).store_release(ring::pack(tag, static_cast<std::uint32_t>(count)));
    }
  }
};

/// How far the newest eighth is ahead of now; the successes of it and of the seven before it; the failures of these.
template <unsigned CountBits>
struct kept_state<failure_window<CountBits>> {
  using ring_type = typename failure_window<CountBits>::ring;
  using ring = kept_state<ring_type>;

  /// The successes are those of the window, or were counted elsewhere.
  static void walk(auto const& successes, failure_window<CountBits> const& of, std::uint32_t owner, duration length,
                   state_walk& w) {
    auto const succeeded = successes.read();
    auto const failed = of.failures_.read();
    auto const present = ring_type::period_of(w.now(), length);
    auto newest = succeeded.newest(owner, failed.newest(owner, present));
    // Clocks of threads differ by less; ends before that time would not count.
    auto const ahead =
        w.counted(smaller(ring::distance(newest, present), std::uint64_t{ring_type::size}), ring_type::size);
    if (!w.writes()) newest = present + static_cast<std::uint64_t>(ahead);
    unsigned halvings = 0;  // as when a slot is full: the rate stays. Failures are in one ring
    for (unsigned age = 0; age != ring_type::size; ++age) {
      while ((succeeded.count(ring::tag_at(owner, newest, age)) >> halvings) > ring_type::most) ++halvings;
    }
    ring::walk(succeeded, halvings, of.successes_, owner, newest, w);
    ring::walk(failed, halvings, of.failures_, owner, newest, w);
  }
};

/// How far the newest tenth is ahead of now; the accepted requests of it and of the nine before it; the rejected ones of these.
template <>
struct kept_state<acceptance_window<>> {
  /// The accepted requests are those of the window, or were counted elsewhere.
  template <class Accepted>
  static void walk(Accepted const& accepted, acceptance_window<> const& of, tenth_number now, state_walk& w) {
    auto newest = larger(now, typename Accepted::snapshot{accepted}.newest());
    newest = larger(newest, tenths_ring::snapshot{of.rejected_}.newest());
    // Clocks of threads differ by less; ends before that time would not count.
    auto const ahead = w.counted(smaller(newest - now, tenth_number{tenths_ring::window}), tenths_ring::window);
    if (!w.writes()) newest = now + static_cast<tenth_number>(ahead);
    kept_state<tenths_ring>::walk(of.accepted_, accepted, newest, w);
    kept_state<tenths_ring>::walk(of.rejected_, newest, w);
  }
};

template <rational K, static_duration Window>
struct kept_state<client_throttle<K, Window>> {
  static void walk(client_throttle<K, Window> const& of, state_walk& w) { walk(of.window_.accepted(), of, w); }
  static void walk(auto const& accepted, client_throttle<K, Window> const& of, state_walk& w) {
    kept_state<acceptance_window<>>::walk(accepted, of.window_, of.number_at(w.now()), w);
  }
};

/// The same: the accepted requests are those of all stripes.
template <class Throttle, unsigned Stripes>
struct kept_state<striped_throttle<Throttle, Stripes>> {
  using policy_type = striped_throttle<Throttle, Stripes>;
  static void walk(policy_type const& of, state_walk& w) {
    kept_state<Throttle>::walk(typename policy_type::accepted{of}, of, w);
    if (!w.takes()) return;
    for (auto& each : of.stripes_) kept_state<tenths_ring>::clear(each.ring);
  }
};

template <std::int64_t Failures, static_duration OpenFor, std::int64_t Probes>
struct kept_state<circuit_breaker<Failures, OpenFor, Probes>> {
  static void walk(circuit_breaker<Failures, OpenFor, Probes> const& of, state_walk& w) {
    kept_state<breaker_word>::walk(of.word_, of.failures_.get(), of.open_for_.get(), of.probes_.get(), w);
  }
};

template <std::int64_t Percent, static_duration Window, std::int64_t MinVolume, static_duration OpenFor,
          std::int64_t Probes>
struct kept_state<rate_breaker<Percent, Window, MinVolume, OpenFor, Probes>> {
  using policy_type = rate_breaker<Percent, Window, MinVolume, OpenFor, Probes>;
  using word = kept_state<breaker_word>;

  static void walk(policy_type const& of, state_walk& w) { walk(of.window_.successes(), of, w); }
  /// The same, where the successes were counted elsewhere. A state that is taken begins a generation.
  static void walk(auto const& successes, policy_type const& of, state_walk& w) {
    word::walk(of.word_, 1, of.open_for_.get(), of.probes_.get(), w);
    kept_state<failure_window<>>::walk(successes, of.window_, word::generation(of.word_), of.length_.get(), w);
  }
};

/// The same: the successes are those of all stripes.
template <class Breaker, unsigned Stripes>
struct kept_state<striped_breaker<Breaker, Stripes>> {
  using policy_type = striped_breaker<Breaker, Stripes>;
  static void walk(policy_type const& of, state_walk& w) {
    kept_state<Breaker>::walk(typename policy_type::successes_of{of}, of, w);
    if (!w.takes()) return;  // what the stripes hold until they are cleared is of another generation
    for (auto const& each : of.stripes_) kept_state<failure_window<>::ring>::clear(each.ring);
  }
};

/// The end of the pause, its beginning, the next probe and the latest turn; the successes that are not yet spent on a beginning.
/// None of the times is ahead by more than the longest pause, and no pause is longer: an attempt that waits asks again after a
/// part of its length, and begins at the latest as the next probe.
template <>
struct kept_state<shared_pause> {
  /// A pause that ends later than any can was begun by another clock than `now`: all its times are moved by the same.
  static void walk(shared_pause& of, duration longest, state_walk& w) {
    auto const back = [](time_point time, duration by) {
      if (time == time_point::min()) return time;
      return larger(time_point{saturating_subtract(time.time_since_epoch(), by)}, time_point::min() + duration{1});
    };
    auto const excess = saturating_subtract(duration{relative(of.until(), w.now())}, longest);
    auto const held_in = [&](atomic_cell<std::int64_t> const& cell) {
      return back(shared_pause::time_of(cell.load()), larger(excess, duration::zero()));
    };
    auto const walk_to = [&](atomic_cell<std::int64_t>& cell, time_point held) {
      auto const time = w.time(held, longest);
      if (w.takes()) cell.store_release(shared_pause::ticks_of(time));
      return time;
    };
    auto const until = walk_to(of.until_, of.until());
    auto const earliest = back(until, longest);
    w.require(walk_to(of.began_, larger(held_in(of.began_), earliest)) >= earliest);
    for (auto* each : {&of.probe_at_, &of.last_turn_}) walk_to(*each, held_in(*each));
    w.count(of.successes_, std::numeric_limits<std::int64_t>::max());
  }
};

/// The limit, in units of 1/65536. Running attempts are not saved; a policy that restores a state still counts its own.
template <std::int64_t Most, static_duration Slow, std::int64_t Least>
struct kept_state<adaptive_concurrency<Most, Slow, Least>> {
  using policy_type = adaptive_concurrency<Most, Slow, Least>;

  static void walk(policy_type const& of, state_walk& w) {
    auto word = of.word_.load();
    auto const least = of.least_.get() * policy_type::one;
    auto const kept = w.counted(policy_type::limit_of(word) - least, of.most_.get() * policy_type::one - least);
    auto const limit = (static_cast<std::uint64_t>(kept) + least) << 32U;
    while (w.takes() && !of.word_.compare_exchange_weak(word, limit | policy_type::running(word))) {
    }
  }
};

/// The consecutive failures; 1 while those who waited come back; the pause.
template <class B, when_cooling Then, std::int64_t Ignored, static_duration LongestWait>
struct kept_state<cool_down<B, Then, Ignored, LongestWait>> {
  using policy_type = cool_down<B, Then, Ignored, LongestWait>;

  static void walk(policy_type const& of, state_walk& w) {
    auto const row = of.row_.load();
    auto const failures = w.counted(policy_type::failures_of(row), policy_type::most_failures);
    auto const recovering = w.counted(row & policy_type::recovering, 1);
    auto const state = static_cast<std::uint64_t>(failures) << 1U | static_cast<std::uint64_t>(recovering);
    if (w.takes()) of.row_.store_release(policy_type::next_of(row, state));
    kept_state<shared_pause>::walk(of.pause_, cap_of(of.backoff_.get()), w);
  }
};

// The rates of the rate limiter, as numbers. The attempts in its queue are gone after a restart, so they are not saved.

/// The latest half second that was measured, the responses since, and the rate.
template <>
struct kept_state<measured_rate> {
  static void walk(measured_rate& of, state_walk& w) {
    constexpr std::int64_t most_behind = 40'000'000'000;  // 600 years, which no clock spans
    constexpr std::int64_t most_ahead = 1;                // clocks of threads differ by less
    auto const present = half_second_of(w.now());
    auto const ahead = w.number(smaller(of.half_second_ - present, most_ahead));
    w.require(-most_behind <= ahead && ahead <= most_ahead);
    auto const count = w.counted(of.count_, std::numeric_limits<std::int64_t>::max());
    w.amount(of.rate_);
    if (!w.takes()) return;
    of.half_second_ = present + ahead;
    of.count_ = static_cast<std::uint64_t>(count);
  }
};

/// The rate, the most tokens, the tokens, and the time as of which they are counted.
template <>
struct kept_state<pacing_bucket> {
  static void walk(pacing_bucket& of, rate_limiter_constants const& c, bool is_limited, state_walk& w) {
    auto const rate = w.amount(of.fill_rate_);
    auto const most = w.amount(of.max_capacity_);
    w.require(w.amount(of.capacity_) <= most);
    // Once limited, an attempt waits for a token at the rate: there must be one.
    w.require(!is_limited || (rate >= c.min_fill_rate && most >= c.min_capacity));
    auto const last = w.time(of.last_, duration::zero());
    if (w.takes()) of.last_ = last;
  }
};

/// 0 before the first response, 1 before the first throttled one, 2 after it; responses that are to be counted; the
/// measured rate; the bucket; the rate when it was last throttled, and when that was.
template <when_limited Then, rate_limiter_constants Constants>
struct kept_state<client_rate_limiter<Then, Constants>> {
  using policy_type = client_rate_limiter<Then, Constants>;

  static void walk(policy_type const& of, state_walk& w) {
    fork_safe_lock const lock{of.mutex_, of.begins_anew()};
    auto const phase = w.counted(of.phase_.load(), policy_type::limited);
    w.count(of.uncounted_, std::numeric_limits<std::int64_t>::max());
    kept_state<measured_rate>::walk(of.measured_, w);
    kept_state<pacing_bucket>::walk(of.bucket_, of.constants(), phase == policy_type::limited, w);
    w.amount(of.last_max_rate_);
    auto const throttled_at = w.time(of.last_throttle_, duration::zero());
    if (!w.takes()) return;
    of.window_ = cubic_rate::time_window(of.last_max_rate_, of.constants());
    of.last_throttle_ = throttled_at;
    of.phase_.store_release(static_cast<std::uint8_t>(phase));
  }
};

/// The same, with the responses that the stripes have counted.
template <class Limiter, unsigned Stripes>
struct kept_state<striped_limiter<Limiter, Stripes>> {
  static void walk(striped_limiter<Limiter, Stripes> const& of, state_walk& w) {
    {
      fork_safe_lock const lock{of.mutex_, of.begins_anew()};
      of.take_in();
    }
    kept_state<Limiter>::walk(of, w);
    if (w.takes()) of.sampled_.store_release(of.never);
  }
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
