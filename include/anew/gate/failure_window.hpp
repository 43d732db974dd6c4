// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GATE_FAILURE_WINDOW_HPP
#define ANEW_GATE_FAILURE_WINDOW_HPP

#include <cstdint>

#include "anew/detail/atomic.hpp"
#include "anew/duration.hpp"

namespace anew::detail {

/// How many attempts ended in the last while, and how many of them failed: a ring of eight slots, each for an eighth of
/// the window's length. A slot is one word:
///
///     10 bits owner | 22 bits period | 16 bits ended | 16 bits failed
///
/// `owner` is whose attempts are counted (a breaker's generation), `period` which eighth. A slot of another owner or of
/// an earlier period counts as empty, and whoever comes first begins it anew; so nothing has to be cleared.
class failure_window {
 public:
  static constexpr std::uint32_t most_volume = (1U << 15U) - 1;

  struct counts {
    std::uint32_t ended = 0;
    std::uint32_t failed = 0;
  };

  constexpr failure_window() noexcept = default;
  failure_window(failure_window&& other) noexcept
      : slots_{atomic_cell{other.slots_[0].load()}, atomic_cell{other.slots_[1].load()},
               atomic_cell{other.slots_[2].load()}, atomic_cell{other.slots_[3].load()},
               atomic_cell{other.slots_[4].load()}, atomic_cell{other.slots_[5].load()},
               atomic_cell{other.slots_[6].load()}, atomic_cell{other.slots_[7].load()}} {}
  failure_window& operator=(failure_window&&) = delete;
  failure_window(failure_window const&) = delete;
  failure_window& operator=(failure_window const&) = delete;
  ~failure_window() = default;

  void add(std::uint32_t owner, bool failed, time_point now, duration length) const noexcept {
    auto const period = period_of(now, length);
    auto& slot = slots_[period % size];
    auto word = slot.load();
    for (;;) {
      auto counted = counts_of(word);
      if (!is_of(word, owner, period)) {
        // A thread that is late by a whole window has nothing to say; the slot is somebody else's by now.
        if (owner_of(word) == owner % owners && is_later(period_in(word), period)) return;
        counted = {};
      }
      // A full slot keeps its rate.
      if (counted.ended == most) counted = {counted.ended / 2, counted.failed / 2};
      ++counted.ended;
      counted.failed += failed ? 1U : 0U;
      if (slot.compare_exchange_weak(word, pack(owner, period, counted))) return;
    }
  }

  [[nodiscard]] counts sum(std::uint32_t owner, time_point now, duration length) const noexcept {
    auto const period = period_of(now, length);
    counts all;
    for (std::uint32_t back = 0; back < size; ++back) {
      auto const then = (period - back) % periods;
      auto const word = slots_[then % size].load();
      if (!is_of(word, owner, then)) continue;
      all.ended += counts_of(word).ended;
      all.failed += counts_of(word).failed;
    }
    return all;
  }

 private:
  static constexpr std::uint32_t size = 8;
  static constexpr std::uint32_t owners = 1U << 10U;
  static constexpr std::uint32_t periods = 1U << 22U;
  static constexpr std::uint32_t most = (1U << 16U) - 1;

  static constexpr std::uint32_t period_of(time_point now, duration length) noexcept {
    auto const eighth = (length.count() - 1) / std::int64_t{size} + 1;
    auto const ticks = now.time_since_epoch().count();
    auto const index = ticks / eighth - (ticks % eighth < 0 ? 1 : 0);  // rounded down: negative times too
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(index) % periods);
  }
  static constexpr bool is_later(std::uint32_t one, std::uint32_t other) noexcept {
    auto const ahead = (one - other) % periods;
    return ahead != 0 && ahead < 128 * size;  // further ahead is far behind: nobody came for weeks
  }
  static constexpr std::uint64_t pack(std::uint32_t owner, std::uint32_t period, counts c) noexcept {
    return ((std::uint64_t{owner % owners} * periods + period) << 32U) + (std::uint64_t{c.ended} << 16U) + c.failed;
  }
  static constexpr std::uint32_t owner_of(std::uint64_t word) noexcept {
    return static_cast<std::uint32_t>((word >> 32U) / periods);
  }
  static constexpr std::uint32_t period_in(std::uint64_t word) noexcept {
    return static_cast<std::uint32_t>((word >> 32U) % periods);
  }
  static constexpr counts counts_of(std::uint64_t word) noexcept {
    return {static_cast<std::uint32_t>((word >> 16U) & most), static_cast<std::uint32_t>(word & most)};
  }
  static constexpr bool is_of(std::uint64_t word, std::uint32_t owner, std::uint32_t period) noexcept {
    return owner_of(word) == owner % owners && period_in(word) == period;
  }

  mutable atomic_cell<std::uint64_t> slots_[size]{atomic_cell<std::uint64_t>{0}, atomic_cell<std::uint64_t>{0},
                                                  atomic_cell<std::uint64_t>{0}, atomic_cell<std::uint64_t>{0},
                                                  atomic_cell<std::uint64_t>{0}, atomic_cell<std::uint64_t>{0},
                                                  atomic_cell<std::uint64_t>{0}, atomic_cell<std::uint64_t>{0}};
};

}  // namespace anew::detail

#endif
