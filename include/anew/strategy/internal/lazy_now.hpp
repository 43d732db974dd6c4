// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_STRATEGY_INTERNAL_LAZY_NOW_HPP
#define ANEW_STRATEGY_INTERNAL_LAZY_NOW_HPP

#include <chrono>
#include <concepts>
#include <utility>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/system.hpp"

namespace anew::inline ANEW_ABI::detail {

constexpr time_point now_of(auto const& strategy) {
  if constexpr (requires { strategy.now(); }) {
    return strategy.now();
  } else {
    return detail::platform::now();
  }
}

/// One instant of a call, the beginning or the end of an attempt. The clock is read when the time is first asked for,
/// and not again; where nothing asks, nothing of this object is left in the code.
template <class S>
class lazy_now {
 public:
  ANEW_INLINE constexpr explicit lazy_now(S const& one) noexcept : strategy_{&one} {}
  /// Read before, unless `known` is `time_point::min()`.
  ANEW_INLINE constexpr lazy_now(S const& one, time_point known) noexcept
      : strategy_{&one}, now_{known}, is_read_{known != time_point::min()} {}

  [[nodiscard]] ANEW_INLINE constexpr time_point operator()() {
    if (!is_read_) {
      now_ = now_of(*strategy_);
      is_read_ = true;
    }
    return now_;
  }

  /// A policy that takes the time gets it read here; one that takes a `Time` reads it where it needs it.
  ANEW_INLINE constexpr operator time_point() { return (*this)(); }  // NOLINT(*-explicit-*)

  [[nodiscard]] ANEW_INLINE constexpr time_point if_read() const noexcept {
    return is_read_ ? now_ : time_point::min();
  }

 private:
  S const* strategy_;
  time_point now_{};
  bool is_read_ = false;
};

/// The first and the last function of a strategy, told the instant that its driver knows, where they take it.
template <class S>
ANEW_INLINE typename S::token_type begin_call(S const& strategy, [[maybe_unused]] lazy_now<S>& now) {
  if constexpr (requires { strategy.acquire_initial_token(now); }) return strategy.acquire_initial_token(now);
  return strategy.acquire_initial_token();
}

/// A report that tells how long a call took has both instants, which the strategy then need not read again.
template <class S, class Report>
ANEW_INLINE lazy_now<S> beginning_of(S const& strategy, [[maybe_unused]] Report const& report) {
  if constexpr (requires { report.began_at; }) return {strategy, report.began_at};
  return lazy_now<S>{strategy};
}
template <class S, class Report>
ANEW_INLINE void end_call(S const& strategy, [[maybe_unused]] Report& report, typename S::token_type&& token) {
  if constexpr (requires(lazy_now<S> now) {
                  strategy.record_success(std::move(token), now);
                  report.ended_at;
                }) {
    lazy_now<S> ended{strategy};
    strategy.record_success(std::move(token), ended);
    report.ended_at = ended.if_read();
  } else {
    strategy.record_success(std::move(token));
  }
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
