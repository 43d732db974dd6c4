// SPDX-License-Identifier: BSL-1.0
#ifndef FLEET_SIMULATION_CALENDAR_HPP
#define FLEET_SIMULATION_CALENDAR_HPP

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "instant.hpp"

namespace fleet_simulation {

/// Events in the order of their times; of two at one time, the one that was added first comes first.
///
/// The events of a millisecond, a day, are sorted when the day begins, so an event costs the same however many wait. A heap
/// takes another step, and another cache line, each time their number doubles. Events more than a year (32 s) ahead wait in
/// a heap.
class calendar {
 public:
  struct event {
    instant at;
    std::uint32_t order;  // wraps: it is compared within a day
    std::uint32_t value;
  };

  calendar() : days_(days), has_events_(days / 64) {}

  /// The time of the first event; `never` when the calendar is empty.
  [[nodiscard]] instant first() noexcept {
    if (in_year_ == 0) return far_.empty() ? never : far_.top().at;
    return first_day().back().at;
  }

  /// Requires: `at` is not before the last event that was taken.
  void add(instant at, std::uint32_t value) { add(event{at, ++order_, value}); }

  /// Requires: not empty. Returns the value of the first event.
  std::uint32_t take() {
    if (in_year_ == 0) begin_year(day_of(far_.top().at));
    auto& events = first_day();
    auto const value = events.back().value;
    events.pop_back();
    --in_year_;
    if (events.empty()) {
      has_events_[today_ % days / 64] &= ~bit(today_);
      spare_.push_back(std::move(events));
      events = {};
    }
    if (begin_ != today_) begin_year(today_);
    return value;
  }

 private:
  static constexpr std::size_t days = 1U << 15U;
  static constexpr instant day = 1'000'000;

  [[nodiscard]] static std::size_t day_of(instant t) noexcept { return static_cast<std::size_t>(t / day); }
  [[nodiscard]] static std::uint64_t bit(std::size_t of) noexcept { return std::uint64_t{1} << (of % 64); }
  static bool later(event const& a, event const& b) noexcept {
    return a.at != b.at ? a.at > b.at : static_cast<std::int32_t>(a.order - b.order) > 0;
  }
  struct is_later {
    bool operator()(event const& a, event const& b) const noexcept { return later(a, b); }
  };

  void add(event const& added) {
    auto const of = day_of(added.at);
    if (of >= begin_ + days) {
      far_.push(added);
      return;
    }
    auto& events = days_[of % days];
    if (events.empty() && !spare_.empty()) {
      events = std::move(spare_.back());
      spare_.pop_back();
    }
    if (of == today_ && is_sorted_) {
      events.insert(std::upper_bound(events.begin(), events.end(), added, later), added);
    } else {
      events.push_back(added);
      if (of < today_) {
        today_ = of;
        is_sorted_ = false;
      }
    }
    has_events_[of % days / 64] |= bit(of);
    ++in_year_;
  }

  /// The events of the first day that has any, the first of them at the back. Requires: there are events in the year.
  [[nodiscard]] std::vector<event>& first_day() noexcept {
    while ((has_events_[today_ % days / 64] & bit(today_)) == 0) {
      auto const later_in_word = has_events_[today_ % days / 64] >> (today_ % 64);
      today_ += later_in_word != 0 ? static_cast<std::size_t>(std::countr_zero(later_in_word)) : 64 - today_ % 64;
      is_sorted_ = false;
    }
    auto& events = days_[today_ % days];
    if (!is_sorted_) std::sort(events.begin(), events.end(), later);
    is_sorted_ = true;
    return events;
  }

  void begin_year(std::size_t with) {
    begin_ = with;
    if (in_year_ == 0) {
      today_ = with;
      is_sorted_ = false;
    }
    while (!far_.empty() && day_of(far_.top().at) < begin_ + days) {
      auto const moved = far_.top();
      far_.pop();
      add(moved);
    }
  }

  std::vector<std::vector<event>> days_;   // of a year, from begin_ on
  std::vector<std::uint64_t> has_events_;  // a bit for each day
  std::vector<std::vector<event>> spare_;  // the room of days that are over
  std::priority_queue<event, std::vector<event>, is_later> far_;
  std::size_t begin_ = 0;  // the day of the last event that was taken
  std::size_t today_ = 0;  // no event of the year is before it
  std::size_t in_year_ = 0;
  bool is_sorted_ = true;  // today's events
  std::uint32_t order_ = 0;
};

}  // namespace fleet_simulation

#endif
