// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GATE_INTERNAL_FAILURE_WINDOW_HPP
#define ANEW_GATE_INTERNAL_FAILURE_WINDOW_HPP

#include <chrono>
#include <cstdint>

#include "anew/platform/compiler.hpp"
#include "anew/platform/internal/atomic.hpp"
#include "anew/value/duration.hpp"

namespace anew::inline ANEW_ABI::detail {

/// Counts the attempts that ended in a window of time, and the failures among them, in two rings of eight slots, one
/// for successes and one for failures, each slot for an eighth of the window's length. A slot is one word:
///
///     38 bits period | 10 bits owner | 16 bits count
///
/// `period` says which eighth, `owner` whose attempts are counted (a breaker's generation). A slot of another owner or
/// of an earlier period counts as empty, and the first thread that counts there starts it anew, so nothing has to be
/// cleared. Periods wrap after 2^38 of them: 1.09 years with the shortest window, 1 ms; with a window of 0.54 s or more
/// beyond the clock's range. Owners wrap after 1024 changes of the breaker's state within one window.
class failure_window {
 public:
  static constexpr std::uint32_t most_volume = (1U << 15U) - 1;
  static constexpr duration shortest{std::chrono::milliseconds{1}};

  struct counts {
    std::uint32_t ended = 0;
    std::uint32_t failed = 0;
  };

  constexpr failure_window() noexcept = default;

  void add(std::uint32_t owner, bool failed, time_point now, duration length) const noexcept {
    auto const mine = tag_of(owner, period_of(now, length));
    auto& slot = (failed ? failures_ : successes_).at(mine);
    auto word = slot.load();
    for (;;) {
      // A thread that is late by a whole window does not count: the slot belongs to another period now.
      if (is_of(word, owner % owners) && is_later(period_in(tag_in(word)), period_in(mine))) return;
      auto const count = tag_in(word) == mine ? count_of(word) : 0;
      if (count != most) {
        if (slot.compare_exchange_weak(word, pack(mine, count + 1))) return;
      } else if (slot.compare_exchange_weak(word, pack(mine, count / 2 + 1))) {
        halve((failed ? successes_ : failures_).at(mine), mine);  // full slots keep their rate
        return;
      }
    }
  }

  /// Of the window that ends at `now`, or, when another thread's clock is ahead, at the newest end that was counted.
  [[nodiscard]] counts sum(std::uint32_t owner, time_point now, duration length) const noexcept {
    std::uint64_t succeeded[size];
    std::uint64_t failed[size];
    for (unsigned i = 0; i != size; ++i) {
      succeeded[i] = successes_.slots[i].word.load();
      failed[i] = failures_.slots[i].word.load();
    }
    auto const of_owner = owner % owners;
    auto newest = period_of(now, length);
    auto const look = [&](std::uint64_t word) {
      if (is_of(word, of_owner) && is_later(period_in(tag_in(word)), newest)) newest = period_in(tag_in(word));
    };
    for (unsigned i = 0; i != size; ++i) {
      look(succeeded[i]);
      look(failed[i]);
    }
    auto const counted = [&](std::uint64_t word) {
      bool const is_in = is_of(word, of_owner) && (newest - period_in(tag_in(word))) % periods < size;
      return is_in ? count_of(word) : 0;
    };
    counts all;
    for (unsigned i = 0; i != size; ++i) {
      all.failed += counted(failed[i]);
      all.ended += counted(failed[i]) + counted(succeeded[i]);
    }
    return all;
  }

 private:
  friend kept_state<failure_window>;
  static constexpr unsigned size = 8;
  static constexpr unsigned owner_bits = 10;
  static constexpr unsigned count_bits = 16;
  static constexpr unsigned period_bits = 64 - owner_bits - count_bits;
  static constexpr std::uint32_t owners = 1U << owner_bits;
  static constexpr std::uint64_t periods = std::uint64_t{1} << period_bits;
  static constexpr std::uint32_t most = (1U << count_bits) - 1;

  struct cell {
    atomic_cell<std::uint64_t> word{0};
  };
  struct ring {
    mutable cell slots[size];
    [[nodiscard]] atomic_cell<std::uint64_t>& at(std::uint64_t tag) const noexcept {
      return slots[period_in(tag) % size].word;
    }
  };

  static constexpr std::uint64_t period_of(time_point now, duration length) noexcept {
    auto const eighth = (length.count() - 1) / std::int64_t{size} + 1;
    auto const ticks = now.time_since_epoch().count();
    auto const index = ticks / eighth - (ticks % eighth < 0 ? 1 : 0);  // rounded down: negative times too
    return static_cast<std::uint64_t>(index) % periods;
  }
  static constexpr bool is_later(std::uint64_t one, std::uint64_t other) noexcept {
    auto const ahead = (one - other) % periods;
    return ahead != 0 && ahead < 128 * size;  // a larger distance is a wrapped one: the slot is very old
  }
  // A tag is the period and the owner, as they stand above the count.
  static constexpr std::uint64_t tag_of(std::uint32_t owner, std::uint64_t period) noexcept {
    return period * owners + owner % owners;
  }
  static constexpr std::uint32_t owner_of(std::uint64_t tag) noexcept {
    return static_cast<std::uint32_t>(tag % owners);
  }
  static constexpr std::uint64_t period_in(std::uint64_t tag) noexcept { return tag / owners; }
  static constexpr bool is_of(std::uint64_t word, std::uint32_t owner) noexcept {
    return owner_of(tag_in(word)) == owner && count_of(word) != 0;
  }
  static constexpr std::uint64_t tag_in(std::uint64_t word) noexcept { return word >> count_bits; }
  static constexpr std::uint32_t count_of(std::uint64_t word) noexcept {
    return static_cast<std::uint32_t>(word & most);
  }
  static constexpr std::uint64_t pack(std::uint64_t tag, std::uint32_t count) noexcept {
    return (tag << count_bits) + count;
  }

  static void halve(atomic_cell<std::uint64_t>& slot, std::uint64_t tag) noexcept {
    auto word = slot.load();
    while (tag_in(word) == tag && !slot.compare_exchange_weak(word, pack(tag, count_of(word) / 2))) {
    }
  }

  ring successes_;
  ring failures_;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
