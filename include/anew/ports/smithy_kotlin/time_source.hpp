// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_SMITHY_KOTLIN_TIME_SOURCE_HPP
#define ANEW_PORTS_SMITHY_KOTLIN_TIME_SOURCE_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/ports/smithy_kotlin/without_exceptions.hpp"
#if ANEW_EXCEPTIONS

#include <chrono>
#include <exception>
#include <memory>
#include <type_traits>
#include <utility>

#include "anew/base/attempt.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/platform/internal/test_mode.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/policies/sources/blocking_sleeper.hpp"
#include "anew/policies/sources/internal/stop.hpp"
#include "anew/policies/sources/std_clock.hpp"
#include "anew/roles/clock.hpp"
#include "anew/roles/deadline.hpp"
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

/// The time, and a way to wait, as an object that a token bucket and a delayer share. Safe from many threads.
class time_source {
 public:
  time_source() = default;
  time_source(time_source const&) = delete;
  time_source& operator=(time_source const&) = delete;
  virtual ~time_source() = default;

  [[nodiscard]] virtual time_point now() const = 0;

  /// Waits; a stop may wake it. An exception ends the call.
  virtual void sleep(duration delay, stop_flag const& stop) const = 0;
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
    if constexpr (SleeperFor<SleeperType, std::stop_token> &&
                  requires(std::stop_token const& token) { sleeper_(delay, token); }) {
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

/// How long something may wait: until the call's deadline, or until it is stopped.
struct wait_limit {
  time_point until = time_point::max();
  stop_flag stop{};
};

/// Thrown by what waits when the limit does not permit it: the time is up or would be, or a stop was requested.
/// A strategy that catches it ends the call.
class ANEW_VISIBLE wait_ended : public std::exception {
 public:
  explicit wait_ended(stop_reason reason) noexcept : reason_{reason} {}
  /// `stop_reason::deadline` or `stop_reason::cancelled`.
  [[nodiscard]] stop_reason reason() const noexcept { return reason_; }
  [[nodiscard]] char const* what() const noexcept override {
    return reason_ == stop_reason::cancelled ? "anew::smithy_kotlin: a stop was requested"
                                             : "anew::smithy_kotlin: the time for the call is over";
  }

 private:
  stop_reason reason_;
};

/// Sleeps once, also when the delay is zero, or throws `wait_ended`: at once when the delay would end at the limit or
/// later, after the sleep when it was late or was stopped.
inline void sleep_within(time_source const& time, duration delay, wait_limit const& limit) {
  bool const is_bounded = limit.until != time_point::max();
  if (limit.stop.stop_requested()) throw wait_ended{stop_reason::cancelled};
  if (is_bounded && anew::detail::reaches(limit.until, delay, time.now())) {
    throw wait_ended{stop_reason::deadline};
  }
  time.sleep(anew::detail::test_mode_word().load() != 0 ? duration::zero() : delay, limit.stop);
  if (limit.stop.stop_requested()) throw wait_ended{stop_reason::cancelled};
  if (is_bounded && anew::detail::reaches(limit.until, duration::zero(), time.now()))
    throw wait_ended{stop_reason::deadline};
}

}  // namespace anew::inline ANEW_ABI::smithy_kotlin

#endif  // ANEW_EXCEPTIONS
#endif
