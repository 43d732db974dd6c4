// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_MANUAL_CLOCK_HPP
#define ANEW_TESTS_SUPPORT_MANUAL_CLOCK_HPP

#include <atomic>
#include <cstdint>
#include <memory>

#include "anew/duration.hpp"
#include "anew/roles.hpp"

namespace support {

/// A clock that stands still until a test moves it. Copies are the same clock: a test keeps one and composes the other,
/// or reaches the strategy's own by `strategy.clock()`. Counts how often it is read. Safe from many threads.
class manual_clock {
 public:
  using role = anew::roles::clock;
  static constexpr bool is_steady = true;

  explicit manual_clock(anew::duration start = anew::duration{1'000'000'000'000}) : state_{std::make_shared<state>()} {
    state_->ticks = start.count();
  }
  manual_clock(manual_clock const&) = default;  // and so no move: a clock is never without a state
  manual_clock& operator=(manual_clock const&) = default;
  ~manual_clock() = default;

  [[nodiscard]] anew::time_point now() const noexcept {
    ++state_->reads;
    return peek();
  }

  /// The time, without being counted as a reader.
  [[nodiscard]] anew::time_point peek() const noexcept {
    return anew::time_point{anew::duration{state_->ticks.load()}};
  }

  void advance(anew::duration by) const noexcept { state_->ticks += by.count(); }
  void set(anew::time_point to) const noexcept { state_->ticks = to.time_since_epoch().count(); }

  [[nodiscard]] std::uint64_t reads() const noexcept { return state_->reads.load(); }

 private:
  struct state {
    std::atomic<std::int64_t> ticks{0};
    std::atomic<std::uint64_t> reads{0};
  };
  std::shared_ptr<state> state_;
};

}  // namespace support

#endif
