// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_GATE_INTERNAL_ACCEPTANCE_WINDOW_HPP
#define ANEW_POLICIES_GATE_INTERNAL_ACCEPTANCE_WINDOW_HPP

#include <chrono>
#include <cstdint>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"

namespace anew::inline ANEW_ABI::detail {

/// Counts the requests of a window of time, in two rings of slots, one for accepted requests and one for rejected ones.
/// Each slot is for a tenth of the window, and is one word:
///
///     38 bits number | 26 bits count; 26 is CountBits
///
/// A tenth lasts at least 0.1 s, so 64 bits of nanoseconds are fewer than 2^38 of them: the number is absolute and never
/// wraps, however long the pause between requests. Nothing is ever cleared: a slot that still has the number of an older
/// tenth is empty, and the thread that counts there next starts it anew.
///
/// Every loop repeats only when another thread changed the slot meanwhile.
template <unsigned CountBits = 26>
class acceptance_window {
 public:
  using number = std::uint64_t;
  enum class request : unsigned char { accepted, rejected };
  struct counts {
    std::uint64_t accepted = 0;
    std::uint64_t rejected = 0;
  };

  static constexpr duration shortest{std::chrono::seconds{1}};
  static constexpr duration longest{std::chrono::hours{1}};
  static constexpr std::uint64_t most = (std::uint64_t{1} << CountBits) - 1;

  constexpr acceptance_window() noexcept = default;

  [[nodiscard]] static constexpr number number_at(time_point now, duration length) noexcept {
    auto const tenth = length.count() / tenths;
    auto const ticks = now.time_since_epoch().count();
    auto const rounded_down = ticks / tenth - (ticks % tenth < 0 ? 1 : 0);
    return static_cast<number>(rounded_down) + (number{1} << (63U - CountBits));
  }

  /// A full count is halved, and so is the other one of its tenth: their ratio stays. A request that is late by a whole
  /// window is not counted, because its slot has a newer tenth.
  void add(request ended, number at) const noexcept {
    // Named first: in '(c ? a : b)[i]' g++ 12 evaluates i in one branch alone when -fsanitize=undefined is set.
    auto* const ring = ended == request::accepted ? accepted_ : rejected_;
    auto* const other = ended == request::accepted ? rejected_ : accepted_;
    auto& slot = ring[at % size].word;
    auto word = slot.load();
    while (number_of(word) <= at) {
      auto const count = number_of(word) == at ? count_of(word) : 0;
      if (slot.compare_exchange_weak(word, pack(at, (count == most ? count / 2 : count) + 1))) {
        if (count == most) halve(other[at % size].word, at);
        return;
      }
    }
  }

  /// Of the window that ends at `at`, or, when another thread's clock is ahead, at the newest tenth that was counted.
  [[nodiscard]] counts sum(number at) const noexcept {
    std::uint64_t words[2][size];
    auto newest = at;
    for (unsigned i = 0; i != size; ++i) {
      words[0][i] = accepted_[i].word.load();
      words[1][i] = rejected_[i].word.load();
      newest = detail::larger(newest, detail::larger(number_of(words[0][i]), number_of(words[1][i])));
    }
    auto const counted = [newest](std::uint64_t word) {
      return newest - number_of(word) < std::uint64_t{tenths} ? count_of(word) : 0;
    };
    counts all;
    for (unsigned i = 0; i != size; ++i) {
      all.accepted += counted(words[0][i]);
      all.rejected += counted(words[1][i]);
    }
    return all;
  }

  /// True when `holds(counts)` of each tenth that a window may still contain, whatever the time is.
  template <class Holds>
  [[nodiscard]] bool holds_in_each_tenth(Holds const& holds) const noexcept {
    for (unsigned i = 0; i != size; ++i) {
      auto const rejected = rejected_[i].word.load();
      if (count_of(rejected) == 0) continue;
      auto const accepted = accepted_[i].word.load();
      if (number_of(accepted) > number_of(rejected)) continue;  // newer by a whole window
      bool const is_same = number_of(accepted) == number_of(rejected);
      if (!holds(counts{is_same ? count_of(accepted) : 0, count_of(rejected)})) return false;
    }
    return true;
  }

 private:
  friend kept_state<acceptance_window>;
  static constexpr int tenths = 10;
  // One more than the window needs: a tenth that is over and the one that begins never meet in a slot.
  static constexpr unsigned size = tenths + 1;

  static constexpr std::uint64_t pack(number at, std::uint64_t count) noexcept { return (at << CountBits) + count; }
  static constexpr number number_of(std::uint64_t word) noexcept { return word >> CountBits; }
  static constexpr std::uint64_t count_of(std::uint64_t word) noexcept { return word & most; }

  static void halve(atomic_cell<std::uint64_t>& slot, number at) noexcept {
    auto word = slot.load();
    while (number_of(word) == at && !slot.compare_exchange_weak(word, pack(at, count_of(word) / 2))) {
    }
  }

  struct cell {
    atomic_cell<std::uint64_t> word{0};
  };
  mutable cell accepted_[size];
  mutable cell rejected_[size];
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
