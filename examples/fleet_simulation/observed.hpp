// SPDX-License-Identifier: BSL-1.0
#ifndef FLEET_SIMULATION_OBSERVED_HPP
#define FLEET_SIMULATION_OBSERVED_HPP

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "anew/base/duration.hpp"
#include "anew/base/stop_reason.hpp"

#include "histogram.hpp"
#include "instant.hpp"
#include "timeline.hpp"
#include "world.hpp"

namespace fleet_simulation {

/// The calls that began in a phase, or in another part of the time.
struct period {
  instant begin = 0;
  instant end = 0;
  histogram took{};            // of those that succeeded
  std::uint32_t by_quota = 0;  // of those that failed, because no quota paid for a retry
};

/// The result of a simulation.
class observed {
 public:
  explicit observed(world const& w) : times{end_of(w), w.timeout.count()}, attempts_of_layer(w.layers.size()) {
    instant begin = 0;
    if (w.periods.empty()) {
      for (auto const& one : w.phases) {
        periods.push_back({begin, begin + one.lasts.count()});
        begin = periods.back().end;
      }
      return;
    }
    for (auto const& at : w.periods) {
      if (!periods.empty()) periods.back().end = at.count();
      periods.push_back({at.count(), end_of(w)});
    }
  }

  [[nodiscard]] static instant end_of(world const& w) noexcept {
    return std::accumulate(w.phases.begin(), w.phases.end(), anew::duration{},
                           [](anew::duration sum, phase const& one) { return sum + one.lasts; })
        .count();
  }

  timeline times;
  std::vector<period> periods;
  struct backlog {
    double wait = 0;        // in the service's queue, in seconds
    std::size_t calls = 0;  // that have begun and not ended
  };
  backlog halfway;  // of the last phase
  backlog at_end;
  // More calls had begun and not ended than permitted, or each made too many attempts.
  bool has_collapsed = false;
  instant ended = 0;
  std::uint64_t events = 0;
  std::vector<std::uint64_t> attempts_of_layer;  // those that come to a layer, not to the service
  std::vector<double> levels;  // of the clients' quotas, each second, where that is asked for: from 0 to 1

  [[gnu::always_inline]] void ends(instant began, instant now, anew::stop_reason reason) {
    bool const is_good = reason == anew::stop_reason::succeeded;
    times.ends(began, is_good);
    if (is_good) {
      period_of(began).took.add(now - began);
    } else if (reason == anew::stop_reason::quota) {
      ++period_of(began).by_quota;
    }
  }

 private:
  [[nodiscard]] period& period_of(instant began) noexcept {
    while (began >= periods[last_].end && last_ + 1 != periods.size()) ++last_;
    while (began < periods[last_].begin) --last_;
    return periods[last_];
  }
  std::size_t last_ = 0;  // the period of the call that ended last
};

}  // namespace fleet_simulation

#endif
