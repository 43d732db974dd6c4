// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_SMITHY_KOTLIN_TIME_SOURCE_HPP
#define ANEW_PORTS_SMITHY_KOTLIN_TIME_SOURCE_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/ports/smithy_kotlin/without_exceptions.hpp"
#if ANEW_EXCEPTIONS

#include <chrono>
#include <memory>
#include <type_traits>
#include <utility>

#include "anew/base/attempt.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/platform/internal/test_mode.hpp"
#include "anew/drivers/blocking_sleeper.hpp"
#include "anew/drivers/internal/stop.hpp"
#include "anew/policies/sources/std_clock.hpp"
#include "anew/roles/clock.hpp"
#include "anew/roles/sleeper.hpp"

namespace anew::inline ANEW_ABI::smithy_kotlin {

/// A stop token of any type, without its type; it refers to that token. Models StopToken.
class stop_flag : public stop_view {
 public:
  constexpr stop_flag() noexcept = default;
  template <class Stop>
    requires(!std::is_same_v<Stop, stop_flag>) && StopToken<Stop>
  constexpr explicit stop_flag(Stop const& stop) noexcept : stop_view{anew::detail::view_of(stop)} {}

  [[nodiscard]] bool stop_requested() const noexcept { return requested != nullptr && requested(token); }
  [[nodiscard]] bool stop_possible() const noexcept { return requested != nullptr; }
};

/// The time, and a way to wait, as an object that a token bucket, a delayer and a strategy share. Safe from many
/// threads.
class time_source {
 public:
  time_source() = default;
  time_source(time_source const&) = delete;
  time_source& operator=(time_source const&) = delete;
  virtual ~time_source() = default;

  [[nodiscard]] virtual time_point now() const = 0;

  /// Waits; a stop may wake it. An exception ends the call.
  virtual void sleep(duration delay, stop_flag const& stop) const = 0;

  /// Waits without a stop; in test mode for no time.
  void pause(duration delay) const { sleep(anew::detail::test_mode_word().load() != 0 ? duration::zero() : delay, {}); }
};

/// Any Clock and any Sleeper as a time source. Both are copied in: a sleeper that is not is given as `std::ref(sleep)`.
template <Clock ClockType, class SleeperType>
  requires SleeperFor<SleeperType, stop_flag>
class time_source_of final : public time_source {
 public:
  // NOLINTNEXTLINE(performance-unnecessary-value-param): moved where that is more than a copy
  explicit time_source_of(ClockType clock = ClockType{}, SleeperType sleeper = SleeperType{})
      : clock_{std::move(clock)}, sleeper_{std::move(sleeper)} {}

  [[nodiscard]] time_point now() const override { return clock_.now(); }

  void sleep(duration delay, stop_flag const& stop) const override {
#if defined(__cpp_lib_jthread)
    if constexpr (requires(std::stop_token const& token) { sleeper_(delay, token); }) {
      if (stop.is_standard) return void(sleeper_(delay, *static_cast<std::stop_token const*>(stop.token)));
    }
#endif
    if constexpr (requires { sleeper_(delay, stop); }) {
      if (stop.stop_possible() || !Sleeper<SleeperType>) return void(sleeper_(delay, stop));
    }
    if constexpr (Sleeper<SleeperType>) sleeper_(delay);
  }

 private:
  ClockType clock_;
  mutable SleeperType sleeper_;
};

template <Clock ClockType, class SleeperType>
// NOLINTNEXTLINE(performance-unnecessary-value-param): moved where that is more than a copy
[[nodiscard]] std::shared_ptr<time_source const> make_time_source(ClockType clock, SleeperType sleeper) {
  return std::make_shared<time_source_of<ClockType, SleeperType>>(std::move(clock), std::move(sleeper));
}

/// The steady clock and a sleeper that blocks the thread.
[[nodiscard]] inline std::shared_ptr<time_source const> system_time() {
  static std::shared_ptr<time_source const> const only =
      std::make_shared<time_source_of<std_clock<std::chrono::steady_clock>, blocking_sleeper>>();
  return only;
}

}  // namespace anew::inline ANEW_ABI::smithy_kotlin

#endif  // ANEW_EXCEPTIONS
#endif
