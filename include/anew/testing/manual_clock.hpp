// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTING_MANUAL_CLOCK_HPP
#define ANEW_TESTING_MANUAL_CLOCK_HPP

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI::testing {

/// A clock that stands still until a test moves it.
///
/// Copies are the same clock: a test keeps one and composes the other, or reaches the strategy's own by
/// `strategy.clock()`. It counts how often it is read.
///
/// Models: Clock (safe from many threads)
/// Formula: none
/// Requires: nothing      Cost: one allocation when it is made
/// Choose it in every test in which time matters. Not to make time pass by itself: advancing_sleeper does that.
/// Source: none
class manual_clock {
 public:
  using role = roles::clock;
  static constexpr bool is_steady = true;

  explicit manual_clock(duration start = duration{1'000'000'000'000}) : state_{std::make_shared<state>()} {
    state_->ticks = start.count();
  }
  manual_clock(manual_clock const&) = default;  // and so no move: a clock is never without a state
  manual_clock& operator=(manual_clock const&) = default;
  ~manual_clock() = default;

  [[nodiscard]] time_point now() const noexcept {
    ++state_->reads;
    return peek();
  }

  /// The time, without being counted as a reader.
  [[nodiscard]] time_point peek() const noexcept { return time_point{duration{state_->ticks.load()}}; }

  /// Lets time pass, or goes back where `by` is negative; held at the ends of the range.
  void advance(duration by) const noexcept {
    auto ticks = state_->ticks.load();
    while (!state_->ticks.compare_exchange_weak(ticks, detail::saturating_add(duration{ticks}, by).count())) continue;
  }
  void set(time_point to) const noexcept { state_->ticks = to.time_since_epoch().count(); }

  /// How often it was read.
  [[nodiscard]] std::uint64_t reads() const noexcept { return state_->reads.load(); }

  [[nodiscard]] static std::string describe() { return "manual_clock"; }

 private:
  struct state {
    std::atomic<std::int64_t> ticks{0};
    std::atomic<std::uint64_t> reads{0};
  };
  std::shared_ptr<state> state_;
};

}  // namespace anew::inline ANEW_ABI::testing

#endif
