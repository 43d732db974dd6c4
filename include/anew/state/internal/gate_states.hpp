// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_STATE_INTERNAL_GATE_STATES_HPP
#define ANEW_STATE_INTERNAL_GATE_STATES_HPP

#include <cstdint>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"
#include "anew/policies/gate/breaker_state.hpp"
#include "anew/policies/gate/circuit_breaker.hpp"
#include "anew/policies/gate/client_throttle.hpp"
#include "anew/policies/gate/cool_down.hpp"
#include "anew/policies/gate/internal/acceptance_window.hpp"
#include "anew/policies/gate/internal/breaker_word.hpp"
#include "anew/policies/gate/internal/failure_window.hpp"
#include "anew/policies/gate/internal/shared_pause.hpp"
#include "anew/policies/gate/rate_breaker.hpp"
#include "anew/policies/gate/striped_rate_breaker.hpp"
#include "anew/state/internal/state_numbers.hpp"

/// The counts of the gates, as numbers. `accepts` says whether `set` may be called. Passes belong to attempts that
/// are gone after a restart: no number stands for them, and a pass from before `set` counts no longer, except in a throttle.
namespace anew::inline ANEW_ABI::detail {

/// The state; then the consecutive failures while closed, the time left while open, the probes that succeeded while half
/// open.
template <>
struct kept_state<breaker_word> {
  using word_type = breaker_word;
  static constexpr std::size_t size = 2;

  static void get(word_type const& of, time_point now, duration open_for, state_numbers& to) {
    auto const word = of.word_.load();
    auto const state = word_type::state_of(word);
    to.push_back(static_cast<std::int64_t>(state));
    if (state == breaker_state::open) {
      auto const left = relative(unpack_time(word_type::payload_of(word)), now);
      return to.push_back(smaller(left, longest(open_for)));
    }
    to.push_back(static_cast<std::int64_t>(state == breaker_state::closed ? word_type::payload_of(word)
                                                                          : word_type::succeeded(word)));
  }
  static bool accepts(state_view in, std::uint32_t opens_after, duration open_for, std::uint32_t probes) noexcept {
    switch (in[0]) {
      case static_cast<std::int64_t>(breaker_state::closed): return is_count(in[1], opens_after - 1);
      case static_cast<std::int64_t>(breaker_state::open): return in[1] <= longest(open_for);
      case static_cast<std::int64_t>(breaker_state::half_open): return is_count(in[1], probes - 1);
      default: return false;
    }
  }
  static void set(word_type const& of, state_view in, time_point now) noexcept {
    auto const state = static_cast<breaker_state>(in[0]);
    auto payload = static_cast<std::uint64_t>(in[1]);
    if (state == breaker_state::open) payload = pack_time(absolute(in[1], now));
    if (state == breaker_state::half_open) payload *= word_type::one_success;
    of.word_.store_release(word_type::pack(state, word_type::generation_of(of.word_.load()) + 1, payload));
  }
  static std::uint32_t generation(word_type const& of) noexcept {
    return static_cast<std::uint32_t>(word_type::generation_of(of.word_.load()));
  }

 private:
  /// The end is kept to the millisecond, rounded up.
  static std::int64_t longest(duration open_for) noexcept {
    return saturating_add(open_for, duration{999'999}).count();
  }
};

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
  static void set(ring const& of, std::uint64_t tag, std::int64_t count) noexcept {
    if (count != 0) of.at(tag).store_release(ring::pack(tag, static_cast<std::uint32_t>(count)));
  }
};

/// How far the newest eighth is ahead of now; the successes of it and of the seven before it; the failures of these.
template <unsigned CountBits>
struct kept_state<failure_window<CountBits>> {
  using window_type = failure_window<CountBits>;
  using ring_type = typename window_type::ring;
  using ring = kept_state<ring_type>;
  static constexpr std::size_t size = 1 + 2 * ring_type::size;

  /// The successes are those of the window, or were counted elsewhere.
  template <class Successes>
  static void get(Successes const& successes, window_type const& of, std::uint32_t owner, time_point now,
                  duration length, state_numbers& to) {
    auto const succeeded = successes.read();
    auto const failed = of.failures_.read();
    auto const present = ring_type::period_of(now, length);
    auto const newest = succeeded.newest(owner, failed.newest(owner, present));
    to.push_back(static_cast<std::int64_t>(smaller(ring::distance(newest, present), most_ahead)));
    std::uint64_t counts[2][ring_type::size];
    std::uint64_t largest = 0;
    for (unsigned age = 0; age != ring_type::size; ++age) {
      auto const tag = ring::tag_at(owner, newest, age);
      counts[0][age] = succeeded.count(tag);
      counts[1][age] = failed.count(tag);
      largest = larger(largest, counts[0][age]);  // failures are in one ring
    }
    unsigned halvings = 0;  // as when a slot is full: the rate stays
    while ((largest >> halvings) > ring_type::most) ++halvings;
    for (auto const& kind : counts) {
      for (auto const count : kind) to.push_back(static_cast<std::int64_t>(count >> halvings));
    }
  }
  static bool accepts(state_view in) noexcept {
    for (auto const count : in.subspan(1)) {
      if (!is_count(count, ring_type::most)) return false;
    }
    return is_count(in[0], most_ahead);
  }
  static void set(window_type const& of, std::uint32_t owner, state_view in, time_point now, duration length) noexcept {
    auto const newest = ring_type::period_of(now, length) + static_cast<std::uint64_t>(in[0]);
    auto count = in.begin() + 1;
    for (auto const* of_kind : {&of.successes_, &of.failures_}) {
      ring::clear(*of_kind);
      for (unsigned age = 0; age != ring_type::size; ++age, ++count) {
        ring::set(*of_kind, ring::tag_at(owner, newest, age), *count);
      }
    }
  }

 private:
  /// Clocks of threads differ by less; ends before that time would not count.
  static constexpr std::uint64_t most_ahead = ring_type::size;
};

/// How far the newest tenth is ahead of now; the accepted requests of it and of the nine before it; the rejected ones of these.
template <unsigned CountBits>
struct kept_state<acceptance_window<CountBits>> {
  using window_type = acceptance_window<CountBits>;
  using number = typename window_type::number;
  static constexpr std::size_t tenths = window_type::tenths;
  static constexpr std::size_t size = 1 + 2 * tenths;

  static void get(window_type const& of, number now, state_numbers& to) {
    auto newest = now;
    for (auto const* ring : {of.accepted_, of.rejected_}) {
      for (unsigned i = 0; i != window_type::size; ++i) {
        newest = larger(newest, window_type::number_of(ring[i].word.load()));
      }
    }
    to.push_back(static_cast<std::int64_t>(smaller(newest - now, most_ahead)));
    for (auto const* ring : {of.accepted_, of.rejected_}) {
      for (number age = 0; age != tenths; ++age) {
        auto const word = ring[(newest - age) % window_type::size].word.load();
        bool const is_counted = window_type::number_of(word) == newest - age;
        to.push_back(is_counted ? static_cast<std::int64_t>(window_type::count_of(word)) : 0);
      }
    }
  }
  static bool accepts(state_view in) noexcept {
    for (auto const count : in.subspan(1)) {
      if (!is_count(count, window_type::most)) return false;
    }
    return is_count(in[0], most_ahead);
  }
  static void set(window_type const& of, state_view in, number now) noexcept {
    auto const newest = now + static_cast<number>(in[0]);
    auto count = in.begin() + 1;
    for (auto* ring : {of.accepted_, of.rejected_}) {
      for (unsigned i = 0; i != window_type::size; ++i) ring[i].word.store_release(0);
      for (number age = 0; age != tenths; ++age, ++count) {
        auto const word = window_type::pack(newest - age, static_cast<std::uint64_t>(*count));
        if (*count != 0) ring[(newest - age) % window_type::size].word.store_release(word);
      }
    }
  }

 private:
  /// Clocks of threads differ by less; ends before that time would not count.
  static constexpr number most_ahead = tenths;
};

template <rational K, static_duration Window>
struct kept_state<client_throttle<K, Window>> {
  using policy_type = client_throttle<K, Window>;
  using window = kept_state<acceptance_window<>>;
  static constexpr std::size_t size = window::size;

  static void get(policy_type const& of, time_point now, state_numbers& to) {
    window::get(of.window_, of.number_at(now), to);
  }
  static bool accepts(policy_type const& /*of*/, state_view in) noexcept { return window::accepts(in); }
  static void set(policy_type const& of, state_view in, time_point now) noexcept {
    window::set(of.window_, in, of.number_at(now));
  }
};

template <std::int64_t Failures, static_duration OpenFor, std::int64_t Probes>
struct kept_state<circuit_breaker<Failures, OpenFor, Probes>> {
  using policy_type = circuit_breaker<Failures, OpenFor, Probes>;
  using word = kept_state<breaker_word>;
  static constexpr std::size_t size = word::size;

  static void get(policy_type const& of, time_point now, state_numbers& to) {
    word::get(of.word_, now, of.open_for_.get(), to);
  }
  static bool accepts(policy_type const& of, state_view in) noexcept {
    return word::accepts(in, of.failures_.get(), of.open_for_.get(), of.probes_.get());
  }
  static void set(policy_type const& of, state_view in, time_point now) noexcept { word::set(of.word_, in, now); }
};

template <std::int64_t Percent, static_duration Window, std::int64_t MinVolume, static_duration OpenFor,
          std::int64_t Probes>
struct kept_state<rate_breaker<Percent, Window, MinVolume, OpenFor, Probes>> {
  using policy_type = rate_breaker<Percent, Window, MinVolume, OpenFor, Probes>;
  using word = kept_state<breaker_word>;
  using window = kept_state<failure_window<>>;
  static constexpr std::size_t size = word::size + window::size;

  static void get(policy_type const& of, time_point now, state_numbers& to) {
    get(of.window_.successes(), of, now, to);
  }
  /// The same, where the successes were counted elsewhere.
  template <class Successes>
  static void get(Successes const& successes, policy_type const& of, time_point now, state_numbers& to) {
    auto const owner = word::generation(of.word_);
    word::get(of.word_, now, of.open_for_.get(), to);
    window::get(successes, of.window_, owner, now, of.length_.get(), to);
  }
  static bool accepts(policy_type const& of, state_view in) noexcept {
    return word::accepts(in, 1, of.open_for_.get(), of.probes_.get()) && window::accepts(in.subspan(word::size));
  }
  static void set(policy_type const& of, state_view in, time_point now) noexcept {
    word::set(of.word_, in, now);
    window::set(of.window_, word::generation(of.word_), in.subspan(word::size), now, of.length_.get());
  }
};

/// The same: the successes are those of all stripes.
template <class Breaker, unsigned Stripes>
struct kept_state<striped_breaker<Breaker, Stripes>> {
  using policy_type = striped_breaker<Breaker, Stripes>;
  using plain = kept_state<Breaker>;
  static constexpr std::size_t size = plain::size;

  static void get(policy_type const& of, time_point now, state_numbers& to) {
    plain::get(typename policy_type::successes_of{of}, of.breaker_, now, to);
  }
  static bool accepts(policy_type const& of, state_view in) noexcept { return plain::accepts(of.breaker_, in); }
  static void set(policy_type const& of, state_view in, time_point now) noexcept {
    plain::set(of.breaker_, in,
               now);  // begins a generation: what the stripes hold until they are cleared does not count
    for (auto const& each : of.stripes_) kept_state<failure_window<>::ring>::clear(each.ring);
  }
};

/// The end of the pause, its beginning, the next probe and the latest turn; the successes that are not yet spent on a beginning.
/// None of the times is ahead by more than the longest pause, and no pause is longer: an attempt that waits asks again after a
/// part of its length, and begins at the latest as the next probe.
template <>
struct kept_state<shared_pause> {
  static constexpr std::size_t size = 5;

  /// A pause that ends later than any can was begun by another clock than `now`: all its times are moved by the same.
  static void get(shared_pause const& of, time_point now, duration longest, state_numbers& to) {
    auto const until = relative(of.until(), now);
    auto const excess = larger(saturating_subtract(duration{until}, longest), duration::zero());
    auto const kept = [&](time_point time) {
      auto const moved = time == time_point::min() ? time : earlier(time, excess);
      return smaller(relative(moved, now), std::int64_t{longest.count()});
    };
    to.push_back(smaller(until, std::int64_t{longest.count()}));
    auto const began = kept(shared_pause::time_of(of.began_.load()));
    to.push_back(is_none(until) ? began : larger(began, earliest(to.back(), longest)));
    for (auto const* each : {&of.probe_at_, &of.last_turn_}) to.push_back(kept(shared_pause::time_of(each->load())));
    to.push_back(static_cast<std::int64_t>(of.successes_.load()));
  }
  static bool accepts(state_view in, duration longest) noexcept {
    for (auto const time : in.first(4)) {
      if (time > longest.count()) return false;
    }
    return (is_none(in[0]) || in[1] >= earliest(in[0], longest)) && in[4] >= 0;
  }
  static void set(shared_pause& of, state_view in, time_point now) noexcept {
    auto number = in.begin();
    for (auto* each : {&of.until_, &of.began_, &of.probe_at_, &of.last_turn_}) {
      each->store_release(shared_pause::ticks_of(absolute(*number++, now)));
    }
    of.successes_.store_release(static_cast<std::uint64_t>(in[4]));
  }

 private:
  static constexpr bool is_none(std::int64_t time) noexcept { return time == duration::min().count(); }
  /// The earliest beginning of a pause with that end.
  static constexpr std::int64_t earliest(std::int64_t until, duration longest) noexcept {
    return larger(saturating_subtract(duration{until}, longest), duration::min() + duration{1}).count();
  }
  static constexpr time_point earlier(time_point time, duration by) noexcept {
    return larger(time_point{saturating_subtract(time.time_since_epoch(), by)}, time_point::min() + duration{1});
  }
};

/// The consecutive failures; 1 while those who waited come back; the pause.
template <class B, when_cooling Then, std::int64_t Ignored, static_duration LongestWait>
struct kept_state<cool_down<B, Then, Ignored, LongestWait>> {
  using policy_type = cool_down<B, Then, Ignored, LongestWait>;
  using pause = kept_state<shared_pause>;
  static constexpr std::size_t size = 2 + pause::size;

  static void get(policy_type const& of, time_point now, state_numbers& to) {
    auto const row = of.row_.load();
    to.push_back(policy_type::failures_of(row));
    to.push_back((row & policy_type::recovering) != 0 ? 1 : 0);
    pause::get(of.pause_, now, cap_of(of.backoff_.get()), to);
  }
  static bool accepts(policy_type const& of, state_view in) noexcept {
    return is_count(in[0], policy_type::most_failures) && is_count(in[1], 1) &&
           pause::accepts(in.subspan(2), cap_of(of.backoff_.get()));
  }
  static void set(policy_type const& of, state_view in, time_point now) noexcept {
    auto const state = static_cast<std::uint64_t>(in[0]) << 1U | static_cast<std::uint64_t>(in[1]);
    of.row_.store_release(policy_type::next_of(of.row_.load(), state));
    pause::set(of.pause_, in.subspan(2), now);
  }
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
