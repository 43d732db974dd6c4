// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTING_ADVANCING_SLEEPER_HPP
#define ANEW_TESTING_ADVANCING_SLEEPER_HPP

#include <vector>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/recording_sleeper.hpp"

/// A sleeper that does not wait. It is neither copied nor moved: a driver uses the test's own, and what it wrote down is
/// not lost with a copy. Code under test that takes its sleeper by value is given `std::ref(sleep)`.
namespace anew::inline ANEW_ABI::testing {

/// Passes the time on a manual clock, and a little more where a test wants a sleeper that is late.
///
/// Models: Sleeper      Requires: nothing
/// Choose it with a manual clock in the strategy. Not where time plays no part: recording_sleeper.
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
