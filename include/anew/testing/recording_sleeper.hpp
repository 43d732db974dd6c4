// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTING_RECORDING_SLEEPER_HPP
#define ANEW_TESTING_RECORDING_SLEEPER_HPP

#include <functional>
#include <utility>
#include <vector>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI::testing {

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

}  // namespace anew::inline ANEW_ABI::testing

#endif
