// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTING_MANUAL_CLOCK_HPP
#define ANEW_TESTING_MANUAL_CLOCK_HPP

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "anew/base/duration.hpp"
#include "anew/base/internal/immovable.hpp"
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

/// The sum of all delays; saturates.
[[nodiscard]] inline duration total_of(std::vector<duration> const& delays) noexcept {
  auto sum = duration::zero();
  for (auto const delay : delays) sum = detail::saturating_add(sum, delay);
  return sum;
}

/// A sleeper that does not wait. It is neither copied nor moved: a driver uses the test's own, and what it wrote down is
/// not lost with a copy. Code under test that takes its sleeper by value is given `std::ref(sleep)`.
/// Writes down the delays, does something in the sleep when it is told to, and never waits.
///
/// Models: Sleeper      Requires: nothing
/// Choose it where only the delays matter. Not with a deadline, which needs time to pass: advancing_sleeper.
class recording_sleeper : pinned::immovable<recording_sleeper> {
 public:
  recording_sleeper() = default;
  explicit recording_sleeper(std::function<void()> during) : during_{std::move(during)} {}

  void operator()(duration delay) {
    delays.push_back(delay);
    if (during_) during_();
  }

  [[nodiscard]] duration total() const noexcept { return total_of(delays); }

  std::vector<duration> delays{};

 private:
  std::function<void()> during_{};
};

// A sleeper that does not wait. It is neither copied nor moved: a driver uses the test's own, and what it wrote down is
// not lost with a copy. Code under test that takes its sleeper by value is given `std::ref(sleep)`.

/// Passes the time on a manual clock, and a little more where a test wants a sleeper that is late.
///
/// Models: Sleeper      Requires: nothing
/// Choose it with a manual clock in the strategy. Not where time plays no part: recording_sleeper.
class advancing_sleeper : pinned::immovable<advancing_sleeper> {
 public:
  explicit advancing_sleeper(manual_clock const& clock, duration late = duration::zero())
      : clock_{clock}, late_{late} {}

  void operator()(duration delay) {
    delays.push_back(delay);
    clock_.advance(detail::saturating_add(delay, late_));
  }

  /// The sum of the delays that were asked for, without lateness.
  [[nodiscard]] duration total() const noexcept { return total_of(delays); }

  std::vector<duration> delays{};

 private:
  manual_clock clock_;
  duration late_;
};

}  // namespace anew::inline ANEW_ABI::testing

#endif
