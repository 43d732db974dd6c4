// SPDX-License-Identifier: BSL-1.0
#ifndef FLEET_SIMULATION_SERVICE_HPP
#define FLEET_SIMULATION_SERVICE_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "dice.hpp"
#include "fate.hpp"
#include "instant.hpp"
#include "world.hpp"

namespace fleet_simulation {

/// A first-in, first-out queue with one server, whose speed is that of the phase, behind a limit of what comes to it. Each
/// attempt is the same work, so that the end of an attempt is known when it arrives, and no event is needed for the queue.
class service {
 public:
  service(service const&) = delete;
  service& operator=(service const&) = delete;
  explicit service(std::vector<phase> const& phases) {
    instant begin = 0;
    for (auto const& one : phases) {
      auto const end = begin + one.lasts.count();
      stretches_.push_back({static_cast<double>(begin), static_cast<double>(end), one.capacity * 1e-9, one});
      begin = end;
    }
    stretches_.back().end = forever;
    present_ = stretches_.data();
    warm_up();
  }

  /// The phase at `now`, which does not go back.
  [[nodiscard]] phase const& at(instant now) noexcept {
    if (now >= present_ends_) go_on_to(now);
    return present_->of;
  }

  /// Of the attempt that arrives now, and whose client gives up at that time; attempts arrive in order.
  [[gnu::always_inline]] [[nodiscard]] fate fate_of_arrival(instant now, instant gives_up, dice& numbers) noexcept {
    auto const& in = at(now);
    auto const latency = in.latency.count();
    if (in.admitted != unlimited && !admits(now)) {
      if (in.others == turned_away::dropped || now + latency > gives_up) return {gives_up, ending::times_out};
      return {now + latency, in.others == turned_away::throttled ? ending::is_throttled : ending::is_refused};
    }
    fate of;
    if (in.drops_cancelled && static_cast<double>(gives_up) < free_at_) return {gives_up, ending::times_out};
    of.work_begins = std::max(static_cast<double>(now), free_at_);
    of.ends = answer_of_arrival(now);
    of.work_ends = free_at_;
    of.ends = of.ends < never - latency ? of.ends + latency : never;
    of.is_slow = numbers.happens(in.slow_share);
    if (of.is_slow) of.ends = of.ends < never - in.slow_by.count() ? of.ends + in.slow_by.count() : never;
    of.how = of.ends > gives_up ? ending::times_out : ending::is_answered;
    of.ends = std::min(of.ends, gives_up);
    return of;
  }
  /// Where the service drops them, the attempt leaves the queue if it waits there. Those that arrive from now on come sooner;
  /// those behind it stay where they are.
  void cancel(instant now, fate const& of) noexcept {
    if (at(now).drops_cancelled && of.work_begins > static_cast<double>(now) && free_at_ != forever) {
      free_at_ -= of.work_ends - of.work_begins;
    }
  }

  /// How long an attempt that arrives now would wait before the service begins it, in seconds.
  [[nodiscard]] double wait(instant now) const noexcept {
    return std::max(0.0, (free_at_ - static_cast<double>(now)) * 1e-9);
  }

  /// This share of the queue goes away.
  void drop(instant now, double share) noexcept {
    auto const waits = free_at_ - static_cast<double>(now);
    if (waits > 0 && free_at_ != forever) free_at_ -= share * waits;
  }

 private:
  static constexpr double forever = std::numeric_limits<double>::infinity();
  struct stretch {
    double begin;
    double end;
    double speed;  // attempts a nanosecond
    phase of;
  };

  /// Whether the attempt that arrives now comes to the queue. Requires: `at(now)` was called.
  [[nodiscard]] bool admits(instant now) noexcept {
    auto const& of = present_->of;
    admitted_ = std::min(admitted_ + seconds_of(now - counted_until_) * of.admitted, of.admitted_at_once);
    counted_until_ = now;
    if (admitted_ < 1) return false;
    admitted_ -= 1;
    return true;
  }
  /// When the queue has answered the attempt that arrives now.
  [[nodiscard]] instant answer_of_arrival(instant now) noexcept {
    if (free_at_ == forever) return never;
    auto at = static_cast<double>(now) > free_at_ ? static_cast<double>(now) : free_at_;
    double work = 1;
    for (;;) {
      auto const& in = working_at(at);
      auto const speed = in.speed * warmth_;
      if (speed == 0 && in.end == forever) {
        free_at_ = forever;
        return never;
      }
      if (speed * (in.end - at) >= work) {
        free_at_ = at + work / speed;
        break;
      }
      work -= speed * (in.end - at);
      at = in.end;
    }
    if (warmth_ < 1) warm_up();
    return static_cast<instant>(std::ceil(std::min(free_at_, 9e18)));
  }
  void go_on_to(instant now) noexcept {
    while (static_cast<double>(now) >= present_->end) {
      auto const& over = *present_++;
      auto const& next = *present_;
      if (over.of.admitted == unlimited || next.of.admitted != over.of.admitted) {
        admitted_ = 0;
        counted_until_ = static_cast<instant>(next.begin);
      }
    }
    auto const end = present_->end;
    present_ends_ = end == forever ? never : static_cast<instant>(end);
  }
  /// Requires: `t` does not go back by more than drop() takes away.
  [[nodiscard]] stretch const& working_at(double t) noexcept {
    while (t < stretches_[working_].begin) --working_;
    while (t >= stretches_[working_].end) {
      ++working_;
      if (stretches_[working_].of.answers_until_warm > 0) cool_down();
    }
    return stretches_[working_];
  }
  void cool_down() noexcept {
    answers_ = -1;
    cold_in_ = working_;
    warm_up();
  }
  /// One more answer has filled the cache.
  void warm_up() noexcept {
    auto const& of = stretches_[cold_in_].of;
    answers_ += 1;
    warmth_ = answers_ >= of.answers_until_warm
                  ? 1
                  : of.cold_capacity + (1 - of.cold_capacity) * answers_ / of.answers_until_warm;
  }

  std::vector<stretch> stretches_;
  stretch const* present_ = nullptr;  // of what arrives
  instant present_ends_ = 0;
  std::size_t working_ = 0;  // of what the queue works on
  double free_at_ = 0;
  double admitted_ = 0;
  instant counted_until_ = 0;
  std::size_t cold_in_ = 0;  // the phase whose cache was cold at its beginning
  double answers_ = -1;      // since then
  double warmth_ = 1;        // the share of the capacity that the cache leaves
};

}  // namespace fleet_simulation

#endif
