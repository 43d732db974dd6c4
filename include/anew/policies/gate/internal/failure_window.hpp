// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_GATE_INTERNAL_FAILURE_WINDOW_HPP
#define ANEW_POLICIES_GATE_INTERNAL_FAILURE_WINDOW_HPP

#include <chrono>
#include <cstdint>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"

namespace anew::inline ANEW_ABI::detail {

/// Counts the attempts that ended in one way, in a ring of eight slots, each for an eighth of a window's length. A slot
/// is one word:
///
///     30 bits period | 10 bits owner | 24 bits count; 24 is CountBits
///
/// `period` says which eighth, `owner` whose attempts are counted (a breaker's generation). A slot of another owner or
/// of an earlier period counts as empty, and the first thread that counts there starts it anew, so nothing has to be
/// cleared. Periods wrap after 2^30 of them: 1.06 years with the shortest window, 250 ms. Owners wrap after 1024 changes of the breaker's state within one window.
template <unsigned CountBits = 24>
class eighths_ring {
 public:
  static constexpr unsigned size = 8;
  static constexpr std::uint32_t most = (1U << CountBits) - 1;  // of a slot

  constexpr eighths_ring() noexcept = default;

  /// Counts one end. When a slot saturates, every count of this owner is halved, those elsewhere by
  /// `halve_others(owner)`: earlier ends weigh half, so the rate stays and soon is that of the newest ends.
  void add(std::uint32_t owner, time_point now, duration length, auto const& halve_others) const noexcept {
    auto const mine = tag_of(owner, period_of(now, length));
    auto& slot = at(mine);
    auto word = slot.load();
    for (;;) {
      // A thread that is late by a whole window does not count: the slot belongs to another period now.
      if (is_of(word, owner % owners) && is_later(period_in(tag_in(word)), period_in(mine))) return;
      auto const count = tag_in(word) == mine ? count_of(word) : 0;
      if (count != most) {
        if (slot.compare_exchange_weak_release(word, pack(mine, count + 1))) return;
      } else if (slot.compare_exchange_weak_release(word, pack(mine, count / 2 + 1))) {
        halve(owner, &slot);
        return halve_others(owner);
      }
    }
  }
  /// All counts of the owner, but for one.
  void halve(std::uint32_t owner, atomic_cell<std::uint64_t> const* except = nullptr) const noexcept {
    for (auto& each : slots_) {
      if (&each.word == except) continue;
      auto word = each.word.load();
      while (is_of(word, owner % owners) &&
             !each.word.compare_exchange_weak(word, pack(tag_in(word), count_of(word) / 2))) {
      }
    }
  }

  /// The slots of some rings, each as it was when it was read.
  template <unsigned Rings>
  class snapshot {
   public:
    constexpr snapshot() noexcept = default;
    void read(unsigned which, eighths_ring const& ring) noexcept {
      for (unsigned i = 0; i != size; ++i) words_[which * size + i] = ring.slots_[i].word.load_acquire();
    }
    /// The newest period in which the owner counted, or `newest` where that is later.
    [[nodiscard]] std::uint64_t newest(std::uint32_t owner, std::uint64_t newest) const noexcept {
      for (auto const word : words_) {
        if (is_of(word, owner % owners) && is_later(period_in(tag_in(word)), newest)) newest = period_in(tag_in(word));
      }
      return newest;
    }
    /// The count of the owner in the window that ends with period `last`.
    [[nodiscard]] std::uint64_t sum(std::uint32_t owner, std::uint64_t last) const noexcept {
      std::uint64_t all = 0;
      for (auto const word : words_) {
        bool const is_in = is_of(word, owner % owners) && (last - period_in(tag_in(word))) % periods < size;
        all += is_in ? count_of(word) : 0;
      }
      return all;
    }
    /// The count of the eighth with that tag.
    [[nodiscard]] std::uint64_t count(std::uint64_t tag) const noexcept {
      std::uint64_t all = 0;
      for (auto const word : words_) all += tag_in(word) == tag ? count_of(word) : 0;
      return all;
    }

   private:
    std::uint64_t words_[Rings * size]{};
  };
  [[nodiscard]] snapshot<1> read() const noexcept {
    snapshot<1> seen;
    seen.read(0, *this);
    return seen;
  }

  static constexpr std::uint64_t period_of(time_point now, duration length) noexcept {
    auto const eighth = (length.count() - 1) / std::int64_t{size} + 1;
    auto const ticks = now.time_since_epoch().count();
    auto const index = ticks / eighth - (ticks % eighth < 0 ? 1 : 0);  // rounded down: negative times too
    return static_cast<std::uint64_t>(index) % periods;
  }
  static constexpr std::uint64_t distance(std::uint64_t newest, std::uint64_t present) noexcept {
    return (newest - present) % periods;
  }
  static constexpr std::uint64_t tag_at(std::uint32_t owner, std::uint64_t newest, unsigned age) noexcept {
    return tag_of(owner, (newest - age) % periods);
  }

  void clear() const noexcept {
    for (auto& slot : slots_) slot.word.store_release(0);
  }

  /// Reads or writes the counts in `seen`, halved so often.
  void walk_state(auto& w, auto const& seen, unsigned halvings, std::uint32_t owner, std::uint64_t newest) const {
    if (w.takes()) clear();
    for (unsigned age = 0; age != size; ++age) {
      auto const tag = tag_at(owner, newest, age);
      auto const count = static_cast<std::uint32_t>(w.counted(seen.count(tag) >> halvings, most));
      if (w.takes() && count != 0) at(tag).store_release(pack(tag, count));
    }
  }

 private:
  static constexpr unsigned owner_bits = 10;
  static constexpr unsigned period_bits = 64 - owner_bits - CountBits;
  static constexpr std::uint32_t owners = 1U << owner_bits;
  static constexpr std::uint64_t periods = std::uint64_t{1} << period_bits;

  struct cell {
    atomic_cell<std::uint64_t> word{0};
  };
  [[nodiscard]] atomic_cell<std::uint64_t>& at(std::uint64_t tag) const noexcept {
    return slots_[period_in(tag) % size].word;
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
  static constexpr std::uint64_t tag_in(std::uint64_t word) noexcept { return word >> CountBits; }
  static constexpr std::uint32_t count_of(std::uint64_t word) noexcept {
    return static_cast<std::uint32_t>(word & most);
  }
  static constexpr std::uint64_t pack(std::uint64_t tag, std::uint32_t count) noexcept {
    return (tag << CountBits) + count;
  }

  mutable cell slots_[size];
};

/// Counts the attempts that ended in a window of time, and the failures among them, each in a ring of eighths.
template <unsigned CountBits = 24>
class failure_window {
 public:
  using ring = eighths_ring<CountBits>;
  static constexpr std::uint32_t most_volume = (1U << 15U) - 1;
  static constexpr duration shortest{std::chrono::milliseconds{250}};

  struct counts {
    std::uint64_t ended = 0;
    std::uint64_t failed = 0;
  };

  constexpr failure_window() noexcept = default;

  void add_success(std::uint32_t owner, time_point now, duration length) const noexcept {
    successes_.add(owner, now, length, [this](std::uint32_t whose) { failures_.halve(whose); });
  }

  // The successes are those of `successes()`, or are counted elsewhere.
  void add_failure(auto const& successes, std::uint32_t owner, time_point now, duration length) const noexcept {
    failures_.add(owner, now, length, [&successes](std::uint32_t whose) { successes.halve(whose); });
  }
  /// Of the window that ends at `now`, or, when another thread's clock is ahead, at the newest end that was counted.
  [[nodiscard]] counts sum(auto const& successes, std::uint32_t owner, time_point now, duration length) const noexcept {
    // In this order: of the attempts that end meanwhile only successes count, and no success is missing that was counted
    // before a failure.
    auto const failed = failures_.read();
    auto const succeeded = successes.read();
    auto const last = succeeded.newest(owner, failed.newest(owner, ring::period_of(now, length)));
    auto const failures = failed.sum(owner, last);
    return {failures + succeeded.sum(owner, last), failures};
  }
  /// The failures that sum() finds, or more where a success ended later than all of them.
  [[nodiscard]] std::uint64_t failures(std::uint32_t owner, time_point now, duration length) const noexcept {
    auto const failed = failures_.read();
    return failed.sum(owner, failed.newest(owner, ring::period_of(now, length)));
  }

  [[nodiscard]] ring const& successes() const noexcept { return successes_; }
  void halve_failures(std::uint32_t owner) const noexcept { failures_.halve(owner); }

  /// Reads or writes the state. Where the successes of many rings are more than one slot can count, all counts are halved, as
  /// when a slot is full: the rate stays.
  void walk_state(auto& w, auto const& successes, std::uint32_t owner, duration length) const {
    auto const succeeded = successes.read();
    auto const failed = failures_.read();
    auto const present = ring::period_of(w.now(), length);
    auto const last = succeeded.newest(owner, failed.newest(owner, present));
    auto const newest = w.newest(present + ring::distance(last, present), present, ring::size);
    unsigned halvings = 0;
    for (unsigned age = 0; age != ring::size; ++age) {
      while ((succeeded.count(ring::tag_at(owner, newest, age)) >> halvings) > ring::most) ++halvings;
    }
    successes_.walk_state(w, succeeded, halvings, owner, newest);
    failures_.walk_state(w, failed, halvings, owner, newest);
  }

 private:
  ring successes_;
  ring failures_;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
