// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_GATE_COOL_DOWN_HPP
#define ANEW_POLICIES_GATE_COOL_DOWN_HPP

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "anew/base/breaker_state.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/internal/inner.hpp"
#include "anew/base/internal/parameter.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"
#include "anew/base/random_source.hpp"
#include "anew/base/thread_random.hpp"
#include "anew/policies/backoff/exponential.hpp"
#include "anew/policies/gate/internal/breaker_word.hpp"
#include "anew/policies/gate/internal/shared_pause.hpp"
#include "anew/roles/backoff.hpp"
#include "anew/roles/gate.hpp"
#include "anew/roles/internal/several.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// The treatment of an attempt while its destination cools down.
enum class when_cooling : std::uint8_t {
  wait,    ///< it waits, within the longest wait and the deadline, until a stop
  refuse,  ///< the call ends
};

namespace detail {

template <class B>
inline constexpr bool cools_by_a_backoff = Backoff<B>;
template <class B>
concept SaysWhetherItTellsKinds = requires(B const& b) { b.tells_kinds(); };
template <class B>
inline constexpr bool cools_by_the_number_of_failures = !DelaysByKind<B> || SaysWhetherItTellsKinds<B>;

inline constexpr static_duration as_long_as_it_takes{duration::max()};

}  // namespace detail

/// Lets no attempt of any call begin for a while after a failure: what one call learned of the destination, all know. The
/// pause grows with the consecutive failures, by a Backoff; a success resets their count.
///
/// The pause is drawn between half of the backoff's delay and all of it, so that processes which saw the same failure do
/// not retry at the same moment. When it is over, new attempts begin at once, and of those that waited one, as a probe.
/// After that every eighth success lets one more of them begin, and the n-th pause after the end n more: the load is at
/// most 9/8 of what the destination answers, and grows slowly while it answers. Where nothing else calls, N attempts that
/// wait are back within 4 + 12*sqrt(N) pauses; a few workers are back after a few calls. While it fails, each pause lets
/// one begin.
///
/// The first `Ignored` failures of a row cost nothing. A delay that the server asked for counts from the first failure
/// on, up to the backoff's cap; it is not shortened. A pause never ends earlier than was said. An attempt counts by what
/// was known when it began: of attempts that run side by side the first failure is counted, and a success that began
/// before the last failure does not end the row. A failure of kind `client` is the caller's fault and changes nothing.
///
/// `cool_down<exponential_backoff<1s, 60s>>` has its numbers in its type; `cool_down{exponential_backoff{base, cap}}`,
/// `cool_down{backoff, ignored}` and `cool_down{backoff, ignored, longest_wait}` take values known at run time. It lives
/// in the strategy, as a quota does: keep the strategy. One is for one destination; for several: partitioned.
///
/// An attempt that would wait longer than `LongestWait` in all is refused, at once or as soon as that shows. Without one
/// only a deadline and a stop token bound the wait, and where calls keep arriving nothing bounds how many wait.
///
/// Models: Gate (lock-free, 48 bytes; each failure is counted exactly once)
/// Formula: pause n = max(U(1/2, 1) * Backoff(n - Ignored), min(hint, cap))
/// Requires: a Backoff that tells no kinds of errors apart, 0 <= Ignored <= 1000, LongestWait > 0; consecutive failures beyond 1023 count as 1023
/// Cost: with nothing to cool three loads per attempt, and no clock; two compare-exchanges and a random number per failure,
/// two for the first successes after it, and an addition per success while others still wait. The clock is read for a
/// failure, and from then on until an attempt has begun after the pause and after a success. Of the attempts that wait
/// the first asks again at the end of the pause, the others within a quarter of the pause after it, and then each time
/// after as long as has passed since the end, and up to an eighth more
/// Metastable above: 7/8 of its capacity, 87 %, while calls keep arriving and wait without a bound. With
/// `when_cooling::refuse` no call waits, and it keeps nothing down.
/// Choose it where callers of one destination should wait together rather than find out one by one: background work,
/// queues. Where calls keep arriving while others wait, bound the wait by a `LongestWait` of seconds or a deadline. Not
/// where callers should be told at once: circuit_breaker, or `when_cooling::refuse`.
/// Source: Chromium net::BackoffEntry (per destination, randomized, first errors ignored, a server's delay sets the
/// horizon, which is never taken back). There a success takes one failure off the count; here it resets the count.
template <class B = exponential_backoff<std::chrono::seconds{1}, std::chrono::seconds{60}>,
          when_cooling Then = when_cooling::wait, std::int64_t Ignored = 0,
          static_duration LongestWait = detail::as_long_as_it_takes>
class cool_down {
  static constexpr bool is_static = Ignored != run_time_count && LongestWait != run_time;
  static constexpr bool bounds_the_wait = Then == when_cooling::wait && LongestWait != detail::as_long_as_it_takes;

 public:
  using role = roles::gate;
  static constexpr bool forwards_members = true;  // would_refuse() where it refuses
  using pass_type = std::uint64_t;

  constexpr cool_down() noexcept = default;

  constexpr explicit cool_down(B backoff)
    requires is_static
      : backoff_{std::move(backoff)} {
    detail::require_none(fault_of(backoff_.get()));
  }

  constexpr cool_down(B backoff, detail::any_count ignored)
    requires(Ignored == run_time_count && LongestWait != run_time)
      : backoff_{std::move(backoff)}, ignored_{detail::checked(ignored.get(), fault_of(backoff_.get(), ignored))} {}

  constexpr cool_down(B backoff, detail::any_count ignored, detail::any_duration longest)
    requires(Ignored == run_time_count && LongestWait == run_time)
      : backoff_{std::move(backoff)},
        ignored_{detail::checked(ignored.get(), fault_of(backoff_.get(), ignored, longest))},
        longest_{longest} {}
  static constexpr detail::value_fault fault_of([[maybe_unused]] B const& backoff, detail::any_count ignored = 0,
                                                duration longest = duration::max()) {
    detail::value_fault fault{"cool_down"};
    if constexpr (detail::SaysWhetherItTellsKinds<B>)
      fault.unless(!backoff.tells_kinds(), "the backoff must not tell kinds of errors apart", backoff);
    return fault.within(ignored, 0, 1000, "ignored").above_zero(longest, "the longest wait");
  }

  /// Needs the time while a pause is recorded. `since` is when the attempt first had to wait; it is kept here, and belongs
  /// to the attempt. The first attempt that begins after a pause, and after a success since, forgets the pause.
  [[nodiscard]] ANEW_INLINE admission<pass_type> try_enter(detail::Time auto&& now, time_point& since,
                                                           RandomSource auto&& /*random*/) const {
    auto const row = row_.load();
    if (is_untouched()) [[likely]]
      return admission<pass_type>::admit(pass_of(row));
    gate_change change;
    auto const wait = wait_of(row, now, since, change);
    if (wait == duration::zero()) return {pass_of(row), {}, change};
    return {std::nullopt, detail::larger(wait, duration::zero())};
  }
  /// An attempt that has not asked before.
  [[nodiscard]] ANEW_INLINE admission<pass_type> try_enter(detail::Time auto&& now) const {
    auto since = time_point::min();
    return try_enter(now, since, thread_random{});
  }

  /// Needs the time where the success resets the count of failures, or releases waiting attempts.
  ANEW_INLINE void on_success(pass_type pass, detail::Time auto&& now) const {
    auto const row = row_.load();
    if (state_of(row) != 0 && pass_of(row) == pass) [[unlikely]]
      end_row(row, pass, now);
  }

  /// Draws from `random` how much of the backoff's delay to wait.
  gate_change on_failure(pass_type pass, failure const& what, time_point now, auto&& random) const {
    if (pass == pass_type{} || what.kind == error_kind::client) return {};
    auto row = row_.load();
    duration delay;
    for (;;) {
      bool const is_news = pass_of(row) == pass;
      auto const failures = detail::smaller(failures_of(row) + (is_news ? 1U : 0U), most_failures);
      delay = what.hint ? detail::smaller(*what.hint, detail::cap_of(backoff_.get())) : duration::zero();
      if (is_news && failures > ignored_.get()) {
        delay = detail::larger(delay, jittered(backoff_.get().delay(failures - ignored_.get()), random));
      }
      if (!is_news || row_.compare_exchange_weak(row, next_of(row, failures << 1U))) break;
    }
    bool const begins = delay > duration::zero() && pause_.begin(now, detail::saturating_add(now, delay));
    return {breaker_state::closed, begins ? breaker_state::open : breaker_state::closed};
  }
  gate_change on_failure(pass_type pass, failure const& what, time_point now) const {
    return on_failure(pass, what, now, thread_random{});
  }

  void release(pass_type /*pass*/) const noexcept {}

  /// True when it refuses at that time an attempt that asks then for the first time, as things stand.
  [[nodiscard]] bool would_refuse(time_point time) const noexcept
    requires(Then == when_cooling::refuse || bounds_the_wait)
  {
    auto const until = pause_.until();
    if (time >= until) return false;
    if constexpr (Then == when_cooling::refuse) {
      return true;
    } else {
      return detail::saturating_subtract(pause_.turn(time, until), time) > longest_.get();
    }
  }

  [[nodiscard]] constexpr duration longest_wait() const noexcept {
    return Then == when_cooling::refuse ? duration::zero() : longest_.get();
  }
  /// Consecutive failures, the ignored ones among them. For display, as is the next.
  [[nodiscard]] std::uint32_t failures() const noexcept { return failures_of(row_.load()); }
  /// When new attempts may begin, or might have begun; `time_point::min()` when they always might.
  [[nodiscard]] time_point cooling_until() const noexcept { return pause_.until(); }
  /// True while no pause is recorded. A registry evicts such a gate before others.
  [[nodiscard]] bool is_untouched() const noexcept { return pause_.is_unknown(); }

  [[nodiscard]] std::string describe() const {
    bool const is_bounded = bounds_the_wait && longest_.get() != duration::max();
    return detail::written("cool_down", detail::describe_member(backoff_.get(), "custom"),
                           Then == when_cooling::refuse ? "refuse" : "",
                           detail::text_if(ignored_.get() != 0, "ignored=" + std::to_string(ignored_.get())),
                           detail::text_if(is_bounded, "longest_wait=" + detail::to_text(longest_.get())));
  }

  /// Reads or writes the state: anew/state/saved_state.hpp.
  void walk_state(auto& w) const {
    auto const row = row_.load();
    auto const failures = w.counted(failures_of(row), most_failures);
    auto const recovers = w.counted(row & recovering, 1);
    auto const state = static_cast<std::uint64_t>(failures) << 1U | static_cast<std::uint64_t>(recovers);
    if (w.takes()) row_.store_release(next_of(row, state));
    pause_.walk_state(w, detail::cap_of(backoff_.get()));
  }

  static constexpr bool is_sound = detail::cools_by_a_backoff<B> && detail::cools_by_the_number_of_failures<B> &&
                                   detail::numbers_of<B>::is_sound && detail::is_within<Ignored, 0, 1000> &&
                                   detail::is_above_zero<LongestWait>;
  static consteval void explain() {
    if constexpr (!detail::cools_by_a_backoff<B>) {
      static_assert(detail::cools_by_a_backoff<B>,
                    "anew::cool_down<Backoff> requires a Backoff, which computes the cool-down; this type is not a "
                    "Backoff. Did you mean anew::exponential_backoff<1s, 60s>?");
    } else if constexpr (!detail::cools_by_the_number_of_failures<B>) {
      static_assert(detail::cools_by_the_number_of_failures<B>,
                    "anew::cool_down<Backoff> requires a Backoff that depends on the number of failures alone; the "
                    "delay of this Backoff depends on the kind of error. Write the backoff for one kind");
    } else if constexpr (!detail::numbers_of<B>::is_sound) {
      detail::numbers_of<B>::explain();
    } else if constexpr (!detail::is_within<Ignored, 0, 1000>) {
      static_assert(detail::is_within<Ignored, 0, 1000>,
                    "anew::cool_down<Backoff, Then, Ignored> requires 0 <= Ignored <= 1000; it counts the "
                    "consecutive failures that cause no cool-down. Write 0 to ignore no failure");
    } else {
      static_assert(detail::is_above_zero<LongestWait>,
                    "anew::cool_down<Backoff, Then, Ignored, LongestWait> requires LongestWait > 0; no attempt could "
                    "wait. Use anew::when_cooling::refuse to refuse attempts instead");
    }
  }

 private:
  static constexpr std::uint32_t most_failures = 1023;

  // The row in one word: 53 bits changes of it, which no attempt outlives | 10 bits failures | 1 bit whether those who
  // waited are coming back.
  static constexpr std::uint64_t recovering = 1;
  static constexpr std::uint64_t next_of(std::uint64_t row, std::uint64_t state) noexcept {
    return (((row >> 11U) + 1) << 11U) | state;
  }
  static constexpr std::uint64_t state_of(std::uint64_t row) noexcept { return row % 2048; }
  static constexpr std::uint32_t failures_of(std::uint64_t row) noexcept {
    return static_cast<std::uint32_t>(state_of(row) >> 1U);
  }
  /// Never 0, which means no pass.
  static constexpr pass_type pass_of(std::uint64_t row) noexcept { return (row >> 11U) + 1; }

  /// The backoff, if it depends on the number of failures alone.
  static constexpr duration jittered(duration delay, auto& random) { return delay - random_up_to(delay / 2, random); }

  /// Resets the count of failures, or releases waiting attempts.
  ANEW_COLD void end_row(std::uint64_t row, pass_type pass, time_point now) const noexcept {
    bool const somebody_waits = pause_.somebody_waits(now);
    if (somebody_waits) pause_.count_success();
    // A success that only counts is no change: attempts that began before it count as well.
    while (pass_of(row) == pass && state_of(row) != (somebody_waits ? recovering : 0)) {
      auto const next = failures_of(row) != 0 ? next_of(row, somebody_waits ? recovering : 0) : row & ~recovering;
      if (row_.compare_exchange_weak(row, next)) return;
    }
  }
  /// During a pause, and until it is forgotten: zero where the attempt begins, below zero where it is refused.
  ANEW_COLD duration wait_of(std::uint64_t row, time_point now, [[maybe_unused]] time_point& since,
                             gate_change& change) const noexcept {
    constexpr duration refused{-1};
    auto const until = pause_.until();
    if (now >= until && (since == time_point::min() || until == time_point::min())) {
      if (state_of(row) == 0 && pause_.forget(until)) change = {breaker_state::open, breaker_state::closed};
      return duration::zero();
    }
    if constexpr (Then == when_cooling::refuse) {
      return refused;
    } else {
      if (since == time_point::min()) since = now;
      if (now >= until && (state_of(row) == 0 || pause_.lets_one_begin(now, until, failures_of(row) == 0))) {
        return duration::zero();
      }
      auto const turn = pause_.turn(now, until);
      if constexpr (bounds_the_wait) {
        if (detail::saturating_subtract(turn, since) > longest_.get()) return refused;
      }
      pause_.take(turn);
      return detail::saturating_subtract(turn, now);
    }
  }

  ANEW_NO_UNIQUE_ADDRESS detail::inner<B, cool_down> backoff_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Ignored, cool_down> ignored_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<LongestWait, cool_down, 1> longest_;
  mutable detail::atomic_cell<std::uint64_t> row_{0};
  mutable detail::shared_pause pause_;
};

template <class B>
cool_down(B) -> cool_down<B>;
template <class B>
cool_down(B, detail::any_count) -> cool_down<B, when_cooling::wait, run_time_count>;
template <class B>
cool_down(B, detail::any_count, detail::any_duration) -> cool_down<B, when_cooling::wait, run_time_count, run_time>;

}  // namespace anew::inline ANEW_ABI

#endif
