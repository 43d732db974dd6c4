// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_RUN_TIME_VIRTUAL_INTERNAL_ADJUSTMENTS_HPP
#define ANEW_RUN_TIME_VIRTUAL_INTERNAL_ADJUSTMENTS_HPP

#include <cstdint>
#include <optional>
#include <utility>

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

/// A policy of `Role` whose type is known at run time only.
template <class Role>
class replacement;

// NOLINTBEGIN(*-virtual-class-destructor): nothing is destroyed through these
template <>
class ANEW_VISIBLE replacement<roles::max_attempts> {
 public:
  [[nodiscard]] virtual bool permits_another(std::uint32_t made) const = 0;
  [[nodiscard]] virtual std::uint32_t value() const noexcept = 0;
};
template <>
class ANEW_VISIBLE replacement<roles::backoff> {
 public:
  [[nodiscard]] virtual duration delay(std::uint32_t retry) const = 0;
  [[nodiscard]] virtual duration cap() const = 0;
};
template <>
class ANEW_VISIBLE replacement<roles::deadline> {
 public:
  [[nodiscard]] virtual duration total() const = 0;
  [[nodiscard]] virtual std::optional<duration> fit(duration delay, duration remaining) const = 0;
};
template <>
class ANEW_VISIBLE replacement<roles::attempt_timeout> {
 public:
  [[nodiscard]] virtual duration of(duration remaining) const = 0;
};
// NOLINTEND(*-virtual-class-destructor)

/// The limit that a policy states; 0 where it states none.
template <class P>
std::uint32_t attempts_of_policy(P const& limit) noexcept {
  if constexpr (requires { limit.value(); }) {
    return static_cast<std::uint32_t>(limit.value());
  } else if constexpr (requires { limit.visit([](auto const& /*chosen*/) { return 0U; }); }) {
    return limit.visit([](auto const& chosen) { return detail::attempts_of_policy(chosen); });
  } else {
    return 0;
  }
}

template <class P>
class replacing_base : public replacement<typename P::role> {
 public:
  explicit replacing_base(P by) : by_{std::move(by)} {}
  [[nodiscard]] P const& policy() const noexcept { return by_; }

 protected:
  ~replacing_base() = default;

 private:
  P by_;
};
template <class P, class Role = typename P::role>
class replacing;
template <class P>
class replacing<P, roles::max_attempts> : public replacing_base<P> {
 public:
  using replacing_base<P>::replacing_base;
  [[nodiscard]] bool permits_another(std::uint32_t made) const override { return this->policy().permits_another(made); }
  [[nodiscard]] std::uint32_t value() const noexcept override { return detail::attempts_of_policy(this->policy()); }
};
template <class P>
class replacing<P, roles::backoff> : public replacing_base<P> {
 public:
  using replacing_base<P>::replacing_base;
  [[nodiscard]] duration delay(std::uint32_t retry) const override { return this->policy().delay(retry); }
  [[nodiscard]] duration cap() const override { return cap_of(this->policy()); }
};
template <class P>
class replacing<P, roles::deadline> : public replacing_base<P> {
 public:
  using replacing_base<P>::replacing_base;
  [[nodiscard]] duration total() const override { return this->policy().total(); }
  [[nodiscard]] std::optional<duration> fit(duration delay, duration remaining) const override {
    return this->policy().fit(delay, remaining);
  }
};
template <class P>
class replacing<P, roles::attempt_timeout> : public replacing_base<P> {
 public:
  using replacing_base<P>::replacing_base;
  [[nodiscard]] duration of(duration remaining) const override { return this->policy().of(remaining); }
};

/// Null: the strategy's own policy.
struct adjustments {
  replacement<roles::max_attempts> const* attempts = nullptr;
  replacement<roles::backoff> const* backoff = nullptr;
  replacement<roles::deadline> const* deadline = nullptr;
  replacement<roles::attempt_timeout> const* timeout = nullptr;

  void take(replacement<roles::max_attempts> const& by) noexcept { attempts = &by; }
  void take(replacement<roles::backoff> const& by) noexcept { backoff = &by; }
  void take(replacement<roles::deadline> const& by) noexcept { deadline = &by; }
  void take(replacement<roles::attempt_timeout> const& by) noexcept { timeout = &by; }
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
