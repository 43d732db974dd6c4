// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTING_SLEEPERS_HPP
#define ANEW_TESTING_SLEEPERS_HPP

#include <functional>
#include <utility>
#include <vector>

#include "anew/platform/compiler.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/value/duration.hpp"

/// Sleepers that do not wait. Neither is copied or moved: a driver uses the test's own, and what it wrote down is not
/// lost with a copy. Code under test that takes its sleeper by value is given `std::ref(sleep)`.
namespace anew::inline ANEW_ABI::testing {

/// All delays together; held at the end of the range.
[[nodiscard]] inline duration total_of(std::vector<duration> const& delays) noexcept {
  auto sum = duration::zero();
  for (auto const delay : delays) sum = detail::saturating_add(sum, delay);
  return sum;
}

/// Writes down the delays, does something in the sleep when it is told to, and never waits.
///
/// Models: Sleeper      Requires: nothing
/// Choose it where only the delays matter. Not with a deadline, which needs time to pass: advancing_sleeper.
class recording_sleeper {
 public:
  recording_sleeper() = default;
  explicit recording_sleeper(std::function<void()> during) : during_{std::move(during)} {}
  recording_sleeper(recording_sleeper const&) = delete;
  recording_sleeper& operator=(recording_sleeper const&) = delete;
  ~recording_sleeper() = default;

  void operator()(duration delay) {
    delays.push_back(delay);
    if (during_) during_();
  }

  [[nodiscard]] duration total() const noexcept { return total_of(delays); }

  std::vector<duration> delays{};

 private:
  std::function<void()> during_{};
};

/// Passes the time on a manual clock, and a little more where a test wants a sleeper that is late.
///
/// Models: Sleeper      Requires: nothing
/// Choose it beside a manual clock in the strategy. Not where time plays no part: recording_sleeper.
class advancing_sleeper {
 public:
  explicit advancing_sleeper(manual_clock const& clock, duration late = duration::zero())
      : clock_{clock}, late_{late} {}
  advancing_sleeper(advancing_sleeper const&) = delete;
  advancing_sleeper& operator=(advancing_sleeper const&) = delete;
  ~advancing_sleeper() = default;

  void operator()(duration delay) {
    delays.push_back(delay);
    clock_.advance(detail::saturating_add(delay, late_));
  }

  /// All delays together, without what it was late.
  [[nodiscard]] duration total() const noexcept { return total_of(delays); }

  std::vector<duration> delays{};

 private:
  manual_clock clock_;
  duration late_;
};

}  // namespace anew::inline ANEW_ABI::testing

#endif
