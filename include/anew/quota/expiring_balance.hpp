// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_QUOTA_EXPIRING_BALANCE_HPP
#define ANEW_QUOTA_EXPIRING_BALANCE_HPP

#include <cstdint>
#include <optional>

#include "anew/detail/atomic.hpp"
#include "anew/duration.hpp"

namespace anew::detail {

/// An amount that expires with a window of time. The amounts of a tenth of the window are summed in a slot, and leave
/// the balance with it.
///
/// Balance and slots are 64 bits each. The balance carries the number of the tenth that it is of, and is moved on to the
/// next one in the same step that takes out what expires; a slot is closed before that, so that it does not change any
/// more. Whoever finds a tenth to be over helps to move on: nobody waits for anybody. When nothing was done for a whole
/// window, all of it expired: a new generation begins, and what the slots of the old one say does not count.
class expiring_balance {
 public:
  static constexpr unsigned slots = 10;

  constexpr expiring_balance(duration window, std::int32_t floor) noexcept
      : tenth_{window.count() / std::int64_t{slots}}, floor_{floor}, balance_{pack(0, floor)} {}
  expiring_balance(expiring_balance&& other) noexcept
      : tenth_{other.tenth_}, floor_{other.floor_}, balance_{other.balance_.load()} {
    for (unsigned i = 0; i != ring; ++i) slots_[i].sum = atomic_cell<std::uint64_t>{other.slots_[i].sum.load()};
  }
  expiring_balance& operator=(expiring_balance&&) = delete;
  expiring_balance(expiring_balance const&) = delete;
  expiring_balance& operator=(expiring_balance const&) = delete;
  ~expiring_balance() = default;

  /// Into the slot first: what expires before it arrived in the balance is missing there for a moment, never too much.
  void deposit(std::int32_t amount, time_point now) noexcept {
    for (;;) {
      auto const when = stamp_of(move_on(now));
      auto const added = add_to_slot(when, amount);
      if (added == outcome::full) return;
      if (added == outcome::closed) continue;
      add_to_balance(when, amount);
      return;
    }
  }

  /// When it was taken, to give it back; nothing when that much is not there.
  std::optional<std::uint32_t> withdraw(std::int32_t amount, time_point now) noexcept {
    for (;;) {
      auto word = move_on(now);
      if (amount_of(word) < amount) return std::nullopt;
      auto const when = stamp_of(word);
      if (!balance_.compare_exchange_weak(word, pack(when, amount_of(word) - amount))) continue;
      // A withdrawal expires like a deposit. If it did already, it comes back at once.
      if (add_to_slot(when, -amount) != outcome::added) add_to_balance(when, amount);
      return when;
    }
  }

  /// Nothing when the withdrawal expired: it came back with that.
  void give_back(std::uint32_t when, std::int32_t amount) noexcept {
    if (add_to_slot(when, amount) == outcome::added) add_to_balance(when, amount);
  }

  [[nodiscard]] std::int32_t balance() const noexcept { return amount_of(balance_.load()); }
  [[nodiscard]] std::int32_t balance(time_point now) noexcept { return amount_of(move_on(now)); }

 private:
  enum class outcome : std::uint8_t { added, closed, full };

  // One more than the window needs: a tenth that is over and the one that begins never meet in a slot.
  static constexpr unsigned ring = slots + 1;
  // A stamp: 4 bits of generation, never 0 once used, and 28 bits of the number of a tenth. A slot's number has a bit
  // less, and says with it whether it is closed.
  static constexpr std::uint32_t tenth_mask = 0x0fff'ffff;
  static constexpr std::uint32_t closed_bit = 0x0800'0000;
  static constexpr std::int32_t most_in_slot = (1 << 30) / static_cast<int>(slots);

  static constexpr std::uint64_t pack(std::uint32_t stamp, std::int32_t amount) noexcept {
    return (static_cast<std::uint64_t>(stamp) << 32U) | static_cast<std::uint32_t>(amount);
  }
  static constexpr std::int32_t amount_of(std::uint64_t word) noexcept {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(word));
  }
  static constexpr std::uint32_t stamp_of(std::uint64_t word) noexcept {
    return static_cast<std::uint32_t>(word >> 32U);
  }
  static constexpr std::uint32_t open(std::uint32_t stamp) noexcept { return stamp & ~closed_bit; }
  static constexpr std::uint32_t closed(std::uint32_t stamp) noexcept { return stamp | closed_bit; }
  /// The stamp of `distance` tenths from this one, in the same generation.
  static constexpr std::uint32_t shifted(std::uint32_t stamp, std::uint32_t distance) noexcept {
    return (stamp & ~tenth_mask) | ((stamp + distance) & tenth_mask);
  }

  /// Does the slot with this stamp belong to a tenth before `stamp`'s?
  static constexpr bool is_older(std::uint32_t in_slot, std::uint32_t stamp) noexcept {
    auto const generation = in_slot >> 28U;
    if (generation == 0) return true;
    if (generation != stamp >> 28U) return (15U + (stamp >> 28U) - generation) % 15U < 8U;
    auto const distance = (open(stamp) - open(in_slot)) & (closed_bit - 1U);
    return distance != 0 && distance < closed_bit / 2;
  }

  atomic_cell<std::uint64_t>& slot_of(std::uint32_t stamp) noexcept { return slots_[(stamp & tenth_mask) % ring].sum; }

  /// The balance of the tenth that `now` is in, or of a later one that somebody else saw.
  std::uint64_t move_on(time_point now) noexcept {
    auto const ticks = now.time_since_epoch().count();
    auto const wanted = static_cast<std::uint32_t>(ticks / tenth_ - (ticks % tenth_ < 0 ? 1 : 0)) & tenth_mask;
    auto word = balance_.load();
    for (;;) {
      auto const stamp = stamp_of(word);
      auto const generation = stamp >> 28U;
      auto const gap = (wanted - stamp) & tenth_mask;
      if (generation != 0 && (gap == 0 || gap > tenth_mask / 2)) return word;
      auto next = shifted(stamp, 1);
      auto amount = floor_;
      if (generation == 0 || gap > slots || (next & tenth_mask) == 0) {  // all expired; or the numbers begin again
        next = (((generation % 15U) + 1U) << 28U) | wanted;
      } else {
        amount = amount_of(word) - close_slot(shifted(next, 0U - slots));
      }
      if (balance_.compare_exchange_weak(word, pack(next, amount))) word = pack(next, amount);
    }
  }

  /// Makes the slot of a tenth that expires unchangeable; its sum.
  std::int32_t close_slot(std::uint32_t stamp) noexcept {
    auto& slot = slot_of(stamp);
    auto word = slot.load();
    for (;;) {
      if (stamp_of(word) == closed(stamp)) return amount_of(word);
      std::int32_t sum = 0;
      if (stamp_of(word) == open(stamp)) {
        sum = amount_of(word);
      } else if (!is_older(stamp_of(word), stamp)) {
        return 0;  // others moved on, and what we return is not used
      }
      if (slot.compare_exchange_weak(word, pack(closed(stamp), sum))) return sum;
    }
  }

  /// What stands in the slot from a window ago left the balance before anybody could have this stamp.
  outcome add_to_slot(std::uint32_t stamp, std::int32_t amount) noexcept {
    auto& slot = slot_of(stamp);
    auto word = slot.load();
    for (;;) {
      std::int32_t sum = 0;
      if (stamp_of(word) == open(stamp)) {
        sum = amount_of(word);
      } else if (!is_older(stamp_of(word), stamp)) {
        return outcome::closed;
      }
      if (amount > 0 && sum > most_in_slot - amount) return outcome::full;
      if (slot.compare_exchange_weak(word, pack(open(stamp), sum + amount))) return outcome::added;
    }
  }

  /// Unless a generation began since: then the balance knows nothing of it.
  void add_to_balance(std::uint32_t when, std::int32_t amount) noexcept {
    auto word = balance_.load();
    while ((stamp_of(word) >> 28U) == (when >> 28U)) {
      if (balance_.compare_exchange_weak(word, pack(stamp_of(word), amount_of(word) + amount))) return;
    }
  }

  struct cell {
    atomic_cell<std::uint64_t> sum{0};
  };

  std::int64_t tenth_;
  std::int32_t floor_;
  atomic_cell<std::uint64_t> balance_;
  cell slots_[ring];
};

}  // namespace anew::detail

#endif
