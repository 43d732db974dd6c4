// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_GATE_INTERNAL_BREAKER_WORD_HPP
#define ANEW_POLICIES_GATE_INTERNAL_BREAKER_WORD_HPP

#include <cstdint>
#include <optional>

#include "anew/base/breaker_state.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/internal/parameter.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"
#include "anew/roles/gate.hpp"

/// A point in time in 44 bits of a word, which leaves room for the data that must change together with it.
namespace anew::inline ANEW_ABI::detail {

inline constexpr unsigned packed_time_bits = 44;

/// Milliseconds since 278 years before the clock's epoch, so that every clock's epoch has room on both sides.
/// Rounds up: the packed time is never earlier. Saturates at both ends; 0 is before every other time.
constexpr std::uint64_t pack_time(time_point t) noexcept {
  constexpr std::int64_t half = std::int64_t{1} << (packed_time_bits - 1);
  auto const ticks = t.time_since_epoch().count();
  auto const up = ticks / 1'000'000 + (ticks % 1'000'000 > 0 ? 1 : 0);
  return static_cast<std::uint64_t>(detail::clamped<std::int64_t>(up, 1 - half, half - 1) + half);
}

/// The time that was packed. `time_point::min()` if the word never held a time.
constexpr time_point unpack_time(std::uint64_t packed) noexcept {
  constexpr std::int64_t half = std::int64_t{1} << (packed_time_bits - 1);
  if (packed == 0) return time_point::min();
  return time_point{duration{(static_cast<std::int64_t>(packed) - half) * 1'000'000}};
}

/// The state of a breaker in one word, so that each step is one compare-exchange:
///
///     2 bits state | 18 bits generation | 44 bits: closed     consecutive failures
///                                                  open       until when
///                                                  half open  22 bits probes that succeeded, 22 bits probes in flight
///
/// Each change of state begins a generation. A pass is the generation of its attempt, so that an attempt that began
/// before a change of state does not count. Generations wrap after 262,144 changes: an attempt that is under way for
/// exactly so many changes, 30 days of a breaker that opens for 30 s each time, counts as a new one.
class breaker_word {
 public:
  using pass_type = std::uint32_t;
  static constexpr unsigned probe_bits = 22;
  static constexpr std::uint32_t most_probes = (1U << probe_bits) - 1;

  constexpr breaker_word() noexcept : word_{pack(breaker_state::closed, 0, 0)} {}

  [[nodiscard]] bool is_untouched() const noexcept { return word_.load() == pack(breaker_state::closed, 0, 0); }
  [[nodiscard]] breaker_state state() const noexcept { return state_of(word_.load()); }

  /// True if it will certainly refuse at `time`. False while probes are in flight.
  [[nodiscard]] bool would_refuse(time_point time) const noexcept {
    auto const word = word_.load();
    return state_of(word) == breaker_state::open && time < unpack_time(payload_of(word));
  }

  /// Open until close(), or for 278 years; closed, with nothing counted. Attempts under way count no longer.
  gate_change isolate() const noexcept { return set(breaker_state::open, payloads - 1); }
  gate_change close() const noexcept { return set(breaker_state::closed, 0); }

  /// Needs the time while it is not closed.
  [[nodiscard]] ANEW_INLINE admission<pass_type> try_enter(Time auto&& now, std::uint32_t probes) const {
    auto const word = word_.load();
    if (state_of(word) == breaker_state::closed) [[likely]]
      return admission<pass_type>::admit(pass_of(word));
    auto const asked = try_probe(now, probes);
    auto const [from, to] = asked.is_first ? gate_change{breaker_state::open, breaker_state::half_open} : gate_change{};
    return {asked.pass != 0 ? std::optional{asked.pass} : std::nullopt, {}, {from, to}};
  }
  struct probe {
    pass_type pass;  ///< 0 where it is refused
    bool is_first;
  };
  [[nodiscard]] ANEW_OUT_OF_LINE probe try_probe(time_point now, std::uint32_t probes) const noexcept {
    auto word = word_.load();
    for (;;) {
      auto next = word;
      switch (state_of(word)) {
        case breaker_state::closed: return {pass_of(word), false};
        case breaker_state::open:
          if (now < unpack_time(payload_of(word))) return {0, false};
          next = pack(breaker_state::half_open, generation_of(word) + 1, one_in_flight);
          break;
        case breaker_state::half_open:
          if (in_flight(word) + succeeded(word) >= probes) return {0, false};
          next = word + one_in_flight;
          break;
      }
      if (word_.compare_exchange_weak(word, next)) return {pass_of(next), state_of(word) == breaker_state::open};
    }
  }

  /// Closes when the last of `probes` succeeded; a success while closed resets the count of consecutive failures.
  gate_change on_success(pass_type pass, std::uint32_t probes) const noexcept {
    if (word_.load() == generation_of_pass(pass) * payloads) [[likely]]
      return {};  // closed, with no failure to forget
    return change(pass, [probes](std::uint64_t word) {
      if (state_of(word) == breaker_state::closed) return pack(breaker_state::closed, generation_of(word), 0);
      if (succeeded(word) + 1 >= probes) return pack(breaker_state::closed, generation_of(word) + 1, 0);
      return word - one_in_flight + one_success;
    });
  }

  /// A failed probe opens it; while closed, the `opens_after`-th consecutive failure opens it.
  gate_change on_failure(pass_type pass, std::uint32_t opens_after, time_point now, duration open_for) const noexcept {
    return change(pass, [=](std::uint64_t word) {
      if (state_of(word) == breaker_state::closed && payload_of(word) + 1 < opens_after) [[likely]]
        return word + 1;
      return pack(breaker_state::open, generation_of(word) + 1, pack_time(saturating_add(now, open_for)));
    });
  }

  void release(pass_type pass) const noexcept {
    change(pass,
           [](std::uint64_t word) { return state_of(word) == breaker_state::half_open ? word - one_in_flight : word; });
  }

  /// A pass: the generation of the breaker when the attempt began.
  static constexpr std::uint32_t generation_of_pass(pass_type pass) noexcept { return pass / 2; }

  /// The attempt with this pass began while closed, and nothing changed since.
  [[nodiscard]] bool is_counted_while_closed(pass_type pass) const noexcept {
    return word_.load() / payloads * 2 + 1 == pass;  // closed is 0
  }

  [[nodiscard]] std::uint32_t generation() const noexcept {
    return static_cast<std::uint32_t>(generation_of(word_.load()));
  }

  /// Reads or writes the state. The end is kept to the millisecond, rounded up.
  void walk_state(auto& w, std::uint32_t opens_after, duration open_for, std::uint32_t probes) const {
    using enum breaker_state;
    auto const word = word_.load();
    auto const state = static_cast<breaker_state>(w.counted(state_of(word), std::uint64_t{2}));
    auto payload = payload_of(word);
    if (state == open) {
      payload = pack_time(w.time(unpack_time(payload), saturating_add(open_for, duration{999'999})));
    } else if (state == closed) {
      payload = static_cast<std::uint64_t>(w.counted(payload, opens_after - 1));
    } else {
      payload = static_cast<std::uint64_t>(w.counted(succeeded(word), probes - 1)) * one_success;
    }
    if (w.takes()) word_.store_release(pack(state, generation_of(word) + 1, payload));
  }

 private:
  static constexpr std::uint64_t one_in_flight = 1;
  static constexpr std::uint64_t one_success = std::uint64_t{1} << probe_bits;
  static constexpr unsigned generation_bits = 18;
  static constexpr std::uint64_t generations = std::uint64_t{1} << generation_bits;
  static constexpr std::uint64_t payloads = std::uint64_t{1} << packed_time_bits;

  static constexpr std::uint64_t pack(breaker_state state, std::uint64_t generation, std::uint64_t payload) noexcept {
    return ((static_cast<std::uint64_t>(state) * generations + generation % generations) * payloads) + payload;
  }
  static constexpr breaker_state state_of(std::uint64_t word) noexcept {
    return static_cast<breaker_state>(word / payloads / generations);
  }
  static constexpr std::uint64_t generation_of(std::uint64_t word) noexcept { return word / payloads % generations; }
  static constexpr std::uint64_t payload_of(std::uint64_t word) noexcept { return word % payloads; }
  static constexpr std::uint64_t in_flight(std::uint64_t word) noexcept { return word % one_success; }
  static constexpr std::uint64_t succeeded(std::uint64_t word) noexcept { return payload_of(word) / one_success; }
  /// Never 0, which means no pass.
  static constexpr pass_type pass_of(std::uint64_t word) noexcept {
    return static_cast<pass_type>(generation_of(word) * 2 + 1);
  }

  /// Replaces the word by `next_of(word)`, unless the pass is of another generation. No pass is granted while open.
  gate_change change(pass_type pass, auto const& next_of) const noexcept {
    auto word = word_.load();
    for (;;) {
      if (pass_of(word) != pass || state_of(word) == breaker_state::open) return {};
      auto const next = next_of(word);
      if (next == word || word_.compare_exchange_weak(word, next)) return {state_of(word), state_of(next)};
    }
  }

  gate_change set(breaker_state state, std::uint64_t payload) const noexcept {
    auto word = word_.load();
    while (!word_.compare_exchange_weak(word, pack(state, generation_of(word) + 1, payload))) {
    }
    return {state_of(word), state};
  }

  mutable atomic_cell<std::uint64_t> word_;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
