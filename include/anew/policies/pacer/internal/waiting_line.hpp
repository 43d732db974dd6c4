// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_PACER_INTERNAL_WAITING_LINE_HPP
#define ANEW_POLICIES_PACER_INTERNAL_WAITING_LINE_HPP

#include <cstdint>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI::detail {

/// A place in a waiting_line: the number of places up to and including it. 0 is no place.
struct queue_place {
  std::uint64_t number = 0;
  time_point since{};
  std::uint32_t generation = 0;  ///< of the line
  bool is_overdue = false;       ///< its turn came while there was no token
  friend constexpr bool operator==(queue_place const&, queue_place const&) = default;
};

/// The waiting attempts in the order of arrival, in three numbers. Only the front must be known: the position of a
/// place is the number of earlier arrivals less the number of departures. Not safe from several threads.
class waiting_line {
 public:
  constexpr waiting_line() noexcept = default;

  [[nodiscard]] constexpr std::uint64_t size() const noexcept { return joined_ - gone_; }
  constexpr void join(queue_place& place, time_point now) noexcept { place = {++joined_, now, generation_, false}; }
  [[nodiscard]] constexpr bool holds(queue_place const& place) const noexcept {
    return place.number != 0 && place.generation == generation_;
  }

  /// Empties the line of another generation: in a forked child, whose line holds its parent's threads.
  constexpr bool renew(std::uint32_t generation) noexcept {
    if (generation_ == generation) return false;
    *this = waiting_line{};
    generation_ = generation;
    return true;
  }

  /// The number of attempts before the place, or before a new place. Attempts that were told that their turn is next
  /// stand before all others.
  [[nodiscard]] constexpr std::uint64_t ahead_of(queue_place const& place) const noexcept {
    if (!holds(place)) return size();
    auto const in_order = place.number <= gone_ ? 0 : detail::smaller(place.number - gone_, size()) - 1;
    return detail::larger(in_order, overdue_);
  }
  /// The attempt asks again.
  constexpr void come_back(queue_place& place) noexcept {
    if (!holds(place)) place = {};
    if (place.is_overdue) --overdue_;
    place.is_overdue = false;
  }
  /// The attempt goes back to sleep.
  constexpr void wait_on(queue_place& place) noexcept {
    place.is_overdue = place.number <= gone_ + overdue_ + 1;
    if (place.is_overdue) ++overdue_;
  }
  /// The attempts behind it move up. An attempt that leaves from the back half is behind most others, which keep their
  /// places.
  constexpr void leave(queue_place& place) noexcept {
    come_back(place);
    if (place.number == 0) return;
    place.number <= gone_ + size() / 2 ? ++gone_ : --joined_;
    place = {};
  }

 private:
  std::uint64_t joined_ = 0;
  std::uint64_t gone_ = 0;
  std::uint64_t overdue_ = 0;
  std::uint32_t generation_ = 0;
};

/// An attempt that does not wait holds nothing.
struct no_ticket {
  friend constexpr bool operator==(no_ticket, no_ticket) = default;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
