// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_QUOTA_INTERNAL_COUNTED_TENTHS_HPP
#define ANEW_POLICIES_QUOTA_INTERNAL_COUNTED_TENTHS_HPP

#include <cstdint>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"

/// Counts events in a window of time, by tenths of the window.
namespace anew::inline ANEW_ABI::detail {

/// The number of a tenth, counted from before every time that a clock can tell. 0 is before every tenth.
using tenth_number = std::uint64_t;

/// A tenth and its count, in one word:
///
///     38 bits number | 1 bit closed | 25 bits count
///
/// A tenth lasts at least 0.1 s, so 64 bits of nanoseconds are fewer than 2^38 of them: the number is absolute and
/// never wraps, however long the pause between calls.
struct counted_tenth {
  static constexpr unsigned count_bits = 25;
  static constexpr unsigned number_bits = 63 - count_bits;
  static constexpr std::uint64_t closed_bit = std::uint64_t{1} << count_bits;
  static constexpr std::uint64_t most = closed_bit - 1;

  static constexpr tenth_number number_at(time_point now, std::int64_t length) noexcept {
    auto const ticks = now.time_since_epoch().count();
    auto const rounded_down = ticks / length - (ticks % length < 0 ? 1 : 0);
    return static_cast<tenth_number>(rounded_down) + (tenth_number{1} << (number_bits - 1));
  }
  static constexpr std::uint64_t empty(tenth_number number) noexcept { return number << (count_bits + 1); }
  static constexpr tenth_number number_of(std::uint64_t word) noexcept { return word >> (count_bits + 1); }
  static constexpr std::uint64_t count_of(std::uint64_t word) noexcept { return word & most; }
  static constexpr bool is_closed(std::uint64_t word) noexcept { return (word & closed_bit) != 0; }
};

/// The counts of the last tenths, in a ring. Nothing is ever cleared: a slot that still has the number of an older
/// tenth is empty, and the thread that counts there next starts it anew.
///
/// Every loop repeats only when another thread changed the slot meanwhile.
class tenths_ring {
 public:
  static constexpr unsigned window = 10;
  // One more than the window needs: a tenth that is over and the one that begins never meet in a slot.
  static constexpr unsigned size = window + 1;

  class snapshot;

  constexpr tenths_ring() noexcept = default;
  /// Goes on from there.
  explicit tenths_ring(snapshot const& seen) noexcept {
    for (unsigned i = 0; i != size; ++i) slots_[i].word.store_release(seen.words_[i]);
  }

  /// Counts one event. A full count stays full. An event that is late by a whole window is not counted: its slot has a
  /// newer tenth.
  void add(tenth_number number) noexcept {
    auto word = slot_of(number).load();
    while (counted_tenth::number_of(word) <= number && !add_to(word, number)) {
    }
  }

  /// Adds one to the slot of that tenth, which has `word`. False when it had another one, which `word` is then.
  bool add_to(std::uint64_t& word, tenth_number number) noexcept {
    if (counted_tenth::number_of(word) != number) return exchange(number, word, counted_tenth::empty(number) + 1);
    return counted_tenth::count_of(word) == counted_tenth::most || exchange(number, word, word + 1);
  }

  /// Counts one event; a count of `most` or more is halved first, and true is returned.
  bool add_or_halve(tenth_number number, std::uint64_t most) noexcept {
    auto word = slot_of(number).load();
    while (counted_tenth::number_of(word) <= number) {
      auto const count = counted_tenth::number_of(word) == number ? counted_tenth::count_of(word) : 0;
      bool const is_full = count >= most;
      if (exchange(number, word, counted_tenth::empty(number) + (is_full ? count / 2 : count) + 1)) return is_full;
    }
    return false;
  }
  ANEW_COLD void halve(tenth_number number) noexcept {
    auto word = slot_of(number).load();
    while (counted_tenth::number_of(word) == number &&
           !exchange(number, word, counted_tenth::empty(number) + counted_tenth::count_of(word) / 2)) {
    }
  }
  [[nodiscard]] std::uint64_t word_at(unsigned slot) const noexcept { return slots_[slot].word.load(); }

  /// Subtracts one, whether the tenth is closed or not, unless the window is over and the slot has another one.
  void take_back(tenth_number number) noexcept {
    auto word = slot_of(number).load();
    while (counted_tenth::number_of(word) == number && counted_tenth::count_of(word) != 0) {
      if (exchange(number, word, word - 1)) return;
    }
  }

  /// From here on the count of this tenth does not grow.
  void close(tenth_number number) noexcept {
    auto word = slot_of(number).load();
    for (;;) {
      auto const there = counted_tenth::number_of(word);
      if (there > number || (there == number && counted_tenth::is_closed(word))) return;
      auto const open = there == number ? word : counted_tenth::empty(number);
      if (exchange(number, word, open | counted_tenth::closed_bit)) return;
    }
  }

  /// Empties the slots of later tenths.
  void forget_after(tenth_number number) noexcept {
    for (auto& slot : slots_) {
      auto word = slot.word.load();
      while (counted_tenth::number_of(word) > number && !slot.word.compare_exchange_weak(word, 0)) {
      }
    }
  }

  /// The count of that tenth at this moment.
  [[nodiscard]] std::int64_t count_of(tenth_number number) const noexcept {
    auto const word = slots_[number % size].word.load();
    return counted_tenth::number_of(word) == number ? static_cast<std::int64_t>(counted_tenth::count_of(word)) : 0;
  }

  /// A later tenth has taken this slot: the earlier one ended at least a window ago.
  [[nodiscard]] bool is_past(tenth_number number) const noexcept {
    return counted_tenth::number_of(slots_[number % size].word.load()) > number;
  }

  void clear() noexcept {
    for (auto& slot : slots_) slot.word.store_release(0);
  }

  /// Reads or writes the window that ends with tenth `newest`; `count` returns the count of a tenth.
  void walk_state(auto& w, auto const& count, tenth_number newest) {
    if (w.takes()) clear();
    for (auto at = newest; at + window != newest; --at) {
      auto const kept = static_cast<std::uint64_t>(w.counted(count(at), counted_tenth::most));
      if (w.takes() && kept != 0) slot_of(at).store_release(counted_tenth::empty(at) + kept);
    }
  }
  void walk_state(auto& w, tenth_number newest) {
    walk_state(w, [this](tenth_number at) { return count_of(at); }, newest);
  }

  /// A copy of the ring to look at, each slot as it was when it was read.
  class snapshot {
   public:
    explicit snapshot(tenths_ring const& ring) noexcept {
      for (unsigned i = 0; i != size; ++i) words_[i] = ring.slots_[i].word.load();
    }
    [[nodiscard]] std::uint64_t of(tenth_number number) const noexcept { return words_[number % size]; }
    [[nodiscard]] tenth_number newest() const noexcept {
      tenth_number found = 0;
      for (auto const word : words_) found = detail::larger(found, counted_tenth::number_of(word));
      return found;
    }
    /// The counts of the window that ends with tenth `last`.
    [[nodiscard]] std::int64_t sum(tenth_number last) const noexcept {
      std::uint64_t all = 0;
      for (auto const word : words_) {
        bool const is_in = last - counted_tenth::number_of(word) < window;  // the difference to a newer one is huge
        all += is_in ? counted_tenth::count_of(word) : 0;
      }
      return static_cast<std::int64_t>(all);
    }

   private:
    friend tenths_ring;
    std::uint64_t words_[size];
  };

 private:
  struct cell {
    atomic_cell<std::uint64_t> word{0};
  };

  [[nodiscard]] atomic_cell<std::uint64_t>& slot_of(tenth_number number) noexcept { return slots_[number % size].word; }
  bool exchange(tenth_number number, std::uint64_t& word, std::uint64_t next) noexcept {
    return slot_of(number).compare_exchange_weak(word, next);
  }

  cell slots_[size];
};

/// How many calls and how many retries there were in the last window. A retry is counted only while both sums leave room
/// for it.
///
/// Calls and retries are counted in a ring each. Retries are counted only in the head, the newest tenth that any thread
/// has seen; a thread whose clock is behind uses the head. The head moves in one step, however long the pause was,
/// after its slot was closed. So a retry that was decided by the sums of an old head is not counted: the slot that it
/// would change is closed by then. No thread waits for another: a thread that finds the head closed moves it.
class expiring_counts {
 public:
  constexpr expiring_counts() noexcept = default;

  void count_call(tenth_number now) noexcept { calls_.add(now); }

  /// Counts a retry when `spares(calls, retries)` of the window; the calls are those of `calls()`, or are counted
  /// elsewhere. The tenth in which it was counted, or 0.
  template <class Calls, class Spares>
  tenth_number count_retry(Calls const& all_calls, tenth_number now, Spares const& spares) noexcept {
    for (;;) {
      typename Calls::snapshot const calls{all_calls};
      auto const head = move_on(detail::larger(now, calls.newest()));
      tenths_ring::snapshot const retries{retries_};
      auto word = retries.of(head);
      bool const is_begun = counted_tenth::number_of(word) == head;
      if (is_begun && counted_tenth::is_closed(word)) {
        now = detail::larger(now, head + 1);  // another thread is about to move on, to this tenth or a later one
      } else if (counted_tenth::number_of(word) <= head) {
        if (is_begun && counted_tenth::count_of(word) == counted_tenth::most) return 0;
        if (!spares(calls.sum(head), retries.sum(head))) return 0;
        if (retries_.add_to(word, head)) return head;
      } else {
        now = detail::larger(now, counted_tenth::number_of(word));  // and so ends also where a file has other words
      }
    }
  }

  /// Forgets what was counted by a clock that is ahead. Not exact for retries that are being counted.
  void forget_after(tenth_number now) noexcept {
    calls_.forget_after(now);
    retries_.forget_after(now);
    auto head = head_.load_acquire();
    while (head > now && !head_.compare_exchange_weak_acq_rel(head, now)) {
    }
  }

  /// The retry of that tenth was not made.
  void take_back_retry(tenth_number counted_in) noexcept { retries_.take_back(counted_in); }

  [[nodiscard]] tenths_ring const& calls() const noexcept { return calls_; }
  /// The newest tenth in which a retry was counted or asked for.
  [[nodiscard]] tenth_number head() const noexcept { return head_.load(); }

  /// Returns `of(calls, retries)` of the window at that time. Changes nothing.
  template <class Calls, class Of>
  auto look(Calls const& all_calls, tenth_number now, Of const& of) const noexcept {
    typename Calls::snapshot const calls{all_calls};
    tenths_ring::snapshot const retries{retries_};
    auto const last = detail::larger(detail::larger(now, head_.load()), calls.newest());
    return of(calls.sum(last), retries.sum(last));
  }

  /// Reads or writes the state; the calls may be counted elsewhere.
  template <class Calls>
  void walk_state(auto& w, Calls& calls, tenth_number now) {
    auto const newest = w.newest(larger(head(), typename Calls::snapshot{calls}.newest()), now, tenths_ring::window);
    calls.walk_state(w, newest);
    retries_.walk_state(w, newest);
    if (w.takes()) head_.store_release(newest);
  }
  void walk_state(auto& w, tenth_number now) { walk_state(w, calls_, now); }

 private:
  tenth_number move_on(tenth_number now) noexcept {
    auto head = head_.load_acquire();
    while (head < now) {
      retries_.close(head);
      if (head_.compare_exchange_weak_acq_rel(head, now)) return now;
    }
    return head;
  }

  tenths_ring calls_;
  tenths_ring retries_;
  atomic_cell<tenth_number> head_{0};
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
