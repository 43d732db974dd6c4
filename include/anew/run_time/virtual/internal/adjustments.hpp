// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_RUN_TIME_VIRTUAL_INTERNAL_ADJUSTMENTS_HPP
#define ANEW_RUN_TIME_VIRTUAL_INTERNAL_ADJUSTMENTS_HPP

#include <cstdint>
#include <optional>
#include <utility>

#include "anew/base/breaker_state.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/attempt_timeout.hpp"
#include "anew/roles/backoff.hpp"
#include "anew/roles/deadline.hpp"
#include "anew/roles/max_attempts.hpp"
#include "anew/roles/roles.hpp"

/// Policies that replace those of a strategy behind the virtual interface, for the place that decides: data, so that a
/// decision is compiled once.
namespace anew::inline ANEW_ABI::detail {

/// The limit that a policy states; 0 where it states none.
std::uint32_t attempts_of_policy(auto const& limit) noexcept {
  if constexpr (requires { limit.value(); }) {
    return static_cast<std::uint32_t>(limit.value());
  } else if constexpr (requires { limit.visit([](auto const& /*chosen*/) { return 0U; }); }) {
    return limit.visit([](auto const& chosen) { return detail::attempts_of_policy(chosen); });
  } else {
    return 0;
  }
}

/// A function of a policy whose type is known at run time only. Without a policy it is not called.
template <class Function>
class asked_policy;
template <class R, class... Args>
class asked_policy<R(Args...)> {
 public:
  constexpr asked_policy() noexcept = default;
  /// `ask(policy, args...)` asks the policy, which must outlive this.
  template <class P, class Ask>
  asked_policy(P const& policy, Ask /*ask*/) noexcept
      : policy_{&policy},
        ask_{[](void const* of, Args... args) -> R { return Ask{}(*static_cast<P const*>(of), args...); }} {}
  [[nodiscard]] constexpr explicit operator bool() const noexcept { return ask_ != nullptr; }
  R operator()(Args... args) const { return ask_(policy_, args...); }

 private:
  void const* policy_ = nullptr;
  R (*ask_)(void const*, Args...) = nullptr;
};

/// The strategy itself answers where no policy does.
struct adjustments {
  asked_policy<bool(std::uint32_t)> permits_another;
  asked_policy<std::uint32_t()> max_attempts;
  asked_policy<duration(std::uint32_t)> delay;
  asked_policy<duration()> cap;
  asked_policy<duration()> total;
  asked_policy<std::optional<duration>(duration, duration)> fit;
  asked_policy<duration(duration)> timeout;

  template <class P>
  void take(P const& by) noexcept {
    if constexpr (PlaysRole<P, roles::max_attempts>) {
      permits_another = {by, [](P const& limit, std::uint32_t made) { return limit.permits_another(made); }};
      max_attempts = {by, [](P const& limit) { return detail::attempts_of_policy(limit); }};
    } else if constexpr (PlaysRole<P, roles::backoff>) {
      delay = {by, [](P const& backoff, std::uint32_t retry) { return backoff.delay(retry); }};
      cap = {by, [](P const& backoff) { return cap_of(backoff); }};
    } else if constexpr (PlaysRole<P, roles::deadline>) {
      total = {by, [](P const& deadline) { return deadline.total(); }};
      fit = {by, [](P const& deadline, duration wait, duration rest) { return deadline.fit(wait, rest); }};
    } else {
      timeout = {by, [](P const& limit, duration rest) { return limit.of(rest); }};
    }
  }
};
/// Nothing is replaced.
inline constexpr adjustments as_it_is{};

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
  static constexpr bool tells_changes = S::tells_changes;
  static constexpr bool waits_before_refusal = S::waits_before_refusal;

  /// `end`: of the call, by the deadline in force.
  ANEW_INLINE adjusted_view(S const& of, adjustments const& by, time_point end) noexcept
      : of_{of}, by_{by}, end_{end} {}

  struct max_attempts_type {
    adjusted_view const& in;
    [[nodiscard]] ANEW_INLINE bool permits_another(std::uint32_t made) const {
      if (in.by_.permits_another) return in.by_.permits_another(made);
      return in.of_.max_attempts().permits_another(made);
    }
    [[nodiscard]] bool permits_another(call_progress const& progress) const
      requires LimitsByKind<typename S::max_attempts_type>
    {
      if (in.by_.permits_another) return in.by_.permits_another(progress.attempts);
      return in.of_.max_attempts().permits_another(progress);
    }
  };
  struct backoff_type {
    adjusted_view const& in;
    [[nodiscard]] ANEW_INLINE duration delay(std::uint32_t retry) const {
      if (in.by_.delay) return in.by_.delay(retry);
      return in.of_.backoff().delay(retry);
    }
    [[nodiscard]] duration delay(call_progress const& progress) const
      requires DelaysByKind<typename S::backoff_type>
    {
      if (in.by_.delay) return in.by_.delay(progress.attempts);
      return in.of_.backoff().delay(progress);
    }
    [[nodiscard]] ANEW_INLINE duration cap() const { return in.by_.cap ? in.by_.cap() : cap_of(in.of_.backoff()); }
  };
  [[nodiscard]] max_attempts_type max_attempts() const noexcept { return {*this}; }
  [[nodiscard]] backoff_type backoff() const noexcept { return {*this}; }

  /// Reads the time only where there is a deadline.
  [[nodiscard]] ANEW_INLINE std::optional<duration> fit(duration delay, auto& now) const {
    if (by_.fit) return by_.fit(delay, saturating_subtract(end_, now));
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
  ANEW_INLINE void announce(gate_change change, auto& now) const { of_.announce(change, now); }
  ANEW_INLINE void note_quota(bool refused, auto& now) const { of_.note_quota(refused, now); }

 private:
  S const& of_;
  adjustments const& by_;
  time_point end_;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
