// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_RUN_TIME_VIRTUAL_INTERNAL_ADJUSTED_VIEW_HPP
#define ANEW_RUN_TIME_VIRTUAL_INTERNAL_ADJUSTED_VIEW_HPP

#include <cstdint>
#include <optional>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/backoff.hpp"
#include "anew/roles/max_attempts.hpp"
#include "anew/run_time/virtual/internal/adjustments.hpp"

namespace anew::inline ANEW_ABI::detail {

/// A composed strategy with adjustments, for one decision: what `deciding` asks, and which of the two answers.
template <class S>
class adjusted_view {
 public:
  using token_type = typename S::token_type;
  using quota_type = typename S::quota_type;
  using hint_type = typename S::hint_type;
  using jitter_state_type = typename S::jitter_state_type;
  using random_source_type = typename S::random_source_type;
  using counts_type = typename S::counts_type;
  static constexpr bool has_deadline = true;
  static constexpr bool has_reset = S::has_reset;
  static constexpr bool has_nesting = S::has_nesting;
  static constexpr bool has_gate = S::has_gate;
  static constexpr bool has_pacer = S::has_pacer;
  static constexpr bool waits_before_refusal = S::waits_before_refusal;

  /// `end`: of the call, by the deadline in force.
  ANEW_INLINE adjusted_view(S const& of, adjustments const& by, time_point end) noexcept
      : of_{of}, by_{by}, end_{end} {}

  struct max_attempts_type {
    adjusted_view const& in;
    [[nodiscard]] ANEW_INLINE bool permits_another(std::uint32_t made) const {
      if (in.by_.attempts != nullptr) return in.by_.attempts->permits_another(made);
      return in.of_.max_attempts().permits_another(made);
    }
    [[nodiscard]] bool permits_another(call_progress const& progress) const
      requires LimitsByKind<typename S::max_attempts_type>
    {
      if (in.by_.attempts != nullptr) return in.by_.attempts->permits_another(progress.attempts);
      return in.of_.max_attempts().permits_another(progress);
    }
  };
  struct backoff_type {
    adjusted_view const& in;
    [[nodiscard]] ANEW_INLINE duration delay(std::uint32_t retry) const {
      if (in.by_.backoff != nullptr) return in.by_.backoff->delay(retry);
      return in.of_.backoff().delay(retry);
    }
    [[nodiscard]] duration delay(call_progress const& progress) const
      requires DelaysByKind<typename S::backoff_type>
    {
      if (in.by_.backoff != nullptr) return in.by_.backoff->delay(progress.attempts);
      return in.of_.backoff().delay(progress);
    }
    [[nodiscard]] ANEW_INLINE duration cap() const {
      return in.by_.backoff != nullptr ? in.by_.backoff->cap() : cap_of(in.of_.backoff());
    }
  };
  [[nodiscard]] max_attempts_type max_attempts() const noexcept { return {*this}; }
  [[nodiscard]] backoff_type backoff() const noexcept { return {*this}; }

  /// Reads the time only where there is a deadline.
  template <class Now>
  [[nodiscard]] ANEW_INLINE std::optional<duration> fit(duration delay, Now& now) const {
    if (by_.deadline != nullptr) return by_.deadline->fit(delay, saturating_subtract(end_, now));
    if constexpr (S::has_deadline) return of_.deadline().fit(delay, saturating_subtract(end_, now));
    return delay;
  }

  [[nodiscard]] decltype(auto) jitter() const noexcept { return of_.jitter(); }
  [[nodiscard]] decltype(auto) quota() const noexcept { return of_.quota(); }
  [[nodiscard]] decltype(auto) hint() const noexcept { return of_.hint(); }
  [[nodiscard]] decltype(auto) gate() const noexcept { return of_.gate(); }
  [[nodiscard]] decltype(auto) pacer() const noexcept { return of_.pacer(); }
  [[nodiscard]] decltype(auto) reset() const noexcept { return of_.reset(); }
  [[nodiscard]] decltype(auto) nesting() const noexcept { return of_.nesting(); }
  [[nodiscard]] decltype(auto) random_source() const noexcept { return of_.random_source(); }

 private:
  S const& of_;
  adjustments const& by_;
  time_point end_;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
