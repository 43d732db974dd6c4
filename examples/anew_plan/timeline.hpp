// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PLAN_TIMELINE_HPP
#define ANEW_PLAN_TIMELINE_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "scenario.hpp"
#include "service.hpp"

namespace anew_plan {

/// The events of a tenth of a second.
struct tenth {
  std::uint32_t calls = 0;  // that began
  std::uint32_t attempts = 0;
  std::uint32_t succeeded = 0;  // calls that ended well
  std::uint32_t lost = 0;       // calls that ended otherwise
  std::uint32_t overdue = 0;    // calls that have lasted for too long, at its end
};

/// The events of a simulation by tenths of a second. A call is overdue when it has lasted for longer than `longest`, to a
/// tenth of a second.
class timeline {
 public:
  static constexpr instant width = 100'000'000;

  timeline(instant end, instant longest)
      : tenths_(index_of(end) + 1), open_(tenths_.size()), longest_{index_of(longest) + 1} {}

  /// The time; it never goes back.
  void advance_to(instant now) noexcept {
    auto const present = std::min(index_of(now), tenths_.size() - 1);
    while (present_ != present) {
      tenths_[present_].overdue = overdue_;
      ++present_;
      if (present_ >= longest_) overdue_ += open_[present_ - longest_];
    }
  }
  void begins() noexcept {
    ++tenths_[present_].calls;
    ++open_[present_];
  }
  void attempts() noexcept { ++tenths_[present_].attempts; }
  void ends(instant began, bool is_good) noexcept {
    auto const begin = index_of(began);
    --open_[begin];
    if (begin + longest_ <= present_) --overdue_;
    ++(is_good ? tenths_[present_].succeeded : tenths_[present_].lost);
  }

  [[nodiscard]] std::vector<tenth> const& tenths() const noexcept { return tenths_; }

  /// The sum from `begin` until `end`; `overdue` is that of the end.
  [[nodiscard]] tenth sum(instant begin, instant end) const noexcept {
    tenth all;
    auto const last = std::min(static_cast<std::size_t>(end / width), tenths_.size());
    for (auto i = static_cast<std::size_t>(begin / width); i < last; ++i) {
      all.calls += tenths_[i].calls;
      all.attempts += tenths_[i].attempts;
      all.succeeded += tenths_[i].succeeded;
      all.lost += tenths_[i].lost;
      all.overdue = tenths_[i].overdue;
    }
    return all;
  }

  /// The seconds after `from` from which on at least 99 % of the calls that end in each second succeed, and fewer than one
  /// in a hundred that begin in it is overdue; nothing where the last ten seconds are not so.
  [[nodiscard]] std::optional<double> recovery(instant from) const noexcept {
    constexpr std::size_t second = 10;
    auto const first = static_cast<std::size_t>(from / width);
    auto good_from = first;
    for (auto i = first; i + second <= tenths_.size(); ++i) {
      auto const s = sum(static_cast<instant>(i) * width, static_cast<instant>(i + second) * width);
      bool const are_lost = 100 * std::uint64_t{s.lost} > std::uint64_t{s.succeeded} + s.lost;
      bool const are_waiting = s.overdue != 0 && 100 * std::uint64_t{s.overdue} >= s.calls;
      if (are_lost || are_waiting) good_from = i + 1;
    }
    if (good_from + 10 * second > tenths_.size()) return std::nullopt;
    return seconds_of(static_cast<instant>(good_from - first) * width);
  }

 private:
  [[nodiscard]] static std::size_t index_of(instant t) noexcept { return static_cast<std::size_t>(t / width); }

  std::vector<tenth> tenths_;
  std::vector<std::uint32_t> open_;  // of the calls that began in that tenth, those that have not ended
  std::size_t longest_;
  std::size_t present_ = 0;
  std::uint32_t overdue_ = 0;
};

}  // namespace anew_plan

#endif
