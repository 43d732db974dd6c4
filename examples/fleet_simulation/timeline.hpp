// SPDX-License-Identifier: BSL-1.0
#ifndef FLEET_SIMULATION_TIMELINE_HPP
#define FLEET_SIMULATION_TIMELINE_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "instant.hpp"

namespace fleet_simulation {

/// The events of a tenth of a second.
struct tenth {
  std::uint32_t calls = 0;  // that began
  std::uint32_t attempts = 0;
  std::uint32_t succeeded = 0;  // calls that ended well
  std::uint32_t lost = 0;       // calls that ended otherwise
  std::uint32_t open = 0;       // of the calls that began, those that have not ended
  std::uint32_t bad = 0;        // of the calls that began, those that were lost, or that ended too late to be of use
};

/// The events of a simulation by tenths of a second.
class timeline {
 public:
  static constexpr instant width = 100'000'000;

  /// A call that takes longer than ten time-outs is of no use.
  timeline(instant end, instant timeout)
      : tenths_(index_of(end) + 1), longest_{index_of(10 * timeout) + 1}, last_known_{index_of(2 * timeout) + 1} {}

  /// The time; it never goes back.
  void advance_to(instant now) noexcept { present_ = std::min(index_of(now), tenths_.size() - 1); }
  void begins() noexcept {
    ++tenths_[present_].calls;
    ++tenths_[present_].open;
  }
  void attempts() noexcept { ++tenths_[present_].attempts; }
  void ends(instant began, bool is_good) noexcept {
    auto const begin = index_of(began);
    --tenths_[begin].open;
    if (!is_good || begin + longest_ < present_) ++tenths_[begin].bad;
    ++(is_good ? tenths_[present_].succeeded : tenths_[present_].lost);
  }

  [[nodiscard]] std::vector<tenth> const& tenths() const noexcept { return tenths_; }

  /// The sum from `begin` until `end`.
  [[nodiscard]] tenth sum(instant begin, instant end) const noexcept {
    tenth all;
    auto const last = std::min(static_cast<std::size_t>(end / width), tenths_.size());
    for (auto i = static_cast<std::size_t>(begin / width); i < last; ++i) {
      all.calls += tenths_[i].calls;
      all.attempts += tenths_[i].attempts;
      all.succeeded += tenths_[i].succeeded;
      all.lost += tenths_[i].lost;
      all.open += tenths_[i].open;
      all.bad += tenths_[i].bad;
    }
    return all;
  }

  /// The seconds after `from` from which on 99 % of the calls that begin in each second succeed in time; nothing where
  /// the last ten seconds are not so. Of few calls, more may fail by chance: three standard deviations of what 1 % would
  /// be. The calls of the last two time-outs are not judged, since their ends are not known.
  [[nodiscard]] std::optional<double> recovery(instant from) const noexcept {
    auto const found = judge(from);
    if (found.good_from + 10 * second > found.last) return std::nullopt;
    return seconds_of(static_cast<instant>(found.good_from - found.first) * width);
  }
  /// Whether the last second that `recovery()` judges is not so. Where that is false and there is no recovery, the time
  /// is too short to tell.
  [[nodiscard]] bool fails_at_the_end(instant from) const noexcept {
    auto const found = judge(from);
    return found.good_from != found.first && found.good_from + second > found.last;
  }

 private:
  static constexpr std::size_t second = 10;

  /// Tenths: the first and the end of those that are judged, and from which on the calls of each second succeed.
  struct judged {
    std::size_t first;
    std::size_t good_from;
    std::size_t last;
  };
  [[nodiscard]] judged judge(instant from) const noexcept {
    auto const first = static_cast<std::size_t>(from / width);
    judged found{first, first, tenths_.size() - std::min(tenths_.size(), last_known_)};
    for (auto i = first; i + second <= found.last; ++i) {
      auto const s = sum(static_cast<instant>(i) * width, static_cast<instant>(i + second) * width);
      auto const permitted = 0.01 * s.calls;
      if (s.bad + s.open > permitted + 3 * std::sqrt(permitted)) found.good_from = i + 1;
    }
    return found;
  }
  [[nodiscard]] static std::size_t index_of(instant t) noexcept { return static_cast<std::size_t>(t / width); }

  std::vector<tenth> tenths_;
  std::size_t longest_;     // tenths of a call that is of use
  std::size_t last_known_;  // at the end, the tenths in which calls begin whose end is not known
  std::size_t present_ = 0;
};

}  // namespace fleet_simulation

#endif
